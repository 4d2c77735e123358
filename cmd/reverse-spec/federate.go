package main

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// federateFlags are the flags of federate.
type federateFlags struct {
	config  string
	explain string
	check   bool
	json    bool
}

func (a *app) federateCommand() *cobra.Command {
	var flags federateFlags
	cmd := &cobra.Command{
		Use:   "federate",
		Short: "Find what several repositories use of each other",
		Long: `Federate brings the code graphs of the repositories in a federation.yaml up to
date, finds what each uses of the others, and keeps that as virtual edges with the
graph of the one that uses: graph-rag --include-virtual follows them.

It links code across repositories by the packages they publish (Go, npm, Python,
Java), and finds uses of their contracts: protocol buffers, OpenAPI and GraphQL.
Every edge says by which rule it was found and what its confidence is made of;
below 0.5 none is kept.

FILE
  schema_version: 1
  federation:
    repositories:
      - name: api               # by default the folder's
        path: ../api            # relative to this file
        contracts: ["**/*.proto", "**/openapi.yaml"]   # by default the usual names
    auto_discover:              # more repositories, by their place
      enabled: true
      search_paths: [..]
      contract_patterns: ["**/*.proto"]

It is --config, FEDERATION_CONFIG, ./federation.yaml or ./config/federation.yaml.
A contract that several repositories have a copy of is that of the one that serves
it, if that is known, else of the first.`,
		Example: `  reverse-spec federate
  reverse-spec federate --explain Orders.Create
  reverse-spec federate --check --json | jq '.edges[] | select(.confidence < 0.8)'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.federate(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.config, "config", "", "the `file` that names the repositories")
	cmd.Flags().StringVar(&flags.explain, "explain", "", "list the edges at a `symbol`, with what their confidence is made of")
	cmd.Flags().BoolVar(&flags.check, "check", false, "find, and store no virtual edges")
	cmd.Flags().BoolVar(&flags.json, "json", false, "the report as JSON")
	return cmd
}

// errOneDatabase is returned for a federation in the database of a single project.
var errOneDatabase = message.Errorf("GRAPH_DB_PATH names the database of one project: unset it to federate several")

func (a *app) federate(ctx context.Context, flags federateFlags) error {
	if os.Getenv("GRAPH_DB_PATH") != "" {
		return errOneDatabase
	}
	path, err := crossrepo.Find(cmp.Or(a.project, "."), cmp.Or(flags.config, os.Getenv("FEDERATION_CONFIG")))
	if err != nil {
		return err
	}
	config, err := crossrepo.ReadConfig(path)
	if err != nil {
		return err
	}
	return withStore(func(s store.Store) error {
		heap.bound(indexGrowth, false)
		ctx, bar := a.progress(ctx)
		report, err := crossrepo.Run(ctx, config, s, crossrepo.Options{DryRun: flags.check, Index: index.Options{Wait: index.DefaultWait}})
		bar.done()
		if err != nil {
			return err
		}
		a.warn(report.Warnings)
		return a.showFederation(report, flags)
	})
}

func (a *app) showFederation(report *crossrepo.Report, flags federateFlags) error {
	text := report.In(a.lang)
	if flags.explain != "" {
		report.Edges, text = report.Of(flags.explain), ""
		for _, e := range report.Edges {
			text += crossrepo.Explain(e).In(a.lang) + "\n"
		}
	}
	if flags.json {
		return a.printJSON(report)
	}
	if text == "" {
		return noEdgesError(flags.explain)
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// noEdgesError reports that no edge between repositories involves a symbol.
type noEdgesError string

func (e noEdgesError) text() message.Text {
	return message.New("no virtual edge starts or ends at %s", string(e))
}

func (e noEdgesError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e noEdgesError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says where to find names.
func (noEdgesError) Hint() message.Text {
	return message.New("reverse-spec federate --json lists all edges with the names of their ends")
}
