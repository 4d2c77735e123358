package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// scenariosPerRequirement is how many tests show one requirement in a spec; the
// others are counted under test coverage.
const scenariosPerRequirement = 2

// candidate is a test that may show a requirement.
type candidate struct {
	*testCase
	score int
}

// choose gives each requirement the tests that show it best, and returns which
// requirements each test was chosen for.
func (m *material) choose(cases []*testCase, reqs []Requirement) map[*testCase][]string {
	byName := map[string][]*Requirement{}
	var guards []*Requirement
	for i := range reqs {
		if r := &reqs[i]; r.key() == r.Symbol {
			name := nameOfKey(r.Symbol)
			byName[name] = append(byName[name], r)
		} else {
			guards = append(guards, r)
		}
	}
	found := map[string][]candidate{}
	for _, c := range cases {
		for _, t := range c.touches {
			if r := c.meant(byName[t.name], t); r != nil {
				found[r.ID] = append(found[r.ID], candidate{c, c.score(t)})
			}
		}
		for _, r := range c.refused(guards) {
			found[r.ID] = append(found[r.ID], candidate{c, -len(c.touches)})
		}
	}
	out := map[*testCase][]string{}
	m.further = 0
	for i := range reqs {
		list := found[reqs[i].ID]
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
		for _, c := range list[:min(len(list), scenariosPerRequirement)] {
			out[c.testCase] = append(out[c.testCase], reqs[i].ID)
		}
	}
	for _, c := range cases {
		if len(c.touches) > 0 && len(out[c]) == 0 {
			m.further++
		}
	}
	return out
}

// furtherTests tells how many tests are no scenario though they could be.
func (m *material) furtherTests() string {
	if m.further == 0 {
		return ""
	}
	return "\n\n" + fmt.Sprintf(wording.In(m.lang,
		"%d more tests use the interface; the scenarios are those that show a requirement best, %d at most for each.",
		"另有 %d 个测试使用了这些接口；场景只取最能说明需求的测试，每项需求至多 %d 个。"), m.further, scenariosPerRequirement)
}

// nameOfKey is the qualified name in a key.
func nameOfKey(key string) string {
	if i := strings.IndexAny(key, "(@"); i > 0 {
		key = key[:i]
	}
	return key
}

// meant returns the requirement that a use speaks to, of those with its name: of
// overloads the one that takes as many arguments, of equal names in several files
// the one whose file the test imports.
func (c *testCase) meant(reqs []*Requirement, t touch) *Requirement {
	if len(reqs) <= 1 {
		if len(reqs) == 0 {
			return nil
		}
		return reqs[0]
	}
	var found []*Requirement
	count, counted := c.argumentsOf(t)
	for _, r := range reqs {
		_, file, _ := strings.Cut(r.Symbol, "@")
		_, params, overloaded := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(r.Symbol, file), "@"), "(")
		if file != "" && !c.file.near(file) || overloaded && (!counted || len(splitArgs(strings.TrimSuffix(params, ")"))) != count) {
			continue
		}
		found = append(found, r)
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// argumentsOf counts the arguments of a call in the statement it stands in.
func (c *testCase) argumentsOf(t touch) (n int, ok bool) {
	for _, s := range c.steps {
		if s.Line > t.call.Line || s.Line < t.call.Line-maxStepLines || strings.HasSuffix(s.Text, "…") {
			continue
		}
		if _, after, found := strings.Cut(s.Text, t.call.Name+"("); found {
			if rest := afterBracket("(" + after); rest != "" || strings.HasSuffix(after, ")") {
				return len(splitArgs(after[:len(after)-len(rest)-1])), true
			}
		}
	}
	return 0, false
}

// maxStepLines is how far below its beginning a statement's call is looked for.
const maxStepLines = 3

// near tells whether a test file speaks of a source file: by an import, or by its
// name.
func (t *testFile) near(file string) bool {
	stem := stemOf(file)
	if stemOf(t.Path) == stem {
		return true
	}
	for _, imp := range t.Imports {
		if stemOf(lastPart(strings.TrimSuffix(imp.Module, ".js"))) == stem {
			return true
		}
	}
	return false
}

// stemOf is a file's name without what says that it holds tests.
func stemOf(file string) string {
	file = file[strings.LastIndexByte(file, '/')+1:]
	file, _, _ = strings.Cut(file, ".")
	for _, mark := range []string{"_test", "_spec", "Tests", "Test", "Spec"} {
		file = strings.TrimSuffix(file, mark)
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, "test_"), "Test")
}

// What speaks for a test: that its name says what is used, that it uses it itself,
// that it checks something.
const (
	pointsSaid   = 6
	pointsDirect = 8
	pointsChecks = 2
	pointsFile   = 2
	pointsOwner  = 2
	maxUsed      = 10
)

// score tells how well a test shows a thing that it uses: the fewer others it uses,
// the better.
func (c *testCase) score(t touch) int {
	points := c.says(t.declared)*pointsSaid - min(len(c.touches), maxUsed)
	if t.direct {
		points += pointsDirect
	}
	if slices.ContainsFunc(c.steps, isAssertion) {
		points += pointsChecks
	}
	if stemOf(c.file.Path) == stemOf(t.sym.File) {
		points += pointsFile
	}
	if owner := ownerOf(t.name); owner != "" && strings.Contains(squeeze(c.Name), squeeze(owner)) {
		points += pointsOwner
	}
	return points
}

// says tells how much a test's name says of a declaration's: 3 when that is all of
// it, 2 when it begins or ends with it, 1 when it has it in it, 0 for nothing.
func (c *testCase) says(d *declared) int {
	own := wordsOf(c.ownName())
	name, last := wordsOf(d.name), wordsOf(lastName(d.name))
	switch {
	case last == "":
		return 0
	case own == name || own == last || squeeze(own) == squeeze(name) || squeeze(own) == squeeze(last):
		return 3
	case strings.HasPrefix(own, name+" ") || strings.HasSuffix(own, " "+name):
		return 3
	case strings.HasPrefix(own, last+" ") || strings.HasSuffix(own, " "+last):
		return 2
	case strings.Contains(own, " "+last+" "):
		return 1
	}
	return 0
}

// wordsOf is a name as words in lower case, without the marks between them.
func wordsOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(inWords(name)), func(c rune) bool { return !isNameRune(c) || c == '_' || c == '$' })
	return strings.Join(words, " ")
}

// leastMessage is how long a message is that cannot stand in a test by chance.
const leastMessage = 8

// refused returns the requirements to refuse that a test shows: it speaks of the
// message, or it expects the error of something that it calls and that refuses with
// no other message.
func (c *testCase) refused(guards []*Requirement) []*Requirement {
	var out []*Requirement
	for _, g := range guards {
		message := messageOf(g)
		if message != "" && slices.ContainsFunc(c.steps, func(s code.Step) bool { return strings.Contains(s.Text, message) }) || c.expects(g, guards) {
			out = append(out, g)
		}
	}
	return out
}

// expects tells a test that calls what refuses, and checks for an error that this
// gives for one reason only.
func (c *testCase) expects(g *Requirement, guards []*Requirement) bool {
	name := errorOf(g)
	if name == "" || !slices.ContainsFunc(c.touches, func(t touch) bool { return t.direct && t.name == nameOfKey(g.Symbol) }) {
		return false
	}
	for _, other := range guards {
		if other != g && other.Symbol == g.Symbol && errorOf(other) == name {
			return false
		}
	}
	return slices.ContainsFunc(c.steps, func(s code.Step) bool { return isAssertion(s) && hasWord(s.Text, lastPart(name)) })
}

// errorOf is the error that a requirement to refuse names; "" for others.
func errorOf(r *Requirement) string {
	for _, words := range []string{" MUST refuse with `", " 必须以 `"} {
		if _, rest, ok := strings.Cut(r.Title, words); ok {
			name, _, _ := strings.Cut(rest, "`")
			return name
		}
	}
	return ""
}

// messageOf is the message that a requirement to refuse is known by: as much of it
// as is plain text; "" where that is too little.
func messageOf(r *Requirement) string {
	_, rest, ok := strings.Cut(r.Title, "«")
	message, _, closed := strings.Cut(rest, "»")
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // from there on it is no plain text
		message = message[:i]
	}
	message = strings.TrimSpace(message)
	if !ok || !closed || len(message) < leastMessage || !strings.Contains(message, " ") { // a word may stand anywhere
		return ""
	}
	return message
}

// hasWord tells whether a text has a name in it that is not part of another.
func hasWord(text, word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i + len(word)
		before := byteAt(text, at-len(word)-1)
		if (before == 0 || !isNameByte(before)) && !startsName(text[at:]) {
			return true
		}
	}
	return false
}
