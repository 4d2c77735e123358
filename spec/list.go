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
