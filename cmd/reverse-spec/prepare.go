package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// cliTokens is how much prepare prints unless told otherwise; see ARCHITECTURE.md.
const cliTokens = 100_000

func (a *app) prepareCommand() *cobra.Command {
	var opts spec.PrepareOptions
	var asJSON bool
	var format string
	cmd := &cobra.Command{
		Use:   "prepare <file or folder>",
		Short: "Show the code as the parser sees it",
		Long: `Prepare reads a file or folder and prints its declarations, imports and
documentation: as Markdown for a reader, or with --json the whole result with
every symbol, import and call.`,
		Example: `  reverse-spec prepare src/auth
  reverse-spec prepare src/auth/login.ts --json | jq '.skeletons[].exports[].signature'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			jsonOut, err := wantsJSON(asJSON, format, "md")
			if err != nil {
				return err
			}
			open := func() (*workspace.Project, error) { return a.openFor(args[0]) }
			return with(open, func(p *workspace.Project) error {
				r, err := a.prepare(cmd.Context(), p, args[0], opts)
				if err != nil {
					return fmt.Errorf("prepare 失败: %w", err)
				}
				if jsonOut {
					return a.printJSON(r)
				}
				_, err = fmt.Fprintln(a.out, r.Context.Prompt)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&opts.Deep, "deep", false, "with the bodies of functions")
	cmd.Flags().IntVar(&opts.MaxTokens, "max-tokens", cliTokens, "most `tokens` to print, estimated; 0 for all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	cmd.Flags().StringVar(&format, "format", "", "`form`: md or json")
	return cmd
}

func (a *app) prepare(ctx context.Context, p *workspace.Project, arg string, opts spec.PrepareOptions) (*spec.PrepareResult, error) {
	target, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return spec.Prepare(ctx, p, target, opts)
}

// wantsJSON joins --json and --format.
func wantsJSON(asJSON bool, format string, others ...string) (bool, error) {
	if format == "" || format == "json" {
		return asJSON || format == "json", nil
	}
	if slices.Contains(others, format) {
		return false, nil
	}
	return false, usageError{fmt.Errorf("no such format: %s (json %v)", format, others)}
}
