package truth_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// decl is a declaration in the form that both sides share.
type decl struct {
	File     string `json:"file"` // relative to the project
	Line     int    `json:"line"`
	Name     string `json:"name"`     // "Type.Member"
	Exported bool   `json:"exported"` // and so are its enclosing declarations
}

// floor is the minimum agreement, from 0 to 1. A floor below 1 has a reason.
type floor struct{ precision, recall float64 }

// symbol is the compared part of reverse-spec's JSON.
type symbol struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Exported  bool     `json:"isExported"`
	StartLine int      `json:"startLine"`
	Members   []symbol `json:"members"`
}

// command runs reverse-spec in a project and returns its standard output. An exit status in
// allowed is not a failure.
func command(t *testing.T, project string, allowed []int, args ...string) []byte {
	t.Helper()
	bin := os.Getenv("REVERSE_SPEC")
	if bin == "" {
		t.Skip("REVERSE_SPEC does not name the program: run make truth")
	}
	cmd := exec.CommandContext(t.Context(), bin, append([]string{"--project", project}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && !slices.Contains(allowed, cmd.ProcessState.ExitCode()) {
		t.Fatalf("reverse-spec %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes()
}

// ours returns every declaration that reverse-spec prepare reports for the target.
func ours(t *testing.T, project, target string) []decl {
	t.Helper()
	var result struct {
		Truncated bool `json:"truncated"`
		Skeletons []struct {
			FilePath  string   `json:"filePath"`
			Exports   []symbol `json:"exports"`
			Internals []symbol `json:"internals"`
		} `json:"skeletons"`
	}
	out := command(t, project, nil, "prepare", target, "--json", "--max-tokens", "0")
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	if result.Truncated {
		t.Fatalf("prepare %s was truncated", target)
	}
	var decls []decl
	for _, s := range result.Skeletons {
		decls = append(decls, flatten(s.FilePath, symbol{Members: s.Exports, Exported: true})...)
		decls = append(decls, flatten(s.FilePath, symbol{Members: s.Internals, Exported: true})...)
	}
	return decls
}

// flatten returns the declarations within a symbol, except embedded interfaces, whose position
// go/types does not record.
func flatten(file string, owner symbol) []decl {
	var decls []decl
	for _, s := range owner.Members {
		if owner.Kind == "interface" && s.Kind == "embedded" {
			continue
		}
		if owner.Name != "" {
			s.Name = owner.Name + "." + s.Name
		}
		s.Exported = s.Exported && owner.Exported
		decls = append(decls, decl{File: file, Line: s.StartLine, Name: s.Name, Exported: s.Exported})
		decls = append(decls, flatten(file, s)...)
	}
	return decls
}

// compare fails the test if agreement is below the floor, and logs the differences.
func compare[K comparable](t *testing.T, truth, got []K, least floor) {
	t.Helper()
	if len(truth) == 0 || len(got) == 0 {
		t.Fatalf("nothing to compare: truth %d, ours %d", len(truth), len(got))
	}
	missing, extra := without(truth, got), without(got, truth)
	precision := 1 - float64(len(extra))/float64(len(set(got)))
	recall := 1 - float64(len(missing))/float64(len(set(truth)))
	t.Logf("truth %d, ours %d, precision %.4f, recall %.4f", len(set(truth)), len(set(got)), precision, recall)
	for _, side := range []struct {
		what string
		keys []K
	}{{"missing", missing}, {"extra", extra}} {
		for _, k := range side.keys[:min(len(side.keys), 15)] {
			t.Logf("  %s %+v", side.what, k)
		}
	}
	if precision < least.precision || recall < least.recall {
		t.Errorf("want precision %.4f and recall %.4f at least", least.precision, least.recall)
	}
}

func set[K comparable](keys []K) map[K]bool {
	s := map[K]bool{}
	for _, k := range keys {
		s[k] = true
	}
	return s
}

// without returns the keys of a that b lacks, without duplicates, in order.
func without[K comparable](a, b []K) []K {
	seen := set(b)
	var rest []K
	for _, k := range a {
		if !seen[k] {
			seen[k] = true
			rest = append(rest, k)
		}
	}
	return rest
}

// lines runs a program that prints declarations as JSON lines.
func lines(t *testing.T, name string, args ...string) []decl {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	var decls []decl
	for line := range bytes.Lines(out) {
		var d decl
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		decls = append(decls, d)
	}
	return decls
}

// needs skips the test if a program is missing.
func needs(t *testing.T, program string) string {
	t.Helper()
	file, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed", program)
	}
	return file
}

// copyTree copies a folder except for the names in skip.
func copyTree(t *testing.T, from, to string, skip ...string) {
	t.Helper()
	err := filepath.WalkDir(from, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if slices.Contains(skip, d.Name()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func slashRel(t *testing.T, root, file string) string {
	t.Helper()
	rel, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	return path.Clean(filepath.ToSlash(rel))
}
