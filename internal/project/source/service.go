package source

import (
	"context"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// The limits of the files that are read to find what a service answers.
const (
	maxServiceFiles = 1500
	maxServiceBytes = 16 << 20
)

// serves reports whether a tree has code of a web framework.
func (t *Tree) serves() bool {
	return slices.ContainsFunc(t.Files, func(f *code.File) bool { return !f.Test && !f.Vendored && service.Uses(f) })
}

// readService sets t.Endpoints if the tree has code of a web framework. It reads the files of the project in the language of
// the tree, those closest to it first: routes get their prefixes and errors their handlers anywhere.
func (s *search) readService(ctx context.Context, t *Tree) error {
	if !t.serves() {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(s.files), func(f *code.File) bool { return f.Vendored || isTest(f.Path) })
	slices.SortStableFunc(list, func(a, b *code.File) int { return shared(b.Path, t.Target) - shared(a.Path, t.Target) })
	var entries []project.Entry
	size := int64(0)
	for _, f := range list {
		if size += s.sizes[f.Path]; len(entries) >= maxServiceFiles || size > maxServiceBytes {
			break
		}
		entries = append(entries, project.Entry{Path: f.Path, Size: s.sizes[f.Path]})
	}
	files, err := s.whole(ctx, entries)
	if err != nil {
		return err
	}
	t.Endpoints = service.Find(service.New(files, codegraph.Resolve(files, s.manifests), s.manifests))
	return nil
}

// whole returns files with their facts and complete bodies.
func (s *search) whole(ctx context.Context, list []project.Entry) ([]*code.File, error) {
	parser := *s.parser
	parser.parts = lang.Facts | lang.Bodies | lang.Calls
	r := &reader{Parser: &parser, files: list, results: make([]result, len(list))}
	if err := r.run(ctx, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	var out []*code.File
	for _, res := range r.results {
		if res.file != nil {
			out = append(out, res.file)
		}
	}
	return out, nil
}

// shared returns how many folders two paths share from the root.
func shared(file, target string) int {
	n := 0
	a, b := strings.Split(path.Dir(file), "/"), strings.Split(target, "/")
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
