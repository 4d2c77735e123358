package spec

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Paths returns the paths of a project's specs: every *.spec.md except the index.
func Paths(ctx context.Context, p *project.Project) ([]string, error) {
	var out []string
	for _, folder := range []string{".", DefaultOutputDir} { // explicitly, because it may be ignored by git
		l, err := p.List(ctx, folder)
		if _, missing := errors.AsType[*project.MissingError](err); missing {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range l.Files {
			if strings.HasSuffix(f.Path, ".spec.md") && path.Base(f.Path) != path.Base(IndexPath("")) {
				out = append(out, f.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Texts returns the specs of a project as they are in their files, by path. A file that cannot be read or is longer than [MaxSize] is left
// out.
func Texts(ctx context.Context, p *project.Project) (map[string][]byte, error) {
	paths, err := Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	texts := make(map[string][]byte, len(paths))
	for _, path := range paths {
		if text, err := p.ReadUpTo(path, MaxSize); err == nil {
			texts[path] = text
		}
	}
	return texts, nil
}
