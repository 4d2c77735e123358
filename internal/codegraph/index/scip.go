package index

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// consult reads the run's SCIP indexes; nil where there are none.
func (r *run) consult(ctx context.Context, m *codegraph.Manifests) (resolve.Oracle, error) {
	if len(r.inputs) == 0 {
		return nil, nil //nolint:nilnil // nobody to ask
	}
	s := newScipReader(r.project, r.sources, m)
	for i, in := range r.inputs {
		progress.Report(ctx, progress.Event{Stage: "scip", Item: in.Path, Done: i, Total: len(r.inputs)})
		if err := s.read(ctx, in); err != nil {
			return nil, message.Errorf("read %s: %w", in.Path, err)
		}
	}
	o := s.oracle()
	r.sum.Scip.Documents, r.sum.Scip.Written = len(s.told), len(s.written)
	return o, nil
}

// Oracle returns what SCIP indexes, named by their files, know of a project's sources.
// It is what [Run] gives to linkers, for who links a project without a store.
func Oracle(ctx context.Context, p *project.Project, sources []project.Entry, m *codegraph.Manifests, indexes []string) (resolve.Oracle, error) {
	s := newScipReader(p, sources, m)
	for _, name := range indexes {
		in, err := inputOf(name)
		if err == nil {
			err = s.read(ctx, in)
		}
		if err != nil {
			return nil, message.Errorf("read %s: %w", name, err)
		}
	}
	return s.oracle(), nil
}

// scipReader gathers what SCIP indexes say.
type scipReader struct {
	project  *project.Project
	sources  map[string]project.Entry // the project's own, by path
	numbers  map[string]uint32        // of the symbols that all documents know
	meanings [][]resolve.Meaning      // by number
	mentions map[string][]mention
	own      map[scip.Package]bool // packages of which something is declared in the project
	names    map[string]bool       // that the project's manifests give to packages
	told     map[string]bool       // files of which a document counts
	written  map[string]bool       // files that were written after their document

	// Of the index under way:
	input  store.Input
	prefix string // the folder that its paths are relative to
	locals map[string]uint32
}

func newScipReader(p *project.Project, sources []project.Entry, m *codegraph.Manifests) *scipReader {
	s := &scipReader{
		project: p, sources: make(map[string]project.Entry, len(sources)), numbers: map[string]uint32{},
		mentions: map[string][]mention{}, own: map[scip.Package]bool{}, names: map[string]bool{},
		told: map[string]bool{}, written: map[string]bool{},
	}
	for _, e := range sources {
		s.sources[e.Path] = e
	}
	for _, p := range m.Packages() {
		s.names[p.Name] = true
	}
	return s
}

// read takes in one index.
func (s *scipReader) read(ctx context.Context, in store.Input) (err error) {
	f, err := openfile.Open(in.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	meta, err := scip.ReadMetadata(f)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, 0); err != nil {
		return err
	}
	s.input, s.prefix = in, folderOf(meta.ProjectRoot, s.project.Root())
	_, err = scip.Read(f, func(d *scip.Document) error {
		s.document(d)
		return ctx.Err()
	})
	return err
}

// folderOf returns where in the project the folder is that an index is of: "." for
// one outside of it, which is that of another machine.
func folderOf(uri, root string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "."
	}
	dir := filepath.FromSlash(u.Path)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return "."
}

// document takes in what a document says. Of one whose file is not the project's, or
// was written since the index was, it is known only what it declared.
func (s *scipReader) document(d *scip.Document) {
	s.locals = map[string]uint32{}
	file := path.Join(s.prefix, d.Path)
	text, current := s.text(file)
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		if !o.Roles.Has(scip.Definition) || o.Symbol == "" {
			continue
		}
		at := resolve.Meaning{File: file}
		if current {
			if _, name := text.name(d.Encoding, o.Range); name != "" {
				at.Line, at.Name = o.Range.StartLine+1, strings.Clone(name)
			}
		}
		n := s.number(o.Symbol)
		s.meanings[n] = append(s.meanings[n], at)
	}
	if !current {
		return
	}
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		if o.Roles.Has(scip.Definition) || o.Symbol == "" {
			continue
		}
		if pos, name := text.name(d.Encoding, o.Range); name != "" {
			s.mentions[file] = append(s.mentions[file], mention{uint32(pos), resolve.Hash(name), s.number(o.Symbol)})
		}
	}
}

// text returns the text of a file that a document is of. Current tells that it is
// one of the project's, and was not written since the index was.
func (s *scipReader) text(file string) (t lines, current bool) {
	e, known := s.sources[file]
	if !known {
		return nil, false
	}
	if !countsFor(s.input, e.ModTime) {
		s.written[file] = true
		return nil, false
	}
	src, err := s.project.ReadFile(file)
	if err != nil {
		return nil, false // it is counted where it is parsed
	}
	s.told[file] = true
	return linesOf(src), true
}

// number returns the number of a symbol.
func (s *scipReader) number(symbol string) uint32 {
	numbers := s.numbers
	if strings.HasPrefix(symbol, "local ") {
		numbers = s.locals
	}
	n, known := numbers[symbol]
	if !known {
		n = uint32(len(s.meanings))
		numbers[symbol] = n
		s.meanings = append(s.meanings, nil)
	}
	return n
}

// oracle makes the oracle of what was read. A symbol that nothing declares is of
// outside where its package is not the project's; else it is not known.
func (s *scipReader) oracle() *oracle {
	for symbol, n := range s.numbers {
		if len(s.meanings[n]) > 0 {
			if parsed, err := scip.ParseSymbol(symbol); err == nil {
				s.own[versionless(parsed.Package)] = true
			}
		}
	}
	outside := []resolve.Meaning{{}}
	for symbol, n := range s.numbers {
		if len(s.meanings[n]) > 0 {
			continue
		}
		if parsed, err := scip.ParseSymbol(symbol); err == nil && parsed.Package.Name != "" && !s.own[versionless(parsed.Package)] && !s.names[parsed.Package.Name] {
			s.meanings[n] = outside
		}
	}
	o := &oracle{s.mentions, s.meanings}
	o.settle()
	for file := range s.told {
		delete(s.written, file) // another index is newer
	}
	return o
}

// versionless is a package in any version.
func versionless(p scip.Package) scip.Package {
	p.Version = ""
	return p
}

// lines are the lines of a text, and where they begin.
type lines []line

type line struct {
	start int
	text  string
}

func linesOf(src []byte) lines {
	var out lines
	at := 0
	for text := range strings.Lines(strings.TrimPrefix(string(src), "\ufeff")) {
		out = append(out, line{at, strings.TrimRight(text, "\r\n")})
		at += len(text)
	}
	return out
}

// name returns what stands in a range of one line, and at which byte; "" where there
// is nothing.
func (l lines) name(e scip.Encoding, r scip.Range) (pos int, name string) {
	if r.StartLine < 0 || r.StartLine >= len(l) || r.EndLine != r.StartLine {
		return 0, ""
	}
	row := l[r.StartLine]
	from, to := e.Offset(row.text, r.StartColumn), e.Offset(row.text, r.EndColumn)
	return row.start + from, row.text[from:max(from, to)]
}
