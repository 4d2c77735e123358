package resolve

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Linker links files of a project one at a time. It is not safe for concurrent use.
type Linker struct {
	project *Project
	answers map[question]*answer // independent of the file being linked
	local   localAnswers         // for the file being linked
	depth   int                  // the number of open questions
	noted   []lookups            // of the open questions, by depth
	drafts  []*answer
	low     int
	steps   int  // made by this linker; for tests
	left    int  // steps that may be made for the file being linked; see allow
	cut     bool // one was not made
	envs    map[string]*env
	key     []byte                 // buffer for the key of an env
	ids     uint32                 // next id for what only this linker knows
	partsOf map[*decl][]*decl      // for types with several parts
	needs   map[*decl]requirements // of interfaces; see needed
	lookups hashSet                // of the file being linked
	// closures are include closures of C files.
	closures map[*code.File]*closure
	rust     *rustTree                     // the module tree of Rust; nil until first used
	spots    map[*unit]map[spot]*decl      // see declaredAt
	goNames  map[*code.File]map[string]int // see goImports
	sure     [countOfRules]float32         // the confidence of each rule in the language of the file being linked

	unit        *unit
	edges       edgeSet
	onVariables map[handle]*use    // what is called on variables; nil until first used
	receivers   map[int]*receivers // of abstract methods, by the symbol that calls them
	unresolved  map[Reason]int

	sitesOnly bool     // report every place of a use or base in sites; neither edges nor lookups, which an index needs
	at        code.Ref // the expression being linked
	sites     []site   // if sitesOnly is set
}

// site is one place of an edge.
type site struct {
	Edge
	at code.Ref
}

// Linker returns a new linker.
func (p *Project) Linker() *Linker {
	return &Linker{
		project: p, ids: p.ids, answers: map[question]*answer{}, local: localAnswers{answers: map[question]*answer{}}, low: independent, envs: map[string]*env{}, partsOf: map[*decl][]*decl{},
		needs: map[*decl]requirements{}, goNames: map[*code.File]map[string]int{},
	}
}

// File links the file at a path, relative to the project; for an unknown file the result is empty. Facts are the
// complete facts of the file if [New] got only their head; else nil.
func (l *Linker) File(path string, facts *code.Facts) *Result {
	u := l.project.units[path]
	r := &Result{Unresolved: map[Reason]int{}}
	if u == nil {
		return r
	}
	r.Symbols = l.begin(u, facts).symbols
	r.Unresolved = l.unresolved
	l.sites, l.at = nil, 0
	if l.sitesOnly {
		l.types()
		l.uses()
		return r
	}
	l.imports()
	l.definitions()
	l.types()
	l.uses()
	l.calledOnEdges()
	l.tests()
	r.Edges = l.edges.sorted()
	r.Lookups = l.lookups.sorted()
	return r
}

// begin makes a unit, with the complete facts of its file, the one that is linked.
func (l *Linker) begin(u *unit, facts *code.Facts) *unit {
	l.clear()
	u = u.with(facts, &l.ids)
	delete(l.spots, l.unit) // other files see only its head
	l.unit, l.unresolved, l.lookups = u, map[Reason]int{}, hashSet{}
	l.edges.clear()
	l.receivers, l.onVariables = map[int]*receivers{}, nil
	l.local.clear(len(u.facts.Exprs))
	l.allow(maxSteps)
	for r := range l.sure {
		l.sure[r] = Rule(r).In(u.file.Language)
	}
	return u
}

// maxAnswers bounds the number of answers kept between files.
const maxAnswers = 400_000

// clear drops all answers if there are many.
func (l *Linker) clear() {
	if len(l.answers) > maxAnswers {
		l.answers, l.envs, l.partsOf = map[question]*answer{}, map[string]*env{}, map[*decl][]*decl{}
	}
}

// edge adds an edge from the symbol that encloses a scope to a declaration.
func (l *Linker) edge(typ codegraph.Relationship, scope int32, to *decl, line int32, how Rule, weight float32) bool {
	n, ok := to.symbol()
	if !ok {
		return to.isPrototype() && l.edgeToDefinition(typ, scope, to, line, how, weight)
	}
	from := l.unit.symbolAround(scope)
	if typ != codegraph.Calls && to.unit.file == l.unit.file && from == n {
		return true // a self-reference carries no information
	}
	l.put(Edge{From: from, Type: typ, Path: to.unit.file.Path, To: n, Line: int(line), Rule: how, Weight: weight})
	return true
}

// edgeToDefinition adds an edge to the definition of a function that is declared elsewhere, if there is one.
func (l *Linker) edgeToDefinition(typ codegraph.Relationship, scope int32, to *decl, line int32, how Rule, weight float32) bool {
	if list := to.unit.language.defined(l, to); len(list) == 1 && !list[0].isPrototype() {
		return l.edge(typ, scope, list[0], line, how, weight)
	}
	return false
}

// put adds an edge whose weight has yet to be multiplied by the confidence of its rule, or counts it if it exists.
func (l *Linker) put(e Edge) {
	if e.Rule == 0 {
		e.Rule = SameFile
	}
	e.Weight *= l.sure[e.Rule]
	e.Count = 1
	if l.sitesOnly {
		l.sites = append(l.sites, site{e, l.at})
		return
	}
	known := l.edges.of(&e)
	if known == nil {
		l.edges.add(&e)
		return
	}
	known.Count++
	known.Line = min(known.Line, e.Line)
	if e.Weight > known.Weight {
		known.Weight, known.Rule = e.Weight, e.Rule
	}
}

// symbol returns the ordinal of a declaration's symbol, or of the enclosing symbol, as for an enum constant.
func (d *decl) symbol() (int, bool) {
	if n, ok := d.isSymbol(); ok {
		return n, true
	}
	switch {
	case d.def.Kind == code.DefMember, d.def.Kind == code.DefField, d.def.Implied && d.def.Name == constructorName:
		if o := d.owner(); o != nil {
			n, ok := o.isSymbol()
			return n, ok
		}
	default:
	}
	return 0, false
}

// symbolAround returns the ordinal of the symbol that encloses a scope.
func (u *unit) symbolAround(scope int32) int {
	for ; scope > 0; scope = u.facts.Scopes[scope].Parent {
		if n, ok := u.scopeSymbols[scope]; ok {
			return n
		}
	}
	return 0
}

// bindParams returns an env in which the type parameters of a declaration are bound to arguments, over an outer
// env.
func (l *Linker) bindParams(outer *env, params []*decl, args []values) *env {
	if len(params) == 0 {
		return outer
	}
	e := &env{}
	for i, p := range params {
		if i < len(args) && len(args[i]) > 0 {
			e.params, e.args = append(e.params, p), append(e.args, args[i])
		}
	}
	return l.envOf(e, outer)
}

// envOf returns the canonical env with the bindings of e and, for parameters not bound there, of outer.
func (l *Linker) envOf(e, outer *env) *env {
	if outer != nil {
		for i, p := range outer.params {
			if _, known := e.lookup(p); !known {
				e.params, e.args = append(e.params, p), append(e.args, outer.args[i])
			}
		}
	}
	if len(e.params) == 0 {
		return nil
	}
	l.key = e.appendKey(l.key[:0])
	if known := l.envs[string(l.key)]; known != nil {
		return known
	}
	l.envs[string(l.key)] = e
	return e
}

// typeParams returns the type parameters bound by a declaration's scope.
func (d *decl) typeParams() []*decl {
	if d.def.Scope == 0 {
		return nil
	}
	return d.unit.typeParams(d.def.Scope)
}

func (u *unit) typeParams(scope int32) []*decl {
	var out []*decl
	for i := range u.decls[scope] {
		if d := u.decls[scope][i]; d.def.Kind == code.DefTypeParam {
			out = append(out, d)
		}
	}
	return out
}
