package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Links are what the names in the files of a module mean, without a store. A file is linked when something in it is
// asked for. Links are not safe for concurrent use.
type Links struct {
	project *Project
	linker  *Linker
	facts   func(file string) *code.Facts
	nodes   map[string][]*Node // by file and ordinal
	byName  map[string]map[string][]*Node
	linked  map[string][]Use // by file, in source order
	last    struct {         // see factsOf
		file  string
		facts *code.Facts
	}

	variables map[string]*fileVariables // by file
}

// Node is a symbol of a linked file or of a file that one imports.
type Node struct {
	Symbol
	File   string
	Test   bool  // File is a test
	parent *Node // the enclosing symbol; nil for a file
	uses   []Use
}

// Use is a place at which a symbol calls, names or extends another.
type Use struct {
	From, To   *Node
	Type       codegraph.Relationship
	Line       int
	Name       string // of To as written, if it is written
	Selected   bool   // Name is written after a receiver or module
	Rule       Rule
	Confidence float32
	pos        int32
	at         code.Ref
}

// Module links the files of a module and its tests, which need complete facts. Dependencies are the files that they
// import; the heads of their facts suffice, unless calls in them are asked for. R is the resolution of the imports of all
// of them.
func Module(files, dependencies []*code.File, r *codegraph.Resolution) *Links {
	all := slices.Concat(files, dependencies)
	at := make(map[string]*code.File, len(all))
	for _, f := range all {
		at[f.Path] = f
	}
	return New(all, r).Links(func(file string) *code.Facts {
		if f := at[file]; f != nil {
			return f.WholeFacts()
		}
		return nil
	})
}

// Links returns the links of the project's files. Facts returns the complete facts of a file; nil for a file that is
// not to be linked.
func (p *Project) Links(facts func(file string) *code.Facts) *Links {
	l := &Links{
		project: p, linker: p.Linker(), facts: facts, nodes: map[string][]*Node{}, byName: map[string]map[string][]*Node{}, linked: map[string][]Use{},
		variables: map[string]*fileVariables{},
	}
	l.linker.sitesOnly = true
	return l
}

// factsOf returns the complete facts of a file. Those of the last one are kept: they may have to be decoded.
func (l *Links) factsOf(file string) *code.Facts {
	if l.last.file != file {
		l.last.file, l.last.facts = file, l.facts(file)
	}
	return l.last.facts
}

// importable are the languages in which the code of another folder can only be called after an import.
var importable = []string{"go", "python", "javascript", "typescript", "java", "kotlin"}

// Importers reports which folders have code that can call files: they import one, directly or through others, or hold it.
// Folders with languages that call code without importing it are always among them.
func (l *Links) Importers(in func(file string) bool) map[string]bool {
	out := map[string]bool{}
	importers := map[string][]string{} // by folder
	var open []string
	add := func(dir string) {
		if !out[dir] {
			out[dir] = true
			open = append(open, dir)
		}
	}
	for file, u := range l.project.units {
		dir := path.Dir(file)
		for i := range u.targets {
			for _, to := range u.targets[i].Files {
				if at := path.Dir(to); at != dir && !slices.Contains(importers[at], dir) {
					importers[at] = append(importers[at], dir)
				}
			}
		}
		if in(file) || !slices.Contains(importable, u.file.Language) {
			add(dir)
		}
	}
	for len(open) > 0 {
		dir := open[len(open)-1]
		open = open[:len(open)-1]
		for _, by := range importers[dir] {
			add(by)
		}
	}
	return out
}

// Nodes returns the symbols of a file, in the order of their ordinals: the file itself comes first. It returns nil for
// an unknown file.
func (l *Links) Nodes(file string) []*Node {
	if nodes, known := l.nodes[file]; known {
		return nodes
	}
	l.nodes[file] = nil
	if l.project.units[file] != nil {
		l.add(file, l.project.Symbols(file))
	}
	return l.nodes[file]
}

// add makes nodes for the symbols of a file that have none.
func (l *Links) add(file string, symbols []Symbol) {
	nodes := l.nodes[file]
	names := l.byName[file]
	if names == nil {
		names = map[string][]*Node{}
		l.byName[file] = names
	}
	ofTests := OfTests(l.project.units[file].file, symbols)
	for _, s := range symbols[len(nodes):] {
		n := &Node{Symbol: s, File: file, Test: ofTests(&s)}
		if len(nodes) > 0 {
			n.parent = nodes[s.Parent]
			names[n.Path()] = append(names[n.Path()], n)
		}
		nodes = append(nodes, n)
	}
	l.nodes[file] = nodes
}

// link links a file once.
func (l *Links) link(file string) {
	if _, known := l.linked[file]; known {
		return
	}
	l.linked[file] = nil
	facts := l.factsOf(file)
	if facts == nil || l.project.units[file] == nil {
		return
	}
	l.Nodes(file)
	r := l.linker.File(file, facts)
	l.add(file, r.Symbols)
	var uses []Use
	for _, s := range l.linker.sites {
		switch s.Type {
		case codegraph.Calls, codegraph.References, codegraph.Inherits, codegraph.Implements, codegraph.Overrides:
		default:
			continue
		}
		from, to := l.nodes[file], l.Nodes(s.Path)
		if s.To < 0 || s.To >= len(to) || s.From >= len(from) {
			continue
		}
		u := Use{From: from[s.From], To: to[s.To], Type: s.Type, Line: s.Line, Rule: s.Rule, Confidence: s.Weight, at: s.at}
		u.setName(facts, s.at)
		uses = append(uses, u)
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.pos, b.pos)) })
	l.linked[file] = uses
	for _, u := range uses {
		u.From.uses = append(u.From.uses, u)
	}
}

// setName sets what is written at the use: the name of a callee, or of another expression.
func (u *Use) setName(facts *code.Facts, at code.Ref) {
	x := &facts.Exprs[at]
	u.pos = x.Pos
	if x.Op == code.OpCall || x.Op == code.OpNew {
		x = &facts.Exprs[x.X]
	}
	for x.Op == code.OpApply || x.Op == code.OpIndex {
		x = &facts.Exprs[x.X]
	}
	u.Name, u.Selected = x.Name, x.Op == code.OpSelect
}

// Within returns the uses in the lines of a file from first to last, in source order. They must not be changed.
func (l *Links) Within(file string, first, last int) []Use {
	l.link(file)
	uses := l.linked[file]
	from, _ := slices.BinarySearchFunc(uses, first, func(u Use, line int) int { return u.Line - line })
	to, _ := slices.BinarySearchFunc(uses, last+1, func(u Use, line int) int { return u.Line - line })
	return uses[from:max(from, to)]
}

// Linked is like [Links.Nodes], but includes what other files cannot refer to: nested functions.
func (l *Links) Linked(file string) []*Node {
	l.link(file)
	return l.Nodes(file)
}

// Uses returns the places at which a symbol, but not those nested in it, uses others, in source order.
func (l *Links) Uses(n *Node) []Use {
	l.link(n.File)
	return n.uses
}

// Calls returns the calls among the uses of a symbol, in source order.
func (l *Links) Calls(n *Node) []Use {
	return slices.DeleteFunc(slices.Clone(l.Uses(n)), func(u Use) bool { return u.Type != codegraph.Calls })
}

// Evaluated returns the calls of a symbol in the order in which they are made: as in the source, but a call comes after those
// among its arguments. What a closure calls comes after the call that it is given to.
func (l *Links) Evaluated(n *Node) []Use {
	calls := l.Calls(n)
	facts := l.factsOf(n.File)
	if facts == nil || len(calls) < 2 {
		return calls
	}
	at := map[code.Ref][]Use{}
	for _, u := range calls {
		at[u.at] = append(at[u.at], u)
	}
	out := make([]Use, 0, len(calls))
	seen := map[code.Ref]bool{}
	var visit func(r code.Ref)
	visit = func(r code.Ref) {
		if r <= 0 || int(r) >= len(facts.Exprs) || seen[r] {
			return
		}
		seen[r] = true
		x := &facts.Exprs[r]
		visit(x.X)
		for _, a := range x.Args {
			visit(a)
		}
		out = append(out, at[r]...)
	}
	for _, u := range calls {
		visit(u.at)
	}
	return out
}

// Find returns the symbol of a file with a qualified name, "Type.method". If there are several, such as overloads, it
// is the one that contains the line, or else the first. It returns nil if there is none; for the name "", the file.
func (l *Links) Find(file, qualified string, line int) *Node {
	l.link(file)
	nodes := l.Nodes(file)
	if qualified == "" && len(nodes) > 0 {
		return nodes[0]
	}
	list := l.byName[file][qualified]
	for _, n := range list {
		if n.StartLine <= line && line <= n.EndLine {
			return n
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Path returns the qualified name of a symbol within its file, without the line that tells equal names apart; "" for a
// file.
func (n *Node) Path() string {
	if n.parent == nil {
		return ""
	}
	name, _, _ := strings.Cut(n.Qualified, "@")
	return name
}

// Owner returns the qualified name of the type of a method, and "" for other symbols.
func (n *Node) Owner() string {
	if n.Label != codegraph.LabelMethod {
		return ""
	}
	name := n.Path()
	return name[:max(0, strings.LastIndexByte(name, '.'))]
}

// IsType reports whether a symbol is a type.
func (n *Node) IsType() bool {
	switch n.Label {
	case codegraph.LabelClass, codegraph.LabelInterface, codegraph.LabelEnum, codegraph.LabelType, codegraph.LabelUnion:
		return true
	default:
		return false
	}
}

// Outer returns the named function or method that encloses a symbol or is it, or else the outermost symbol: a nested
// function belongs to the one that a spec names. What is assigned to a member of a variable elsewhere, as in
// `res.status = function`, is not enclosed by the variable.
func (n *Node) Outer() *Node {
	for n.parent != nil && n.parent.parent != nil && !n.parent.IsType() && n.Holder() == nil {
		n = n.parent
	}
	return n
}

// Holder returns the variable to a member of which a symbol is assigned, outside the declaration of the variable; nil for none.
func (n *Node) Holder() *Node {
	if n.parent == nil || n.parent.Label != codegraph.LabelVariable || n.StartLine <= n.parent.EndLine {
		return nil
	}
	return n.parent
}

// Imports returns the files of the project that a file imports, in the order of its imports.
func (l *Links) Imports(file string) []string {
	u := l.project.units[file]
	if u == nil {
		return nil
	}
	var out []string
	for i := range u.file.Imports {
		out = append(out, u.target(i).Files...)
	}
	return out
}

// Value returns the initial value of a constant, as written; "" for other symbols, and if it is not known.
func (l *Links) Value(n *Node) string {
	u := l.project.units[n.File]
	if u == nil || n.Kind != code.Const {
		return ""
	}
	list := u.file.Symbols
	for i := 0; i < len(list); i++ {
		switch s := &list[i]; {
		case s.Kind == code.Const && s.Name == n.Name && s.StartLine <= n.Line && n.Line <= s.EndLine:
			return s.Value
		case len(s.Members) > 0 && s.StartLine <= n.Line && n.Line <= s.EndLine:
			list, i = s.Members, -1
		}
	}
	return ""
}

// Parent returns the enclosing symbol; nil for a file.
func (n *Node) Parent() *Node { return n.parent }

// Around returns the innermost function, method or type of a file that contains lines; nil if only the file does.
func (l *Links) Around(file string, first, last int) *Node {
	var out *Node
	for _, n := range l.Linked(file) {
		if n.parent != nil && n.Label != codegraph.LabelVariable && n.StartLine <= first && last <= n.EndLine &&
			(out == nil || n.StartLine >= out.StartLine && n.EndLine <= out.EndLine) {
			out = n
		}
	}
	return out
}
