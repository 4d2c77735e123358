package contracttest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// WrittenTests is the result of [WriteTests].
type WrittenTests struct {
	Files []string `json:"files"`
	// Notes say of files why no test was made of them at all.
	Notes   []string   `json:"notes,omitempty"`
	Kept    []Proposed `json:"kept"`
	Refused []Proposed `json:"refused"`
	Tokens  int        `json:"tokens,omitempty"` // that a model read and wrote
}

// Proposed is an error exit without a test, and why no test of it was kept.
type Proposed struct {
	Symbol string `json:"symbol"`
	Place  string `json:"place"` // of the exit
	Test   string `json:"test,omitempty"`
	By     string `json:"by,omitempty"`     // the model that wrote the test; "" for none
	Mutant string `json:"mutant,omitempty"` // the mistake with which the test fails
	Reason string `json:"reason,omitempty"`
}

// exit is an error exit that no test asserts on.
type exit struct {
	claim *spec.CurrentClaim
	when  *evidence.Condition
	at    evidence.Place
	why   message.Text // why no test of it is kept
}

func (e *exit) place() string { return fmt.Sprintf("%s:%d", e.at.File, e.at.Line) }

// proposed is a test that may be kept.
type proposed struct {
	proposal.Case
	*exit
	diesW string // the mistake with which it fails
}

// mostProposed limits the tests that are tried.
const mostProposed = 60

// WriteTests writes a test for each error exit of a target that no test asserts on, if the exit has a condition over literals
// and the parameters of a function that is called with simple values. A model, if there is one, writes the tests of the other exits.
// Only tests are kept that pass on the code as it is and fail when a mistake is put into the exit. They go into a new file beside the
// tests of the module, or replace those that an earlier run wrote there; no other file is touched. The scope is that of a spec, such as "module".
//
// Errors: those of reading the target, bash is missing, the copy cannot be made, and ctx's.
func WriteTests(ctx context.Context, p *project.Project, target, scope string, writer spec.Writer, opts Options) (*WrittenTests, error) {
	now, err := spec.ReadCurrent(ctx, p, target, scope, nil)
	if err != nil {
		return nil, err
	}
	out := &WrittenTests{Files: []string{}, Kept: []Proposed{}, Refused: []Proposed{}}
	todo := proposals(ctx, p, now, out, writer != nil)
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
		if err := w.write(ctx, l, writer); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return out, l.close()
}

// proposals returns, by file, the tests that may be written; with a model also the files of which there is none yet.
func proposals(ctx context.Context, p *project.Project, now *spec.Current, out *WrittenTests, asks bool) []*writing {
	var todo []*writing
	done := map[string]bool{} // the files of tests
	for _, f := range now.Files {
		if f.Generated || f.Constraint != "" || !hasExits(now, f) {
			continue
		}
		w := &writing{lang: message.From(ctx), p: p, now: now, out: out, at: proposal.Place{Source: f}}
		if w.place() && !done[w.at.Path] {
			done[w.at.Path] = true
			w.propose()
		}
		if len(w.cases) > 0 || asks && len(w.left) > 0 {
			todo = append(todo, w)
		} else {
			w.refuse()
		}
	}
	return todo
}

// hasExits reports whether an error exit is in a file.
func hasExits(now *spec.Current, f *code.File) bool {
	return slices.ContainsFunc(now.Claims, func(c spec.CurrentClaim) bool {
		return c.Kind == evidence.Exit && slices.ContainsFunc(c.At, func(at evidence.Place) bool { return at.File == f.Path })
	})
}

// write writes the tests that are kept.
func (w *writing) write(ctx context.Context, l *lab, writer spec.Writer) error {
	defer w.refuse()
	kept, err := w.keep(ctx, l, w.cases)
	if err != nil {
		return err
	}
	asked, err := w.ask(ctx, writer)
	if err != nil {
		return err
	}
	more, err := w.keep(ctx, l, asked)
	if err != nil {
		return err
	}
	w.cases = slices.Concat(kept, more)
	bySubject(w.cases)
	if err := w.together(ctx, l); err != nil || len(w.cases) == 0 {
		return err
	}
	if err := w.p.WriteFile(w.at.Path, []byte(w.text(w.cases))); err != nil {
		return message.Errorf("write %s: %w", w.at.Path, err)
	}
	w.out.Files = append(w.out.Files, w.at.Path)
	for _, c := range w.cases {
		k := Proposed{Symbol: c.claim.Subject, Place: c.place(), Test: strings.TrimSpace(c.Callee + " " + c.When), Mutant: c.diesW}
		if c.Body != "" {
			k.By = writer.Name()
		}
		w.out.Kept = append(w.out.Kept, k)
	}
	return nil
}

// writing is one run of [WriteTests].
type writing struct {
	lang  message.Lang
	p     *project.Project
	now   *spec.Current
	at    proposal.Place
	cases []*proposed
	left  []*exit // those that no test is kept of
	list  []*candidate
	out   *WrittenTests
}

// leave records why no test of an exit is kept.
func (w *writing) leave(e *exit, why message.Text) {
	e.why = why
	w.left = append(w.left, e)
}

// refuse reports the exits that are left.
func (w *writing) refuse() {
	for _, e := range w.left {
		w.out.Refused = append(w.out.Refused, Proposed{Symbol: e.claim.Subject, Place: e.place(), Reason: e.why.In(w.lang)})
	}
}

// place decides where the tests go, and which tool runs them.
func (w *writing) place() bool {
	note := func(t message.Text) bool {
		w.out.Notes = append(w.out.Notes, w.at.Source.Path+": "+t.In(w.lang))
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
	if language != "go" {
		w.at.Module, w.at.Requires = w.imported(w.at.Source)
	}
	return true
}

// beside returns the file with tests of the module next to which the new one goes, and the kind of its tests.
func (w *writing) beside(language string) (file, kind string) {
	stem := strings.TrimSuffix(path.Base(w.at.Source.Path), path.Ext(w.at.Source.Path))
	best := -1
	for _, f := range w.now.Tests {
		alike := f.Language == language || strings.HasSuffix(language, "script") && strings.HasSuffix(f.Language, "script")
		if !alike || len(f.Tests) == 0 {
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
