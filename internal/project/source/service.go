package source

import (
	"context"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// The limits of the files that are read to find what a service answers. Of more files, those closest to the target are read.
const (
	maxServiceFiles = 1500
	maxServiceBytes = 16 << 20
)

// Services finds what the web services of a project answer. It reads the files of a language family once, with complete
// bodies: routes get their prefixes, and errors their handlers, anywhere in the project. It is safe for concurrent use.
type Services struct {
	parser    Parser
	files     []candidate
	manifests *manifest.Manifests
	mutex     sync.Mutex
	known     map[string][]service.Endpoint // by families; those of all files
}

// candidate is a file that may be part of a service.
type candidate struct {
	project.Entry
	family string
}

// NewServices returns the services of a project, given its files.
func NewServices(p *project.Project, files []*code.File, m *manifest.Manifests) *Services {
	s := &Services{parser: Parser{project: p, parse: lang.Parse}, manifests: m, known: map[string][]service.Endpoint{}}
	for _, f := range files {
		s.add(f, int64(f.Size))
	}
	return s
}

// add adds a file, unless it is third-party code or a test.
func (s *Services) add(f *code.File, size int64) {
	if !f.Vendored && !isTest(f.Path) {
		s.files = append(s.files, candidate{project.Entry{Path: f.Path, Size: size}, familyOf(f.Language)})
	}
}

// Find sets t.Endpoints if the tree has code of a web framework. The error is that of the context.
func (s *Services) Find(ctx context.Context, t *Tree) error {
	families := map[string]bool{}
	serves := false
	for _, f := range t.Files {
		families[familyOf(f.Language)] = true
		serves = serves || !f.Test && !f.Vendored && service.Uses(f)
	}
	if !serves {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	key := strings.Join(slices.Sorted(maps.Keys(families)), " ")
	if list, known := s.known[key]; known {
		t.Endpoints = list
		return nil
	}
	entries, whole := s.nearest(t.Target, families)
	files, err := s.read(progress.With(ctx, func(progress.Event) {}), entries)
	if err != nil {
		return err
	}
	all := service.New(files, codegraph.Resolve(files, s.manifests), s.manifests)
	all.Settings = service.ReadSettings(all.Files, s.parser.project.ReadFile)
	t.Endpoints = service.Find(all)
	if whole {
		s.known[key] = t.Endpoints
	}
	return nil
}

// nearest returns the files of some families, those closest to a target if there are too many; all reports whether there
// are not.
func (s *Services) nearest(target string, families map[string]bool) (list []project.Entry, all bool) {
	for _, f := range s.files {
		if families[f.family] {
			list = append(list, f.Entry)
		}
	}
	slices.SortStableFunc(list, func(a, b project.Entry) int { return shared(b.Path, target) - shared(a.Path, target) })
	size := int64(0)
	for i, f := range list {
		if size += f.Size; i >= maxServiceFiles || size > maxServiceBytes {
			return list[:i], false
		}
	}
	return list, true
}

// read returns files with their facts and complete bodies.
func (s *Services) read(ctx context.Context, list []project.Entry) ([]*code.File, error) {
	parser := s.parser
	parser.parts, parser.vendored = lang.Facts|lang.Bodies|lang.Calls, &vendored{}
	r := &reader{Parser: &parser, files: list, results: make([]result, len(list))}
	if err := r.run(ctx, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	var out []*code.File
	for _, res := range r.results {
		if res.file != nil {
			res.file.Vendored = false // the list has none
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

// services returns the services of the project that is searched.
func (s *search) services() *Services {
	out := NewServices(s.project, nil, s.manifests)
	for _, f := range s.files {
		out.add(f, s.sizes[f.Path])
	}
	return out
}
