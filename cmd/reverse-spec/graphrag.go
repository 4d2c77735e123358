package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Exit codes of graph-rag, as in its contract.
const (
	ragParameter = 1
	ragMissing   = 2 // a requirement is missing
	ragFailed    = 3
)

// ragFlags are the flags of graph-rag that are not options of package rag.
type ragFlags struct {
	code   bool
	query  string
	format string
	graph  graphFlags
	model  modelFlags // for reranking
}

func (a *app) graphRAGCommand() *cobra.Command {
	var flags ragFlags
	opts := rag.Defaults()
	cmd := &cobra.Command{
		Use:   "graph-rag --query <question>",
		Short: "Find the code that a question is about, with its neighbours",
		Long: `Graph-rag searches the project's symbols, walks the code graph from those it finds,
and prints the best within a budget of tokens: where they are, what they say, who
calls them. graph-rag.sh is the same command under its contract's name.

USAGE
  graph-rag.sh --query <question> [options]

REQUIRED
  --query <string>         the question; it may also be the first argument, behind -- when it begins with a dash

OPTIONS
  --top-k <int>            most candidates of each source (default: 10)
  --depth <int>            steps to the callers and callees that are shown (default: 3, most: 5)
  --budget <int>           most tokens of the answer (default: 8000)
  --format <text|json>     form of the output (default: text: the ten best places)
  --code                   as text, all results with their code, callers and callees
  --fusion-depth <int>     steps in the graph from what the search finds (default: 1, range: 0-5)
  --include-virtual        follow virtual edges, into other repositories; needs reverse-spec federate
  --min-relevance <float>  least relevance (default: 0.0)
  --rerank                 order the candidates again, by the model that is configured; by names without one

ENVIRONMENT
  CKB_UNAVAILABLE=1        do not ask CKB
  GRAPH_RAG_CACHE_ENABLED  whether answers are cached (default: true)

EXIT STATUS
  0   done
  1   wrong argument
  2   something that it needs is missing
  3   the query failed`,
		Example: `  reverse-spec graph-rag "where are tokens checked"
  reverse-spec graph-rag --query "retry with backoff" --format json | jq '.candidates[].file'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ragError(&flags, a.graphRAG(cmd.Context(), flags, args, opts))
		},
	}
	flags.add(cmd, &opts)
	flags.graph.add(cmd)
	flags.graph.addIn(cmd)
	flags.model.add(cmd)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		flags.graph.json = asksForJSON(a.args)
		return a.ragError(&flags, questionFlagError(cmd, err))
	})
	return cmd
}

func (flags *ragFlags) add(cmd *cobra.Command, opts *rag.Options) {
	f := cmd.Flags()
	f.StringVar(&flags.query, "query", "", "the `question`")
	f.IntVar(&opts.TopK, "top-k", opts.TopK, "most `candidates` of each source")
	f.IntVar(&opts.Depth, "depth", opts.Depth, "`steps` to callers and callees that are shown, at most 5")
	f.IntVar(&opts.Budget, "budget", opts.Budget, "most `tokens` of the answer")
	f.BoolVar(&flags.code, "code", false, "all results, with their code, callers and callees")
	f.StringVar(&flags.format, "format", "text", "`form`: text or json")
	f.IntVar(&opts.FusionDepth, "fusion-depth", opts.FusionDepth, "`steps` from what the search finds, 0-5")
	f.BoolVar(&opts.IncludeVirtual, "include-virtual", false, "follow edges into other repositories")
	f.Float64Var(&opts.MinRelevance, "min-relevance", 0, "leave out what is less relevant, from 0 to 1")
	f.BoolVar(&opts.Rerank, "rerank", false, "judge the candidates again")
	f.BoolVar(&opts.Foreign, "include-foreign", false, "with vendored and generated code, as far as it is indexed")
}

// graphRAG answers a question, which may be the first argument.
func (a *app) graphRAG(ctx context.Context, flags ragFlags, args []string, opts rag.Options) error {
	if len(args) > 0 && flags.query == "" {
		flags.query, args = args[0], args[1:]
	}
	if len(args) > 0 {
		return usageError{message.Errorf("invalid arguments: %s; put a question of several words between quotes", suggest.Quote(strings.Join(args, " ")))}
	}
	if flags.format != "text" && flags.format != "json" {
		return &rag.ParamError{Param: "format", Wanted: message.New("must be text or json")}
	}
	if flags.json() {
		opts.Indent = jsonIndent
	}
	if err := rag.Check(flags.query, opts); err != nil { // before anything is indexed
		return err
	}
	if err := opts.FromEnv(os.Getenv); err != nil {
		return missingError{err}
	}
	if opts.Rerank {
		var notes []string
		var err error
		if opts.Model, notes, err = modelFor(ctx, a.root(), flags.model); err != nil {
			return missingError{err}
		}
		a.warn(notes)
	}
	show := func(answer *rag.Answer, err error) error {
		switch {
		case err != nil:
			return err
		case flags.json():
			return a.printJSON(answer)
		}
		return a.showFound(answer, flags.code)
	}
	if flags.graph.in == graphs.Everywhere {
		return withGraphs(func(g *graphs.Graphs) error { return show(g.SearchEverywhere(ctx, flags.query, opts)) })
	}
	return a.withGraph(ctx, flags.graph, func(g *graphs.Graph) error { return show(g.Search(ctx, flags.query, opts)) })
}

func (flags *ragFlags) json() bool { return flags.graph.json || flags.format == "json" }

// ragError gives an error the exit code of the contract, and prints it as JSON if the output
// is JSON.
func (a *app) ragError(flags *ragFlags, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	coded := codedError{err, ragCode(err)}
	if flags.json() {
		words := map[int]string{ragParameter: "INVALID_PARAM", ragMissing: "MISSING_DEPENDENCY", ragFailed: "QUERY_FAILED"}
		report := struct {
			Error string `json:"error"`
			Code  string `json:"code"`
		}{coded.In(a.lang), words[coded.code]}
		if err := a.printJSON(report); err != nil {
			return err
		}
	}
	return coded
}

// missingError reports that something requested is not available.
type missingError struct{ error }

func (e missingError) Unwrap() error { return e.error }

// In implements [message.Localizer].
func (e missingError) In(lang message.Lang) string { return message.Render(lang, e.error) }

// ragCode returns the exit code of an error.
func ragCode(err error) int {
	folder, param := (*project.MissingError)(nil), (*rag.ParamError)(nil)
	_, usage := errors.AsType[usageError](err)
	_, missing := errors.AsType[missingError](err)
	switch {
	case usage || errors.As(err, &param):
		return ragParameter
	case missing || errors.As(err, &folder): // of the project
		return ragMissing
	}
	return ragFailed
}
