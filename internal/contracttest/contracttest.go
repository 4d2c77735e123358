// Package contracttest runs the contract tests of specs: scripts that check the code against
// its spec.
//
// [List] reads the tests of generated and hand-written specs. [Verify] also runs them, each
// with bash in the project's root, in a process group of its own and with a time limit, and
// returns a [Report]. The result is written into the front matter fields of the specs that
// have them; the rest of the file does not change.
//
// A spec is a program that does whatever its scripts say. Only [Verify] and [Checker] run
// scripts.
package contracttest

import (
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/spec"
)

// Outcome is the result of a test.
type Outcome string

// Outcomes. A test that was only listed has none.
const (
	Passed   Outcome = "passed"
	Failed   Outcome = "failed"
	TimedOut Outcome = "timeout"
	Blocked  Outcome = "blocked" // something outside the code prevented it: a missing program or module, a network, a signal
)

// Outcomes of the tests of the code, besides those above.
const (
	Gone    Outcome = "gone"    // it is not there any more
	Omitted Outcome = "skipped" // it skipped itself
	Unbuilt Outcome = "not built"
)

// Unsettled reports whether a test that was run did not pass, and was not blocked.
func (o Outcome) Unsettled() bool { return o == Failed || o == TimedOut }

// Options are the options of [Verify] and [List]. The zero value runs every test, one at a
// time, for at most a minute each.
type Options struct {
	Only []string // ids of the selected tests; nil for all
	// Offset is the number of entries to skip. Each spec is an entry, followed by its selected
	// tests, the rows of its matrix and its uncovered items. Skipped tests are not run.
	Offset  int
	Jobs    int           // tests in parallel; less than 1 means one for each tool
	Timeout time.Duration // per test; 0 means [DefaultTimeout]
	// Program is the program that scripts call as reverse-spec; "" for the one on PATH. See
	// [Self].
	Program string
	// Coverage has the tools of the tests measure which lines run, and fills in the claims of the specs.
	Coverage bool
	// Suite also runs all tests that the same tools have: those of other code may notice what those of a module do not.
	Suite bool
	// Cache is the folder for results of tests that passed; "" for none.
	Cache string
	// NoUpdate leaves the files of the specs unchanged.
	NoUpdate bool
	// Outside permits specs outside the project. Their paths are then relative to the working
	// directory or absolute.
	Outside bool
	Now     func() time.Time // nil for time.Now
}

// DefaultTimeout is the default time limit of a test.
const DefaultTimeout = time.Minute

// Report is the result for a list of specs, in the given order.
type Report struct {
	Specs   []Spec `json:"specs"`
	Total   int    `json:"total"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"` // including timeouts
	Blocked int    `json:"blocked"`
	// Suites has all tests of the tools, with Options.Suite. They are not counted above, and say nothing about the health of a spec.
	Suites []WholeSuite `json:"suites,omitempty"`
}

// Spec is the result for one spec.
type Spec struct {
	Path string `json:"path"` // as given
	// Continued says that some of its entries were skipped.
	Continued bool   `json:"continued,omitempty"`
	Health    string `json:"health,omitempty"`
	Updated   bool   `json:"updated"` // the front matter was written
	// Note says why the front matter was not written, or that there is no test; otherwise "".
	Note  string `json:"note,omitempty"`
	Tests []Test `json:"tests"`
	// Matrix has the rows of the traceability matrix.
	Matrix []Row `json:"matrix"`
	// Items has the outcome of each requirement and scenario that a test covers, if tests were run.
	Items []Item `json:"items,omitempty"`
	// Claims has the error exits of the code and how tests show them, with Options.Coverage.
	Claims []Claim `json:"claims,omitempty"`
	// Uncovered has the ids of requirements and scenarios without a test.
	Uncovered []string `json:"uncovered"`
}

// Row is one row of a traceability matrix.
type Row struct {
	Test   string   `json:"test"`
	Type   string   `json:"type,omitempty"`
	Covers []string `json:"covers"`
}

// Test is a contract test and its result.
type Test struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Type    string   `json:"type"` // schema or behavior
	Covers  []string `json:"covers"`
	Needs   []string `json:"needs,omitempty"` // required programs, or the test is skipped
	Script  string   `json:"script,omitempty"`
	Outcome Outcome  `json:"outcome,omitempty"`
	Reason  string   `json:"reason,omitempty"` // of a failure or of what blocked it, in the language of ctx
	Absent  string   `json:"-"`                // the missing program, if it was blocked by that
	// Ran are the tests of the code that the script runs, if the lock of the spec says which; only those that did not pass
	// are in JSON.
	Ran []Ran `json:"-"`
	// Count is the number of these by outcome, NotPassed are the first that did not pass.
	Count     map[Outcome]int `json:"count,omitempty"`
	NotPassed []Ran           `json:"not_passed,omitempty"`
	// Output is the combined output of a failed test, valid UTF-8 without control characters.
	// The middle of long output is dropped.
	Output string `json:"output,omitempty"`
	Millis int64  `json:"duration_ms,omitempty"`
	Cached bool   `json:"cached,omitempty"` // it passed earlier, with the same code, tests and tools

	runs   []spec.RecordedTests
	others bool // only tests that are not in runs failed
	// measured is the script with coverage, after is to be run after it; they write into the folder coverage. "" for none.
	measured, after, coverage string
}

// Item is a requirement or scenario, and what its tests say.
type Item struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"` // failed if one of its tests is, passed if one is and none failed
	Tests   int     `json:"tests"`   // the number of its tests that ran
}

// OK reports whether no test failed.
func (r *Report) OK() bool {
	return r.Failed == 0 && !slices.ContainsFunc(r.Suites, func(s WholeSuite) bool { return s.Outcome.Unsettled() })
}

// count fills in the totals.
func (r *Report) count() {
	for _, s := range r.Specs {
		r.Total += len(s.Tests)
		for _, t := range s.Tests {
			switch {
			case t.Outcome == Passed:
				r.Passed++
			case t.Outcome == Blocked:
				r.Blocked++
			case t.Outcome.Unsettled():
				r.Failed++
			}
		}
	}
}

// described returns a spec without results.
func described(path string, s *spec.Spec) Spec {
	out := Spec{Path: path, Health: s.Front.Health, Tests: []Test{}, Matrix: []Row{}, Uncovered: list(s.Uncovered())}
	for _, t := range s.ContractTests {
		out.Tests = append(out.Tests, Test{
			ID: t.ID, Title: t.Title, Type: t.Type, Covers: list(t.Covers), Needs: t.Needs, Script: t.Script, runs: t.Runs,
		})
	}
	for _, row := range s.Trace {
		out.Matrix = append(out.Matrix, Row{row.Test, row.Type, list(row.Covers)})
	}
	return out
}

// list returns a copy that is never null in JSON.
func list(of []string) []string { return append([]string{}, of...) }
