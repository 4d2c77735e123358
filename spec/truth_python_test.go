package spec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// pythonSpec is a module with section 3 of its spec, for lang/testdata/python/truth.py.
type pythonSpec struct {
	File   string   `json:"file"`
	Source string   `json:"source"`
	Blocks []string `json:"blocks"`
}

// readNames is the form that both sides have: names of functions, classes and methods with
// their signatures, and names of variables.
type readNames struct {
	File  string              `json:"file"`
	Truth map[string][]string `json:"truth"`
	Told  map[string][]string `json:"told"`
}

// TestPublicSpecsOfPythonAgreeWithAst parses section 3 of the specs of Python's standard
// library with Python's ast: it must have exactly the public functions, classes, methods and
// variables, with their signatures.
func TestPublicSpecsOfPythonAgreeWithAst(t *testing.T) {
	root := filepath.Join(os.Getenv("TRUTH_SPECS"), "python")
	files, err := filepath.Glob(filepath.Join(root, "*.py"))
	if os.Getenv("TRUTH_SPECS") == "" || err != nil || len(files) == 0 {
		t.Skip("TRUTH_SPECS names no specs of Python: run make truth")
	}
	var asked []pythonSpec
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, "specs", filepath.Base(file)+".spec.md"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		one := pythonSpec{File: filepath.Base(file), Source: string(source)}
		for _, b := range blocks(s.Interface) {
			one.Blocks = append(one.Blocks, b.text)
		}
		asked = append(asked, one)
	}
	names := 0
	for _, f := range askTruth(t, asked) {
		names += len(f.Truth)
		if diff := cmp.Diff(f.Truth, f.Told); diff != "" {
			t.Errorf("%s (-ast +section 3):\n%s", f.File, diff)
		}
	}
	t.Logf("%d modules, %d public names", len(asked), names)
}

func askTruth(t *testing.T, asked []pythonSpec) []readNames {
	t.Helper()
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "../internal/lang/testdata/python/truth.py", "public")
	var errs strings.Builder
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("truth.py: %v\n%s", err, errs.String())
	}
	var answer []readNames
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}
