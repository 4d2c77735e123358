package main

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// publicTrees copies packages that are part of every Go and Python installation.
func publicTrees(t *testing.T, to string) (targets []string) {
	t.Helper()
	std := filepath.Join(build.Default.GOROOT, "src")
	from := map[string]string{"csv": filepath.Join(std, "encoding", "csv"), "internal/tabwriter": filepath.Join(std, "text", "tabwriter")}
	if out, err := exec.Command("python3", "-c", "import json, os; print(os.path.dirname(os.path.dirname(json.__file__)))").Output(); err == nil {
		lib := strings.TrimSpace(string(out))
		from["json"], from["email"], from["email/mime"] = filepath.Join(lib, "json"), filepath.Join(lib, "email"), filepath.Join(lib, "email", "mime")
	} else {
		t.Log("python3 is not installed: only Go packages were compared")
	}
	for target, dir := range from {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Skipf("skipped: %v", err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				text, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				writeText(t, filepath.Join(to, filepath.FromSlash(target), e.Name()), string(text))
			}
		}
		targets = append(targets, target)
	}
	writeText(t, filepath.Join(to, "go.mod"), "module example.com/std\n\ngo 1.26\n")
	writeText(t, filepath.Join(to, "pyproject.toml"), "[project]\nname = \"std\"\n")
	writeText(t, filepath.Join(to, "tests", "test_json.py"),
		"import unittest\nfrom json.decoder import JSONDecoder\n\n\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(JSONDecoder().decode(\"1\"), 1)\n")
	return targets
}

func writeText(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// dates matches what depends on the time of a run.
var dates = regexp.MustCompile(`(?m)^lastUpdated: .*$`)

// TestGenerateAndBatchWriteTheSameFile for the same target, identical except for dates.
func TestGenerateAndBatchWriteTheSameFile(t *testing.T) {
	one, all := filepath.Join(t.TempDir(), "std"), filepath.Join(t.TempDir(), "std")
	targets := publicTrees(t, one)
	publicTrees(t, all)
	if out, err := program(t, all, "batch").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, target := range targets {
		if out, err := program(t, one, "generate", target).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, file := range []string{"specs/" + target + ".spec.md", "specs/.lock/" + target + ".jsonl"} {
			a, errA := os.ReadFile(filepath.Join(one, filepath.FromSlash(file)))
			b, errB := os.ReadFile(filepath.Join(all, filepath.FromSlash(file)))
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if diff := cmp.Diff(dates.ReplaceAllString(string(a), ""), dates.ReplaceAllString(string(b), "")); diff != "" {
				t.Errorf("%s (-generate +batch)\n%s", file, diff)
			}
		}
	}
	list, err := filepath.Glob(filepath.Join(all, "specs", "batch-summary-*"))
	if err != nil || len(list) != 0 {
		t.Errorf("left: %v, %v", list, err)
	}
}
