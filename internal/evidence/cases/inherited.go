package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// withInherited returns a test file of Python with one more test for each class of it that inherits tests: they run with the
// fixtures of this class, and may so reach what those of the base class do not.
func withInherited(f *code.File, links *resolve.Links) *code.File {
	runner := ""
	switch {
	case f.Language != "python" || links == nil:
	case len(f.Tests) > 0:
		runner = f.Tests[0].Runner
	case slices.ContainsFunc(f.Imports, func(im code.Import) bool { return im.Module == "pytest" }):
		runner = "pytest"
	}
	if runner == "" {
		return f
	}
	out := *f
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !strings.HasPrefix(s.Name, "Test") { // pytest takes no others
			continue
		}
		if class := links.Find(f.Path, s.Name, s.StartLine); class != nil && class.IsType() && inheritsTests(links, class, map[*resolve.Node]bool{}) {
			out.Tests = append(slices.Clip(out.Tests), code.Test{Name: s.Name, Line: s.StartLine, EndLine: s.EndLine, Runner: runner})
		}
	}
	return &out
}

// inheritsTests reports whether a class extends one that has tests, as far as that is a test file of the project.
func inheritsTests(links *resolve.Links, class *resolve.Node, seen map[*resolve.Node]bool) bool {
	seen[class] = true
	for _, u := range links.Uses(class) {
		if u.Type != codegraph.Inherits || !u.To.Test || seen[u.To] {
			continue
		}
		own := func(n *resolve.Node) bool {
			return n.Parent() == u.To && !n.IsType() && strings.HasPrefix(n.Name, "test")
		}
		if slices.ContainsFunc(links.Nodes(u.To.File), own) || inheritsTests(links, u.To, seen) {
			return true
		}
	}
	return false
}
