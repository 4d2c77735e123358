package cypher

import (
	"maps"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// frame describes the rows at one point of a plan.
type frame struct {
	scope *eval.Scope
	// nodes are the variables that are nodes or null.
	nodes map[string]bool
	// around is the row around a subquery; nil outside of subqueries.
	around *around
}

func newFrame() *frame { return &frame{scope: eval.NewScope(), nodes: map[string]bool{}} }

// inner returns a frame for the same rows, to which names can be added.
func (f *frame) inner() *frame {
	return &frame{scope: f.scope.Inner(), nodes: maps.Clone(f.nodes), around: f.around}
}

// has reports whether a name is bound.
func (f *frame) has(name string) bool {
	_, ok := f.scope.Slot(name)
	return ok
}

// slot returns the slot of a name, allocating it if needed.
func (f *frame) slot(name string) int {
	if slot, ok := f.scope.Slot(name); ok {
		return slot
	}
	return f.scope.Add(name)
}

// names returns the names used in the query, without those of the query around it.
func (f *frame) names() []string {
	var names []string
	for _, n := range f.scope.Names() {
		if !strings.HasPrefix(n, hiddenMark) && !f.around.has(n) {
			names = append(names, n)
		}
	}
	return names
}

// hiddenMark is the prefix of generated names.
const hiddenMark = "\x00"

// visible returns a name for messages.
func visible(name string) string {
	if strings.HasPrefix(name, hiddenMark) {
		return ""
	}
	return name
}

// namesIn returns the names used in an expression, including those of its patterns.
func namesIn(e syntax.Expr) map[string]bool {
	names := map[string]bool{}
	syntax.Walk(e, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Variable:
			names[e.Name] = true
		case *syntax.PatternPredicate:
			addPath(names, e.Path)
		case *syntax.PatternComprehension:
			addPath(names, e.Path)
		case *syntax.Subquery:
			addQuery(names, e.Query)
		}
		return true
	})
	return names
}

func addQuery(names map[string]bool, q *syntax.Query) {
	for _, s := range q.Parts {
		for _, c := range s.Clauses {
			switch c := c.(type) {
			case *syntax.Match:
				for _, p := range c.Pattern {
					addPath(names, p)
				}
			case *syntax.CallSubquery:
				addQuery(names, c.Query)
				for _, x := range c.Scope {
					names[x.Name] = true
				}
			}
		}
	}
}

func addPath(names map[string]bool, p *syntax.Path) {
	for _, n := range p.Nodes {
		if n.Var != nil {
			names[n.Var.Name] = true
		}
	}
	for _, r := range p.Rels {
		if r.Var != nil {
			names[r.Var.Name] = true
		}
	}
}
