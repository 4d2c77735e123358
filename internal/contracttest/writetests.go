package contracttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// WrittenTests is the result of [WriteTests].
type WrittenTests struct {
	Files []string `json:"files"`
	// Notes say of files why no test was made of them at all.
	Notes   []string   `json:"notes,omitempty"`
	Kept    []Proposed `json:"kept"`
	Refused []Proposed `json:"refused"`
}

// Proposed is an error exit without a test, and why no test of it was kept.
type Proposed struct {
	Symbol string `json:"symbol"`
	Place  string `json:"place"` // of the exit
	Test   string `json:"test,omitempty"`
	Mutant string `json:"mutant,omitempty"` // the mistake with which the test fails
	Reason string `json:"reason,omitempty"`
}

// proposed is a test that may be kept.
type proposed struct {
	proposal.Case
	claim *spec.CurrentClaim
	at    evidence.Place
	diesW string // the mistake with which it fails
}

func (c *proposed) place() string {
	return placeOf(c.at)
}

func placeOf(at evidence.Place) string { return fmt.Sprintf("%s:%d", at.File, at.Line) }

// mostProposed limits the tests that are tried.
const mostProposed = 60

// WriteTests writes a test for each error exit of a target that no test asserts on, if the exit has a condition over literals
// and the parameters of a function that is called with simple values. Only tests are kept that pass on the code as it is and
// fail when a mistake is put into the exit. They go into a new file beside the tests of the module, or replace those that an
// earlier run wrote there; no other file is touched.
//
// Errors: those of reading the target, bash is missing, the copy cannot be made, and ctx's.
func WriteTests(ctx context.Context, p *project.Project, target string, scope source.Scope, opts Options) (*WrittenTests, error) {
	now, err := spec.ReadCurrent(ctx, p, target, scope, nil)
	if err != nil {
		return nil, err
	}
	out := &WrittenTests{Files: []string{}, Kept: []Proposed{}, Refused: []Proposed{}}
	var todo []*writing
	done := map[string]bool{} // the files of tests
	for _, f := range now.Files {
		if f.Generated || f.Constraint != "" || !hasExits(now, f) {
			continue
		}
		w := &writing{ctx: ctx, p: p, now: now, out: out, at: proposal.Place{Source: f}}
		if w.place() && !done[w.at.Path] {
			done[w.at.Path] = true
			w.propose()
		}
		if len(w.cases) > 0 {
			todo = append(todo, w)
		}
	}
	if len(todo) == 0 {
		return out, nil
	}
	list, err := candidates(p, now)
	if err != nil {
		return nil, err
	}
	l, err := openLab(ctx, p, opts)
	if err != nil {
		return nil, err
	}
	const first = 2 // the first run may build everything
	l.timeout = max(l.timeout, first*DefaultTimeout)
	for _, w := range todo {
		w.list = list
		if err := w.write(l); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return out, l.close()
}

// hasExits reports whether an error exit is in a file.
func hasExits(now *spec.Current, f *code.File) bool {
	return slices.ContainsFunc(now.Claims, func(c spec.CurrentClaim) bool {
		return c.Kind == evidence.Exit && slices.ContainsFunc(c.At, func(at evidence.Place) bool { return at.File == f.Path })
	})
}

// write writes the tests that are kept.
func (w *writing) write(l *lab) error {
	if err := w.keep(l); err != nil || len(w.cases) == 0 {
		return err
	}
	if err := w.p.WriteFile(w.at.Path, []byte(w.text(w.cases))); err != nil {
		return message.Errorf("write %s: %w", w.at.Path, err)
	}
	w.out.Files = append(w.out.Files, w.at.Path)
	for _, c := range w.cases {
		w.out.Kept = append(w.out.Kept, Proposed{Symbol: c.claim.Subject, Place: c.place(), Test: strings.TrimSpace(c.Callee + " " + c.When), Mutant: c.diesW})
	}
	return nil
}

// writing is one run of [WriteTests].
type writing struct {
	ctx   context.Context
	p     *project.Project
	now   *spec.Current
	at    proposal.Place
	cases []*proposed
	list  []*candidate
	out   *WrittenTests
}

func (w *writing) refuse(c *evidence.Claim, at evidence.Place, why message.Text) {
	w.out.Refused = append(w.out.Refused, Proposed{Symbol: c.Subject, Place: placeOf(at), Reason: why.In(message.From(w.ctx))})
}

// place decides where the tests go, and which tool runs them.
func (w *writing) place() bool {
	note := func(t message.Text) bool {
		w.out.Notes = append(w.out.Notes, w.at.Source.Path+": "+t.In(message.From(w.ctx)))
		return false
	}
	language := w.at.Source.Language
	beside, kind := w.beside(language)
	switch {
	case language == "go":
		w.at.Tool = "go test"
		beside = path.Join(path.Dir(w.at.Source.Path), "x_test.go")
	case beside == "":
		return note(message.New("no test of the module is known: what runs the tests of the project cannot be told"))
	default:
		tool, err := runner.Find(w.p.ReadFile, w.testFile(beside), kind)
		if err != nil {
			return note(message.New("%v", err))
		}
		w.at.Tool = tool.Name
	}
	whole := language == "go" && w.now.Whole // a folder is a package
	w.at.Path = path.Join(path.Dir(beside), proposal.Name(w.at.Tool, w.at.Source.Path, whole, beside))
	if !proposal.Writes(w.at.Tool) {
		return note(message.New("tests of %s are not written", w.at.Tool))
	}
	text, err := w.p.ReadFile(w.at.Path)
	if err == nil && !proposal.Written(text) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return note(message.New("%s exists and was not written by reverse-spec; it was not changed", w.at.Path))
	}
	return true
}

// beside returns the file with tests of the module next to which the new one goes, and the kind of its tests.
func (w *writing) beside(language string) (file, kind string) {
	stem := strings.TrimSuffix(path.Base(w.at.Source.Path), path.Ext(w.at.Source.Path))
	best := -1
	for _, f := range w.now.Tests {
		if f.Language != language && !(strings.HasSuffix(language, "script") && strings.HasSuffix(f.Language, "script")) || len(f.Tests) == 0 {
			continue
		}
		score := 0
		if strings.Contains(path.Base(f.Path), stem) {
			score++
		}
		if score > best && !strings.Contains(path.Base(f.Path), "contract") {
			best, file, kind = score, f.Path, f.Tests[0].Runner
		}
	}
	return file, kind
}

func (w *writing) testFile(name string) *code.File {
	i := slices.IndexFunc(w.now.Tests, func(f *code.File) bool { return f.Path == name })
	return w.now.Tests[i]
}

// propose makes a test for each exit that no test asserts on.
func (w *writing) propose() {
	for i := range w.now.Claims {
		c := &w.now.Claims[i]
		own := func(test string) bool { return strings.HasPrefix(test, w.at.Path+":") }
		if c.Kind != evidence.Exit || slices.ContainsFunc(c.Tests, func(t string) bool { return !own(t) }) {
			continue
		}
		for j := range c.When {
			at := c.At[min(j, len(c.At)-1)]
			if at.File != w.at.Source.Path && !w.folder(at.File) {
				continue
			}
			if err := w.proposeOne(c, &c.When[j], at); err != nil {
				w.refuse(&c.Claim, at, message.New("%v", err))
			}
		}
	}
	slices.SortStableFunc(w.cases, func(a, b *proposed) int { return strings.Compare(a.Callee, b.Callee) })
	for _, c := range w.cases[min(len(w.cases), mostProposed):] {
		w.refuse(&c.claim.Claim, c.at, message.New("only %d tests are tried", mostProposed))
	}
	w.cases = w.cases[:min(len(w.cases), mostProposed)]
	for i, c := range w.cases {
		c.Number = i + 1
	}
}

// folder reports whether the tests of a file go into the same file: of a package of Go.
func (w *writing) folder(file string) bool {
	return w.at.Tool == "go test" && w.now.Whole && path.Dir(file) == path.Dir(w.at.Source.Path)
}

// proposeOne makes a test of one exit.
func (w *writing) proposeOne(c *spec.CurrentClaim, when *evidence.Condition, at evidence.Place) error {
	f, s, callee := w.function(c.Subject, at.File)
	switch {
	case len(when.All) == 0:
		return message.Errorf("the exit has no condition")
	case when.Later:
		return message.Errorf("it is in a function that the function returns")
	case s == nil && len(c.From) > 0:
		return message.Errorf("users do not call the function, but %s", strings.Join(c.From, ", "))
	case s == nil:
		return message.Errorf("it is no exported function that can be called by itself")
	case len(s.TypeParameters) > 0 && f.Language == "go", s.Async && f.Language == "python":
		return message.Errorf("the function is generic or asynchronous")
	}
	kinds, err := proposal.Kinds(f.Language, s.Params)
	if err != nil {
		return err
	}
	args, err := proposal.Solve(s.Params, kinds, when.All)
	if err != nil {
		return err
	}
	made := &proposed{claim: c, at: at, Case: proposal.Case{When: when.All[len(when.All)-1].Text, Function: s, Callee: callee, Args: args}}
	made.Error, made.Message, made.Panics = w.errorOf(f, c.Outcome), plainStart(c.Outcome.Message), c.Outcome.How == code.Panics
	if w.at.Module == "" && f.Language != "go" {
		w.at.Module, w.at.Requires = w.imported(f)
	}
	w.cases = append(w.cases, made)
	return nil
}

// function returns a function that can be called by itself, with how it is called; nil if there is none.
func (w *writing) function(subject, file string) (f *code.File, s *code.Symbol, callee string) {
	i := slices.IndexFunc(w.now.Files, func(f *code.File) bool { return f.Path == file })
	if i < 0 {
		return nil, nil, ""
	}
	f = w.now.Files[i]
	owner, member, isMember := strings.Cut(subject, ".")
	for j := range f.Symbols {
		top := &f.Symbols[j]
		switch {
		case top.Name != owner || !top.Exported:
		case !isMember && top.Kind == code.Function && top.Receiver == "":
			return f, top, owner
		case isMember && f.Language != "go":
			for k := range top.Members {
				if m := &top.Members[k]; m.Name == member {
					if callee := calleeOf(f.Language, top.Name, m); callee != "" {
						return f, withoutSelf(m), callee
					}
				}
			}
		}
	}
	return f, nil, ""
}

// calleeOf returns how a member of a class is called without an object; "" if it cannot be.
func calleeOf(language, class string, m *code.Symbol) string {
	decorated := slices.ContainsFunc(m.Decorators, func(d string) bool {
		return strings.Contains(d, "classmethod") || strings.Contains(d, "staticmethod")
	})
	switch {
	case m.Visibility == code.Private || m.Visibility == code.Protected || strings.HasPrefix(m.Name, "#"):
		return ""
	case language == "python" && m.Name == "__init__":
		return class
	case m.Kind == code.Constructor:
		return "new " + class
	case m.Static || decorated:
		return class + "." + m.Name
	}
	return ""
}

// withoutSelf returns a method of Python without the parameter for its object or class.
func withoutSelf(m *code.Symbol) *code.Symbol {
	if len(m.Params) > 0 && slices.Contains([]string{"self", "cls"}, m.Params[0].Name) {
		own := *m
		own.Params = m.Params[1:]
		return &own
	}
	return m
}

// errorOf returns the name of the error by which a test can tell it; "" for none.
func (w *writing) errorOf(f *code.File, o *evidence.Outcome) string {
	switch {
	case f.Language == "python":
		return o.Error
	case f.Language != "go" || strings.Contains(o.Error, "."):
		return ""
	}
	for _, other := range w.now.Files {
		for i := range other.Symbols {
			if s := &other.Symbols[i]; s.Name == o.Error && s.Kind == code.Variable {
				return o.Error
			}
		}
	}
	return ""
}

// plainStart returns the start of a message up to what varies.
func plainStart(text string) string {
	if i := strings.IndexAny(text, `%{\…`); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " $")
}

// imported returns how tests import a file of Python or ECMAScript.
func (w *writing) imported(f *code.File) (module string, requires bool) {
	name := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	if f.Language == "python" {
		folder := path.Dir(name)
		for folder != "." && w.has(path.Join(folder, "__init__.py")) {
			folder = path.Dir(folder)
		}
		module = strings.ReplaceAll(strings.TrimPrefix(name, folder+"/"), "/", ".")
		return strings.TrimSuffix(module, ".__init__"), false
	}
	suffix := ""
	for _, t := range w.now.Tests {
		for _, im := range t.Imports {
			if !im.Relative {
				continue
			}
			suffix = cmp.Or(suffix, path.Ext(im.Module))
			requires = requires || im.Kind == code.RequireImport
		}
	}
	if !slices.Contains([]string{".js", ".ts", ".mjs", ".cjs"}, suffix) {
		suffix = ""
	}
	rel := relative(path.Dir(w.at.Path), name)
	return rel + suffix, requires
}

func (w *writing) has(name string) bool {
	_, err := w.p.ReadFile(name)
	return err == nil
}

// relative returns a path as an import names it from a folder.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	if from == "." {
		a = nil
	}
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	up := strings.Repeat("../", len(a))
	return cmp.Or(up, "./") + strings.Join(b, "/")
}

// text returns the file with some tests.
func (w *writing) text(list []*proposed) string {
	var cases []proposal.Case
	for _, c := range list {
		cases = append(cases, c.Case)
	}
	return proposal.File(w.at, cases)
}

// keep drops the tests that do not pass, and those that pass with a mistake in the exit.
func (w *writing) keep(l *lab) error {
	passing, err := w.passing(l)
	if err != nil {
		return err
	}
	w.cases = nil
	for i, c := range passing {
		progress.Report(w.ctx, progress.Event{Stage: "mutate", Item: c.place(), Done: i, Total: len(passing)})
		why, err := w.dies(l, passing, c)
		if err != nil {
			return err
		}
		if why.String() != "" {
			w.refuse(&c.claim.Claim, c.at, why)
			continue
		}
		w.cases = append(w.cases, c)
	}
	if len(w.cases) == 0 {
		return nil
	}
	ran, err := w.run(l, w.cases) // as it will be written
	if err == nil && slices.ContainsFunc(w.cases, func(c *proposed) bool { return ran[c.Number] != runner.Passed }) {
		w.out.Notes = append(w.out.Notes, message.Sprintf(w.ctx, "%s: the tests that pass one by one do not pass together", w.at.Path))
		w.cases = nil
	}
	return err
}

// passing returns the tests that pass on the code as it is. If one prevents others, as what cannot be built does, they run
// one by one.
func (w *writing) passing(l *lab) ([]*proposed, error) {
	progress.Report(w.ctx, progress.Event{Stage: "verify", Item: w.at.Path})
	ran, err := w.run(l, w.cases)
	if err != nil {
		return nil, err
	}
	var out []*proposed
	for _, c := range w.cases {
		status := ran[c.Number]
		if status == "" && len(w.cases) > 1 {
			alone, err := w.run(l, []*proposed{c})
			if err != nil {
				return nil, err
			}
			status = alone[c.Number]
		}
		switch status {
		case runner.Passed:
			out = append(out, c)
		case "":
			w.refuse(&c.claim.Claim, c.at, message.New("the test cannot be built or run"))
		default:
			w.refuse(&c.claim.Claim, c.at, message.New("the call does not end with the error"))
		}
	}
	return out, nil
}

// dies says why a test is not kept, after mistakes in its exit; "" if it fails with one.
func (w *writing) dies(l *lab, all []*proposed, c *proposed) (message.Text, error) {
	if err := l.put(w.at.Path, []byte(w.text([]*proposed{c}))); err != nil {
		return message.Text{}, err
	}
	for _, m := range w.mutants(c) {
		after := m.mutant.Apply(m.text)
		if !mutation.Reads(m.file, m.text, after) {
			continue
		}
		if err := l.put(m.file, after); err != nil {
			return message.Text{}, err
		}
		ran, err := w.run(l, []*proposed{c})
		if err = errors.Join(err, l.put(m.file, m.text)); err != nil {
			return message.Text{}, err
		}
		switch ran[c.Number] {
		case runner.Failed:
			c.diesW = clip(m.mutant.Before) + " → " + clip(m.mutant.After)
			return message.Text{}, nil
		case runner.Passed:
			return message.New("the test passes without the exit, too: %s", clip(m.mutant.Before)+" → "+clip(m.mutant.After)), nil
		}
	}
	return message.New("no mistake can be put into the exit"), nil
}

// mutants returns the mistakes in an exit, those that remove it first.
func (w *writing) mutants(c *proposed) []*candidate {
	var out []*candidate
	order := []mutation.Kind{mutation.Never, mutation.Removed, mutation.Result, mutation.Always, mutation.Negated}
	for _, kind := range order {
		for _, m := range w.list {
			if m.mutant.Kind == kind && m.file == c.at.File && m.mutant.On(c.at.Line) && slices.Contains(m.claims, c.claim) {
				out = append(out, m)
			}
		}
	}
	const most = 4
	return out[:min(len(out), most)]
}

// run runs some of the tests, and returns what became of each, by its number.
func (w *writing) run(l *lab, list []*proposed) (map[int]runner.Status, error) {
	text := []byte(w.text(list))
	if err := l.put(w.at.Path, text); err != nil {
		return nil, err
	}
	f, err := lang.Parse(w.ctx, w.at.Path, text, lang.Bodies)
	if err != nil || len(f.Tests) == 0 {
		return nil, cmp.Or(err, message.Errorf("%s has no test", w.at.Path))
	}
	read := func(name string) ([]byte, error) {
		if name == w.at.Path {
			return text, nil
		}
		return w.p.ReadFile(name)
	}
	tool, err := runner.Find(read, f, f.Tests[0].Runner)
	if err != nil {
		return nil, err
	}
	s := runner.Selection{Tool: tool}
	for _, t := range f.Tests {
		s.Filters = append(s.Filters, tool.Filter(t))
	}
	s.All = s.Filters
	return l.numbered(w.ctx, tool, runner.Script([]runner.Selection{s}, tool.Name == "go test"))
}
