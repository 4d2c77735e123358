package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) writeFileCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "write-file <file>",
		Short: "Write standard input to a file of the project",
		Long: `Write-file makes a file of what it reads on standard input, with the folders it
needs, or replaces the one that is there; its mode stays. At any time the old file
is there or the new one, whole. Nothing outside the project is written, and
nothing into .git.`,
		Example: `  curl -s https://example.com/openapi.json | reverse-spec write-file docs/openapi.json`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(a.open, func(p *project.Project) error {
				if err := a.writeFile(cmd.Context(), p, args[0]); err != nil {
					return err
				}
				return nil
			})
		},
	}
}

func (a *app) writeFile(ctx context.Context, p *project.Project, arg string) error {
	file, err := a.path(p, arg)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(a.in, project.MaxFileSize+1))
	if err != nil {
		return message.Errorf("read standard input: %w", err)
	}
	if err := p.SaveFile(ctx, file, text, project.AllPlaces()); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			File  string `json:"file"`
			Bytes int    `json:"bytes"`
		}{file, len(text)})
	}
	_, err = fmt.Fprintf(a.out, "%s  (%s)\n", file, a.localize(message.Count(len(text), "%d byte", "%d bytes")))
	return err
}
