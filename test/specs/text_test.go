package specs_test

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// items counts what requirements and scenarios are made of.
func (m *measure) items(s *spec.Spec) {
	for i := range s.Requirements {
		r := &s.Requirements[i]
		m.shall.count(strings.Contains(r.Title+r.Text, " SHALL "))
		documented := len(r.Evidence) > 0 && len(r.Tests) == 0 && r.Reach == 0
		for _, e := range r.Evidence {
			documented = documented && e.Kind == "doc"
		}
		m.doc.count(documented)
	}
	for i := range s.Scenarios {
		c := &s.Scenarios[i]
		full := strings.TrimSpace(c.Given) != "" && strings.TrimSpace(c.When) != "" && strings.TrimSpace(c.Then) != ""
		m.written.count(full)
		if !full {
			m.problems = append(m.problems, c.ID+" lacks a part")
		}
	}
}

// cited matches a place in a page: a path with an extension, and a line. What follows it in the same file is a line alone.
var cited = regexp.MustCompile("`([^`\\s:]+\\.[A-Za-z]+:[0-9]+|:[0-9]+)`")

// places checks that the places of items, and those that other sections cite, exist.
func (m *measure) places(p *project.Project, s *spec.Spec, text string) {
	seen := map[string]bool{}
	check := func(at string) bool {
		if at = s.LongPlace(at); seen[at] {
			return true
		}
		seen[at] = true
		ok := exists(p, at)
		m.live.count(ok)
		if !ok {
			m.problems = append(m.problems, "there is no "+at)
		}
		return ok
	}
	for i := range s.Requirements {
		for _, e := range s.Requirements[i].Evidence {
			check(e.Place)
		}
		for _, at := range s.Requirements[i].Tests {
			check(at)
		}
	}
	for i := range s.Scenarios {
		for _, e := range s.Scenarios[i].Evidence {
			check(e.Place)
		}
	}
	file := ""
	for _, c := range cited.FindAllStringSubmatch(prose(text), -1) {
		if !strings.HasPrefix(c[1], ":") {
			file, _, _ = strings.Cut(c[1], ":")
		} else {
			c[1] = file + c[1]
		}
		check(inTestFolder(p, text, c[1]))
	}
	opening := cited.FindStringSubmatch(s.Intent)
	m.openings.count(opening != nil && exists(p, s.LongPlace(opening[1])))
}

// testFolders matches where a page says that the tests are which it names without their folder.
var testFolders = regexp.MustCompile(`(?m)^Tests are in (.*)\.$`)

// inTestFolder returns a place with the folder that the page says it is in.
func inTestFolder(p *project.Project, text, at string) string {
	said := testFolders.FindStringSubmatch(text)
	if said == nil || strings.Contains(at, "/") || exists(p, at) {
		return at
	}
	for dir := range strings.SplitSeq(said[1], "`") {
		if full := dir + "/" + at; exists(p, full) {
			return full
		}
	}
	return at
}

// exists reports whether a file has a line; file:line is relative to the project.
func exists(p *project.Project, at string) bool {
	file, number, _ := strings.Cut(at, ":")
	number, _, _ = strings.Cut(number, ":")
	n, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	text, err := p.ReadFile(file)
	return err == nil && n >= 1 && n <= len(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
}

// span matches code between backquotes, by one, two or three of them; quotation what is quoted from messages.
var (
	span      = regexp.MustCompile("```.*?```|``.*?``|`[^`]*`")
	quotation = regexp.MustCompile(`“[^”]*”`)
)

// prose returns a page without its front matter and its fenced code.
func prose(text string) string {
	if _, rest, ok := strings.Cut(text, "\n---\n"); ok {
		text = rest
	}
	var out []string
	fence := ""
	for row := range strings.SplitSeq(text, "\n") {
		ticks := row[:len(row)-len(strings.TrimLeft(row, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && row == fence:
			fence = ""
		case fence == "":
			row = strings.ReplaceAll(row, "\\`", "'")
			out = append(out, row)
		}
	}
	return strings.Join(out, "\n")
}

// text counts what is broken in the text of a page; code and quotations are others'.
func (m *measure) text(page string) {
	problem := func(count *int, n int, what, row string) {
		if *count += n; n > 0 {
			m.problems = append(m.problems, what+": "+row)
		}
	}
	columns := 0 // of the table that the line before belongs to
	for row := range strings.SplitSeq(prose(page), "\n") {
		bare := quotation.ReplaceAllString(span.ReplaceAllString(row, "x"), "x")
		problem(&m.placeholders, strings.Count(bare, "%!"), "placeholder", row)
		problem(&m.foreign, strings.Count(strings.Map(foreign, bare), "x"), "foreign script", row)
		if !strings.HasPrefix(row, "|") {
			columns = 0
			problem(&m.spaces, strings.Count(strings.TrimSpace(bare), "  "), "double space", row)
			continue
		}
		n := strings.Count(strings.ReplaceAll(row, `\|`, ""), "|")
		if columns != 0 && n != columns {
			problem(&m.unequal, 1, "cells", row)
		}
		columns = n
	}
}

// foreign returns 'x' for a letter that no English text has, and -1 for others.
func foreign(c rune) rune {
	if unicode.IsLetter(c) && !unicode.In(c, unicode.Latin, unicode.Greek) {
		return 'x'
	}
	return -1
}
