package reach

import (
	"path"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Way is how a symbol outside a module leads to it.
type Way struct {
	To    *resolve.Node // the nearest symbol of the module
	Calls int           // number of calls up to To
}

// Toward returns for each symbol outside the tests that leads to a module by calls, within a number of calls, the nearest
// symbol of the module: for a symbol of the module itself. From is where to begin, in reports whether a file is of the
// module. Only files with complete facts are followed.
func (f *Finder) Toward(from []*resolve.Node, in func(file string) bool, calls int) map[*resolve.Node]Way {
	callers := map[*resolve.Node][]*resolve.Node{}
	importers := f.links.Importers(in)
	out := map[*resolve.Node]Way{}
	depth := map[*resolve.Node]int{}
	var open, entries []*resolve.Node
	see := func(n *resolve.Node, d int) {
		if _, known := depth[n]; known || n.Test {
			return
		}
		depth[n] = d
		if in(n.File) {
			out[n] = Way{n, 0}
			entries = append(entries, n)
		} else if d < calls && importers[path.Dir(n.File)] {
			open = append(open, n)
		}
	}
	for _, n := range from {
		see(n, 0)
	}
	for i := 0; i < len(open); i++ {
		n := open[i]
		for _, to := range f.leadsTo(n) {
			callers[to] = append(callers[to], n)
			see(to, depth[n]+1)
		}
	}
	for i := 0; i < len(entries); i++ { // nearest first
		n := entries[i]
		for _, caller := range callers[n] {
			if _, known := out[caller]; !known && out[n].Calls < calls {
				out[caller] = Way{out[n].To, out[n].Calls + 1}
				entries = append(entries, caller)
			}
		}
	}
	return out
}

// clients are methods that return a client for tests: what the client sends is handled by these methods of the same object.
var clients = map[string][]string{"test_client": {"__call__", "wsgi_app"}}

// leadsTo returns the symbols to which one leads.
func (f *Finder) leadsTo(n *resolve.Node) []*resolve.Node {
	var out []*resolve.Node
	for _, u := range f.body(n) {
		if leadsOn(n, u) {
			out = append(out, u.To)
		}
	}
	for _, name := range clients[n.Name] {
		if n.Owner() != "" {
			if handler := f.links.Find(n.File, n.Owner()+"."+name, 0); handler != nil {
				out = append(out, handler)
			}
		}
	}
	return out
}

// leadsOn reports whether a use leads on from a symbol: a call, and from a variable, by its type and the bases of that.
func leadsOn(n *resolve.Node, u resolve.Use) bool {
	switch {
	case u.To == n || u.Rule == resolve.Implementation:
		return false
	case n.Label == codegraph.LabelVariable:
		return u.Type == codegraph.Calls || u.Type == codegraph.References && u.To.IsType()
	case n.IsType():
		return u.Type == codegraph.Inherits
	}
	return u.Type == codegraph.Calls
}

// body returns the uses in a function, with those of the functions in it, or the bases of a type: its methods are called.
func (f *Finder) body(n *resolve.Node) []resolve.Use {
	switch {
	case n.Path() == "":
		return nil
	case n.IsType():
		return f.links.Uses(n)
	}
	return f.links.Within(n.File, n.StartLine, n.EndLine)
}
