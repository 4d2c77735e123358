package source

import (
	"context"
	"iter"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// The limits of the files that are read to find what a service answers: those in the outermost folder around the target
// that has no more. If already the target has more, it is a part of them.
const (
	maxServiceFiles = 1500
	maxServiceBytes = 16 << 20
)

// Services finds what the web services of a project answer. It reads the files of a language family once, with complete
// bodies: routes get their prefixes, and errors their handlers, anywhere in the project. It is safe for concurrent use.
type Services struct {
	parser    Parser
	files     []candidate
	tests     []candidate
	manifests *manifest.Manifests
	others    otherFiles
	mutex     sync.Mutex
	known     map[string][]service.Endpoint      // by folder and family
	shared    map[string]*code.File              // files read to find settings
	sharings  map[string]*service.SharedSettings // by folder and family
	environs  map[string]bool                    // by file, whether its text may read the environment
	recent    recentBodies
}

// candidate is a file that may be part of a service.
type candidate struct {
	project.Entry
	family string
}

// NewServices returns the services of a project, given its files.
func NewServices(p *project.Project, files []*code.File, m *manifest.Manifests) *Services {
	s := &Services{
		parser: Parser{project: p, parse: lang.Parse, pack: true}, manifests: m,
		known: map[string][]service.Endpoint{}, shared: map[string]*code.File{}, sharings: map[string]*service.SharedSettings{}, environs: map[string]bool{},
	}
	for _, f := range files {
		s.add(f, int64(f.Size))
	}
	return s
}

// add adds a file, unless it is third-party code.
func (s *Services) add(f *code.File, size int64) {
	list := &s.files
	if isTest(f.Path) {
		list = &s.tests
	}
	if !f.Vendored {
		*list = append(*list, candidate{project.Entry{Path: f.Path, Size: size}, familyOf(f.Language)})
	}
}

// Find sets t.Endpoints if the tree has code of a web framework, or is in a package that depends on one. The error is that
// of the context.
func (s *Services) Find(ctx context.Context, t *Tree) error {
	if t.Endpoints != nil {
		return nil
	}
	required := service.Required(s.manifests, t.Target)
	families := map[string]bool{}
	for _, f := range t.Files {
		if required || !f.Test && !f.Vendored && !f.Generated && f.Constraint != "ignore" && service.Uses(f) {
			families[familyOf(f.Language)] = true
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, family := range slices.Sorted(maps.Keys(families)) {
		list, err := s.endpointsAround(ctx, t.Target, family)
		if err != nil {
			return err
		}
		t.Endpoints = slices.Concat(t.Endpoints, list)
	}
	return nil
}

// endpointsAround returns the endpoints of the service around a target that code of a family of languages has. The error is
// that of the context.
func (s *Services) endpointsAround(ctx context.Context, target, family string) ([]service.Endpoint, error) {
	folder, entries := s.around(target, family)
	key := folder + ":" + family
	if list, known := s.known[key]; known {
		return list, nil
	}
	quiet := progress.With(ctx, func(progress.Event) {})
	files, err := s.read(quiet, entries)
	if err != nil {
		return nil, err
	}
	all := service.New(files, codegraph.Resolve(files, s.manifests), s.manifests)
	if all.Protos, err = s.protos(ctx, folder); err != nil {
		return nil, err
	}
	if all.Operations, err = s.operations(ctx, folder); err != nil {
		return nil, err
	}
	all.Versions = service.ReadVersions(s.manifests, s.parser.project.ReadFile)
	all.Settings = service.ReadSettings(all.Files, s.parser.project.ReadFile)
	if all.Tables, err = s.tables(ctx, folder, all.Files); err != nil {
		return nil, err
	}
	list := service.Find(all)
	if err := s.join(quiet, all, list, folder, family); err != nil {
		return nil, err
	}
	s.known[key] = list
	return list, nil
}

// The limits of the files of SQL that are read.
const (
	maxTexts     = 500
	maxTextBytes = 256 << 10 // of one: larger ones are dumps of rows
)

// tables returns the tables that the files of a service, and files of SQL, declare. The error is that of the context.
func (s *Services) tables(ctx context.Context, folder string, files []*code.File) (*database.Schema, error) {
	var texts []database.Text
	err := s.texts(ctx, folder, database.Wanted, func(file string, data []byte) {
		texts = append(texts, database.Text{Path: file, Data: data})
	})
	if err != nil {
		return nil, err
	}
	return database.Read(files, texts), nil
}

// protos returns the services that files of Protocol Buffers declare. The error is that of the context.
func (s *Services) protos(ctx context.Context, folder string) (*service.Protos, error) {
	out := &service.Protos{}
	return out, s.texts(ctx, folder, func(name string) bool { return strings.HasSuffix(name, ".proto") }, out.Add)
}

// operations returns the operations that descriptions of APIs declare. The error is that of the context.
func (s *Services) operations(ctx context.Context, folder string) (*service.Operations, error) {
	out := &service.Operations{}
	return out, s.texts(ctx, folder, service.IsAPIDescription, out.Add)
}

// otherFiles are the files of a project that are not code. It is safe for concurrent use.
type otherFiles struct {
	mutex sync.Mutex
	list  []project.Entry // nil until needed
}

// of returns the files; none if the project cannot be listed.
func (o *otherFiles) of(ctx context.Context, p *project.Project) []project.Entry {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.list == nil {
		listing, err := p.List(ctx, ".")
		if err != nil {
			return nil
		}
		o.list = slices.DeleteFunc(listing.Files, func(f project.Entry) bool { _, known := lang.ByPath(f.Path); return known })
	}
	return o.list
}

// texts calls see for wanted files that are not code, those in a folder first. The error is that of the context.
func (s *Services) texts(ctx context.Context, folder string, wanted func(name string) bool, see func(file string, data []byte)) error {
	list := slices.Clone(s.others.of(ctx, s.parser.project))
	slices.SortStableFunc(list, func(a, b project.Entry) int { return outside(a.Path, folder) - outside(b.Path, folder) })
	n := 0
	for _, f := range list {
		if !wanted(f.Path) || isTest(f.Path) || f.Size > maxTextBytes || n == maxTexts {
			continue
		}
		if data, err := s.parser.project.ReadFile(f.Path); err == nil {
			n++
			see(f.Path, data)
		}
	}
	return ctx.Err()
}

// join sets the requests that tests send to endpoints. Of the tests of a family, those in a folder are read and those elsewhere
// with a word of an endpoint, the closest if there are too many. The error is that of the context.
func (s *Services) join(ctx context.Context, all *service.Project, endpoints []service.Endpoint, folder, family string) error {
	if len(endpoints) == 0 {
		return nil
	}
	var entries []project.Entry
	words := wordsOf(endpoints)
	for _, f := range s.tests {
		if f.family == family && (within(f.Path, folder) || s.mentions(f.Path, words)) {
			entries = append(entries, f.Entry)
		}
	}
	slices.SortStableFunc(entries, func(a, b project.Entry) int { return shared(b.Path, folder) - shared(a.Path, folder) })
	size := int64(0)
	for i, f := range entries {
		if size += f.Size; i == maxServiceFiles || size > maxServiceBytes {
			entries = entries[:i]
			break
		}
	}
	tests, err := s.read(ctx, entries)
	if err != nil {
		return err
	}
	service.Join(all, endpoints, tests, codegraph.Resolve(slices.Concat(all.Files, tests), s.manifests))
	return nil
}

// wordsOf returns the words in the paths and names of endpoints and in the names of their handlers.
func wordsOf(endpoints []service.Endpoint) map[string]bool {
	words := map[string]bool{}
	for i := range endpoints {
		e := &endpoints[i]
		for _, word := range strings.FieldsFunc(e.Path+" "+e.Name+" "+e.Handler.Name, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
			words[word] = true
		}
	}
	return words
}

// mentions reports whether a file has one of the words.
func (s *Services) mentions(file string, words map[string]bool) bool {
	text, err := s.parser.project.ReadFile(file)
	return err == nil && mentions(text, words)
}

// senders returns the paths of the tests that send requests to the endpoints that a tree registers or handles.
func (t *Tree) senders() map[string]bool {
	out := map[string]bool{}
	for e, own := range t.endpoints() {
		if !own {
			continue
		}
		for _, r := range e.Requests {
			out[r.TestAt.File] = true
		}
	}
	return out
}

// endpoints iterates over the endpoints around a tree, with whether it registers or handles them.
func (t *Tree) endpoints() iter.Seq2[*service.Endpoint, bool] {
	own := map[string]bool{}
	for _, f := range t.Files {
		own[f.Path] = !f.Test
	}
	return func(yield func(*service.Endpoint, bool) bool) {
		for i := range t.Endpoints {
			e := &t.Endpoints[i]
			if !yield(e, own[e.At.File] || own[e.Handler.At.File]) {
				return
			}
		}
	}
}

// aside are the names of folders whose routes are not those of the product.
var aside = []string{"example", "examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials", "playground", "doc", "docs", "docs_src"}

// Behind returns the endpoints of the service that a tree is a part of, without registering or handling any; none for
// other trees.
func (t *Tree) Behind() []*service.Endpoint {
	var out []*service.Endpoint
	for e, own := range t.endpoints() {
		if own {
			return nil
		}
		if !slices.ContainsFunc(strings.Split(path.Dir(e.At.File), "/"), func(part string) bool { return slices.Contains(aside, part) }) {
			out = append(out, e)
		}
	}
	return out
}

// around returns the outermost folder around a target whose files of a family are within the limits, and these. So
// the targets in a folder share what is read. If no folder is, it returns the target with the first of its files.
func (s *Services) around(target, family string) (folder string, list []project.Entry) {
	for _, folder = range foldersTo(target) {
		list = list[:0]
		size := int64(0)
		for _, f := range s.files {
			if f.family == family && within(f.Path, folder) {
				list = append(list, f.Entry)
				size += f.Size
			}
		}
		if len(list) <= maxServiceFiles && size <= maxServiceBytes {
			return folder, list
		}
	}
	size := int64(0)
	for i, f := range list {
		if size += f.Size; i == maxServiceFiles || size > maxServiceBytes {
			return target, list[:i]
		}
	}
	return target, list
}

// outside returns 0 for a file in a folder, or else 1.
func outside(file, folder string) int {
	if within(file, folder) {
		return 0
	}
	return 1
}

// foldersTo returns the folders around a target from the outermost, ".", down to itself.
func foldersTo(target string) []string {
	out := []string{target}
	for dir := target; dir != "."; {
		dir = path.Dir(dir)
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}

// within reports whether a file is a folder or in it.
func within(file, folder string) bool {
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
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

// services returns the services of the project that is searched.
func (s *search) services() *Services {
	out := NewServices(s.project, nil, s.manifests)
	for _, f := range s.files {
		out.add(f, s.sizes[f.Path])
	}
	return out
}

// shared returns how many folders the path of a file and a folder share from the root.
func shared(file, folder string) int {
	n := 0
	a, b := strings.Split(path.Dir(file), "/"), strings.Split(folder, "/")
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
