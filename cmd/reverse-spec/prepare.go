package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// cliTokens is the default of --max-tokens; see ARCHITECTURE.md.
const cliTokens = 100_000

func (a *app) prepareCommand() *cobra.Command {
	var opts spec.PrepareOptions
	var asJSON, redactions bool
	var format string
	var most int
	cmd := &cobra.Command{
		Use:   "prepare <file or folder>",
		Short: "Show the code as the parser sees it",
		Long: `Prepare reads a file or folder and prints its declarations, imports and
documentation: as Markdown for a reader, a person or a model, or with --json the
whole result with every symbol, import and call. For modules that the code imports
it adds the declarations that it names of them; with --deep the bodies of functions,
the tests that reach them and what was found in the code. Secrets are removed everywhere;
--show-redactions prints where they are, and nothing else.`,
		Example: `  reverse-spec prepare src/auth
  reverse-spec prepare src --show-redactions
  reverse-spec prepare src/auth/login.ts --json | jq '.skeletons[].exports[].signature'`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			jsonOut, err := wantsJSON(asJSON, format, "md")
			if err != nil {
				return err
			}
			if jsonOut {
				opts.MaxTokens = most
			} else if opts.Offset > 0 {
				return usageError{message.Errorf("--offset is for --json")}
			} else {
				opts.Budget = most
			}
			open := func() (*project.Project, error) { return a.openFor(args[0]) }
			return with(open, func(p *project.Project) error {
				r, err := a.prepare(cmd.Context(), p, args[0], opts)
				if err != nil {
					return err
				}
				switch {
				case redactions:
					return a.showRedactions(r, jsonOut)
				case jsonOut:
					if r.More > 0 {
						a.note(message.New("%s: --offset %d", message.Count(r.More, "%d more symbol", "%d more symbols"), r.NextOffset))
					}
					return a.printJSON(r)
				}
				_, err = fmt.Fprintln(a.out, r.Context.Prompt)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&opts.Deep, "deep", false, "with the bodies of functions")
	cmd.Flags().IntVar(&most, "max-tokens", cliTokens, "most `tokens` to print, estimated; 0 for all")
	cmd.Flags().IntVar(&opts.Offset, "offset", 0, "with --json: skip as many `symbols` of a result that was cut, to read on; with the same --max-tokens")
	cmd.Flags().BoolVar(&redactions, "show-redactions", false, "list the secrets that were removed, by type, file and line")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	cmd.Flags().StringVar(&format, "format", "", "`form`: md or json")
	return cmd
}

func (a *app) prepare(ctx context.Context, p *project.Project, arg string, opts spec.PrepareOptions) (*spec.PrepareResult, error) {
	target, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return spec.Prepare(ctx, p, target, opts)
}

// showRedactions lists the secrets found in the files.
func (a *app) showRedactions(r *spec.PrepareResult, asJSON bool) error {
	if asJSON {
		return a.printJSON(r.Redactions)
	}
	w := a.table()
	for _, d := range r.Redactions {
		fmt.Fprintf(w, "%s\t%s:%d\t%s\n", d.Type, d.File, d.Line, d.Confidence)
	}
	if err := w.Flush(); err != nil {
		return message.Errorf("write the secrets found: %w", err)
	}
	found := message.New("%s in %s; none of them leaves the project",
		message.Count(len(r.Redactions), "%d secret", "%d secrets"), message.Count(len(r.FilePaths), "%d file", "%d files"))
	a.note(found)
	return nil
}

// wantsJSON combines --json and --format.
func wantsJSON(asJSON bool, format string, others ...string) (bool, error) {
	if format == "" || format == "json" {
		return asJSON || format == "json", nil
	}
	if slices.Contains(others, format) {
		return false, nil
	}
	others = append([]string{"json"}, others...)
	return false, usageError{suggest.Choice(message.Errorf("no such format: %s (%s)", format, strings.Join(others, ", ")), format, others...)}
}
