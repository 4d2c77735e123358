package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) replaceCommand() *cobra.Command {
	var fromFiles bool
	cmd := &cobra.Command{
		Use:   "replace <file> <target> <replacement>",
		Short: "Replace a text that stands in a file exactly once",
		Long: `Replace puts one text in the place of another, as the tool surgical_replace_code
does. The target must stand in the file exactly once, to the byte; if it does not,
nothing is changed and you are told where it stands. What is around it stays as it
is, and so do CRLF line ends.`,
		Example: `  reverse-spec replace src/limits.go 'const max = 10' 'const max = 20'
  reverse-spec replace src/limits.go --files old.txt new.txt`,
		Args: exactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(a.open, func(p *project.Project) error {
				if err := a.replace(cmd.Context(), p, args, fromFiles); err != nil {
					return err
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&fromFiles, "files", false, "target and replacement are in the files so named")
	return cmd
}

func (a *app) replace(ctx context.Context, p *project.Project, args []string, fromFiles bool) error {
	file, err := a.path(p, args[0])
	if err != nil {
		return err
	}
	target, replacement := args[1], args[2]
	if fromFiles {
		if target, err = contentOf(target); err != nil {
			return err
		}
		if replacement, err = contentOf(replacement); err != nil {
			return err
		}
	}
	line, err := p.Replace(ctx, file, target, replacement, project.AllPlaces())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			File string `json:"file"`
			Line int    `json:"line"`
		}{file, line})
	}
	_, err = fmt.Fprintf(a.out, "%s:%d\n", file, line)
	return err
}

func contentOf(file string) (string, error) {
	text, err := os.ReadFile(file)
	return string(text), err
}
