package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// maxSteps bounds what a scenario quotes of its test for one of its parts.
const maxSteps = 3

// assertions are what the statements begin with that check something.
var assertions = []string{
	"assert", "expect(", "expect.", "self.assert", "self.fail", "await expect", "Assert.", "Assertions.", "assertThat", "require.", "verify(",
	"t.is(", "t.deepEqual(", "t.equal(", "t.true(", "t.throws(", "pytest.raises", "with pytest", "should.", "prints ", "Assert",
}

// isAssertion tells a statement that checks something.
func isAssertion(s code.Step) bool {
	return s.FailsIf || slices.ContainsFunc(assertions, func(a string) bool { return strings.HasPrefix(s.Text, a) })
}

// acts are the steps of a test by their part in it.
type acts struct{ given, when, then []code.Step }

// actsOf sorts the steps of a test: what stands above the first call of one of the
// names is set-up, what checks is outcome, what calls is the event.
func actsOf(steps []code.Step, names []string) acts {
	var a acts
	for _, s := range steps {
		calls := callsOne(s.Text, names)
		switch {
		case s.FailsIf && len(a.when) == 0 && strings.HasSuffix(s.Text, "err != nil") && !calls: // of the set-up
		case isAssertion(s):
			a.then = append(a.then, s)
		case calls:
			a.when = append(a.when, s)
		case len(a.when) == 0 && len(a.then) == 0:
			a.given = append(a.given, s)
		}
	}
	return a
}

// callsOne tells whether a text calls one of the names.
func callsOne(text string, names []string) bool {
	for _, name := range names {
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			at += i + len(name)
			if before := at - len(name) - 1; before < 0 || !isNameByte(text[before]) {
				if rest := text[at:]; strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "{") {
					return true
				}
			}
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// quoteSteps writes steps as code, up to their bound.
func (m *material) quoteSteps(list []code.Step) string {
	var out []string
	for _, s := range list[:min(len(list), maxSteps)] {
		text := code1(s.Text)
		if printed, ok := strings.CutPrefix(s.Text, "prints "); ok {
			text = pick(m.lang, "it prints ", "输出 ") + code1(printed)
		}
		if s.FailsIf {
			text = pick(m.lang, "not ", "不成立：") + text
		}
		out = append(out, text)
	}
	text := strings.Join(out, pick(m.lang, "; ", "；"))
	if left := len(list) - maxSteps; left > 0 {
		text += " … +" + itoa(left)
	}
	return text
}

// stepsOf are the steps of a file between two lines, the second not included; 0
// is the end of the file.
func stepsOf(f *code.File, from, to int) []code.Step {
	if f.Bodies == nil {
		return nil
	}
	var out []code.Step
	for _, s := range f.Bodies.Steps {
		if s.Line >= from && (to == 0 || s.Line < to) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b code.Step) int { return a.Line - b.Line })
	return out
}

// guarded is a requirement to refuse, with the message that it is known by.
type guarded struct{ id, message string }

// leastMessage is how long a message is that cannot stand in a test by chance.
const leastMessage = 8

// guard remembers a requirement that says a message.
func (s *subjects) guard(r Requirement) {
	_, rest, ok := strings.Cut(r.Title, "«")
	message, _, closed := strings.Cut(rest, "»")
	if i := strings.IndexAny(message, `%{\…`); i >= 0 { // from there on it is no plain text
		message = message[:i]
	}
	if message = strings.TrimSpace(message); ok && closed && len(message) >= leastMessage {
		s.guards = append(s.guards, guarded{r.ID, message})
	}
}

// refused returns the requirements whose message a test speaks of.
func (s *subjects) refused(t testCase) []string {
	var ids []string
	for _, g := range s.guards {
		if s.shown[g.id] < scenariosPerRequirement &&
			slices.ContainsFunc(t.steps, func(step code.Step) bool { return strings.Contains(step.Text, g.message) }) {
			ids = append(ids, g.id)
		}
	}
	return ids
}
