package cypher_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/internal/memory"
)

// command finds the queries in the documentation, and the lines behind them.
var command = regexp.MustCompile(`(?m)^\$ reverse-spec query (?:--explain )?"(.*)"\n(.*)$`)

// TestDocumentationRuns prepares each query that docs/cypher.md shows; the documented
// error comes of those that show one.
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
