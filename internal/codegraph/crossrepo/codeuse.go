package crossrepo

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// crossing maps relationships to the types of edges between repositories; others are ignored.
var crossing = map[codegraph.Relationship]store.VirtualType{
	codegraph.Calls: store.VirtualCalls, codegraph.Imports: store.VirtualImports, codegraph.References: store.VirtualImports,
	codegraph.Inherits: store.VirtualImports, codegraph.Implements: store.VirtualImports, codegraph.Overrides: store.VirtualImports,
}

// vague are rules that match by name without regard to imports. Between repositories they count only if the file
// imports the other repository.
var vague = map[resolve.Rule]bool{resolve.UniqueMethod: true, resolve.OneOf: true, resolve.Implementation: true}

// code adds the edges of a linked file that lead to other repositories.
func (f *federation) code(ctx context.Context, v *view) error {
	for i := range v.result.Edges {
		e := &v.result.Edges[i]
		typ, crosses := crossing[e.Type]
		if !crosses || strings.HasPrefix(e.Path, v.repo.prefix+"/") || e.Path == v.repo.prefix {
			continue
		}
		to, node, err := f.joint.target(ctx, e)
		if err != nil {
			return err
		}
		if to == nil || to == v.repo || !f.joint.mayReach(v, to, e) {
			continue
		}
		from, err := f.source(ctx, v, e)
		if err != nil {
			return err
		}
		k := f.codeKind(node)
		if from.QualifiedName == "" || k == nil {
			continue
		}
		bonus := k.strict
		if f.depends[[2]int{v.repo.place, to.place}] {
			bonus = 1
		}
		f.add(v.repo, store.VirtualEdge{
			SourceSymbol: from.QualifiedName, SourceFile: place(from), SourceLine: e.Line, Type: typ, Contract: k.name,
			TargetRepo: to.Name, TargetRoot: to.root(), TargetSymbol: node.QualifiedName, TargetFile: place(node),
			StartLine: node.StartLine, EndLine: node.EndLine, Signature: node.Signature,
			Rule:       strings.ToLower(string(e.Type)) + ":" + e.Rule.String(),
			ExactMatch: float64(e.Weight), SignatureSimilarity: f.joint.similarity(v, e, node), ContractBonus: bonus,
		})
	}
	return nil
}

// mayReach reports whether an edge between two repositories is possible: one imports the other and, if the rule is
// vague or the edge is not a use, the file does.
func (j *linkedWorkspace) mayReach(v *view, to *repository, e *resolve.Edge) bool {
	if vague[e.Rule] || e.Type == codegraph.Implements || e.Type == codegraph.Overrides {
		return j.fileImports[v.repo.prefix+"/"+v.path][to.place]
	}
	return j.repoImports[v.repo.place][to.place]
}

// source returns the source node of an edge of a file.
func (f *federation) source(ctx context.Context, v *view, e *resolve.Edge) (codegraph.Node, error) {
	nodes := v.nodes
	if e.Of != "" {
		_, file := f.joint.split(e.Of)
		var err error
		if nodes, err = v.repo.nodesOf(ctx, file); err != nil {
			return codegraph.Node{}, err
		}
	}
	if e.From >= len(nodes) {
		return codegraph.Node{}, nil
	}
	return nodes[e.From].Node, nil
}

// codeKind returns the contract kind of a code node.
func (f *federation) codeKind(n codegraph.Node) *kind {
	language := n.Language
	if language == "" && n.Label == codegraph.LabelPackage || n.Label == codegraph.LabelProject || n.Label == codegraph.LabelFolder {
		language = "go" // only Go imports folders
	}
	for i := range f.kinds {
		if k := &f.kinds[i]; k.code != nil && k.code(n.Path, language) {
			return k
		}
	}
	return nil
}

// similarity returns how well the arguments of a call fit the target's parameters.
func (j *linkedWorkspace) similarity(v *view, e *resolve.Edge, target codegraph.Node) float64 {
	if e.Type != codegraph.Calls {
		return fits // no arguments
	}
	takes, maker := j.parameters(e), constructedType(target)
	result := float64(unknown)
	for _, c := range v.calls() {
		if c.line != e.Line || c.name != target.Name && c.name != maker || len(takes) == 0 {
			continue
		}
		result = unfit
		for _, t := range takes {
			switch n := len(c.args); {
			case n >= t.least && (t.any || n <= t.most):
				return fits
			case n < t.least && v.mayPassMore(c):
				result = unknown
			}
		}
	}
	return result
}

// constructedType returns the name of the type that a constructor makes; the name of any other node.
func constructedType(n codegraph.Node) string {
	if n.Kind != string(code.Constructor) && n.Name != "__init__" {
		return n.Name
	}
	return lastPart(strings.TrimSuffix(n.QualifiedName, "."+n.Name))
}

// mayPassMore reports whether a call may pass more arguments than the facts show: spread and named arguments are
// missing in some languages, and one argument may be a call with several results.
func (v *view) mayPassMore(c called) bool {
	strict := v.code.Language == "go" || v.code.Language == "java"
	return !strict || len(c.args) == 1 && v.code.Facts.Exprs[c.args[0]].Op == code.OpCall
}

// arity is the number of arguments that a function takes.
type arity struct {
	least, most int
	any         bool // variadic
}

// parameters returns the arities of an edge's target: several if it is overloaded, none if unknown.
func (j *linkedWorkspace) parameters(e *resolve.Edge) []arity {
	head := j.heads[e.Path]
	if head == nil || head.Facts == nil || e.To < 0 {
		return nil
	}
	symbols := j.symbols(e.Path)
	if e.To >= len(symbols) {
		return nil
	}
	want, _, _ := strings.Cut(symbols[e.To].Qualified, "@")
	var out []arity
	for i := range head.Facts.Scopes {
		s := &head.Facts.Scopes[i]
		name, _, _ := strings.Cut(s.Symbol, "@")
		if s.Kind == code.FuncScope && name == want {
			out = append(out, arityOf(s, head.Language))
		}
	}
	return out
}

// arityOf counts the parameters of a function. In Go the first parameter of a method is its receiver.
func arityOf(s *code.Scope, language string) arity {
	var a arity
	for i, d := range s.Defs {
		switch {
		case d.Kind == code.DefTypeParam, i == 0 && s.Owner != 0 && language == "go":
		case d.Kind != code.DefParam:
			return a
		case d.Variadic:
			a.any = true
		case d.Optional:
			a.most++
		default:
			a.least, a.most = a.least+1, a.most+1
		}
	}
	return a
}
