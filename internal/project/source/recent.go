package source

import (
	"context"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxRecent is the size, in bytes of their texts, of the tests whose bodies are kept for the next targets. Bodies take some
// twenty times as much memory as their texts.
const maxRecent = 2 << 20

// recentBodies are the bodies of the tests that were last read. It is safe for concurrent use; the zero value has none.
type recentBodies struct {
	mutex  sync.Mutex
	bodies map[string]*code.Bodies
	order  []*code.File // whose bodies these are, the last used one last
	size   int
}

// of returns the bodies of a file; nil if they are not kept.
func (r *recentBodies) of(f *code.File) *code.Bodies {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if i := r.at(f.Path); i >= 0 {
		r.order = append(slices.Delete(r.order, i, i+1), f)
	}
	return r.bodies[f.Path]
}

func (r *recentBodies) at(file string) int {
	return slices.IndexFunc(r.order, func(f *code.File) bool { return f.Path == file })
}

// keep keeps the bodies of a file, and drops those that were not used for the longest time if there are too many.
func (r *recentBodies) keep(f *code.File, b *code.Bodies) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.at(f.Path) >= 0 {
		return
	}
	if r.bodies == nil {
		r.bodies = map[string]*code.Bodies{}
	}
	r.bodies[f.Path] = b
	r.order = append(r.order, f)
	r.size += f.Size
	for r.size > maxRecent {
		r.size -= r.order[0].Size
		delete(r.bodies, r.order[0].Path)
		r.order = r.order[1:]
	}
}

// readTests sets the bodies of the tests of a tree that have none. It replaces the tests, since others may read them. The
// error is that of the context.
func (s *Services) readTests(ctx context.Context, t *Tree) error {
	known := map[string]*code.Bodies{}
	read, err := readBodies(ctx, s.parser.project, t.Tests, func(f *code.File) bool {
		if f.Bodies == nil {
			known[f.Path] = s.recent.of(f)
		}
		return f.Bodies == nil && known[f.Path] == nil
	})
	if err != nil {
		return err
	}
	t.Tests = slices.Clone(t.Tests)
	for i, f := range t.Tests {
		if f.Bodies != nil {
			continue
		}
		whole := *f
		if whole.Bodies = known[f.Path]; whole.Bodies == nil && read[f.Path] != nil {
			whole.Bodies = read[f.Path].Bodies
			s.recent.keep(f, whole.Bodies)
		}
		t.Tests[i] = &whole
	}
	return nil
}
