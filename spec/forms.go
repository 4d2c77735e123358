package spec

import (
	"regexp"
	"slices"
	"strings"
)

// Marks by which a spec in the form of another tool names the modules that it was written from.
var (
	// formMark is the line of a file that is written as a whole.
	formMark = regexp.MustCompile("(?m)^<!-- reverse-spec ([0-9a-f]+) from (.*) -->$")
	// requirementMark is the line of a requirement of OpenSpec.
	requirementMark = regexp.MustCompile("(?m)^\\*\\*ID\\*\\*: `([^`#]+)#.*` \\(reverse-spec [0-9a-f]+\\)$")
)

// ModulesOfForm returns the modules that a spec in the form of another tool was written from, sorted; nil for a text that this
// program did not write.
func ModulesOfForm(text []byte) []string {
	var out []string
	for _, m := range formMark.FindAllSubmatch(text, -1) {
		out = append(out, strings.Split(string(m[2]), ", ")...)
	}
	for _, m := range requirementMark.FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// PagesOf returns those of some pages that are of modules.
func PagesOf(pages, modules []string) []string {
	var out []string
	for _, page := range pages {
		if slices.ContainsFunc(modules, func(m string) bool { return strings.HasSuffix("/"+page, "/"+PathFor(".", m)) }) {
			out = append(out, page)
		}
	}
	return out
}
