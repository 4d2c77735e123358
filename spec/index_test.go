package spec_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/reverse-spec/reverse-spec/spec"
)

// bigIndex is the index of a project with many modules of every role.
func bigIndex(lang string) spec.Index {
	x := spec.Index{
		ProjectName: "shop", Lang: lang, Now: time.Unix(0, 0), Purpose: []string{"Shop."},
		Entries: []spec.IndexEntry{
			{Kind: spec.ProgramEntry, Module: "src/a0", Names: []string{"main"}, Place: "src/a0/main.go:3"},
			{Kind: spec.ProgramEntry, Module: "src/a0", Names: []string{""}, Place: "src/a0/x.py:3"},
			{Kind: spec.CommandEntry, Module: "src/a0", Names: []string{"shop", "shop buy"}},
			{Kind: spec.RouteEntry, Module: "src/a0", Names: []string{"GET /"}},
			{Kind: spec.ServiceEntry, Module: "src/a0", Names: []string{"Shop"}},
		},
		Flows:        []spec.IndexFlow{{From: "main", Place: "src/a0/main.go:3", Steps: []spec.FlowStep{{Module: "src/a1", Function: "Buy"}}, More: 2}},
		Diagram:      "graph TD",
		CrossCutting: []string{"src/a1"},
	}
	for i := range 300 {
		dir := []string{"src", "src/deep", "lib", "lib/x/y"}[i%4]
		role := spec.PublicRole
		if i%10 == 9 {
			role = spec.Role(i / 10 % 8)
		}
		x.Modules = append(x.Modules, spec.IndexModule{
			Name: fmt.Sprintf("%s/a%d", dir, i), SpecPath: fmt.Sprintf("specs/%s/a%d.spec.md", dir, i), Role: role, LOC: 10, Health: "active", Requirements: 2, Tested: 1,
		})
	}
	return x
}

func TestIndexOfManyModulesIsShort(t *testing.T) {
	text := string(spec.RenderIndex(bigIndex("en")))
	if n := strings.Count(text, "\n"); n > 150 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"300 modules with 3000 lines", "600 requirements on their pages, 300 of them with a test", "300 active", "`lib/x/y/`, ", "- Benchmarks ("} {
		if !strings.Contains(text, want) {
			t.Errorf("the index lacks %q:\n%s", want, text)
		}
	}
	counted := 0
	for _, n := range regexp.MustCompile("`, (\\d+) modules").FindAllStringSubmatch(text, -1) {
		i, _ := strconv.Atoi(n[1])
		counted += i
	}
	if counted < 200 {
		t.Errorf("only %d modules are in folders that the index counts", counted)
	}
}

func TestChineseIndexHasNoEnglish(t *testing.T) {
	text := string(spec.RenderIndex(bigIndex("zh")))
	_, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	body = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\([^)]*\\.md\\)").ReplaceAllString(body, "")
	body = strings.NewReplacer("shop", "", "Shop.", "").Replace(body)
	for word := range strings.FieldsFuncSeq(body, func(r rune) bool { return !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) }) {
		t.Errorf("English in the Chinese index: %s", word)
	}
}
