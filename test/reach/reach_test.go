// Package reach compares the tests that the program says reach a module with those whose coverage enters a function of it,
// in public code and in that of the Go distribution.
package reach_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// What the comparison must reach.
const (
	leastRecall    = 0.8
	leastPrecision = 0.95
)

// module is a module of a repository, below the folder of that.
type module struct {
	language, repository, path string
	root                       string // the folder of the repository
}

// set is a set of tests, by the file and the name that the tool of the language gives them.
type set map[string]bool

// runner runs the tests of a module one by one.
type runner interface {
	// name returns the name of a test as the tool gives it, without a table's rows.
	name(file string, t *code.Test) string
	// entered returns the tests that were run, and what came of each. Named are the files of tests that the program names.
	entered(ctx context.Context, t *testing.T, m *module, sources, named []string) (map[string]outcome, error)
}

// outcome is that of a test.
type outcome struct {
	enters bool // it entered a function of the module
	names  bool // it is in a file or package that imports the module, or in one that the program names
}

// runners are the tools, by language.
var runners = map[string]runner{"go": golang{}, "python": python{}, "typescript": ecma{map[string][]noted{}}, "java": java{}}

// reaching returns the tests that the program says reach a module, with its sources and the files of these tests.
func reaching(t *testing.T, m *module) (tests set, sources, files []string) {
	t.Helper()
	p, err := project.Open(m.root)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	tree, err := source.Read(t.Context(), p, m.path, source.Options{Scope: source.Module})
	if err == nil {
		err = tree.ReadRelated(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tree.Files {
		if !f.Test {
			sources = append(sources, f.Path)
		}
	}
	list, _ := cases.Read(cases.Module{
		Exports: code.Merge(tree.Target, tree.Files, time.Time{}).Exports, Files: tree.Files, Tests: tree.Tests, Links: tree.Links, Visitors: tree.Visitors,
	})
	tests = set{}
	named := set{}
	for _, c := range list {
		if _, ok := c.Reaches(); ok {
			tests[runners[m.language].name(c.File(), &c.Test)] = true
			named[c.File()] = true
		}
	}
	return tests, sources, slices.Sorted(maps.Keys(named))
}

// score counts tests.
type score struct{ run, enter, said, both, all int }

func (s *score) add(o *score) {
	s.run, s.enter, s.said, s.both, s.all = s.run+o.run, s.enter+o.enter, s.said+o.said, s.both+o.both, s.all+o.all
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func (s *score) recall() float64    { return share(s.both, s.enter) }
func (s *score) precision() float64 { return share(s.both, s.said) }

func (s *score) row(name ...string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %.3f | %.3f | %d | %.3f |",
		strings.Join(name, " | "), s.run, s.enter, s.said, s.recall(), s.precision(), s.all, share(s.both, s.all))
}

// TestReach compares the modules in modules.txt of the repositories below REVERSE_SPEC_REACH, and prints each difference
// and the table of docs/accuracy.md.
func TestReach(t *testing.T) {
	folder := os.Getenv("REVERSE_SPEC_REACH")
	if folder == "" {
		t.Skip("no code to compare with in REVERSE_SPEC_REACH: run make reach")
	}
	only := os.Getenv("REVERSE_SPEC_REACH_ONLY")
	rows := []string{
		"| language | module | tests | enter it | said to reach it | recall | precision | enter it, of all tests | recall of these |",
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
	}
	sum := &score{}
	for _, m := range modules(t, folder) {
		if !strings.Contains(m.language+" "+m.repository+" "+m.path, only) {
			continue
		}
		s, err := compare(t, &m)
		if err != nil {
			fmt.Fprintf(os.Stdout, "%s %s: skipped: %.300v\n", m.repository, m.path, err)
			continue
		}
		rows = append(rows, s.row(m.language, m.repository+" `"+m.path+"`"))
		sum.add(s)
	}
	fmt.Fprintln(os.Stdout, strings.Join(append(rows, sum.row("all", "")), "\n"))
	if sum.recall() < leastRecall || sum.precision() < leastPrecision {
		t.Errorf("recall %.3f, precision %.3f; at least %.2f and %.2f are wanted", sum.recall(), sum.precision(), leastRecall, leastPrecision)
	}
}

// compare compares one module.
func compare(t *testing.T, m *module) (*score, error) {
	t.Helper()
	said, sources, files := reaching(t, m)
	entered, err := runners[m.language].entered(t.Context(), t, m, sources, files)
	if err != nil {
		return nil, err
	}
	s := &score{}
	for name := range entered { // a class is said for the tests that it inherits
		if class, _, ok := cutLast(name, "::"); ok && said[class] {
			said[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(entered)) {
		enters := entered[name].enters
		if enters {
			s.all++
		}
		if !entered[name].names {
			continue
		}
		s.run++
		if enters {
			s.enter++
		}
		switch {
		case said[name] && enters:
			s.said++
			s.both++
		case said[name]:
			s.said++
			fmt.Fprintf(os.Stdout, "false: %s %s\n", m.path, name)
		case enters:
			fmt.Fprintf(os.Stdout, "missing: %s %s\n", m.path, name)
		}
	}
	return s, nil
}

// cutLast cuts a text at the last of its separators.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// modules reads modules.txt: the language, the repository, the commit and the module of each line. Those that the script
// could not fetch are left out.
func modules(t *testing.T, folder string) []module {
	t.Helper()
	text, err := os.ReadFile("modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []module
	for line := range strings.Lines(string(text)) {
		cells := strings.Fields(line)
		if len(cells) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		m := module{language: cells[0], repository: cells[1], path: cells[3], root: filepath.Join(folder, strings.ReplaceAll(cells[1], "/", "+"))}
		if m.repository == goroot {
			m.root = filepath.Join(rootOfGo(t), "src")
		}
		if _, err := os.Stat(m.root); err != nil || runners[m.language] == nil {
			continue
		}
		out = append(out, m)
	}
	return out
}
