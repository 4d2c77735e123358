package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

func (a *app) showCommand() *cobra.Command {
	var outputDir string
	var all bool
	cmd := &cobra.Command{
		Use:   "show <file, folder or spec>",
		Short: "Print a spec, with --all everything that is known",
		Long: `Show prints the spec of a file or folder as it was written. A page is short: it shows
what matters most, and counts the rest. With --all everything is printed that the code
shows now: all requirements, scenarios, rows of tables and declarations. No file is
written.`,
		Example: `  reverse-spec show src/auth
  reverse-spec show specs/src/auth.spec.md --all`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			open := func() (*project.Project, error) { return a.openFor(args[0]) }
			return with(open, func(p *project.Project) error { return a.show(cmd.Context(), p, args[0], outputDir, all) })
		},
	}
	cmd.Flags().StringVar(&outputDir, "output-dir", spec.DefaultOutputDir, "`folder` for specs, within the project")
	cmd.Flags().BoolVar(&all, "all", false, "everything, as the code is now")
	return cmd
}

// show prints the spec of a target, or all that its code shows.
func (a *app) show(ctx context.Context, p *project.Project, arg, outputDir string, all bool) error {
	target, err := a.path(p, arg)
	if err != nil {
		return err
	}
	if all {
		return a.showAll(ctx, p, target, outputDir)
	}
	file := target
	if !strings.HasSuffix(target, spec.Suffix) {
		file = spec.PathFor(outputDir, target)
	}
	text, err := p.ReadUpTo(file, spec.MaxSize)
	if errors.Is(err, fs.ErrNotExist) && file != target {
		if _, err := p.List(ctx, target); err != nil {
			return err
		}
		return unwrittenError(target)
	}
	if err != nil {
		return p.Nearer(ctx, err)
	}
	if a.json {
		return a.printJSON(textResult{string(text)})
	}
	_, err = a.out.Write(text)
	return err
}

// showAll prints all that the code of a target shows, or that of the target of a spec.
func (a *app) showAll(ctx context.Context, p *project.Project, target, outputDir string) error {
	scope := source.Auto
	if strings.HasSuffix(target, spec.Suffix) {
		s, err := spec.Load(p, target)
		if err != nil {
			return p.Nearer(ctx, err)
		}
		target, scope = s.Front.SourceTarget, source.Scope(s.Front.Scope)
	}
	ctx, bar := a.progress(ctx)
	to, text := a.out, &strings.Builder{}
	if a.json {
		to = text
	}
	r, err := spec.Generate(ctx, p, target, spec.GenerateOptions{OutputDir: outputDir, Scope: scope, To: to, All: true})
	bar.done()
	if err != nil {
		return err
	}
	a.warn(r.Warnings)
	if a.json {
		return a.printJSON(textResult{text.String()})
	}
	return nil
}

// unwrittenError is returned for a file or folder without a spec.
type unwrittenError string

func (e unwrittenError) text() message.Text { return message.New("%s has no spec", string(e)) }

func (e unwrittenError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e unwrittenError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says how to write it.
func (e unwrittenError) Hint() message.Text {
	return message.New("reverse-spec generate %s writes it", suggest.Quote(string(e)))
}
