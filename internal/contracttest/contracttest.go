// Package contracttest runs the contract tests of specs: scripts that show that the
// code does what its spec says.
//
// [List] reads the tests out of specs, of ours and of other hands, and [Verify]
// runs them, each with bash in the project's root, in a process group of its own
// and within a time. What came of it is written into the front matter of the
// specs that have fields for it, and nowhere else in the file.
//
// A spec is a program: it does whatever its scripts say. Nothing here runs but by
// [Verify].
package contracttest

import (
	"time"

	"github.com/reverse-spec/reverse-spec/spec"
)

// Outcome is what came of a test.
type Outcome string

// The outcomes. A test that was only listed has none.
const (
	Passed   Outcome = "passed"
	Failed   Outcome = "failed"
	TimedOut Outcome = "timeout"
	Skipped  Outcome = "skipped" // a program that it needs is not installed
)

// Fails reports whether a test with this outcome found that the code does not keep
// its spec.
func (o Outcome) Fails() bool { return o == Failed || o == TimedOut }

// Options are the options of [Verify] and [List]. The zero value takes every test,
// one after the other, for a minute each.
type Options struct {
	Only []string // the ids of the tests to take; nil for all
	// Offset is how many entries to pass over: each spec is one, and is followed by its
	// tests taken, the rows of its matrix and what is uncovered. What is skipped is not
	// run.
	Offset  int
	Jobs    int           // tests at once; less than 1 is 1
	Timeout time.Duration // for each test; 0 is [DefaultTimeout]
	// Program is the reverse-spec that scripts call by that name; "" for the one on
	// PATH. See [Self].
	Program string
	// NoUpdate leaves the files of the specs as they are.
	NoUpdate bool
	// Outside lets specs stand outside the project; they are paths of the file system
	// then, relative ones from the working folder.
	Outside bool
	Now     func() time.Time // nil for time.Now
}

// DefaultTimeout is how long a test may take.
const DefaultTimeout = time.Minute

// Report is what became of some specs, in the order in which they were named.
type Report struct {
	Specs   []Spec `json:"specs"`
	Total   int    `json:"total"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"` // time-outs too
	Skipped int    `json:"skipped"`
}

// Spec is one spec's tests and what the spec says of them.
type Spec struct {
	Path string `json:"path"` // as it was named
	// Continued says that entries of it were passed over.
	Continued bool   `json:"continued,omitempty"`
	Health    string `json:"health,omitempty"`
	Updated   bool   `json:"updated"` // the front matter was written
	// Note says why the front matter was not written, or that there is no test; "" for
	// nothing to say.
	Note  string `json:"note,omitempty"`
	Tests []Test `json:"tests"`
	// Matrix is the rows of the traceability matrix.
	Matrix []Row `json:"matrix"`
	// Uncovered is the requirements and scenarios that no test names.
	Uncovered []string `json:"uncovered"`
}

// Row is one row of a traceability matrix.
type Row struct {
	Test   string   `json:"test"`
	Type   string   `json:"type,omitempty"`
	Covers []string `json:"covers"`
}

// Test is one contract test and, when it was run, what came of it.
type Test struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Type    string   `json:"type"` // schema or behavior
	Covers  []string `json:"covers"`
	Needs   []string `json:"needs,omitempty"` // programs without which it is skipped
	Script  string   `json:"script,omitempty"`
	Outcome Outcome  `json:"outcome,omitempty"`
	Reason  string   `json:"reason,omitempty"` // of a failure or a skip, in the language of the context
	Absent  string   `json:"-"`                // the program for want of which it was skipped
	// Output is what a test that failed wrote, both streams; valid UTF-8 without
	// control characters. Of much only the beginning and the end are kept.
	Output string `json:"output,omitempty"`
	Millis int64  `json:"duration_ms,omitempty"`
}

// OK reports whether no test failed.
func (r *Report) OK() bool { return r.Failed == 0 }

// count fills the totals.
func (r *Report) count() {
	for _, s := range r.Specs {
		r.Total += len(s.Tests)
		for _, t := range s.Tests {
			switch {
			case t.Outcome == Passed:
				r.Passed++
			case t.Outcome == Skipped:
				r.Skipped++
			case t.Outcome.Fails():
				r.Failed++
			}
		}
	}
}

// described returns a spec without what a run adds.
func described(path string, s *spec.Spec) Spec {
	out := Spec{Path: path, Health: s.Front.Health, Tests: []Test{}, Matrix: []Row{}, Uncovered: list(s.Uncovered())}
	for _, t := range s.ContractTests {
		out.Tests = append(out.Tests, Test{
			ID: t.ID, Title: t.Title, Type: t.Type, Covers: list(t.Covers), Needs: t.Needs, Script: t.Script,
		})
	}
	for _, row := range s.Trace {
		out.Matrix = append(out.Matrix, Row{row.Test, row.Type, list(row.Covers)})
	}
	return out
}

// list is a list that is never null in JSON.
func list(of []string) []string { return append([]string{}, of...) }
