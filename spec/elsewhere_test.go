package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestTestsElsewhereAreEvidence checks that tests outside a target give scenarios, contract
// tests and a line under test coverage, and nothing else.
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
		fmt.Fprintf(&b, "coverage\n%s\nfiles %s\n", s.Coverage, strings.Join(s.Front.RelatedFiles, ", "))
		for _, f := range s.Files {
			fmt.Fprintf(&b, "inventory %s\n", f.Path)
		}
		return b.String()
	})
}
