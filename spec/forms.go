package spec

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Marks by which a spec in the form of another tool names the modules that it was written from.
var (
	// formMark is the line of a file that is written as a whole.
	formMark = lazyregexp.New("(?m)^<!-- reverse-spec ([0-9a-f]+) from (.*) -->$")
	// requirementMark is the line of a requirement of OpenSpec.
	requirementMark = lazyregexp.New("(?m)^\\*\\*ID\\*\\*: `([^`#]+)#.*` \\(reverse-spec [0-9a-f]+\\)$")
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

// PagesFor returns the pages of the modules that a spec in the form of another tool was written from: they have the contract tests,
// and their locks what to compare with. Any other file is its own page.
func PagesFor(ctx context.Context, p *project.Project, name string) ([]string, error) {
	text, err := p.ReadUpTo(name, MaxSize)
	if err != nil {
		return []string{name}, nil //nolint:nilerr // who reads the page says so
	}
	modules := ModulesOfForm(text)
	if len(modules) == 0 {
		return []string{name}, nil
	}
	all, err := Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	pages := PagesOf(all, modules)
	if len(pages) == 0 {
		return nil, message.Errorf("%s was written from %s, of which there is no *.spec.md with a lock to compare with: write it with reverse-spec generate", name, strings.Join(modules, ", "))
	}
	return pages, nil
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
