package overview

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Limits of the flows of an index.
const (
	maxFlows      = 3    // flows
	fewestFlows   = 1    // with fewer from programs, those of public functions follow
	maxFlowSteps  = 7    // modules of a flow
	maxWalked     = 3000 // functions that one flow is followed through
	maxCandidates = 60   // public functions of a library that are tried
	fewestSteps   = 2    // a flow through fewer modules says nothing
)

// start is where a flow begins.
type start struct {
	name, place string
	node        *resolve.Node
	served      bool // it answers requests
}

// flows follows the calls from the entries of the project through its modules: from programs and routes, or else from the public
// functions that reach the most modules.
func (o *Project) flows(ctx context.Context, x *spec.Index, entries []entry) []spec.IndexFlow {
	f := &flowFinder{links: o.Linker.Whole(), project: o}
	var starts []start
	for _, e := range entries {
		starts = append(starts, f.starts(e)...)
	}
	out := f.longest(ctx, starts)
	if len(out) < fewestFlows && !slices.ContainsFunc(starts, func(s start) bool { return s.served }) {
		out = append(out, f.longest(ctx, o.library(f, x))...)
	}
	return out
}

// longest returns the flows through the most modules, of those through the same ones only the first.
func (f *flowFinder) longest(ctx context.Context, starts []start) []spec.IndexFlow {
	var all []flow
	for _, s := range starts {
		if ctx.Err() != nil {
			return nil
		}
		if got := f.follow(s); len(got.Steps) >= fewestSteps {
			all = append(all, got)
		}
	}
	slices.SortStableFunc(all, func(a, b flow) int {
		return cmp.Or(-cmp.Compare(a.reached(), b.reached()), -cmp.Compare(a.functions, b.functions))
	})
	var out []spec.IndexFlow
	for _, one := range all {
		same := func(o spec.IndexFlow) bool { return sameModules(o.Steps, one.Steps) }
		if len(out) < maxFlows && !slices.ContainsFunc(out, same) {
			out = append(out, one.IndexFlow)
		}
	}
	return out
}

// flow is a flow with what it is ranked by.
type flow struct {
	spec.IndexFlow
	functions int
}

func (f *flow) reached() int { return len(f.Steps) + f.More }

// sameModules reports whether two flows go through the same modules.
func sameModules(a, b []spec.FlowStep) bool {
	return slices.EqualFunc(a, b, func(x, y spec.FlowStep) bool { return x.Module == y.Module })
}

// flowFinder follows calls.
type flowFinder struct {
	links   *resolve.Links
	project *Project
}

// starts returns where the flows of an entry begin: its function, or the handlers of its routes.
func (f *flowFinder) starts(e entry) []start {
	var out []start
	switch e.Kind {
	case spec.ProgramEntry:
		if n := f.links.Find(e.file, e.Names[0], e.line); n != nil {
			out = append(out, start{name: e.Names[0], place: e.Place, node: n})
		}
	case spec.RouteEntry:
		for i, handler := range e.handlers {
			if n := f.find(f.project.byPath[e.Module], handler); n != nil && handler != "" {
				out = append(out, start{e.Names[i], fmt.Sprintf("%s:%d", n.File, n.StartLine), n, true})
			}
		}
	case spec.CommandEntry, spec.ServiceEntry:
	}
	return out
}

// find returns a function of a module by its qualified name; nil if it has none.
func (f *flowFinder) find(m *Module, name string) *resolve.Node {
	for _, file := range m.Files {
		if n := f.links.Find(file, name, 0); n != nil && callable(n) {
			return n
		}
	}
	return nil
}

// constructors are names of functions that make a value: a flow through them says what it is made of, not what it does.
var constructors = []string{"constructor", "__init__", "__construct", "initialize", "init", "new"}

// library returns the exported functions of the largest package of a library.
func (o *Project) library(f *flowFinder, x *spec.Index) []start {
	var main *Module
	for i, row := range x.Modules {
		if m := o.byPath[row.Name]; x.Modules[i].Role == spec.PublicRole && m != nil &&
			(main == nil || m.LOC > main.LOC) {
			main = m
		}
	}
	if main == nil {
		return nil
	}
	var out []start
	for _, file := range main.Files {
		for _, n := range f.links.Nodes(file) {
			owner := path.Base(strings.ReplaceAll(n.Owner(), ".", "/"))
			if n.Exported && callable(n) && !n.Test && n.Name != owner && !slices.Contains(constructors, n.Name) && len(out) < maxCandidates {
				out = append(out, start{name: n.Path(), place: fmt.Sprintf("%s:%d", n.File, n.StartLine), node: n})
			}
		}
	}
	return out
}

func callable(n *resolve.Node) bool {
	return n.Label == codegraph.LabelFunction || n.Label == codegraph.LabelMethod
}

// visit is a module on the way of a flow.
type visit struct {
	spec.FlowStep
	depth     int // calls from the start
	functions int
	common    bool // much of the project uses the module
}

// follow walks the calls of a flow by their distance from the start, those of one function in the order of the source.
func (f *flowFinder) follow(s start) flow {
	depth := map[*resolve.Node]int{s.node: 0}
	visits := map[string]*visit{}
	var order []*visit
	home := f.project.of[s.node.File]
	open := []*resolve.Node{s.node}
	for i := 0; i < len(open) && i < maxWalked; i++ {
		n := open[i]
		if at := f.project.of[n.File]; at != "" && at != home {
			if visits[at] == nil {
				visits[at] = &visit{FlowStep: spec.FlowStep{Module: at, Function: n.Path()}, depth: depth[n], common: f.project.common(at)}
				order = append(order, visits[at])
			}
			visits[at].functions++
		}
		for _, to := range f.next(n) {
			if _, known := depth[to]; !known {
				depth[to] = depth[n] + 1
				open = append(open, to)
			}
		}
	}
	return chosen(s, order, len(depth))
}

// common reports whether much of the project depends on a module: a fifth of the modules, and at least fewestUsers.
func (o *Project) common(name string) bool {
	const share, fewestUsers = 5, 10
	i := slices.IndexFunc(o.Graph.Modules, func(m codegraph.Module) bool { return m.Source == name })
	return i >= 0 && o.Graph.Modules[i].InDegree >= max(fewestUsers, len(o.Modules)/share)
}

// weight is how much of a flow is in a module: its functions on the way, which count less with their distance.
func (v *visit) weight() float64 { return float64(v.functions) / float64(v.depth*v.depth) }

// chosen returns the flow with the modules that have most of it, in the order in which they are reached. Those that much of the project
// uses come last: they say little of this flow.
func chosen(s start, order []*visit, functions int) flow {
	ranked := slices.Clone(order)
	slices.SortStableFunc(ranked, func(a, b *visit) int {
		if a.common != b.common {
			return map[bool]int{false: -1, true: 1}[a.common]
		}
		return cmp.Compare(b.weight(), a.weight())
	})
	ranked = ranked[:min(len(ranked), maxFlowSteps)]
	out := flow{spec.IndexFlow{From: s.name, Place: s.place, More: len(order) - len(ranked)}, functions}
	for _, v := range order {
		if slices.Contains(ranked, v) {
			out.Steps = append(out.Steps, v.FlowStep)
		}
	}
	return out
}

// leastConfidence is the confidence of the calls that are followed: one of two possible targets is just enough.
const leastConfidence = 0.1

// next returns the functions that a function or one nested in it calls or names, in the order of the source.
func (f *flowFinder) next(n *resolve.Node) []*resolve.Node {
	var out []*resolve.Node
	for _, u := range f.links.Within(n.File, max(n.StartLine, 1), n.EndLine) {
		used := u.Type == codegraph.Calls || u.Type == codegraph.References
		if used && callable(u.To) && !u.To.Test && u.To != n && u.Rule != resolve.UniqueMethod && u.Confidence >= leastConfidence {
			out = append(out, u.To)
		}
	}
	return out
}
