package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDataFoldersAreNotPartOfASpec: tests elsewhere are found next to 10,000 data files, and
// what was not searched is reported.
func TestDataFoldersAreNotPartOfASpec(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"pyproject.toml":     "[project]\nname = \"big\"\n",
		"src/foo/cart.py":    "def add(a, b):\n    \"\"\"Add two prices.\"\"\"\n    return a + b\n",
		"tests/test_cart.py": "from src.foo.cart import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
	})
	for i := range 20 {
		at := filepath.Join(dir, "data", fmt.Sprint(i))
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		for k := range 500 {
			if err := os.WriteFile(filepath.Join(at, fmt.Sprint(k, ".txt")), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd, out, errs := process(t, dir, "generate", "src/foo", "--stdout", "--provider", "none")
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "tests/test_cart.py") || !strings.Contains(errs.String(), "tests far from the target may be missing") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
}
