package service

import (
	"iter"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Project is the files of a service. They need facts and complete bodies: lang.Facts, lang.Bodies and lang.Calls.
type Project struct {
	Files          []*code.File // sorted by path, without tests, generated and vendored files
	Links          *resolve.Links
	Manifests      *manifest.Manifests
	Settings       Settings         // may be nil
	Protos         *Protos          // may be nil
	Operations     *Operations      // may be nil
	Versions       Versions         // may be nil
	Tables         *database.Schema // may be nil
	imports        *codegraph.Resolution
	bodies         paths.Reader
	files          map[string]*code.File
	symbols        map[string]map[string]*code.Symbol // by file and qualified name
	classes        map[string][]Class                 // by name
	bindings       map[string][]Bound                 // by name
	callsOf        map[string][]Call                  // by the name of what is called; nil until needed
	sent           map[*code.Symbol]*sent             // by the class of the request; nil until needed
	behaviors      []behavior
	springSecurity *springSecurity            // nil until needed
	springRead     func(s *Step) []Ending     // how Spring's handlers of exceptions are read; nil before
	marked         map[string][]Call          // annotations by the file and the symbol around; nil until needed
	functions      map[string][]*resolve.Node // by name; nil until needed
}

// Class is a type of the project.
type Class struct {
	File   *code.File
	Path   string // qualified name
	Symbol *code.Symbol
}

// Bound is a binding with its file.
type Bound struct {
	File *code.File
	*code.Binding
}

// New returns the project of some files; r is the resolution of their imports.
func New(files []*code.File, r *codegraph.Resolution, m *manifest.Manifests) *Project {
	p := &Project{Manifests: m, imports: r, files: map[string]*code.File{}, symbols: map[string]map[string]*code.Symbol{}, classes: map[string][]Class{}, bindings: map[string][]Bound{}}
	for _, f := range files {
		if f.Test || f.Generated || f.Vendored || f.Facts == nil || f.Bodies == nil {
			continue
		}
		p.Files = append(p.Files, f)
		p.add(f)
	}
	slices.SortFunc(p.Files, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	p.Links = resolve.Module(p.Files, nil, r)
	return p
}

// add makes a file known.
func (p *Project) add(f *code.File) {
	p.files[f.Path] = f
	p.index(f, "", f.Symbols)
	for i := range f.Bodies.Bindings {
		b := &f.Bodies.Bindings[i]
		p.bindings[b.Name] = append(p.bindings[b.Name], Bound{f, b})
	}
}

// index adds symbols and their members.
func (p *Project) index(f *code.File, owner string, list []code.Symbol) {
	if p.symbols[f.Path] == nil {
		p.symbols[f.Path] = map[string]*code.Symbol{}
	}
	for i := range list {
		s := &list[i]
		name := strings.TrimPrefix(owner+"."+s.Name, ".")
		if p.symbols[f.Path][name] == nil {
			p.symbols[f.Path][name] = s
		}
		if s.Kind.HoldsMembers() {
			p.classes[Last(s.Name)] = append(p.classes[Last(s.Name)], Class{f, name, s})
		}
		p.index(f, name, s.Members)
	}
}

// File returns the file at a path; nil if it is not part of the project.
func (p *Project) File(path string) *code.File { return p.files[path] }

// Symbol returns the declaration of a node; nil for a nested function.
func (p *Project) Symbol(n *resolve.Node) *code.Symbol {
	if n == nil {
		return nil
	}
	return p.symbols[n.File][n.Path()]
}

// Call is a call with its file.
type Call struct {
	File *code.File
	*code.CallUse
}

// Of returns the receiver and the name of the called function.
func (c Call) Of() (receiver, name string) { return CutLast(c.Value.Text) }

// Place returns where the call is.
func (c Call) Place() Place { return Place{c.File.Path, c.Line} }

// Around returns the call among whose arguments this one is; ok is false for none.
func (c Call) Around() (Call, bool) {
	if c.Within == 0 {
		return Call{}, false
	}
	return Call{c.File, &c.File.Bodies.Calls[c.Within-1]}, true
}

// AssignedTo yields the calls in the same function whose result a name is given, up to the line of this one.
func (c Call) AssignedTo(name string) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for i := range c.File.Bodies.Calls {
			if u := &c.File.Bodies.Calls[i]; u.In == c.In && u.To == name && u.Line <= c.Line && !yield(Call{c.File, u}) {
				return
			}
		}
	}
}

// Calls yields all calls of the files in one of the languages, file by file in the order of the source.
func (p *Project) Calls(languages ...string) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, f := range p.Files {
			if !slices.Contains(languages, f.Language) {
				continue
			}
			for i := range f.Bodies.Calls {
				if !yield(Call{f, &f.Bodies.Calls[i]}) {
					return
				}
			}
		}
	}
}

// CallsIn yields the calls between two lines of a file.
func (p *Project) CallsIn(file string, first, last int) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		f := p.files[file]
		if f == nil {
			return
		}
		for i := range f.Bodies.Calls {
			if c := &f.Bodies.Calls[i]; c.Line >= first && c.Line <= last && !yield(Call{f, c}) {
				return
			}
		}
	}
}

// CutLast splits a name as written before its last part; separators are those of any language.
func CutLast(text string) (before, last string) {
	i := strings.LastIndexAny(text, ".>:\\")
	return strings.TrimRight(text[:i+1], ".>:\\-?"), text[i+1:]
}

// Last returns the last part of a name as written.
func Last(text string) string {
	_, last := CutLast(text)
	return last
}

// Body returns the body of a function; nil if it has none, or statements in none.
func (p *Project) Body(n *resolve.Node) *code.Body {
	f := p.files[n.File]
	if f == nil {
		return nil
	}
	var out *code.Body
	for i := range f.Bodies.Functions {
		b := &f.Bodies.Functions[i]
		marked := b.Line < n.StartLine && n.StartLine <= b.End && b.In == n.Path() && b.Use.Kind == "" // by annotations before it
		if (marked || b.Line >= n.StartLine && b.Line <= n.EndLine) && (out == nil || b.Line < out.Line) && (b.Name == n.Name || b.Name == "" && Last(b.In) == n.Name) {
			out = b
		}
	}
	return out
}

// FunctionAt returns the function that is declared first at or after a line: the one that a decorator on that line
// decorates. It returns nil if there is none.
func (p *Project) FunctionAt(file string, line int) *resolve.Node {
	var out *resolve.Node
	for _, n := range p.Links.Linked(file) {
		if (IsFunction(n) || n.IsType()) && n.Line >= line && (out == nil || n.Line < out.Line) {
			out = n
		}
	}
	return out
}

// IsFunction reports whether a node is a function or method.
func IsFunction(n *resolve.Node) bool {
	return n.Label == codegraph.LabelFunction || n.Label == codegraph.LabelMethod
}

// functionsNamed returns the functions and methods of a language with a name.
func (p *Project) functionsNamed(name, language string) []*resolve.Node {
	if p.functions == nil {
		p.functions = map[string][]*resolve.Node{}
		for _, f := range p.Files {
			for _, n := range p.Links.Nodes(f.Path) {
				if IsFunction(n) {
					p.functions[n.Name] = append(p.functions[n.Name], n)
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(p.functions[name]), func(n *resolve.Node) bool { return p.files[n.File].Language != language })
}
