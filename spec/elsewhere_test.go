package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestTestsElsewhereAreEvidence checks that tests outside a target give scenarios, contract
// tests and the tests of requirements, and nothing else.
func TestTestsElsewhereAreEvidence(t *testing.T) {
	golden.Archives(t, "elsewhere", func(t *testing.T, files map[string][]byte) string {
		target := strings.TrimSpace(string(files["target"]))
		delete(files, "target")
		s, _ := generate(t, openProject(t, files), target, spec.GenerateOptions{})
		var b strings.Builder
		for _, c := range s.Scenarios {
			fmt.Fprintf(&b, "== %s (%s)\nThen %s\nexercises %s\n", c.Title, c.Evidence[0].Place, c.Then, strings.Join(c.Symbols, ", "))
		}
		for _, c := range s.ContractTests {
			if c.Type == "behavior" {
				fmt.Fprintf(&b, "-- %s\n%s\n", c.Title, c.Script)
			}
		}
		for _, r := range s.Requirements {
			fmt.Fprintf(&b, "%s: %s; reached by %d\n", r.Symbol, strings.Join(r.Tests, ", "), r.Reach)
		}
		fmt.Fprintf(&b, "files %s\n", strings.Join(s.Front.RelatedFiles, ", "))
		return b.String()
	})
}
