package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestScenariosDescribeTests compares the scenarios of each case.
func TestScenariosDescribeTests(t *testing.T) {
	golden.Archives(t, "scenarios", func(t *testing.T, files map[string][]byte) string {
		s, _ := generate(t, openProject(t, files), ".", spec.GenerateOptions{Scope: source.Everything})
		symbols := map[string]string{}
		for _, r := range s.Requirements {
			symbols[r.ID] = r.Symbol + " " + r.Evidence[0].Kind
		}
		var b strings.Builder
		for _, c := range s.Scenarios {
			fmt.Fprintf(&b, "== %s (%s)\nGiven %s\nWhen %s\nThen %s\n", c.Title, c.Evidence[0].Place, c.Given, c.When, c.Then)
			if c.Text != "" {
				b.WriteString(c.Text + "\n")
			}
			for _, id := range c.Covers {
				fmt.Fprintf(&b, "covers %s\n", symbols[id])
			}
			fmt.Fprintf(&b, "exercises %s\n", strings.Join(c.Symbols, ", "))
		}
		return b.String()
	})
}
