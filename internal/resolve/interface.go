package resolve

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"path"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Interface is what other files can observe of a file: for the hash of each name, as in [Result.Lookups], a hash of
// everything that the file declares under it.
type Interface map[uint32]uint64

// InterfaceOf returns the interface of a file. The head of its facts suffices.
func InterfaceOf(f *code.File) Interface {
	facts := f.Facts
	if facts == nil {
		facts = noFacts
	}
	file := Hash64(f.Package, f.Language, f.Constraint, boolText(f.Test))
	p := &printer{file: int64(file), facts: facts, out: Interface{}, scopes: map[int32]uint64{}, children: make([][]int32, len(facts.Scopes))}
	for s := 1; s < facts.HeadScopes; s++ {
		if parent := facts.Scopes[s].Parent; parent >= 0 {
			p.children[parent] = append(p.children[parent], int32(s))
		}
	}
	for s := range facts.HeadScopes {
		p.enter(int32(s))
	}
	for i := range f.Imports {
		p.imported(&f.Imports[i])
		if passesOn(f, &f.Imports[i]) {
			p.say(Everything, Hash64(f.Imports[i].Module))
		}
	}
	p.say(f.Package, file)
	if f.Language == "python" { // a module is a member of its package
		p.say(path.Base(moduleName(f.Path)), Hash64(f.Path))
	}
	return p.out
}

// Changed returns the hashes of the names that differ between two interfaces.
func (i Interface) Changed(other Interface) map[uint32]struct{} {
	out := map[uint32]struct{}{}
	for _, pair := range [][2]Interface{{i, other}, {other, i}} {
		for name, what := range pair[0] {
			if pair[1][name] != what {
				out[name] = struct{}{}
			}
		}
	}
	return out
}

// Hash64 returns the hash of a sequence of texts.
func Hash64(texts ...string) uint64 {
	h := fnv.New64a()
	for _, t := range texts {
		_, _ = h.Write([]byte(t))
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

func boolText(b bool) string {
	if b {
		return "1"
	}
	return ""
}

// printer computes fingerprints of declarations.
type printer struct {
	file     int64 // fingerprint of the file's own properties, which is part of all others
	facts    *code.Facts
	out      Interface
	scopes   map[int32]uint64 // scope -> fingerprint; 0 while it is being computed
	children [][]int32
}

// say adds a fingerprint for a name.
func (p *printer) say(name string, what uint64) {
	if name == "" {
		return
	}
	for _, key := range []string{name, "<" + name, "^" + name} {
		k := Hash(key)
		p.out[k] = p.out[k]*1099511628211 ^ what
	}
}

// enter adds the fingerprints of the bindings of a scope in the head.
func (p *printer) enter(scope int32) {
	s := &p.facts.Scopes[scope]
	if s.Kind == code.FuncScope || s.Kind == code.BlockScope {
		if s.Owner == 0 {
			return
		}
	}
	for i := range s.Defs[:s.HeadDefs] {
		d := &s.Defs[i]
		h := fnv.New64a()
		p.def(h, d, 0)
		p.around(h, scope)
		p.say(d.Name, h.Sum64())
	}
	for _, b := range s.Bases {
		h := fnv.New64a()
		p.expr(h, b.Type, 0)
		p.around(h, scope)
		p.say(p.last(b.Type), h.Sum64())
		p.say(s.Name, h.Sum64())
	}
	if s.Owner != 0 {
		p.say(p.last(s.Owner), p.scope(scope, 0))
	}
}

// around hashes the file and the scopes that enclose a scope.
func (p *printer) around(h hash.Hash64, scope int32) {
	writeNum(h, p.file)
	for s := scope; s >= 0; s = p.facts.Scopes[s].Parent {
		writeText(h, p.facts.Scopes[s].Name)
		p.expr(h, p.facts.Scopes[s].Owner, 0)
	}
}

func (p *printer) last(r code.Ref) string {
	u := unit{facts: p.facts}
	return u.lastName(r)
}

// imported adds the names bound by an import.
func (p *printer) imported(imp *code.Import) {
	what := Hash64(append([]string{imp.Module, imp.Default, imp.Namespace, boolText(imp.Reexport)}, imp.Named...)...)
	p.say(imp.Default, what)
	p.say(imp.Namespace, what)
	for i, name := range imp.Named {
		if i < len(imp.Aliases) && imp.Aliases[i] != "" {
			p.say(imp.Aliases[i], what)
			continue
		}
		p.say(name, what)
	}
}

// passesOn reports whether an import makes names visible to importers of the file without listing them.
func passesOn(f *code.File, imp *code.Import) bool {
	switch f.Language {
	case "c", "cpp":
		return !slices.Contains([]string{".c", ".cc", ".cpp", ".cxx"}, path.Ext(f.Path))
	case "python", "scala", "swift":
		return slices.Contains(imp.Named, "*")
	default:
		return imp.Reexport && (slices.Contains(imp.Named, "*") || len(imp.Named) == 0)
	}
}

// Everything is the name for the imports of a file that pass on unlisted names: if they change, any name may mean
// something else.
const Everything = "*"

// maxPrint bounds the recursion into expressions.
const maxPrint = 40

func (p *printer) def(h hash.Hash64, d *code.Def, depth int) {
	writeNum(h, int64(d.Kind))
	writeText(h, d.Name)
	for _, set := range []bool{d.Static, d.Hidden, d.Abstract, d.Getter, d.Optional, d.Variadic, d.Exported, d.Default, d.Macro} {
		writeText(h, boolText(set))
	}
	p.expr(h, d.Type, depth)
	p.expr(h, d.Value, depth)
	if d.Scope != 0 && int(d.Scope) < p.facts.HeadScopes {
		s := &p.facts.Scopes[d.Scope]
		if s.Kind == code.FuncScope {
			writeNum(h, int64(p.scope(d.Scope, depth)))
			return
		}
		for i := range s.Defs[:s.HeadDefs] { // members have fingerprints of their own; here their order and kinds count
			writeText(h, s.Defs[i].Name)
			writeNum(h, int64(s.Defs[i].Kind))
		}
		for _, b := range s.Bases {
			p.expr(h, b.Type, depth)
		}
	}
}

// scope returns the fingerprint of a scope in the head with its contents.
func (p *printer) scope(scope int32, depth int) uint64 {
	if known, ok := p.scopes[scope]; ok {
		return known
	}
	if depth > maxPrint || int(scope) >= p.facts.HeadScopes {
		return 1
	}
	p.scopes[scope] = 0
	h := fnv.New64a()
	s := &p.facts.Scopes[scope]
	writeNum(h, int64(s.Kind))
	writeText(h, boolText(s.Async)+boolText(s.Body))
	for _, r := range []code.Ref{s.Owner, s.Result, s.Expect} {
		p.expr(h, r, depth+1)
	}
	if s.Call != 0 && int(s.Call) < len(p.facts.Exprs) {
		p.expr(h, p.facts.Exprs[s.Call].X, depth+1)
		writeNum(h, int64(s.Arg))
	}
	for i := range s.Defs[:s.HeadDefs] {
		p.def(h, &s.Defs[i], depth+1)
	}
	if s.Result == 0 {
		for _, r := range s.Returns {
			p.expr(h, r, depth+1)
		}
	}
	for _, c := range p.children[scope] {
		writeNum(h, int64(p.scope(c, depth+1)))
	}
	p.scopes[scope] = h.Sum64()
	return p.scopes[scope]
}

func (p *printer) expr(h hash.Hash64, r code.Ref, depth int) {
	if r <= 0 || int(r) >= len(p.facts.Exprs) || depth > maxPrint {
		writeNum(h, -1)
		return
	}
	e := &p.facts.Exprs[r]
	writeNum(h, int64(e.Op))
	writeText(h, e.Name)
	p.expr(h, e.X, depth+1)
	for _, a := range e.Args {
		p.expr(h, a, depth+1)
	}
	switch e.Op {
	case code.OpFunc, code.OpObject:
		writeNum(h, int64(p.scope(e.N, depth+1)))
	case code.OpName, code.OpThis, code.OpSuper:
		if f := p.function(e.Scope); f > 0 { // its meaning depends on the bindings there
			writeNum(h, int64(p.scope(f, depth+1)))
		}
	default:
		writeNum(h, int64(e.N))
	}
}

// function returns the outermost function around a scope; 0 if there is none.
func (p *printer) function(scope int32) int32 {
	var out int32
	for s := scope; s > 0 && int(s) < len(p.facts.Scopes); s = p.facts.Scopes[s].Parent {
		if p.facts.Scopes[s].Kind == code.FuncScope {
			out = s
		}
	}
	return out
}

func writeText(h hash.Hash64, s string) {
	_, _ = h.Write([]byte(s))
	_, _ = h.Write([]byte{0})
}

func writeNum(h hash.Hash64, n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	_, _ = h.Write(b[:])
}
