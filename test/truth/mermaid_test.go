package truth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// picture is a Mermaid diagram with its location.
type picture struct {
	Name  string `json:"name"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

// TestDiagramsAreMermaid parses every diagram in the specs that make truth wrote, and in the
// cases of package spec, with Mermaid's own parser.
func TestDiagramsAreMermaid(t *testing.T) {
	node, modules := needs(t, "node"), filepath.Join(os.Getenv("TRUTH_CACHE"), "mermaid", "node_modules")
	if _, err := os.Stat(modules); err != nil {
		t.Skip("mermaid was not fetched: run make truth where npm and its registry are")
	}
	const broken = "a diagram that is none"
	list := []picture{{Name: broken, Text: "graph LR\n  M["}}
	for _, root := range []string{os.Getenv("TRUTH_SPECS"), filepath.Join("..", "..", "spec", "testdata")} {
		if root != "" {
			list = append(list, pictures(t, root)...)
		}
	}
	if refused := refuse(t, node, modules, list); len(refused) == 0 || refused[0].Name != broken {
		t.Fatal("Mermaid takes what is no diagram: nothing was compared")
	} else {
		for _, p := range refused[1:] {
			t.Errorf("%s: %s", p.Name, p.Error)
		}
	}
	kinds := map[string]int{}
	for _, p := range list[1:] {
		kind, _, _ := strings.Cut(strings.Fields(p.Text)[0], "-")
		kinds[kind]++
	}
	t.Logf("%d diagrams: %v", len(list)-1, kinds)
}

// pictures returns the diagrams in the Markdown files and archives below a folder.
func pictures(t *testing.T, root string) []picture {
	t.Helper()
	var list []picture
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".spec.md") && !strings.HasSuffix(file, ".txtar") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		parts := strings.Split(string(text), "\n```mermaid\n")
		for i, part := range parts[1:] {
			diagram, _, _ := strings.Cut(part, "\n```\n")
			list = append(list, picture{Name: fmt.Sprintf("%s, diagram %d", file, i+1), Text: diagram})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// refuse returns the diagrams that Mermaid rejects.
func refuse(t *testing.T, node, modules string, list []picture) []picture {
	t.Helper()
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "mermaid.mjs")
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var refused []picture
	for line := range bytes.Lines(out) {
		var p picture
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		refused = append(refused, p)
	}
	return refused
}
