package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
)

// FactsVersion is the version of the encoding and of the facts that the parsers produce. Data of another version
// must be produced anew from the source.
const FactsVersion = 10

// Encode encodes what name resolution needs of a file: its path, its imports, the kinds of its types, and its
// facts, with the head in a section of its own. Texts for people are left out.
func Encode(f *File) []byte {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.begin()
	w.file(f)
	facts := f.Facts
	if facts == nil {
		facts = &Facts{}
	}
	w.num(facts.HeadExprs, facts.HeadScopes, len(facts.Exprs), len(facts.Scopes))
	for i := range facts.HeadExprs {
		w.expr(&facts.Exprs[i])
	}
	for i := range facts.HeadScopes {
		w.scope(&facts.Scopes[i])
		w.defs(facts.Scopes[i].Defs[:facts.Scopes[i].HeadDefs])
	}
	head, names := len(w.out), len(w.strings)
	for i := facts.HeadExprs; i < len(facts.Exprs); i++ {
		w.expr(&facts.Exprs[i])
	}
	for i := range facts.Scopes {
		if i >= facts.HeadScopes {
			w.scope(&facts.Scopes[i])
		}
		w.defs(facts.Scopes[i].Defs[facts.Scopes[i].HeadDefs:])
	}
	headNames, bodyNames := table(w.strings[:names]), table(w.strings[names:])
	out := append(make([]byte, 0, 1+len(headNames)+len(bodyNames)+len(w.out)+4*binary.MaxVarintLen32), FactsVersion)
	for _, part := range [][]byte{headNames, w.out[:head], bodyNames, w.out[head:]} {
		out = section(out, part)
	}
	return out
}

func section(out, data []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

func table(list []string) []byte {
	size := binary.MaxVarintLen32
	for _, s := range list {
		size += len(s) + 2
	}
	out := binary.AppendUvarint(make([]byte, 0, size), uint64(len(list)))
	for _, s := range list {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out
}

// writers are the writers whose memory serves the next file.
var writers = sync.Pool{New: func() any { return &writer{ids: map[string]uint64{}} }}

// writer appends numbers and strings. A string is written as its 1-based index in the string table.
type writer struct {
	out     []byte
	strings []string
	ids     map[string]uint64
}

// manyTexts is the number of texts of a file that few files have: a map for so many would be cleared for each of the others.
const manyTexts = 4096

// begin makes the writer ready for the next file.
func (w *writer) begin() {
	if len(w.ids) > manyTexts {
		w.ids = map[string]uint64{}
	}
	clear(w.ids)
	clear(w.strings)
	w.ids[""] = 0
	w.out, w.strings = w.out[:0], w.strings[:0]
}

func (w *writer) num(list ...int) {
	for _, n := range list {
		w.out = binary.AppendVarint(w.out, int64(n))
	}
}

func (w *writer) text(list ...string) {
	for _, s := range list {
		id, known := w.ids[s]
		if !known {
			w.strings = append(w.strings, s)
			id = uint64(len(w.strings))
			w.ids[s] = id
		}
		w.out = binary.AppendUvarint(w.out, id)
	}
}

// flags writes up to eight booleans as one byte.
func (w *writer) flags(list ...bool) {
	var b byte
	for i, set := range list {
		if set {
			b |= 1 << i
		}
	}
	w.out = append(w.out, b)
}

func (w *writer) file(f *File) {
	w.text(f.Path, f.Language, f.Package, f.Constraint)
	w.flags(f.Test, f.Generated, f.Vendored)
	w.num(f.LOC, len(f.Imports))
	for i := range f.Imports {
		imp := &f.Imports[i]
		w.text(imp.Module, imp.Default, imp.Namespace, string(imp.Kind))
		w.flags(imp.Relative, imp.TypeOnly, imp.Reexport)
		w.num(imp.Line, len(imp.Named), len(imp.Aliases))
		w.text(imp.Named...)
		w.text(imp.Aliases...)
	}
	var types []string
	typesIn(f.Symbols, "", &types)
	w.num(len(types))
	w.text(types...)
}

// typesIn appends the qualified name of each type, followed by its kind.
func typesIn(list []Symbol, owner string, out *[]string) {
	for i := range list {
		s := &list[i]
		if !isType(s.Kind) {
			continue
		}
		name := s.Name
		if owner != "" {
			name = owner + "." + name
		}
		*out = append(*out, name, string(s.Kind))
		typesIn(s.Members, name, out)
	}
}

// calledBit is set in the operation of a name that is called.
const calledBit = 0x80

func (w *writer) expr(e *Expr) {
	op := byte(e.Op)
	if e.Called {
		op |= calledBit
	}
	w.out = append(w.out, op)
	w.text(e.Name)
	w.num(int(e.X), int(e.N), int(e.Scope), int(e.Pos), int(e.Line))
	w.refs(e.Args)
}

func (w *writer) refs(list []Ref) {
	w.num(len(list))
	for _, r := range list {
		w.num(int(r))
	}
}

func (w *writer) scope(s *Scope) {
	w.out = append(w.out, byte(s.Kind))
	w.text(s.Name, s.Symbol)
	w.flags(s.Async, s.Body)
	w.num(int(s.Parent), int(s.Line), int(s.End), int(s.Owner), int(s.Result), int(s.Call), int(s.Arg), int(s.Expect), len(s.Bases))
	for _, b := range s.Bases {
		w.num(int(b.Type))
		w.flags(b.Implements, b.Embeds)
	}
	w.refs(s.Returns)
	w.num(len(s.Decorators))
	w.text(s.Decorators...)
}

func (w *writer) defs(list []Def) {
	w.num(len(list))
	for i := range list {
		d := &list[i]
		w.out = append(w.out, byte(d.Kind))
		w.text(d.Name)
		w.num(int(d.Type), int(d.Value), int(d.Scope), int(d.Pos), int(d.Line))
		w.flags(d.Static, d.Hidden, d.Abstract, d.Getter, d.Optional, d.Variadic, d.Exported, d.Default)
		w.flags(d.Implied, d.Single, d.Macro)
	}
}

// errEncoded is returned for input that [Encode] did not write.
var errEncoded = errors.New("facts are damaged")

// ErrFactsVersion is returned for input that another version of [Encode] wrote.
var ErrFactsVersion = errors.New("facts are of another version")

// DecodeHead decodes the output of [Encode], with only the head of the facts.
func DecodeHead(data []byte) (*File, error) { return decode(data, false) }

// Decode decodes the output of [Encode]. What needs the facts for a short time alone gives their memory up by [Facts.Drop].
func Decode(data []byte) (*File, error) { return decode(data, true) }

func decode(data []byte, whole bool) (f *File, err error) {
	if len(data) == 0 || data[0] != FactsVersion {
		return nil, ErrFactsVersion
	}
	r := &decoder{in: data[1:], strings: []string{""}}
	names, head, bodyNames, body := r.section(), r.section(), r.section(), r.section()
	r.table(names)
	r.in = head
	f = r.file()
	f.Facts = &Facts{HeadExprs: r.count(1), HeadScopes: r.count(1)}
	exprs, scopes := r.size(), r.size()
	if r.bad || exprs < f.Facts.HeadExprs || scopes < f.Facts.HeadScopes || exprs > len(data) || scopes > len(data) {
		return nil, fmt.Errorf("decode: %w", errEncoded)
	}
	if !whole {
		f.Facts.Exprs, f.Facts.Scopes = make([]Expr, f.Facts.HeadExprs), make([]Scope, f.Facts.HeadScopes)
		r.facts(f.Facts)
	} else {
		f.Facts.Exprs, f.Facts.Scopes = dropped.exprs.Get(exprs), dropped.scopes.Get(scopes)
		r.facts(f.Facts)
		r.table(bodyNames)
		r.in = body
		r.rest(f.Facts)
	}
	if r.bad {
		return nil, fmt.Errorf("decode: %w", errEncoded)
	}
	return f, nil
}
