package format

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec"
)

// kiroDir is where Kiro keeps specs.
const kiroDir = ".kiro/specs"

// ears writes .kiro/specs/<capability>/requirements.md.
func (w *writer) ears() error {
	return w.writeDocuments(func(capability string) (string, error) {
		return path.Join(kiroDir, capability, "requirements.md"), nil
	}, earsText)
}

// earsText renders a capability as Kiro keeps requirements, with criteria by the patterns of EARS.
func earsText(d *document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Requirements Document\n\n%s\n\n## Introduction\n\n%s\n\n## Requirements\n", markPlace, purpose(d.outlines, ""))
	n := numbersOf(d.old)
	var items []item
	for _, t := range d.rules() {
		items = append(items, item{n.of(idOf(t.Outline, t.Rule)), earsRule(t)})
	}
	slices.SortFunc(items, func(a, b item) int { return a.number - b.number })
	for _, i := range items {
		fmt.Fprintf(&b, "\n### Requirement %d%s", i.number, i.text)
	}
	return b.String()
}

// earsRule renders one requirement after its number.
func earsRule(t told) string {
	var b strings.Builder
	fmt.Fprintf(&b, ": %s %s\n\n**User Story:** %s\n\n#### Acceptance Criteria\n\n", t.Name, comment(idOf(t.Outline, t.Rule)), earsStory(t))
	i := 0
	for j := range t.Cases {
		i++
		fmt.Fprintf(&b, "%d. %s\n", i, earsCase(&t.Cases[j]))
	}
	for j := range t.Examples {
		i++
		e := &t.Examples[j]
		when := row(e.When)
		if len(e.Given) > 0 {
			when = row(strings.Join(e.Given, " AND ")) + " AND " + when
		}
		fmt.Fprintf(&b, "%d. WHEN %s, THE SYSTEM SHALL behave so that %s\n", i, when, row(strings.Join(e.Then, " AND ")))
	}
	fmt.Fprintf(&b, "\nEvidence: %s\n", strings.Join(codesOf(t.Places[:min(len(t.Places), mostListed*2)]), ", "))
	if len(t.Tests) > 0 {
		fmt.Fprintf(&b, "Tests: %s\n", strings.Join(codesOf(t.Tests[:min(len(t.Tests), mostListed)]), ", "))
	}
	return b.String()
}

// earsStory says who meets a requirement. The code does not say what for.
func earsStory(t told) string {
	who := "the author of code that uses " + moduleWords(t.Outline)
	switch t.Serves {
	case spec.Routes:
		who = "a client of the service"
	case spec.Commands:
		who = "a user of the program"
	case spec.Names:
	}
	return fmt.Sprintf("As %s, I want this to hold: %s", who, row(t.Says))
}

// earsCase renders a case by the pattern of its kind.
func earsCase(c *spec.RuleCase) string {
	when, do := row(c.When), row(c.Do)
	if c.If != "" {
		when = row(c.If) + ", WHEN " + row(c.Trigger)
	}
	switch c.Kind {
	case spec.Unwanted:
		return fmt.Sprintf("IF %s, THEN THE SYSTEM SHALL %s", when, do)
	case spec.State:
		return fmt.Sprintf("WHILE %s, THE SYSTEM SHALL %s", when, do)
	case spec.Optional:
		return fmt.Sprintf("WHERE %s, THE SYSTEM SHALL %s", when, do)
	case spec.Event:
	}
	return fmt.Sprintf("WHEN %s, THE SYSTEM SHALL %s", when, do)
}
