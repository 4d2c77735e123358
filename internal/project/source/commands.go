package source

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// readCommands sets t.Commands if the tree has code of a library for command lines. It reads the files of the tree and those
// whose functions add flags to its commands.
func (s *search) readCommands(ctx context.Context, t *Tree) error {
	var entries []project.Entry
	families := map[string]bool{}
	for _, f := range t.Files {
		if !f.Test && !f.Vendored && !f.Generated && f.Constraint != "ignore" && program.Uses(f) {
			families[familyOf(f.Language)] = true
		}
	}
	for _, f := range t.Files {
		if !f.Test && !f.Vendored && families[familyOf(f.Language)] {
			entries = append(entries, project.Entry{Path: f.Path, Size: s.sizes[f.Path]})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	files, err := s.whole(ctx, entries)
	if err != nil {
		return err
	}
	t.Commands = program.Find(program.Source{Files: files, Links: t.Links, Other: func(path string) *code.File {
		others, err := s.whole(ctx, []project.Entry{{Path: path, Size: s.sizes[path]}})
		if err != nil || len(others) == 0 {
			return nil
		}
		return others[0]
	}})
	return ctx.Err()
}

// related reads what is related to a tree besides its tests.
func (s *search) related(ctx context.Context, t *Tree) error {
	for _, read := range []func(ctx context.Context, t *Tree) error{s.link, s.readService, s.readCommands} {
		if err := read(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
