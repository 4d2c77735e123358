package model

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/redact"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the tests of a context.
const (
	maxTestBodies = 40
	maxTestLines  = 60
	maxTestRows   = 150
	leastTests    = 8_000 // bytes of bodies that any context may have
)

// tests lists the module's tests: by name or, if bodies are asked for and it is known which reach the module, with as
// many of their bodies as fit into some bytes.
func (m *Module) tests(bodies bool, room int) ([]item, error) {
	if !bodies || len(m.Tests) == 0 {
		return m.testNames(), nil
	}
	rows := map[string][]string{}
	room = max(room, leastTests)
	var out []item
	for i, t := range m.Tests[:min(len(m.Tests), maxTestRows)] {
		it := item{full: testRow(t.Name, t.File, t.Line)}
		if i < maxTestBodies && room > 0 {
			if rows[t.File] == nil {
				text, err := m.Project.ReadFile(t.File)
				if err != nil {
					return nil, message.Errorf("read %s: %w", t.File, err)
				}
				clean, _ := redact.Text(string(text), redact.Hints{Path: t.File})
				rows[t.File] = strings.Split(clean, "\n")
			}
			it = item{bodyOf(t, rows[t.File], m.testLanguage(t.File)), it.full}
			room -= len(it.full)
		}
		out = append(out, it)
	}
	return out, nil
}

// bodyOf returns the lines of a test, of a long one the first.
func bodyOf(t Test, rows []string, language string) string {
	last := min(max(t.EndLine, t.Line), t.Line+maxTestLines-1, len(rows))
	if t.Line < 1 || t.Line > last {
		return testRow(t.Name, t.File, t.Line)
	}
	s := snippet{language, t.File, t.Line, rows[t.Line-1 : last]}
	return s.fenced()
}

// testLanguage returns the language of a file of tests.
func (m *Module) testLanguage(file string) string {
	if language := api.LanguageOf(m.Tree.Tests, file); language != "" {
		return language
	}
	return m.languageOf(file)
}

// testNames lists the names of the tests in the module's own files.
func (m *Module) testNames() []item {
	var out []item
	for _, f := range m.Tree.Files {
		if !f.Test {
			continue
		}
		for _, t := range f.Tests {
			out = append(out, item{full: testRow(t.Name, f.Path, t.Line)})
		}
	}
	return out
}

func testRow(name, file string, line int) string {
	return fmt.Sprintf("- %s (%s:%d)", markdown.Cell(name), file, line)
}
