package format

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// specKit writes specs/<NNN-capability>/spec.md.
func (w *writer) specKit() error {
	folders, err := w.features()
	if err != nil {
		return err
	}
	return w.writeDocuments(func(capability string) (string, error) {
		return path.Join("specs", folders.of(capability), "spec.md"), nil
	}, specKitText)
}

// features are the numbered folders of Spec Kit.
type features struct {
	byName map[string]string
	next   int
}

var featureFolder = lazyregexp.New(`^(\d{3,})-(.+)$`)

// features reads the numbered folders.
func (w *writer) features() (*features, error) {
	out := &features{byName: map[string]string{}, next: 1}
	list, err := w.names("specs")
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		if m := featureFolder.FindStringSubmatch(name); m != nil {
			number, _ := strconv.Atoi(m[1])
			out.next = max(out.next, number+1)
			if out.byName[m[2]] == "" {
				out.byName[m[2]] = name
			}
		}
	}
	return out, nil
}

// of returns the folder of a capability: the one that it has, or the next one.
func (f *features) of(capability string) string {
	if f.byName[capability] == "" {
		f.byName[capability] = fmt.Sprintf("%03d-%s", f.next, capability)
		f.next++
	}
	return f.byName[capability]
}

// mostStories limits the user stories of a feature.
const mostStories = 8

// specKitText renders a feature by the template of Spec Kit.
func specKitText(d *document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Feature Specification: %s\n\n%s\n\n**Feature Branch**: none, the code exists\n**Status**: Implemented\n**Input**: the code in %s\n\n%s\n\n",
		heading(d.capability), markPlace, listing(modulesIn(d), d.lang()), purpose(d.outlines, ""))
	b.WriteString("## User Scenarios & Testing *(mandatory)*\n\n")
	stories(&b, d)
	edgeCases(&b, d)
	b.WriteString("## Requirements *(mandatory)*\n\n### Functional Requirements\n\n")
	functional(&b, d)
	openQuestions(&b, d)
	keyEntities(&b, d)
	b.WriteString("## Success Criteria *(mandatory)*\n\n### Measurable Outcomes\n\n")
	fmt.Fprintf(&b, "- **SC-001**: %s\n- **SC-002**: [NEEDS CLARIFICATION: the code says what it does, not how much of it is enough: speed, load, how often users succeed]\n\n", outcomeOf(d))
	b.WriteString("## Assumptions\n\n- What the code does is what it shall do. The requirements say what was found, not what was meant.\n")
	return b.String()
}

func (d *document) lang() string { return d.outlines[0].Lang }

// modulesIn names the modules of a document.
func modulesIn(d *document) []string {
	var out []string
	for _, o := range d.outlines {
		out = append(out, moduleWords(o))
	}
	return out
}

// told is a rule with its module.
type told struct {
	*spec.Outline
	*spec.Rule
}

// rules returns the rules of a document.
func (d *document) rules() []told {
	var out []told
	for _, o := range d.outlines {
		for i := range o.Rules {
			out = append(out, told{o, &o.Rules[i]})
		}
	}
	return out
}

// isRefusal reports whether a rule is only about what is refused or fails.
func (t told) isRefusal() bool {
	return !slices.ContainsFunc(t.Cases, func(c spec.RuleCase) bool { return c.Kind != spec.Unwanted })
}

// stories writes the user stories: what users do that is not refused, with how the tests show it.
func stories(b *strings.Builder, d *document) {
	n := 0
	for _, t := range d.rules() {
		if t.isRefusal() && len(t.Examples) == 0 || n >= mostStories {
			continue
		}
		n++
		fmt.Fprintf(b, "### User Story %d - %s (Priority: %s)\n\n%s %s\n\n", n, t.Name, t.priority(), t.actor(), row(t.Says))
		fmt.Fprintf(b, "**Why this priority**: [NEEDS CLARIFICATION: the code ranks nothing; this is by what users meet first]\n\n")
		if len(t.Tests) > 0 {
			fmt.Fprintf(b, "**Independent Test**: run the tests in %s\n\n", listing(codesOf(t.Tests), t.Lang))
		} else {
			b.WriteString("**Independent Test**: [NEEDS CLARIFICATION: no test shows it]\n\n")
		}
		b.WriteString("**Acceptance Scenarios**:\n\n")
		i := 0
		for j := range t.Cases {
			i++
			fmt.Fprintf(b, "%d. **When** %s, **Then** %s\n", i, row(t.Cases[j].When), row(t.Cases[j].Then))
		}
		for j := range t.Examples {
			i++
			e := &t.Examples[j]
			fmt.Fprintf(b, "%d. %s**When** %s, **Then** %s\n", i, given(e.Given), row(e.When), row(strings.Join(e.Then, ", and ")))
		}
		b.WriteString("\n---\n\n")
	}
}

// given says what a scenario sets up; "" for nothing.
func given(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "**Given** " + row(strings.Join(parts, ", and ")) + ", "
}

// codesOf returns names as code.
func codesOf(list []string) []string {
	var out []string
	for _, name := range list {
		out = append(out, markdown.Code(name))
	}
	return out
}

// priority says how early users meet a rule.
func (t told) priority() string {
	switch {
	case t.Serves != spec.Names:
		return "P1"
	case t.isRefusal():
		return "P3"
	}
	return "P2"
}

// actor names who meets a rule.
func (t told) actor() string {
	switch t.Serves {
	case spec.Routes:
		return "As a client of the service:"
	case spec.Commands:
		return "As a user of the program:"
	case spec.Names:
	}
	return "As the author of code that uses " + moduleWords(t.Outline) + ":"
}

// edgeCases writes what is refused or fails.
func edgeCases(b *strings.Builder, d *document) {
	const most = 20
	b.WriteString("### Edge Cases\n\n")
	n, left := 0, 0
	for _, t := range d.rules() {
		for i := range t.Cases {
			c := &t.Cases[i]
			switch {
			case c.Kind != spec.Unwanted:
			case n >= most:
				left++
			default:
				n++
				fmt.Fprintf(b, "- What happens when %s? %s.\n", row(c.When), capital(row(c.Then)))
			}
		}
	}
	switch {
	case n == 0:
		b.WriteString("- [NEEDS CLARIFICATION: the code refuses nothing]\n")
	case left > 0:
		fmt.Fprintf(b, "- … and %s among the requirements below\n", wording.Count(left, "more case"))
	}
	b.WriteString("\n")
}

// capital writes the first letter large.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// item is a numbered line.
type item struct {
	number int
	text   string
}

// functional writes a requirement for each case.
func functional(b *strings.Builder, d *document) {
	n := numbersOf(d.old)
	var items []item
	for _, t := range d.rules() {
		id := idOf(t.Outline, t.Rule)
		for i := range t.Cases {
			c := &t.Cases[i]
			items = append(items, item{n.of(id + " / " + c.Name), fmt.Sprintf("When %s, the System MUST %s%s %s", row(c.When), row(c.Do), at(c.At), comment(id+" / "+c.Name))})
		}
		if len(t.Cases) == 0 {
			items = append(items, item{n.of(id), fmt.Sprintf("System MUST do what this says: %s%s %s", row(t.Says), at(t.Examples[0].At), comment(id))})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return a.number - b.number })
	for _, i := range items {
		fmt.Fprintf(b, "- **FR-%03d**: %s\n", i.number, i.text)
	}
	b.WriteString("\n")
}

// at returns a place in parentheses; "" for none.
func at(place string) string {
	if place == "" {
		return ""
	}
	return " (" + markdown.Code(place) + ")"
}

// openQuestions writes what the code leaves undecided.
func openQuestions(b *strings.Builder, d *document) {
	wrote := false
	for _, o := range d.outlines {
		for _, g := range o.Gaps {
			if !wrote {
				b.WriteString("*The code does not decide this:*\n\n")
			}
			wrote = true
			fmt.Fprintf(b, "- [NEEDS CLARIFICATION: %s] (%s)\n", strings.NewReplacer("[", "(", "]", ")").Replace(row(g.Question)), markdown.Code(g.At))
		}
	}
	if wrote {
		b.WriteString("\n")
	}
}

// keyEntities writes the data that the modules declare.
func keyEntities(b *strings.Builder, d *document) {
	const most = 12
	wrote := false
	for _, o := range d.outlines {
		for _, e := range o.Entities {
			if !wrote {
				b.WriteString("### Key Entities *(include if feature involves data)*\n\n")
			}
			wrote = true
			text := "**" + markdown.Title(e.Name) + "**:"
			if e.Doc != "" {
				text += " " + row(e.Doc)
			}
			text += " Attributes: " + strings.Join(codesOf(e.Fields[:min(len(e.Fields), most)]), ", ")
			if left := len(e.Fields) - most; left > 0 {
				text += fmt.Sprintf(" and %d more", left)
			}
			fmt.Fprintf(b, "- %s (%s)\n", text, markdown.Code(e.At))
		}
	}
	if wrote {
		b.WriteString("\n")
	}
}

// outcomeOf says what can be measured today.
func outcomeOf(d *document) string {
	var tests []string
	for _, t := range d.rules() {
		for _, f := range t.Tests {
			if !slices.Contains(tests, f) {
				tests = append(tests, f)
			}
		}
	}
	if len(tests) == 0 {
		return "[NEEDS CLARIFICATION: no test shows that a requirement is met]"
	}
	slices.Sort(tests)
	return "All tests in " + listing(codesOf(tests), "en") + " pass."
}
