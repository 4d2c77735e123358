package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestEveryCommandIsDocumented in docs/commands.md, except hidden ones.
func TestEveryCommandIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRoot(streams{out: io.Discard, err: io.Discard}, "en").Commands() {
		if !c.Hidden && !strings.Contains(string(text), "`reverse-spec "+c.Name()) && !strings.Contains(string(text), "`"+c.Name()+" ") {
			t.Errorf("docs/commands.md does not have %s", c.Name())
		}
	}
}
