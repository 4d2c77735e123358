package view

import (
	"bytes"
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// digest is a hash of a text.
type digest [sha256.Size]byte

// library is the specs of a project. A spec is re-read when its file changes.
type library struct {
	project *project.Project

	mu   sync.Mutex
	rows map[string]row // by path
	open []*document    // most recently shown last
}

// mostOpen limits the cache of parsed specs, in bytes of text. One spec is cached whatever its
// size.
const mostOpen = 16 << 20

func newLibrary(p *project.Project) *library {
	return &library{project: p, rows: map[string]row{}}
}

// row is one spec in the index.
type row struct {
	Path    string
	Title   string
	Front   spec.Front
	Reqs    int
	Covered int // number of covered requirements
	Scens   int
	Tests   int
	Problem error // why it could not be read; all fields but the path are then zero
	digest  digest
}

// Health returns the recorded health of the spec; "unverified" if there is none.
func (r *row) Health() string {
	switch {
	case r.Problem != nil:
		return "unreadable"
	case r.Front.Health == "":
		return "unverified"
	}
	return r.Front.Health
}

// all returns a row for each spec of the project, by path.
func (l *library) all(ctx context.Context) ([]row, error) {
	paths, err := spec.Paths(ctx, l.project)
	if err != nil {
		return nil, message.Errorf("list the specs: %w", err)
	}
	rows := make([]row, len(paths))
	var readers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for i := range next {
				rows[i] = l.row(paths[i])
			}
		})
	}
	for i := range paths {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	readers.Wait()
	return rows, ctx.Err()
}

// row returns the row of one spec.
func (l *library) row(path string) row {
	text, err := l.project.ReadUpTo(path, spec.MaxSize)
	if err != nil {
		return row{Path: path, Title: path, Problem: err}
	}
	contents := digest(sha256.Sum256(text))
	l.mu.Lock()
	known, ok := l.rows[path]
	l.mu.Unlock()
	if ok && known.digest == contents {
		return known
	}
	r := readRow(path, text)
	r.digest = contents
	l.mu.Lock()
	l.rows[path] = r
	l.mu.Unlock()
	return r
}

func readRow(path string, text []byte) row {
	s, err := spec.Parse(spec.WithoutBaseline(text))
	if err != nil {
		return row{Path: path, Title: path, Problem: err}
	}
	r := row{
		Path: path, Title: s.Title, Front: s.Front,
		Reqs: len(s.Requirements), Scens: len(s.Scenarios), Tests: len(s.ContractTests),
	}
	if r.Title == "" {
		r.Title = path
	}
	open := set(s.Uncovered())
	for _, q := range s.Requirements {
		if !open[q.ID] {
			r.Covered++
		}
	}
	return r
}

// set returns list as a set.
func set(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

// text returns the text of a spec. A file that is not a spec of the project is not found.
func (l *library) text(ctx context.Context, path string) ([]byte, error) {
	if _, err := l.project.Rel(path); err != nil {
		return nil, err
	}
	paths, err := spec.Paths(ctx, l.project)
	if err != nil {
		return nil, message.Errorf("list the specs: %w", err)
	}
	if _, found := slices.BinarySearch(paths, path); !found {
		return nil, &notFoundError{message.New("The project has no spec %q.", path)}
	}
	return l.project.ReadUpTo(path, spec.MaxSize)
}

// document returns a parsed spec.
func (l *library) document(ctx context.Context, path string) (*document, error) {
	text, err := l.text(ctx, path)
	if err != nil {
		return nil, err
	}
	contents := digest(sha256.Sum256(text))
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.open, func(d *document) bool { return d.path == path }); i >= 0 {
		d := l.open[i]
		l.open = slices.Delete(l.open, i, i+1)
		if d.digest == contents {
			l.open = append(l.open, d)
			return d, nil
		}
	}
	d, err := newDocument(path, bytes.ReplaceAll(spec.WithoutBaseline(text), []byte("\r\n"), []byte("\n")))
	if err != nil {
		return nil, err
	}
	d.digest = contents
	l.open = append(l.open, d)
	size := 0
	for i, o := range slices.Backward(l.open) {
		if size += len(o.source); size > mostOpen && o != d {
			l.open = slices.Delete(l.open, 0, i+1)
			break
		}
	}
	return d, nil
}
