package code

import "encoding/binary"

// decoder reads the output of writer. It never reads outside its input; after invalid data it sets bad and returns
// zeros.
type decoder struct {
	in      []byte
	strings []string
	refs    []Ref // a pool
	bad     bool
}

func (r *decoder) section() []byte {
	n, k := binary.Uvarint(r.in)
	if k <= 0 || n > uint64(len(r.in)-k) {
		r.bad = true
		return nil
	}
	s := r.in[k : k+int(n)]
	r.in = r.in[k+int(n):]
	return s
}

// table appends the strings of a table. They share one backing string.
func (r *decoder) table(data []byte) {
	r.in = data
	n := r.uint()
	if n > uint64(len(data)) {
		r.bad = true
		return
	}
	text := string(data)
	for range n {
		size := r.uint()
		if size > uint64(len(r.in)) {
			r.bad = true
			return
		}
		at := len(data) - len(r.in)
		r.strings = append(r.strings, text[at:at+int(size)])
		r.in = r.in[size:]
	}
}

func (r *decoder) uint() uint64 {
	n, k := binary.Uvarint(r.in)
	if k <= 0 {
		r.bad = true
		return 0
	}
	r.in = r.in[k:]
	return n
}

// size reads a non-negative number.
func (r *decoder) size() int {
	n, k := binary.Varint(r.in)
	if k <= 0 || n < 0 || n > 1<<31-1 {
		r.bad = true
		return 0
	}
	r.in = r.in[k:]
	return int(n)
}

// count reads the number of items that follow. It is invalid if that many items, of at least each bytes, do not fit
// in the rest of the input.
func (r *decoder) count(each int) int {
	n := r.size()
	if n*each > len(r.in) {
		r.bad = true
		return 0
	}
	return n
}

func (r *decoder) int() int32 {
	n, k := binary.Varint(r.in)
	if k <= 0 || n != int64(int32(n)) {
		r.bad = true
		return 0
	}
	r.in = r.in[k:]
	return int32(n)
}

func (r *decoder) byte() byte {
	if len(r.in) == 0 {
		r.bad = true
		return 0
	}
	b := r.in[0]
	r.in = r.in[1:]
	return b
}

func (r *decoder) text() string {
	n := r.uint()
	if n >= uint64(len(r.strings)) {
		r.bad = true
		return ""
	}
	return r.strings[n]
}

func (r *decoder) texts(n int) []string {
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.text()
	}
	return out
}

func (r *decoder) flags(list ...*bool) {
	b := r.byte()
	for i, p := range list {
		*p = b&(1<<i) != 0
	}
}

func (r *decoder) file() *File {
	f := &File{Path: r.text(), Language: r.text(), Package: r.text(), Constraint: r.text()}
	r.flags(&f.Test, &f.Generated, &f.Vendored)
	f.LOC = r.size()
	f.Imports = make([]Import, r.count(8))
	for i := range f.Imports {
		imp := &f.Imports[i]
		imp.Module, imp.Default, imp.Namespace, imp.Kind = r.text(), r.text(), r.text(), ImportKind(r.text())
		r.flags(&imp.Relative, &imp.TypeOnly, &imp.Reexport)
		imp.Line = r.size()
		named, aliases := r.count(1), r.count(1)
		imp.Named, imp.Aliases = r.texts(named), r.texts(aliases)
	}
	names := r.texts(r.count(1))
	if len(names) > 0 {
		f.Kinds = make([]TypeKind, 0, len(names)/2)
	}
	for i := 0; i+1 < len(names); i += 2 {
		f.Kinds = append(f.Kinds, TypeKind{names[i], Kind(names[i+1])})
	}
	return f
}

// facts reads the head of the facts, which have room for the rest.
func (r *decoder) facts(f *Facts) {
	for i := range f.HeadExprs {
		r.expr(&f.Exprs[i])
	}
	for i := range f.HeadScopes {
		s := &f.Scopes[i]
		r.scope(s)
		r.defs(s)
		s.HeadDefs = len(s.Defs)
	}
}

// rest reads the facts after the head.
func (r *decoder) rest(f *Facts) {
	for i := f.HeadExprs; i < len(f.Exprs); i++ {
		r.expr(&f.Exprs[i])
	}
	for i := range f.Scopes {
		s := &f.Scopes[i]
		if i >= f.HeadScopes {
			r.scope(s)
		}
		r.defs(s)
	}
}

func (r *decoder) expr(e *Expr) {
	op := r.byte()
	e.Op, e.Called, e.Name = Op(op&^calledBit), op&calledBit != 0, r.text()
	e.X, e.N, e.Scope, e.Pos, e.Line = Ref(r.int()), r.int(), r.int(), r.int(), r.int()
	e.Args = r.list()
}

func (r *decoder) list() []Ref {
	n := r.count(1)
	if n == 0 {
		return nil
	}
	if cap(r.refs)-len(r.refs) < n {
		r.refs = make([]Ref, 0, max(n, 128))
	}
	from := len(r.refs)
	for range n {
		r.refs = append(r.refs, Ref(r.int()))
	}
	return r.refs[from:len(r.refs):len(r.refs)]
}

func (r *decoder) scope(s *Scope) {
	s.Kind, s.Name, s.Symbol = ScopeKind(r.byte()), r.text(), r.text()
	r.flags(&s.Async, &s.Body)
	s.Parent, s.Line, s.End, s.Owner, s.Result = r.int(), r.int(), r.int(), Ref(r.int()), Ref(r.int())
	s.Call, s.Arg, s.Expect = Ref(r.int()), r.int(), Ref(r.int())
	if n := r.count(2); n > 0 {
		s.Bases = make([]Base, n)
	}
	for i := range s.Bases {
		s.Bases[i].Type = Ref(r.int())
		r.flags(&s.Bases[i].Implements, &s.Bases[i].Embeds)
	}
	s.Returns = r.list()
	s.Decorators = r.texts(r.count(1))
}

func (r *decoder) defs(s *Scope) {
	n := r.count(9)
	if n == 0 {
		return
	}
	from := len(s.Defs)
	s.Defs = append(make([]Def, 0, from+n), s.Defs...)[:from+n]
	for i := range s.Defs[from:] {
		d := &s.Defs[from+i]
		d.Kind, d.Name = DefKind(r.byte()), r.text()
		d.Type, d.Value, d.Scope, d.Pos, d.Line = Ref(r.int()), Ref(r.int()), r.int(), r.int(), r.int()
		r.flags(&d.Static, &d.Hidden, &d.Abstract, &d.Getter, &d.Optional, &d.Variadic, &d.Exported, &d.Default)
		r.flags(&d.Implied, &d.Single, &d.Macro)
	}
}
