package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/spec"
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
			p, err := a.openFor(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			target, err := a.path(p, args[0])
			if err != nil {
				return fmt.Errorf("prepare 失败: %w", err)
			}
			ctx, bar := a.progress(cmd.Context())
			r, err := spec.Prepare(ctx, p, target, opts)
			bar.done()
			if err != nil {
				return fmt.Errorf("prepare 失败: %w", err)
			}
			if jsonOut {
				return a.printJSON(r)
			}
			_, err = fmt.Fprintln(a.out, r.Context.Prompt)
			return err
		},
	}
	cmd.Flags().BoolVar(&opts.Deep, "deep", false, "with the bodies of functions")
	cmd.Flags().IntVar(&opts.MaxTokens, "max-tokens", cliTokens, "most `tokens` to print, estimated; 0 for all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	cmd.Flags().StringVar(&format, "format", "", "`form`: md or json")
	return cmd
}

// wantsJSON joins --json and --format.
func wantsJSON(asJSON bool, format string, others ...string) (bool, error) {
	if format == "" || format == "json" {
		return asJSON || format == "json", nil
	}
	for _, o := range others {
		if format == o {
			return false, nil
		}
	}
	return false, usageError{fmt.Errorf("no such format: %s (json %v)", format, others)}
}
