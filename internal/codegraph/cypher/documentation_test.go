package cypher_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// command matches the queries in the documentation, with the next line.
var command = regexp.MustCompile(`(?m)^\$ reverse-spec query (?:--explain )?"(.*)"\n(.*)$`)

// TestDocumentationRuns prepares each query of docs/cypher.md, and compares the documented errors.
func TestDocumentationRuns(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "cypher.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := command.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 12 {
		t.Errorf("%d queries, want 12 or more", len(commands))
	}
	for _, c := range commands {
		_, err := cypher.Prepare(t.Context(), &memory.Graph{}, c[1], cypher.Options{})
		_, want, fails := strings.Cut(c[2], "reverse-spec: ")
		switch {
		case !fails && err != nil:
			t.Errorf("%s: %v", c[1], err)
		case fails && (err == nil || !strings.HasPrefix(want, err.Error())):
			t.Errorf("%s: %v instead of %s", c[1], err, want)
		}
	}
}
