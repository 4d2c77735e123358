package crossrepo

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// view is a file being searched for uses.
type view struct {
	joint    *linkedWorkspace
	repo     *repository
	path     string
	code     *code.File      // nil for a document
	result   *resolve.Result // linking result of the code
	nodes    []store.Node    // of the file, by ordinal
	text     []byte
	literals []literal // of the code
}

// at returns the innermost symbol that contains a line, else the file's module.
func (v *view) at(line int) codegraph.Node {
	if len(v.nodes) == 0 {
		n, _ := v.repo.fileNode(v.path)
		return n
	}
	best := v.nodes[0].Node
	for _, n := range v.nodes[1:] {
		if n.StartLine <= line && line <= n.EndLine && n.Label != codegraph.LabelVariable && n.EndLine-n.StartLine <= best.EndLine-best.StartLine {
			best = n.Node
		}
	}
	return best
}

// called is a call in a file.
type called struct {
	name string
	ref  code.Ref // expression of the call
	line int
	args []code.Ref
}

// calls returns the calls of the file.
func (v *view) calls() []called {
	var out []called
	facts := v.code.Facts
	for i := range facts.Exprs {
		e := &facts.Exprs[i]
		if (e.Op != code.OpCall && e.Op != code.OpNew) || e.X == 0 {
			continue
		}
		if x := &facts.Exprs[e.X]; x.Op == code.OpName || x.Op == code.OpSelect {
			out = append(out, called{x.Name, code.Ref(i), int(e.Line), e.Args})
		}
	}
	return out
}

// receiver returns names that describe the receiver of a call.
func (v *view) receiver(c called) []string {
	x := v.code.Facts.Exprs[v.code.Facts.Exprs[c.ref].X]
	if x.Op != code.OpSelect {
		return nil
	}
	return v.origins(x.X)
}

// maxSteps bounds how far the origin of a value is followed.
const maxSteps = 8

// origins returns names that describe the origin of a value: its type, or the function that returns it.
func (v *view) origins(ref code.Ref) []string {
	var out []string
	seen := map[code.Ref]bool{}
	var follow func(ref code.Ref, steps int)
	follow = func(ref code.Ref, steps int) {
		if ref <= 0 || int(ref) >= len(v.code.Facts.Exprs) || seen[ref] || steps == 0 {
			return
		}
		seen[ref] = true
		e := &v.code.Facts.Exprs[ref]
		switch e.Op {
		case code.OpName, code.OpSelect:
			out = append(out, e.Name)
			for _, d := range v.bindings(e) {
				follow(d.Type, steps-1)
				follow(d.Value, steps-1)
			}
		default:
		}
		follow(e.X, steps-1)
	}
	follow(ref, maxSteps)
	return out
}

// bindings returns the bindings of a name in the enclosing scopes; for a member, those of the file's fields of that
// name.
func (v *view) bindings(e *code.Expr) []*code.Def {
	facts := v.code.Facts
	var out []*code.Def
	if e.Op == code.OpSelect {
		for s := range facts.Scopes {
			out = append(out, named(&facts.Scopes[s], e.Name, code.DefField)...)
		}
		return out
	}
	for s := e.Scope; s >= 0 && int(s) < len(facts.Scopes); s = facts.Scopes[s].Parent {
		if out = named(&facts.Scopes[s], e.Name, code.DefVar, code.DefParam, code.DefField); len(out) > 0 {
			return out
		}
	}
	return nil
}

// named returns the bindings of a name, or of all for "", in a scope with one of the kinds.
func named(s *code.Scope, name string, of ...code.DefKind) []*code.Def {
	var out []*code.Def
	for i := range s.Defs {
		d := &s.Defs[i]
		for _, k := range of {
			if (d.Name == name || name == "") && d.Kind == k {
				out = append(out, d)
			}
		}
	}
	return out
}

// callsGenerated reports whether a call is of a function in generated code of the repository.
func (v *view) callsGenerated(c called) bool {
	return slices.ContainsFunc(v.result.Edges, func(e resolve.Edge) bool {
		head := v.joint.heads[e.Path]
		if e.Type != codegraph.Calls || e.Line != c.line || e.To < 0 || head == nil || !head.Generated {
			return false
		}
		symbols := v.joint.symbols(e.Path)
		return e.To < len(symbols) && symbols[e.To].Name == c.name
	})
}

// isOwn reports whether a call is of a function that the repository itself declares, other than in generated code.
func (v *view) isOwn(c called) bool {
	for i := range v.result.Edges {
		e := &v.result.Edges[i]
		if e.Type != codegraph.Calls || e.Line != c.line || e.To < 0 {
			continue
		}
		head := v.joint.heads[e.Path]
		if head == nil || head.Generated || !strings.HasPrefix(e.Path, v.repo.prefix+"/") {
			continue
		}
		if symbols := v.joint.symbols(e.Path); e.To < len(symbols) && symbols[e.To].Name == c.name {
			return true
		}
	}
	return v.joint.declares[v.repo.place][c.name]
}
