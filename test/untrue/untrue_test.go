// Package untrue_test measures whether diff names the statements that a change of behaviour makes untrue, with what they
// were and what they are now, and whether it is silent about refactorings: of public code with specs that were written
// before the change. Run it with scripts/untrue.sh, which fetches the repositories.
package untrue_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// change is one edit of a file.
type change struct {
	mutation bool // else a refactoring
	name     string
	file     string
	edits    [][2]string // what is replaced, and by what
}

// set is a module with changes.
type set struct {
	name, repository, commit, target string
	changes                          []change
}

// report is what this test reads of a report of diff.
type report struct {
	Items []struct {
		Rule, Description, OldValue, NewValue string
		Statements, Related                   []struct{ ID string }
	}
}

func TestStatementsThatBecameUntrue(t *testing.T) {
	root, program := os.Getenv("REVERSE_SPEC_UNTRUE"), os.Getenv("REVERSE_SPEC_PROGRAM")
	if root == "" || program == "" {
		t.Skip("scripts/untrue.sh sets REVERSE_SPEC_UNTRUE and REVERSE_SPEC_PROGRAM")
	}
	for _, use := range []string{"built", "held"} {
		files, err := filepath.Glob(filepath.Join(use, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		named, mutations, silent, refactorings := [3]int{}, 0, 0, 0
		for _, file := range files {
			s := read(t, file)
			dir := filepath.Join(root, use+"-"+s.name)
			if _, err := os.Stat(dir); err != nil {
				t.Logf("%s: %s was not fetched, skipped", file, s.repository)
				continue
			}
			page := s.write(t, program, dir)
			for _, c := range s.changes {
				r := s.diff(t, program, dir, page, c)
				if !c.mutation {
					refactorings++
					if len(r.Items) == 0 {
						silent++
					} else {
						t.Logf("%s %s: %s", file, c.name, told(r))
					}
					continue
				}
				mutations++
				if n := names(r); n >= 0 {
					named[n]++
				} else {
					t.Logf("%s %s: no statement with old and new: %s", file, c.name, told(r))
				}
			}
		}
		all := named[0] + named[1] + named[2]
		t.Logf("%s: %d of %d mutations name a statement, what was and what is: %d a requirement that became untrue, %d a row of another table, "+
			"%d a requirement about the function; %d of %d refactorings are silent", use, all, mutations, named[2], named[1], named[0], silent, refactorings)
		if 6*all < 5*mutations || silent < refactorings {
			t.Errorf("%s: want five of six mutations, and all refactorings", use)
		}
	}
}

// names reports whether an item says what was and what is, and names what of a spec is untrue (2: a requirement, 1: a row of
// another table of the page, as of an option or a constant), or a requirement about the very function, which may be (0). It is -1 otherwise.
func names(r report) int {
	best := -1
	for _, i := range r.Items {
		if i.OldValue == "" && !strings.Contains(i.Description, "`∅` → ") || i.NewValue == "" && i.Rule != "claim-removed" {
			continue
		}
		for _, s := range i.Statements {
			best = max(best, 1)
			if strings.HasPrefix(s.ID, "REQ-") {
				best = 2
			}
		}
		for _, s := range i.Related {
			if strings.HasPrefix(s.ID, "REQ-") {
				best = max(best, 0)
			}
		}
	}
	return best
}

func told(r report) string {
	var out []string
	for _, i := range r.Items {
		out = append(out, i.Rule+": "+i.Description)
	}
	return strings.Join(out, "\n\t")
}

// read reads a set. A change has one or more edits, separated by "also"; a space before the sign is not allowed.
func read(t *testing.T, file string) set {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := set{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		last := len(s.changes) - 1
		switch {
		case strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+"):
			edits := s.changes[last].edits
			side := strings.IndexByte("-+", line[0])
			edits[len(edits)-1][side] += line[1:] + "\n"
		case word == "repository":
			s.repository = rest
		case word == "commit":
			s.commit = rest
		case word == "target":
			s.target = rest
		case word == "mutation" || word == "refactoring":
			s.changes = append(s.changes, change{mutation: word == "mutation", name: rest})
		case word == "file":
			s.changes[last].file = rest
			s.changes[last].edits = append(s.changes[last].edits, [2]string{})
		case word == "also":
			s.changes[last].edits = append(s.changes[last].edits, [2]string{})
		}
	}
	return s
}

// write writes the spec of the target and returns its path.
func (s *set) write(t *testing.T, program, dir string) string {
	t.Helper()
	run(t, dir, program, "generate", s.target)
	run(t, dir, "git", "add", "-A", "-f")
	run(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "specs")
	page := filepath.Join("specs", s.target+".spec.md")
	if s.target == "." {
		page = filepath.Join("specs", "_root.spec.md")
	}
	if r := diff(t, program, dir, page); len(r.Items) > 0 {
		t.Errorf("%s: the spec does not agree with the code it was written from: %s", s.name, told(r))
	}
	return page
}

// diff makes a change, compares, and undoes the change.
func (s *set) diff(t *testing.T, program, dir, page string, c change) report {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(c.file))
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(before)
	for _, e := range c.edits {
		// The last line of an edit may be the beginning of a line.
		old, now := strings.TrimSuffix(e[0], "\n"), strings.TrimSuffix(e[1], "\n")
		if strings.Count(text, old) != 1 {
			t.Fatalf("%s %s: the text to replace occurs %d times: %s", s.name, c.name, strings.Count(text, old), old)
		}
		text = strings.Replace(text, old, now, 1)
	}
	defer func() {
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return diff(t, program, dir, page)
}

func diff(t *testing.T, program, dir, page string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal(run(t, dir, program, "diff", page, "--json"), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// run runs a program, which may end with status 3: a check failed.
func run(t *testing.T, dir, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 3 {
		err = nil
	}
	if err != nil {
		t.Fatalf("%s %v: %v", program, args, err)
	}
	return out
}
