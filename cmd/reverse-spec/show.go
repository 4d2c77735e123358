package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
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
	scope, file := source.Auto, spec.PathFor(outputDir, target)
	if strings.HasSuffix(target, spec.Suffix) {
		s, err := spec.Load(p, target)
		if err != nil {
			return err
		}
		file, target, scope = target, s.Front.SourceTarget, source.Scope(s.Front.Scope)
	}
	if !all {
		text, err := p.ReadUpTo(file, spec.MaxSize)
		if err != nil {
			return err
		}
		_, err = a.out.Write(text)
		return err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	_, err = spec.Generate(ctx, p, target, spec.GenerateOptions{OutputDir: outputDir, Scope: scope, To: a.out, All: true})
	return err
}
