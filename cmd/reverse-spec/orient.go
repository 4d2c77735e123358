package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/orient"
)

func (a *app) orientCommand() *cobra.Command {
	var flags graphFlags
	var opts orient.Options
	cmd := &cobra.Command{
		Use:   "orient <task>",
		Short: "Tell where to begin with a task: places, callers, requirements, tests",
		Long: `Orient takes a task in words and tells where it is done: the places in the code, who
calls them, what the specs require of them, which tests to run, where new code belongs,
and the code of the first places, all within --tokens.`,
		Example: `  reverse-spec orient "limit the number of login attempts"
  reverse-spec orient "a cookie without a domain is lost" --tokens 3000`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.Search.FromEnv(os.Getenv); err != nil {
				return err
			}
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				o, err := orient.For(cmd.Context(), g.Project(), g, args[0], opts)
				if err != nil {
					return err
				}
				if flags.json {
					return a.printJSON(o)
				}
				_, err = fmt.Fprint(a.out, o.Text())
				return err
			})
		},
	}
	flags.add(cmd)
	cmd.Flags().IntVar(&opts.Tokens, "tokens", orient.DefaultTokens, "most `tokens` of the text")
	cmd.Flags().IntVar(&opts.Offset, "offset", 0, "`places` to skip")
	return cmd
}
