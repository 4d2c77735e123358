// Package adopt_test measures the links that adopt proposes between specs that people wrote and public code, with links that were
// labelled by reading; and whether diff names the requirement that a change of the code contradicts or touches, and none for a
// refactoring. Run it with scripts/adopt.sh, which fetches the repositories.
package adopt_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// label is what was read about a requirement.
type label struct {
	id              string
	core, ok, tests []string
}

// change is one edit of the code.
type change struct {
	mutation bool // else a refactoring
	name     string
	names    []string // the requirements that it is about
	files    []edited
}

type edited struct {
	file  string
	isNew bool
	edits [][2]string // what is replaced, and by what
}

// set is a project with its labels and changes.
type set struct {
	name, repository, commit, specs string
	labels                          []label
	changes                         []change
}

// link is what this test reads of a link.
type link struct {
	State      string
	Test       bool
	Place      string
	Symbol     string
	Confidence float64
}

type adopted struct {
	MinConfidence float64
	Specs         []struct {
		Requirements []struct {
			ID    string
			Links []link
		}
	}
	Summary struct{ Requirements, Scenarios, Links, NotFound, Linked int }
}

type report struct {
	Items []struct {
		Rule                string
		Statements, Related []struct {
			ID      string
			Adopted bool
		}
	}
}

// tally counts links.
type tally struct{ right, proposed, found, wanted int }

func (s *tally) add(o tally) {
	s.right, s.proposed, s.found, s.wanted = s.right+o.right, s.proposed+o.proposed, s.found+o.found, s.wanted+o.wanted
}

func (s *tally) precision() float64 { return float64(s.right) / float64(max(s.proposed, 1)) }
func (s *tally) recall() float64    { return float64(s.found) / float64(max(s.wanted, 1)) }

func TestAdoptedSpecs(t *testing.T) {
	root, program := os.Getenv("REVERSE_SPEC_ADOPT"), os.Getenv("REVERSE_SPEC_PROGRAM")
	if root == "" || program == "" {
		t.Skip("scripts/adopt.sh sets REVERSE_SPEC_ADOPT and REVERSE_SPEC_PROGRAM")
	}
	for _, use := range []string{"built", "held"} {
		files, err := filepath.Glob(filepath.Join(use, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var code, tests tally
		mutations, named, contradicted, refactorings, silent, others := 0, 0, 0, 0, 0, 0
		for _, file := range files {
			s := read(t, file)
			dir := filepath.Join(root, use+"-"+s.name)
			if _, err := os.Stat(dir); err != nil {
				t.Logf("%s: %s was not fetched, skipped", file, s.repository)
				continue
			}
			a := s.adopt(t, program, dir)
			c, w := s.judge(t, a)
			t.Logf("%s: %d requirements, %d scenarios: %d linked, %d not found; links to code: precision %.2f (%d of %d), recall %.2f (%d of %d); to tests: precision %.2f (%d of %d), files found %.2f (%d of %d)",
				s.repository, a.Summary.Requirements, a.Summary.Scenarios, a.Summary.Linked, a.Summary.NotFound,
				c.precision(), c.right, c.proposed, c.recall(), c.found, c.wanted, w.precision(), w.right, w.proposed, w.recall(), w.found, w.wanted)
			code.add(c)
			tests.add(w)
			for _, c := range s.changes {
				statements, related := s.diff(t, program, dir, c)
				all := slices.Concat(statements, related)
				if !c.mutation {
					refactorings++
					if len(all) == 0 {
						silent++
					} else {
						t.Logf("%s refactoring %s: names %v", s.repository, c.name, all)
					}
					continue
				}
				mutations++
				isMeant := func(id string) bool {
					return slices.ContainsFunc(c.names, func(want string) bool { return id == want || strings.HasPrefix(id, want+"/") })
				}
				switch {
				case slices.ContainsFunc(statements, isMeant):
					contradicted++
					named++
				case slices.ContainsFunc(related, isMeant):
					named++
				default:
					t.Logf("%s mutation %s: not %v, but %v", s.repository, c.name, c.names, all)
				}
				for _, id := range all {
					if !isMeant(id) {
						others++
					}
				}
			}
		}
		both := tally{}
		both.add(code)
		both.add(tests)
		t.Logf("%s: links to code: precision %.2f, recall %.2f; all links: precision %.2f (%d of %d); %d of %d mutations name the requirement (%d as contradicted), and %d others; %d of %d refactorings name none",
			use, code.precision(), code.recall(), both.precision(), both.right, both.proposed, named, mutations, contradicted, others, silent, refactorings)
		if silent < refactorings {
			t.Errorf("%s: a refactoring names requirements", use)
		}
		if 5*named < 3*mutations { // what is reached; two of three are wanted
			t.Errorf("%s: less than three of five mutations name the requirement", use)
		}
	}
}

// judge compares the links that are accepted with the labels.
func (s *set) judge(t *testing.T, a adopted) (code, tests tally) {
	t.Helper()
	links := map[string][]link{}
	for _, spec := range a.Specs {
		for _, q := range spec.Requirements {
			for _, l := range q.Links {
				if l.State == "accepted" {
					links[q.ID] = append(links[q.ID], l)
				}
			}
		}
	}
	for _, want := range s.labels {
		code.wanted, tests.wanted = code.wanted+len(want.core), tests.wanted+len(want.tests)
		for _, l := range links[want.id] {
			of, fitting := &code, slices.Concat(want.core, want.ok)
			if l.Test {
				of, fitting = &tests, want.tests
			}
			of.proposed++
			if slices.ContainsFunc(fitting, l.is) {
				of.right++
			} else {
				t.Logf("wrong: %s -> %s %s (%.2f)", want.id, l.Place, l.Symbol, l.Confidence)
			}
		}
		has := func(tests bool, target string) bool {
			return slices.ContainsFunc(links[want.id], func(l link) bool { return l.Test == tests && l.is(target) })
		}
		for _, target := range want.core {
			if has(false, target) {
				code.found++
			} else {
				t.Logf("missed: %s -> %s", want.id, target)
			}
		}
		for _, target := range want.tests {
			if has(true, target) {
				tests.found++
			}
		}
	}
	return code, tests
}

// is reports whether a link is to a target.
func (l link) is(target string) bool {
	file, _, _ := strings.Cut(l.Place, ":")
	if end, symbol, ok := strings.Cut(target, "#"); ok {
		return strings.HasSuffix(file, end) && (l.Symbol == symbol || strings.HasSuffix(l.Symbol, "."+symbol))
	}
	return strings.Contains(file, target)
}

// adopt accepts what is certain enough, and commits it.
func (s *set) adopt(t *testing.T, program, dir string) (a adopted) {
	t.Helper()
	if err := json.Unmarshal(run(t, dir, program, "adopt", s.specs, "--yes", "--json"), &a); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "git", "add", "-A", "-f")
	run(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "adopted")
	return a
}

// diff makes a change, compares, and undoes it. It returns the requirements that are contradicted, and those that are touched.
func (s *set) diff(t *testing.T, program, dir string, c change) (statements, related []string) {
	t.Helper()
	for _, f := range c.files {
		name := filepath.Join(dir, filepath.FromSlash(f.file))
		if f.isNew {
			put(t, name, strings.TrimPrefix(f.edits[0][1], "\n"))
			defer os.Remove(name)
			continue
		}
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer put(t, name, string(before))
		text := string(before)
		for _, e := range f.edits {
			// The last line of an edit may be the beginning of a line.
			old, now := strings.TrimSuffix(e[0], "\n"), strings.TrimSuffix(e[1], "\n")
			if strings.Count(text, old) != 1 {
				t.Fatalf("%s %s: the text to replace occurs %d times: %s", s.name, c.name, strings.Count(text, old), old)
			}
			text = strings.Replace(text, old, now, 1)
		}
		put(t, name, text)
	}
	var r report
	if err := json.Unmarshal(run(t, dir, program, "diff", "--base", "HEAD", "--json"), &r); err != nil {
		t.Fatal(err)
	}
	for _, i := range r.Items {
		for _, st := range i.Statements {
			if st.Adopted && !slices.Contains(statements, st.ID) {
				statements = append(statements, st.ID)
			}
		}
		for _, st := range i.Related {
			if st.Adopted && !slices.Contains(related, st.ID) {
				related = append(related, st.ID)
			}
		}
	}
	return statements, related
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read reads a set.
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
		switch word {
		case "repository":
			s.repository = rest
		case "commit":
			s.commit = rest
		case "specs":
			s.specs = rest
		case "link":
			s.labels = append(s.labels, labelOf(rest))
		case "mutation", "refactoring":
			s.changes = append(s.changes, change{mutation: word == "mutation", name: rest})
		default:
			if len(s.changes) > 0 {
				s.changes[len(s.changes)-1].line(line, word, rest)
			}
		}
	}
	return s
}

// line reads a line of a change.
func (c *change) line(line, word, rest string) {
	switch {
	case strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+"):
		edits := c.files[len(c.files)-1].edits
		edits[len(edits)-1][strings.IndexByte("-+", line[0])] += line[1:] + "\n"
	case word == "names":
		c.names = strings.Fields(rest)
	case word == "file" || word == "new":
		c.files = append(c.files, edited{file: rest, isNew: word == "new", edits: make([][2]string, 1)})
	case word == "also":
		f := &c.files[len(c.files)-1]
		f.edits = append(f.edits, [2]string{})
	}
}

func labelOf(text string) label {
	parts := strings.Split(text, " | ")
	list := func(i int) []string {
		if strings.TrimSpace(parts[i]) == "-" {
			return nil
		}
		return strings.Fields(parts[i])
	}
	return label{id: strings.TrimSpace(parts[0]), core: list(1), ok: list(2), tests: list(3)}
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
