package ask_test

import (
	"fmt"
	"github.com/reverse-spec/reverse-spec/ask"
	"github.com/reverse-spec/reverse-spec/cypher/syntax"
	"os"
	"strings"
	"testing"
)

func TestDbg(t *testing.T) {
	b, _ := os.ReadFile("/tmp/qgen/q.txt")
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		tr, ok := ask.Translate(line, 0)
		c := tr.Cypher
		c = strings.ReplaceAll(c, "n.name AS name, n.qualified_name AS qualified_name, labels(n) AS type, n.path AS path, n.start_line AS start_line", "COLS")
		fmt.Println("Q", line, "\n   ", ask.Concepts(line), "\n   ", ok, tr.Rule, tr.Ignored, "\n   ", c)
		if ok {
			if _, err := syntax.Parse(tr.Cypher); err != nil {
				fmt.Println("   !!", err)
			}
		}
	}
}
