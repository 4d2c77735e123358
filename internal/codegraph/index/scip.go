package index

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// readScip reads the run's SCIP indexes; nil if there are none.
func (r *run) readScip(ctx context.Context, m *manifest.Manifests) (resolve.Oracle, error) {
	if len(r.inputs) == 0 {
		return nil, nil // nobody to ask
	}
	s := newScipReader(r.project, r.sources, m)
	for i, in := range r.inputs {
		progress.Report(ctx, progress.Event{Stage: "scip", Item: in.Path, Done: i, Total: len(r.inputs)})
		if err := s.read(ctx, in); err != nil {
			return nil, message.Errorf("read %s: %w", in.Path, err)
		}
	}
	o := s.oracle()
	r.sum.Scip.Documents, r.sum.Scip.Written = len(s.current), len(s.written)
	return o, nil
}

// Oracle returns the references that SCIP index files hold for a project's sources, as [Run] passes them to
// linkers. It is for linking a project without a store.
func Oracle(ctx context.Context, p *project.Project, sources []project.Entry, m *manifest.Manifests, indexes []string) (resolve.Oracle, error) {
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

// scipReader collects the contents of SCIP indexes.
type scipReader struct {
	project  *project.Project
	sources  map[string]project.Entry // the project's sources, by path
	numbers  map[string]uint32        // numbers of global symbols
	meanings [][]resolve.Meaning      // by number
	mentions map[string][]mention
	own      map[scip.Package]bool // packages with a declaration in the project
	names    map[string]bool       // package names given by the project's manifests
	current  map[string]bool       // files with a current document
	written  map[string]bool       // files that changed after their document was written

	// Of the current index:
	input  store.Input
	prefix string // the folder to which its paths are relative
	locals map[string]uint32
}

func newScipReader(p *project.Project, sources []project.Entry, m *manifest.Manifests) *scipReader {
	s := &scipReader{
		project: p, sources: make(map[string]project.Entry, len(sources)), numbers: map[string]uint32{},
		mentions: map[string][]mention{}, own: map[scip.Package]bool{}, names: map[string]bool{},
		current: map[string]bool{}, written: map[string]bool{},
	}
	for _, e := range sources {
		s.sources[e.Path] = e
	}
	for _, p := range m.Packages() {
		s.names[p.Name] = true
	}
	return s
}

// read reads one index.
func (s *scipReader) read(ctx context.Context, in store.Input) (err error) {
	f, err := scip.Open(in.Path)
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

// folderOf returns the root folder of an index relative to the project; "." if it is outside, because the index was
// written on another machine.
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

// document reads a document. If its file is not in the project, or changed since, only its declarations are used.
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

// text returns the text of a document's file. Current reports whether it is a source of the project that did not
// change since the index was written.
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
		return nil, false // reported when it is parsed
	}
	s.current[file] = true
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

// oracle builds the oracle. A symbol without a declaration is external if its package is not the project's; else it
// is unknown.
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
	o.finish()
	for file := range s.current {
		delete(s.written, file) // another index is newer
	}
	return o
}

// versionless returns a package without its version.
func versionless(p scip.Package) scip.Package {
	p.Version = ""
	return p
}

// lines are the lines of a text with their offsets.
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

// name returns the text of a range within one line, and its byte offset; "" if the range is empty or invalid.
func (l lines) name(e scip.Encoding, r scip.Range) (pos int, name string) {
	if r.StartLine < 0 || r.StartLine >= len(l) || r.EndLine != r.StartLine {
		return 0, ""
	}
	row := l[r.StartLine]
	from, to := e.Offset(row.text, r.StartColumn), e.Offset(row.text, r.EndColumn)
	return row.start + from, row.text[from:max(from, to)]
}
