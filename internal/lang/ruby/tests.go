package ruby

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Methods of RSpec, minitest/spec and shoulda that declare groups of examples, and
// examples.
var (
	exampleGroups = []string{
		"describe", "context", "feature", "example_group", "shared_examples", "shared_examples_for", "shared_context",
		"fdescribe", "fcontext", "xdescribe", "xcontext", "concern",
	}
	examples = []string{"it", "specify", "example", "scenario", "its", "fit", "xit", "fspecify", "xspecify", "pending", "test", "should"}
)

// findTests finds test cases: methods test_… of test classes, and the blocks of RSpec,
// minitest and Rails.
func findTests(r *core.Reader) {
	if !r.File.Test {
		return
	}
	runner := "rspec"
	base := path.Base(r.File.Path)
	if !strings.HasSuffix(base, "_spec.rb") && (strings.HasSuffix(base, "_test.rb") || strings.HasPrefix(base, "test_") || !strings.Contains("/"+r.File.Path, "/spec/")) {
		runner = "minitest"
	}
	if slices.ContainsFunc(r.File.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, "minitest/") }) {
		runner = "minitest"
	}
	methods(r)
	blocks(r, runner)
	slices.SortStableFunc(r.File.Tests, func(a, b code.Test) int { return a.Line - b.Line })
}

// methods adds the methods that minitest and test-unit run.
func methods(r *core.Reader) {
	for _, t := range r.File.Symbols {
		if t.Kind != code.Class && t.Kind != code.Module || !isTestCase(t) {
			continue
		}
		for _, m := range t.Members {
			if m.Kind == code.Method && strings.HasPrefix(m.Name, "test_") && !m.Static && m.Visibility == code.Public {
				r.File.Tests = append(r.File.Tests, code.Test{Name: t.Name + " > " + m.Name, Line: m.StartLine, EndLine: m.EndLine, Runner: "minitest"})
			}
		}
	}
}

// isTestCase reports whether t is named like a class or module of tests, or has
// such a superclass.
func isTestCase(t code.Symbol) bool {
	for _, name := range append([]string{t.Name}, t.Bases...) {
		last := name[strings.LastIndexByte(name, ':')+1:]
		if strings.HasSuffix(last, "Test") || strings.HasSuffix(last, "Tests") || strings.HasPrefix(last, "Test") || strings.HasSuffix(last, "TestCase") {
			return true
		}
	}
	return false
}

// blocks adds the examples in blocks, named after the groups around them.
func blocks(r *core.Reader, runner string) {
	var groups []core.Span
	for n := range r.Root().Descendants() {
		for len(groups) > 0 && groups[len(groups)-1].End <= n.Start() {
			groups = groups[:len(groups)-1]
		}
		around := ""
		if len(groups) > 0 {
			around = groups[len(groups)-1].Name + " > "
		}
		if n.Is("class") && n.Named() {
			groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: around + srctext.OneLine(n.Field("name").Text())})
			continue
		}
		word := n.Field("method").Text()
		title := exampleTitle(n, word)
		switch block := n.Field("block").Ok(); {
		case title == "" || len(groups) >= core.MaxNesting:
		case !slices.Contains(exampleGroups, word) && (block || word == "it"):
			r.File.Tests = append(r.File.Tests, code.Test{Name: around + title, Line: n.Line(), EndLine: n.EndLine(), Runner: runner})
		case block:
			groups = append(groups, core.Span{Start: n.Start(), End: n.End(), Name: around + title})
		}
	}
}

// onTests reports whether a call has no receiver or is on RSpec or Minitest.
func onTests(n syntax.Node) bool {
	on := n.Field("receiver")
	return !on.Ok() || on.TextIs("RSpec") || on.TextIs("Minitest")
}

// maxTitle is the maximum length of a block that is used as the name of its example.
const maxTitle = 80

// exampleTitle returns the name of an example or group: its literal and constant
// arguments, or the text of a one-line block, as in RSpec. It returns "" for other
// calls.
func exampleTitle(n syntax.Node, word string) string {
	if !n.Is("call") || !slices.Contains(exampleGroups, word) && !slices.Contains(examples, word) || !onTests(n) {
		return ""
	}
	parts := titleParts(n)
	if body := n.Field("block").Field("body"); len(parts) == 0 && body.Line() == body.EndLine() && !slices.Contains(exampleGroups, word) {
		if text := srctext.OneLine(body.Text()); len(text) <= maxTitle {
			return text
		}
	}
	return strings.Join(parts, " ")
}

// titleParts returns the literal and constant arguments of a call.
func titleParts(n syntax.Node) []string {
	var parts []string
	for c := range n.Field("arguments").NamedSeq() {
		switch c.Kind() {
		case "string", "delimited_symbol":
			parts = append(parts, srctext.OneLine(insideQuotes(c)))
		case "chained_string":
			var b strings.Builder
			for part := range c.NamedSeq() {
				b.WriteString(insideQuotes(part))
			}
			parts = append(parts, srctext.OneLine(b.String()))
		case "constant", "scope_resolution":
			parts = append(parts, srctext.OneLine(c.Text()))
		case "simple_symbol":
			if len(parts) == 0 {
				parts = append(parts, strings.TrimPrefix(c.Text(), ":"))
			}
		}
	}
	return parts
}

// insideQuotes returns the text of a string without its quotes. Interpolated code is
// unchanged.
func insideQuotes(n syntax.Node) string {
	from, to := -1, 0
	for c := range n.NamedSeq() {
		if from < 0 {
			from = c.Start() - n.Start()
		}
		to = c.End() - n.Start()
	}
	if from < 0 {
		return ""
	}
	return n.Text()[from:to]
}
