package spec

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Paths returns the paths of a project's specs: every *.spec.md except the index, and those of projects in its folders.
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
			if strings.HasSuffix(f.Path, ".spec.md") && path.Base(f.Path) != path.Base(IndexPath("")) && NestedIn(p, f.Path) == "" {
				out = append(out, f.Path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// NestedIn returns the folder that a spec takes for its project, if that is not the project itself: packages/cart for
// packages/cart/specs/src.spec.md, if the files that the spec describes are there and not here. It is "" for another spec.
func NestedIn(p *project.Project, file string) string {
	at := strings.LastIndex(file, "/"+DefaultOutputDir+"/")
	if at < 0 {
		return ""
	}
	text, err := p.ReadStart(file, mostFront)
	if err != nil {
		return ""
	}
	front, err := ParseFront(text)
	if err != nil {
		return ""
	}
	in := func(root string) bool {
		return slices.ContainsFunc(front.RelatedFiles, func(name string) bool { return !p.ModTime(path.Join(root, name)).IsZero() })
	}
	if root := file[:at]; !in(".") && in(root) {
		return root
	}
	return ""
}

// mostFront is how much is read of a spec for its front matter, in bytes.
const mostFront = 64 << 10

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
