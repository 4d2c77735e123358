package paths_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestExits compares the exits of functions and their path conditions, per language.
func TestExits(t *testing.T) { testExits(t, "exits", paths.Exits, lang.Bodies) }

// TestOutcomes compares the answers to requests, with the exits around them.
func TestOutcomes(t *testing.T) { testExits(t, "outcomes", outcomes, lang.Bodies|lang.Calls) }

// outcomes returns what the statements of each file end their functions with or answer.
func outcomes(files [][]code.Body) [][]paths.Exit {
	out := make([][]paths.Exit, len(files))
	var reader paths.Reader
	for i, bodies := range files {
		for j := range bodies {
			for _, at := range reader.Statements(bodies, &bodies[j], func(*code.Stmt) bool { return true }) {
				if at.Exit != nil {
					out[i] = append(out[i], *at.Exit)
				}
			}
		}
	}
	return out
}

func testExits(t *testing.T, dir string, find func([][]code.Body) [][]paths.Exit, parts lang.Parts) {
	golden.Archives(t, dir, func(t *testing.T, files map[string][]byte) string {
		names := slices.Sorted(maps.Keys(files))
		var bodies [][]code.Body
		for _, path := range names {
			f, err := lang.Parse(t.Context(), path, files[path], parts)
			if err != nil {
				t.Fatal(err)
			}
			bodies = append(bodies, f.Bodies.Functions)
		}
		var b strings.Builder
		for i, list := range find(bodies) {
			fmt.Fprintf(&b, "== %s\n", names[i])
			for _, x := range list {
				b.WriteString(shown(x))
			}
		}
		return b.String()
	})
}

// shown returns an exit as a line with its outcome, and a line for each term.
func shown(x paths.Exit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s: %s %s", x.Line, x.In, x.Kind, x.Error)
	if a := x.Answer; a != nil {
		fmt.Fprintf(&b, "answers on %q by %s", a.On, a.By)
		if a.Passes {
			b.WriteString(" passes")
		}
		if x.Given == nil {
			b.WriteString(" with the default status")
		}
	}
	for _, word := range []string{x.By, x.Status} {
		if word != "" {
			b.WriteString(" " + word)
		}
	}
	if x.Message != "" {
		fmt.Fprintf(&b, " «%s»", x.Message)
	}
	if len(x.Details) > 0 {
		fmt.Fprintf(&b, " %q", x.Details)
	}
	if x.Use.Kind != "" {
		fmt.Fprintf(&b, " (%s %s)", x.Use.Kind, x.Use.Of)
	}
	if x.PassesOn {
		b.WriteString(" passes on")
	}
	if x.Partial {
		b.WriteString(" partial")
	}
	b.WriteByte('\n')
	for _, t := range x.When {
		fmt.Fprintf(&b, "    %s\n", t)
	}
	return b.String()
}
