package source

import (
	"context"
	"runtime"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// FindCommands sets t.Commands if the tree has code of a library for command lines; t must be linked. It reads the files
// of the tree and those whose functions add flags to its commands. The error is that of the context.
func (s *Services) FindCommands(ctx context.Context, t *Tree) error {
	var entries []project.Entry
	families := map[string]bool{}
	for _, f := range t.Files {
		if !f.Test && !f.Vendored && !f.Generated && f.Constraint != "ignore" && program.Uses(f) {
			families[familyOf(f.Language)] = true
		}
	}
	for _, f := range t.Files {
		if !f.Test && !f.Vendored && families[familyOf(f.Language)] {
			entries = append(entries, project.Entry{Path: f.Path, Size: int64(f.Size)})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	files, err := s.read(ctx, entries)
	if err != nil {
		return err
	}
	t.Commands = program.Find(program.Source{Files: files, Links: t.Links, Other: func(path string) *code.File {
		others, err := s.read(ctx, []project.Entry{{Path: path}})
		if err != nil || len(others) == 0 {
			return nil
		}
		return others[0]
	}})
	return ctx.Err()
}

// ReadWhole sets the bodies and the whole bodies of the files of a tree that have none, as [Tree.ReadRelated] does. It
// replaces the files, since others may read them. The error is that of the context.
func (t *Tree) ReadWhole(ctx context.Context, p *project.Project) error {
	missing := func(f *code.File) bool {
		if f.Vendored || f.Generated {
			return f.Bodies == nil && (f.Test || len(f.Tests) > 0)
		}
		return f.Bodies == nil || f.Whole == nil && !f.Test
	}
	files, err := readBodies(ctx, p, t.Files, missing)
	if err != nil {
		return err
	}
	t.Files = slices.Clone(t.Files)
	for i, f := range t.Files {
		read := files[f.Path]
		if read == nil {
			continue
		}
		whole := *f
		if whole.Bodies == nil {
			whole.Bodies = read.Bodies
		}
		if !whole.Vendored {
			whole.Whole = read.Whole
		}
		t.Files[i] = &whole
	}
	return nil
}

// readBodies reads those of some files that miss their bodies, and returns them by path. The error is that of the context.
func readBodies(ctx context.Context, p *project.Project, files []*code.File, missing func(f *code.File) bool) (map[string]*code.File, error) {
	var entries []project.Entry
	for _, f := range files {
		if missing(f) {
			entries = append(entries, project.Entry{Path: f.Path, Size: int64(f.Size)})
		}
	}
	r := &reader{Parser: &Parser{p, lang.Parse, lang.Bodies | lang.Whole, false, &vendored{}}, files: entries, results: make([]result, len(entries))}
	if err := r.run(progress.With(ctx, func(progress.Event) {}), runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	out := map[string]*code.File{}
	for _, res := range r.results {
		if res.file != nil {
			out[res.file.Path] = res.file
		}
	}
	return out, nil
}

// related reads what is related to a tree besides its tests.
func (s *search) related(ctx context.Context, t *Tree, by *Services) error {
	if err := s.link(ctx, t); err != nil {
		return err
	}
	return by.Related(ctx, t)
}

// Related sets what a linked tree serves, the commands that it has, and the whole bodies of its files. The error is that of
// the context.
func (s *Services) Related(ctx context.Context, t *Tree) error {
	if err := t.ReadWhole(ctx, s.parser.project); err != nil {
		return err
	}
	if err := s.readTests(ctx, t); err != nil {
		return err
	}
	if err := s.Find(ctx, t); err != nil {
		return err
	}
	if err := s.FindSettings(ctx, t); err != nil {
		return err
	}
	return s.FindCommands(ctx, t)
}
