package spec_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// publicSpec is a spec of public code written by make truth.
type publicSpec struct {
	project string // its folder
	file    string
	text    []byte
}

// publicSpecs calls f with every spec in the projects below TRUTH_SPECS; see scripts/specs.sh.
func publicSpecs(t *testing.T, f func(t *testing.T, s publicSpec)) {
	t.Helper()
	root := os.Getenv("TRUTH_SPECS")
	if root == "" {
		t.Skip("TRUTH_SPECS names no specs of public code: run make truth")
	}
	projects, err := filepath.Glob(filepath.Join(root, "*", "specs"))
	if err != nil || len(projects) == 0 {
		t.Fatalf("no specs below %s: %v", root, err)
	}
	for _, specs := range projects {
		t.Run(filepath.Base(filepath.Dir(specs)), func(t *testing.T) {
			count := 0
			err := filepath.WalkDir(specs, func(file string, d fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(file, ".spec.md") || d.Name() == "_index.spec.md" {
					return err
				}
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				count++
				f(t, publicSpec{filepath.Dir(specs), file, text})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d specs", count)
		})
	}
}

// load reads the spec with its lock.
func (s *publicSpec) load(t *testing.T) *spec.Spec {
	t.Helper()
	p, err := project.Open(s.project)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	page, err := filepath.Rel(s.project, s.file)
	if err != nil {
		t.Fatal(err)
	}
	read, err := spec.Load(p, filepath.ToSlash(page))
	if err != nil {
		t.Fatal(err)
	}
	if read.Baseline == nil {
		t.Errorf("%s has no lock", s.file)
	}
	return read
}

// TestPublicSpecsRoundTrip: Render and Parse are inverses on public specs.
func TestPublicSpecsRoundTrip(t *testing.T) {
	publicSpecs(t, func(t *testing.T, s publicSpec) {
		switch written := identical(t, string(s.text)); written {
		case "":
			t.Errorf("%s is no spec", s.file)
		case string(s.text):
		default:
			t.Errorf("%s is written otherwise than it was: %s", s.file, firstDifference(string(s.text), written))
		}
	})
}

// TestPublicSpecsCiteExistingLines: every file:line in every section exists and has one of the
// names beside it.
func TestPublicSpecsCiteExistingLines(t *testing.T) {
	total, wrong := 0, 0
	publicSpecs(t, func(t *testing.T, s publicSpec) {
		read := s.load(t)
		c := newCiting(read, func(name string) []byte {
			text, err := os.ReadFile(filepath.Join(s.project, filepath.FromSlash(name)))
			if err != nil {
				t.Errorf("%s: %v", s.file, err)
			}
			return text
		})
		c.text(string(s.text))
		total, wrong = total+c.count, wrong+len(c.problems)
		for _, problem := range c.problems {
			t.Errorf("%s: %s", s.file, problem)
		}
	})
	t.Logf("%d citations, %d of them wrong", total, wrong)
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, was %q", i+1, strings.Join(b[min(i, len(b)):min(i+1, len(b))], ""), a[i])
		}
	}
	return "there is more at the end"
}
