package spec_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestDiagrams shows the pictures that are drawn of a module. The file named "lang"
// says in which language.
func TestDiagrams(t *testing.T) {
	golden.Archives(t, "diagrams", func(t *testing.T, files map[string][]byte) string {
		lang := strings.TrimSpace(string(files["lang"]))
		delete(files, "lang")
		s, _ := generate(t, project(t, files), ".", spec.GenerateOptions{Lang: lang})
		_, pictures, _ := strings.Cut(s.Interface, "### 3.3")
		_, pictures, _ = strings.Cut(pictures, "\n\n")
		pictures, _, _ = strings.Cut(pictures, "### 3.4")
		return pictures
	})
}
