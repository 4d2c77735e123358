package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) readFileCommand() *cobra.Command {
	var offset, limit int
	cmd := &cobra.Command{
		Use:   "read-file <file>",
		Short: "Print a text file of the project, or some of its lines",
		Long: `Read-file prints a text file as the tool read_file gives it to an agent: never one
outside the project, and not a binary one. Of a part, which lines it is goes to
standard error.`,
		Example: `  reverse-spec read-file src/auth/login.ts
  reverse-spec read-file src/auth/login.ts --offset 100 --limit 20`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			part := cmd.Flags().Changed("offset") || cmd.Flags().Changed("limit")
			return with(a.open, func(p *project.Project) error {
				lines, err := a.readLines(cmd.Context(), p, args[0], offset, limit)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(linesResult{lines.Start, lines.End, lines.Total, lines.Text})
				}
				if part {
					a.aside(strings.TrimSuffix(lines.Header(), "\n"))
				}
				_, err = io.WriteString(a.out, lines.Text)
				return err
			})
		},
	}
	cmd.Flags().IntVar(&offset, "offset", 0, "`lines` to skip")
	cmd.Flags().IntVar(&limit, "limit", -1, "most `lines` to print; -1 for all")
	return cmd
}

// linesResult is what read-file prints as JSON: lines from a first to a last one, and how many the file has.
type linesResult struct {
	First int    `json:"first"`
	Last  int    `json:"last"`
	Total int    `json:"total"`
	Text  string `json:"text"`
}

func (a *app) readLines(ctx context.Context, p *project.Project, arg string, offset, limit int) (*project.Lines, error) {
	file, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	return p.ReadLines(ctx, file, offset, limit)
}
