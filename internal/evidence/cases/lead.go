package cases

import (
	"cmp"
	"path"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/reach"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// maxCalls is the number of calls through the code of other modules that are followed from a test to the module.
const maxCalls = 8

// lead finds the symbols of the module that tests reach, directly or through the code of other modules.
func (e *exports) lead(files []*testFile) {
	var from []*resolve.Node
	seen := map[*resolve.Node]bool{}
	for _, t := range files {
		for _, c := range t.cases {
			for _, r := range c.reached {
				if !seen[r.Node] {
					seen[r.Node] = true
					from = append(from, r.Node)
				}
			}
		}
	}
	ways := e.finder.Toward(from, func(file string) bool { return e.sources[file] }, maxCalls)
	names := e.stems()
	e.methods = e.withMethods()
	for _, t := range files {
		for _, c := range t.cases {
			c.enter(ways)
		}
		t.assume(e, names)
	}
}

// assume adds tests that are not seen to reach the module, but are of it. In a file that has the name of the module, or of a
// file of it, and reaches it, those are the tests that run code outside the tests, like a program that is called by its name.
// In Go, they are those of the package that name a type with methods: a library calls these, as encoding/json does.
func (t *testFile) assume(e *exports, names map[string]bool) {
	if !t.Test || t.visits {
		return
	}
	named := names[squeeze(stemOf(t.Path))] && t.reaches()
	for _, c := range t.cases {
		if _, ok := c.Reaches(); ok || len(c.inner) > 0 && t.Language != "go" {
			continue
		}
		c.assumed = slices.ContainsFunc(c.reached, func(r reach.Reached) bool {
			return named && r.Called || t.Language == "go" && e.sources[r.File] && e.methods[r.Node]
		})
	}
}

// withMethods returns the types of the module that have methods.
func (e *exports) withMethods() map[*resolve.Node]bool {
	out := map[*resolve.Node]bool{}
	for file, source := range e.sources {
		if !source {
			continue
		}
		for _, n := range e.links.Nodes(file) {
			if owner := n.Owner(); owner != "" && n.Parent() != nil && n.Parent().IsType() {
				out[n.Parent()] = true
			}
		}
	}
	return out
}

// stems returns the names by which a file of tests may refer to the module: those of its files, and of its folder if that
// has an entry file.
func (e *exports) stems() map[string]bool {
	out := map[string]bool{}
	for file, source := range e.sources {
		if !source {
			continue
		}
		stem, folder := stemOf(file), path.Base(path.Dir(file))
		if slices.Contains(entries, stem) {
			stem = folder
		}
		out[squeeze(stem)] = true
	}
	return out
}

// entries are the stems of files that stand for their folder.
var entries = []string{"__init__", "index", "mod", "lib"}

// enter sets the symbols of the module that a test reaches.
func (c *Case) enter(ways map[*resolve.Node]reach.Way) {
	c.entries = map[*resolve.Node]int{}
	for _, r := range c.reached {
		way, leads := ways[r.Node]
		if !leads || way.Calls == 0 && !r.Called && !runs(r.Node) || way.Calls > 0 && r.IsType() {
			continue
		}
		distance := r.Distance + way.Calls
		if known, again := c.entries[way.To]; !again || distance < known {
			c.entries[way.To] = distance
		}
	}
}

// runs reports whether a symbol has code that runs when it is named: a function or property.
func runs(n *resolve.Node) bool {
	return n.Label == codegraph.LabelFunction || n.Label == codegraph.LabelMethod
}

// Reaching is the tests of a module, by the symbol that they reach.
type Reaching struct {
	exports *exports
	list    []*Case
	users   map[*resolve.Node][]*resolve.Node // within the module
	near    map[*resolve.Node][]*Case
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// NewReaching returns the tests of a list by what they reach.
func NewReaching(m Module, list []*Case) *Reaching {
	r := &Reaching{exports: m.exports(), users: map[*resolve.Node][]*resolve.Node{}, near: map[*resolve.Node][]*Case{}}
	for _, c := range list {
		if len(c.entries) > 0 {
			r.list = append(r.list, c)
		}
	}
	for _, f := range m.Files {
		if !r.exports.sources[f.Path] {
			continue
		}
		for _, n := range m.Links.Linked(f.Path) {
			for _, u := range m.Links.Uses(n) {
				from, to := n.Outer(), u.To.Outer()
				if from != to && (u.Type == codegraph.Calls || u.Type == codegraph.References) && u.Rule != resolve.Implementation {
					r.users[to] = append(r.users[to], from)
				}
			}
		}
	}
	return r
}

// maxInside limits the number of calls inside the module that are followed back from a symbol.
const maxInside = 8

// near is a test that reaches a symbol.
type near struct {
	*Case
	distance, score int
}

// usersOf returns the symbols of the module that lead to one, with the number of calls between.
func (r *Reaching) usersOf(n *resolve.Node) map[*resolve.Node]int {
	depth, open := map[*resolve.Node]int{n: 0}, []*resolve.Node{n}
	for i := 0; i < len(open) && depth[open[i]] < maxInside; i++ {
		for _, user := range r.users[open[i]] {
			if _, known := depth[user]; !known && user.Path() != "" {
				depth[user] = depth[open[i]] + 1
				open = append(open, user)
			}
		}
	}
	return depth
}

// nearest returns how near a test is to a symbol, given those that lead to it; false if it does not reach it.
func (c *Case) nearest(n *resolve.Node, depth map[*resolve.Node]int) (near, bool) {
	best := near{c, -1, 0}
	for entry, distance := range c.entries {
		if inside, leads := depth[entry.Outer()]; leads && (best.distance < 0 || distance+inside < best.distance) {
			best.distance = distance + inside
		}
	}
	for _, t := range c.touches {
		if t.sym.File == n.File && t.name == n.Path() {
			best.score = c.score(t)
		}
	}
	return best, best.distance >= 0
}

// callers returns the tests that reach a variable and call one of its members by name, in a callback whose argument nothing
// else says the type of: `res.status(201)`, where the module has `res.status = function`.
func (r *Reaching) callers(holder *resolve.Node, name string) []near {
	if holder == nil {
		return nil
	}
	depth := r.usersOf(holder)
	var out []near
	for _, c := range r.list {
		best, ok := c.nearest(holder, depth)
		if ok && slices.ContainsFunc(c.file.Calls, func(call code.Call) bool {
			return call.Name == name && call.Receiver == holder.Name &&
				slices.ContainsFunc(c.ran, func(s resolve.Span) bool { return s.Holds(call.Line) })
		}) {
			out = append(out, best)
		}
	}
	return out
}

// Of returns the tests that reach a symbol of the module, the nearest first. Line is one of its lines.
func (r *Reaching) Of(file, symbol string, line int) []*Case {
	n := r.exports.links.Find(file, symbol, line)
	if n == nil || n.Path() == "" {
		return nil
	}
	n = n.Outer()
	if known, ok := r.near[n]; ok {
		return known
	}
	found := r.callers(n.Holder(), n.Name)
	depth := r.usersOf(n)
	for _, c := range r.list {
		if best, ok := c.nearest(n, depth); ok && !slices.ContainsFunc(found, func(f near) bool { return f.Case == c }) {
			found = append(found, best)
		}
	}
	slices.SortStableFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), boolOrder(a.file.visits)-boolOrder(b.file.visits), cmp.Compare(b.score, a.score))
	})
	out := make([]*Case, 0, len(found))
	for _, c := range found {
		out = append(out, c.Case)
	}
	r.near[n] = out
	return out
}
