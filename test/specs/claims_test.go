package specs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec"
)

// contradictions returns what one section of a page says against another one: risks against tests, scenarios against
// requirements, options that are required and have a default, and cases of one table that have the same condition and
// different results.
func contradictions(s *spec.Spec) []string {
	var out []string
	known := map[string]*spec.Requirement{}
	for i := range s.Requirements {
		known[s.Requirements[i].ID] = &s.Requirements[i]
	}
	for row := range strings.SplitSeq(s.Risks, "\n") {
		if !strings.HasPrefix(row, "- **No test**") {
			continue
		}
		for _, id := range itemID.FindAllString(row, -1) {
			if r := known[id]; r == nil || len(r.Tests)+r.Reach > 0 {
				out = append(out, id+" has tests or is not there, and the risks say that it has none")
			}
		}
	}
	for i := range s.Scenarios {
		for _, id := range s.Scenarios[i].Covers {
			if known[id] == nil {
				out = append(out, s.Scenarios[i].ID+" covers "+id+", which is not there")
			}
		}
	}
	for i := range s.Requirements {
		r := &s.Requirements[i]
		if len(r.Tests)+r.Reach > 0 && strings.Contains(r.Text, "| no test |") && !strings.Contains(r.Text, "\n|") {
			out = append(out, r.ID+" has tests and says that it has none")
		}
		out = append(out, unequal(r.ID, r.Text)...)
	}
	out = append(out, unequal("At a glance", s.Glance)...)
	out = append(out, glanceAgainst(s)...)
	return append(out, requiredWithDefault(s.Options)...)
}

// itemID matches the id of a requirement.
var itemID = regexp.MustCompile(`REQ-[\p{L}\p{N}-]+-[0-9]+`)

// cells splits a row of a table.
func cells(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, "| "), `\|`, "\x00")
	out := strings.Split(row, "|")
	for i := range out {
		out[i] = strings.TrimSpace(strings.ReplaceAll(out[i], "\x00", `\|`))
	}
	return out
}

// decided calls see for the condition, the result and the place of each case in the decision tables of a text.
func decided(text string, see func(when, ends, at string)) {
	in := false
	for row := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(row, "|") {
			in = false
			continue
		}
		c := cells(row)
		switch {
		case len(c) >= 3 && (c[0] == "When" || strings.HasSuffix(c[0], ", when")):
			in = true
		case in && len(c) >= 3 && !strings.HasPrefix(c[0], "---"):
			see(c[0], c[1], c[2])
		}
	}
}

// unequal returns the conditions of a decision table that have different errors. Calls may have one condition.
func unequal(id, text string) []string {
	if strings.Contains(text, "| Call |") {
		return nil
	}
	var out []string
	first := map[string]string{}
	decided(text, func(when, ends, _ string) {
		vague := when == "otherwise" || when == "always" || strings.HasPrefix(when, "not said") || strings.HasPrefix(when, "only when") || strings.HasPrefix(when, "in some cases")
		if other, known := first[when]; known && other != ends && !vague && strings.HasPrefix(other, "`") == strings.HasPrefix(ends, "`") && !strings.Contains(ends, "(") {
			out = append(out, fmt.Sprintf("%s says of %s both %s and %s", id, when, other, ends))
		}
		first[when] = ends
	})
	return out
}

// glanceAgainst returns the cases at a glance that a requirement with the same place states otherwise.
func glanceAgainst(s *spec.Spec) []string {
	var out []string
	stated := map[string][]string{}
	for i := range s.Requirements {
		decided(s.Requirements[i].Text, func(when, ends, at string) { stated[at] = append(stated[at], when+ends) })
	}
	decided(s.Glance, func(when, ends, at string) {
		if list := stated[at]; len(list) > 0 && when != "otherwise" && when != "always" && !slices.Contains(list, when+ends) && !strings.Contains(ends, "(") {
			out = append(out, "at a glance "+at+" is not what its requirement says")
		}
	})
	return out
}

// requiredWithDefault returns the options that are both required and have a default.
func requiredWithDefault(text string) []string {
	var out []string
	required, fallback := -1, -1
	for row := range strings.SplitSeq(text, "\n") {
		c := cells(row)
		switch {
		case !strings.HasPrefix(row, "|"):
			required, fallback = -1, -1
		case slices.Contains(c, "Required"):
			required, fallback = slices.Index(c, "Required"), slices.Index(c, "Default")
		case required >= 0 && fallback < len(c) && c[required] == "yes" && c[fallback] != "":
			out = append(out, "option "+c[0]+" is required and has a default")
		}
	}
	return out
}
