package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/ownfiles"
)

// Kept is something that the program keeps about a project outside it. All of it can be made again.
type Kept struct {
	What  string `json:"what"`
	Name  string `json:"name,omitempty"` // of the project, for a code graph
	Bytes int64  `json:"bytes"`

	remove func(ctx context.Context) error
}

// What is kept; people read it translated.
var (
	keptGraph   = message.Key("code graph")
	keptResults = message.Key("results of contract tests")
	keptForms   = message.Key("what was written for other tools")
	keptCopies  = message.Key("what was derived from shared graphs")
)

// Keeps returns what the program keeps in its data folder about a project, or about all for nil.
func Keeps(ctx context.Context, p *project.Project, s store.Store, data string) ([]Kept, error) {
	graphs, err := keptGraphs(ctx, p, s)
	if err != nil {
		return nil, err
	}
	root := ""
	if p != nil {
		root = p.Root()
	}
	for _, k := range []struct {
		what    string
		folders []string
	}{
		{keptResults, []string{filepath.Join(data, "verify"), filepath.Join(data, "verify", "mutate")}},
		{keptForms, []string{filepath.Join(data, "forms")}},
	} {
		files, size, err := ownfiles.Find(root, k.folders...)
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			graphs = append(graphs, Kept{What: k.what, Bytes: size, remove: func(context.Context) error { return removeAll(files) }})
		}
	}
	if p == nil {
		graphs = append(graphs, keptShared(filepath.Join(data, "shared"))...)
	}
	return graphs, nil
}

// keptShared returns what the folder of files derived from shared graphs holds.
func keptShared(dir string) []Kept {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []string
	size := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files, size = append(files, filepath.Join(dir, e.Name())), size+info.Size()
		}
	}
	if len(files) == 0 {
		return nil
	}
	return []Kept{{What: keptCopies, Bytes: size, remove: func(context.Context) error { return removeAll(files) }}}
}

// keptGraphs returns the code graphs of a project, or of all.
func keptGraphs(ctx context.Context, p *project.Project, s store.Store) ([]Kept, error) {
	out := []Kept{}
	if p != nil {
		st, err := explore.StatusOf(ctx, p, s)
		if err != nil || !st.Indexed {
			return out, err
		}
		return append(out, keptGraphOf(s, st.Project, st.Size)), nil
	}
	list, err := s.Projects(ctx)
	if err != nil {
		return nil, err
	}
	for _, known := range list {
		out = append(out, keptGraphOf(s, known.Name, 0))
	}
	return out, nil
}

func keptGraphOf(s store.Store, name string, size int64) Kept {
	return Kept{What: keptGraph, Name: name, Bytes: size, remove: func(ctx context.Context) error { return s.Delete(ctx, name) }}
}

func removeAll(files []string) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, os.Remove(f))
	}
	return errors.Join(errs...)
}

// Clean removes what is kept. It goes on after an error.
func Clean(ctx context.Context, list []Kept) error {
	var errs []error
	for _, k := range list {
		errs = append(errs, k.remove(ctx))
	}
	return errors.Join(errs...)
}
