package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// scenarios selects, for each requirement, the tests that show it best, and describes them.
// Tests that repeat another for the same requirement are counted under test coverage.
func (m *material) scenarios(ids *numbering, reqs []Requirement) []Scenario {
	module := cases.Module{Exports: m.merged.Exports, Files: m.tree.Files, Tests: m.tree.Tests, Links: m.tree.Links, Visitors: m.tree.Visitors}
	list, elsewhere := cases.Read(module)
	m.elsewhere = elsewhere
	m.reaching(module, list, reqs)
	var chosen map[*cases.Case][]string
	chosen, _ = cases.Choose(list, m.promises(reqs))
	seen := map[string]bool{}
	var out []Scenario
	for _, c := range list {
		covers := chosen[c]
		if len(covers) == 0 {
			continue
		}
		title := markdown.Title(c.Name)
		for n := 2; seen[title]; n++ {
			title = markdown.Title(c.Name + " (" + strconv.Itoa(n) + ")")
		}
		seen[title] = true
		s := m.scenario(c, covers)
		s.ID, s.Title = ids.of(title), title
		out = append(out, s)
	}
	return out
}

// testsShown is the number of tests that a requirement lists.
const testsShown = 4

// reaching sets the tests that reach what each requirement is about, and counts those that reach the module.
func (m *material) reaching(module cases.Module, list []*cases.Case, reqs []Requirement) {
	m.reach = map[string]int{}
	for _, c := range list {
		if _, ok := c.Reaches(); ok {
			m.reach[c.File()]++
		}
	}
	tests := cases.NewReaching(module, list)
	for i := range reqs {
		r := &reqs[i]
		if len(r.Evidence) == 0 {
			continue
		}
		name := nameOfKey(r.Symbol)
		at, number, _ := strings.Cut(r.Evidence[0].Place, ":")
		line, _ := strconv.Atoi(number) // 0 for an unknown line
		found := tests.Of(at, name.Qualified, line)
		if claim := m.stated[r.ID]; claim != nil && claim.Outcome != nil {
			text := said(claim.Outcome)
			quoting := slices.DeleteFunc(slices.Clone(found), func(c *cases.Case) bool { return text == "" || !c.Quotes(text) })
			found, r.Reach = quoting, len(found)-len(quoting)
		}
		shown := min(len(found), testsShown)
		for _, c := range found[:shown] {
			r.Tests = append(r.Tests, c.Place())
		}
		r.More = len(found) - shown
	}
}

// said returns the text by which a test may refer to an error: its message, or else its name; "" if neither says which
// error it is.
func said(o *evidence.Outcome) string {
	if text := distinctiveText(o.Message); text != "" {
		return text
	}
	if name := o.Error[strings.LastIndexAny(o.Error, ".:\\")+1:]; len(name) >= leastMessage && !slices.Contains(commonErrors, name) {
		return name
	}
	return ""
}

// commonErrors are errors of libraries that a test may name for any reason.
var commonErrors = []string{
	"TypeError", "ValueError", "RangeError", "KeyError", "IndexError", "RuntimeError", "Exception", "HTTPException", "AssertionError",
	"NotImplementedError", "SyntaxError", "ReferenceError", "ArgumentError", "StandardError", "IllegalArgumentException",
	"IllegalStateException", "NullPointerException", "RuntimeException", "ArgumentException", "InvalidOperationException",
	"InvalidArgumentException", "UnsupportedOperationException", "NotImplementedException", "ArgumentNullException",
}

// promises returns the requirements in the form in which tests are matched with them.
func (m *material) promises(reqs []Requirement) []cases.Claim {
	var out []cases.Claim
	for i := range reqs {
		r := &reqs[i]
		c := cases.Claim{ID: r.ID, Of: nameOfKey(r.Symbol)}
		if r.key() != r.Symbol {
			c.Inside = true
			if claim := m.stated[r.ID]; claim != nil && claim.Outcome != nil {
				c.Error, c.Message = claim.Outcome.Error, distinctiveText(claim.Outcome.Message)
			}
		}
		out = append(out, c)
	}
	return out
}

// leastMessage is the shortest message, in bytes, that is unlikely to appear in a test by
// chance.
const leastMessage = 8

// distinctiveText returns the plain text of an error message, by which tests may refer to it, or "" if
// it is too short.
func distinctiveText(message string) string {
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // placeholders or escapes begin here
		message = message[:i]
	}
	message = strings.TrimSpace(message)
	if len(message) < leastMessage || !strings.Contains(message, " ") { // a single word may appear anywhere
		return ""
	}
	return message
}

// maxExercised limits the symbols that a scenario lists.
const maxExercised = 12

func (m *material) scenario(c *cases.Case, covers []string) Scenario {
	used := c.Uses()
	acts := c.Acts()
	return Scenario{
		Covers: covers, Symbols: used[:min(len(used), maxExercised)], Evidence: []Evidence{{"test", c.Place()}},
		Given: m.given(c, acts), When: m.when(acts), Then: m.then(c, acts),
	}
}

// furtherTests counts the tests that reach the module.
func (m *material) furtherTests() string {
	reach, files, own := 0, 0, 0
	for file, n := range m.reach {
		reach, files = reach+n, files+1
		if slices.ContainsFunc(m.tree.Files, func(f *code.File) bool { return f.Path == file }) {
			own += n
		}
	}
	if reach == 0 {
		return ""
	}
	text := fmt.Sprintf("%d 个文件中的 %d 个测试到达本模块", files, reach)
	if m.lang == "en" {
		text = fmt.Sprintf("The module is reached by %s in %s", wording.Count(reach, "test"), wording.Count(files, "file"))
	}
	if elsewhere := reach - own; own > 0 && elsewhere > 0 {
		text += fmt.Sprintf(wording.In(m.lang, ", %d of them outside its folder", "，其中 %d 个位于其目录之外"), elsewhere)
	}
	return "\n\n" + text + fmt.Sprintf(wording.In(m.lang,
		". Scenarios are those that show a requirement best, %d at most for each.", "。场景只取最能说明需求的测试，每项需求至多 %d 个。"), cases.PerClaim)
}
