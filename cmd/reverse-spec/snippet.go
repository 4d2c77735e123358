package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) snippetCommand() *cobra.Command {
	var flags graphFlags
	cmd := &cobra.Command{
		Use:   "snippet <symbol>",
		Short: "Print the source of a function, class or method",
		Long: `Snippet prints the source of a symbol, found by its qualified name or by the end of
it where only one ends so. Where it stands goes to standard error.`,
		Example: `  reverse-spec snippet UserService.create
  reverse-spec snippet shop.src.auth.login.LoginForm --json`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				s, err := g.Snippet(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if flags.json {
					err = a.printJSON(s)
				} else if s.Found {
					a.aside(fmt.Sprintf("%s  %s:%d-%d", s.QualifiedName, s.FilePath, s.LineStart, s.LineEnd))
					_, err = fmt.Fprintln(a.out, s.SourceCode)
				}
				if s.Warning != "" {
					a.warn([]string{s.Warning})
				}
				if err == nil && !s.Found {
					return message.Errorf("%v", s.Failure)
				}
				return err
			})
		},
	}
	flags.add(cmd)
	flags.addIn(cmd)
	return cmd
}
