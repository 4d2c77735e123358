// Package specs_test measures the specs of public modules that scripts/samples.sh writes: their size against the code, and
// what each of their parts is made of. It prints a table and fails for evidence that does not exist and for broken text.
package specs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// size is that of text.
type size struct{ lines, bytes int }

func (s *size) add(text []byte) {
	s.lines += strings.Count(string(text), "\n")
	s.bytes += len(text)
}

// share is how many of all have a property.
type share struct{ have, all int }

func (s *share) count(has bool) {
	s.all++
	if has {
		s.have++
	}
}

func (s share) String() string {
	if s.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", s.have, s.all)
}

// measure is what is measured of one module, or of all.
type measure struct {
	page, code                             size
	shall, doc, live, openings, written    share
	inBudget                               share // pages
	placeholders, spaces, unequal, foreign int
	contradictions                         int
	problems                               []string
}

func (m *measure) add(o *measure) {
	m.page.lines, m.page.bytes = m.page.lines+o.page.lines, m.page.bytes+o.page.bytes
	m.code.lines, m.code.bytes = m.code.lines+o.code.lines, m.code.bytes+o.code.bytes
	for _, p := range []struct {
		to   *share
		from share
	}{{&m.shall, o.shall}, {&m.doc, o.doc}, {&m.live, o.live}, {&m.openings, o.openings}, {&m.written, o.written}, {&m.inBudget, o.inBudget}} {
		p.to.have, p.to.all = p.to.have+p.from.have, p.to.all+p.from.all
	}
	m.placeholders, m.spaces = m.placeholders+o.placeholders, m.spaces+o.spaces
	m.unequal, m.foreign = m.unequal+o.unequal, m.foreign+o.foreign
	m.contradictions += o.contradictions
}

func (m *measure) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d %% | %d %% | %s | %s | %s | %s | %s | %s | %d | %d |", name, m.page.lines, m.code.lines,
		100*m.page.lines/max(m.code.lines, 1), 100*m.page.bytes/max(m.code.bytes, 1), m.shall, m.doc, m.live, m.openings, m.written,
		m.inBudget, m.placeholders+m.spaces+m.unequal+m.foreign, m.contradictions)
}

const head = "| module | lines | of code | share | bytes | SHALL | doc only | evidence | opening | scenarios | in budget | broken | contradictions |\n" +
	"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"

// TestSpecs prints a row per module, and the problems with -v.
func TestSpecs(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_SAMPLES")
	if root == "" {
		t.Skip("scripts/samples.sh sets REVERSE_SPEC_SAMPLES")
	}
	list, err := os.ReadFile(filepath.Join(root, "modules"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, head)
	var total measure
	for row := range strings.Lines(string(list)) {
		f := strings.Fields(row)
		dir, target := filepath.Join(root, f[1]), f[2]
		if target == "." {
			w := whole(t, dir)
			fmt.Fprintf(os.Stdout, "whole %s: specs %d bytes, source and tests %d bytes: %d %%\n", f[1], w.page.bytes, w.code.bytes, 100*w.page.bytes/max(w.code.bytes, 1))
			continue
		}
		m := module(t, dir, target)
		fmt.Fprintln(os.Stdout, m.row(f[0]+" "+f[1]+" `"+target+"`"))
		for _, p := range m.problems {
			t.Logf("%s %s: %s", f[1], target, p)
		}
		total.add(&m)
	}
	fmt.Fprintln(os.Stdout, total.row("all"))
	if total.live.have < total.live.all || total.placeholders+total.unequal+total.foreign+total.contradictions > 0 {
		t.Errorf("evidence %s; %d placeholders, %d unequal rows, %d foreign characters, %d contradictions; -v lists them",
			total.live, total.placeholders, total.unequal, total.foreign, total.contradictions)
	}
}

// whole measures the specs that batch wrote against all source and tests of the project that were read.
func whole(t *testing.T, dir string) (m measure) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "specs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".md") {
			return err
		}
		text, err := os.ReadFile(file)
		m.page.add(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, dir)
	tree, err := source.Read(t.Context(), p, ".", source.Options{Scope: source.Everything})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tree.Files {
		text, err := p.ReadFile(f.Path)
		if f.Vendored || f.Generated {
			continue
		}
		if err != nil {
			t.Error(err)
		}
		m.code.add(text)
	}
	return m
}

func open(t *testing.T, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// module measures the page of one module.
func module(t *testing.T, dir, target string) (m measure) {
	t.Helper()
	p := open(t, dir)
	text, err := p.ReadFile(spec.PathFor(spec.DefaultOutputDir, target))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m.page.add(text)
	for _, f := range belongs(t, p, target, s) {
		text, err := p.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m.code.add(text)
	}
	m.inBudget.count(m.page.lines <= min(max(m.code.lines/4, 60), 300))
	m.items(s)
	for _, text := range contradictions(s) {
		m.contradictions++
		m.problems = append(m.problems, text)
	}
	m.places(p, s, string(text))
	m.text(string(text))
	return m
}

// belongs returns the paths of a module's files, of those with tests that reach it, and for routes of those that they reach: the
// page cites them.
func belongs(t *testing.T, p *project.Project, target string, s *spec.Spec) (out []string) {
	t.Helper()
	tree, err := source.Read(t.Context(), p, target, source.Options{Scope: source.Module})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.ReadRelated(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	merged := code.Merge(tree.Target, tree.Files, time.Unix(0, 0))
	_, elsewhere := cases.Read(cases.Module{Exports: merged.Exports, Files: tree.Files, Tests: tree.Tests, Links: tree.Links, Visitors: tree.Visitors})
	for _, f := range slices.Concat(tree.Files, elsewhere) {
		out = append(out, f.Path)
	}
	routes := slices.ContainsFunc(tree.Endpoints, func(e service.Endpoint) bool { return slices.Contains(out, e.At.File) })
	if !routes {
		return out
	}
	for _, at := range cited.FindAllStringSubmatch(string(s.Render()), -1) {
		file, _, _ := strings.Cut(s.LongPlace(at[1]), ":")
		if _, err := p.ReadFile(file); err == nil && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}
