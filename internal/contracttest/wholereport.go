package contracttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// WholeSuite is the result of all tests that the tool of some contract tests has in its folder, with Options.Suite.
type WholeSuite struct {
	Tool    string  `json:"tool"`
	Home    string  `json:"home"` // the folder; "." is the project's root
	Script  string  `json:"script"`
	Outcome Outcome `json:"outcome"` // failed if a test fails that did not fail in a contract test of the report
	Reason  string  `json:"reason,omitempty"`
	Tests   int     `json:"tests"`
	Failed  int     `json:"failed"` // those that did not fail in a contract test of the report
	// Failures are the first of these.
	Failures []OtherTest `json:"failures,omitempty"`
	Millis   int64       `json:"duration_ms"`
}

// OtherTest is a test that failed, as its tool calls it.
type OtherTest struct {
	Place  string `json:"place,omitempty"` // its package, file or class; "" if the tool does not say
	Name   string `json:"name"`
	Reason string `json:"reason,omitempty"`
}

// maxFailures limits the failures that a report lists of each suite.
const maxFailures = 20

// wholeReports runs all tests of the tools of some contract tests that were run.
func (b *sandbox) wholeReports(ctx context.Context, tests []*Test) ([]WholeSuite, error) {
	var out []WholeSuite
	for _, tool := range b.suiteTools(ctx, tests) {
		w := &wholeSuite{tool: tool}
		progress.Report(ctx, progress.Event{Stage: "verify", Item: w.name().In(message.From(ctx))})
		start := time.Now()
		results, output, err := b.runWhole(ctx, tool)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := WholeSuite{Tool: tool.Name, Home: tool.Home, Script: runner.ForPeople(tool.Suite()), Millis: time.Since(start).Milliseconds()}
		r.judge(ctx, b, ended{err: err, output: output}, results, knownFailures(tests, results))
		out = append(out, r)
	}
	return out, nil
}

// knownFailures returns the results of tests that failed in a contract test already.
func knownFailures(tests []*Test, results *runner.Results) map[string]bool {
	out := map[string]bool{}
	if results == nil {
		return out
	}
	for _, t := range tests {
		for _, ran := range t.Ran {
			if ran.Outcome != Failed {
				continue
			}
			for _, r := range results.Of(ran.File, ran.Name) {
				out[key(r)] = true
			}
		}
	}
	return out
}

// judge fills in what became of a suite.
func (r *WholeSuite) judge(ctx context.Context, b *sandbox, e ended, results *runner.Results, known map[string]bool) {
	switch {
	case errors.Is(e.err, context.DeadlineExceeded):
		r.Outcome, r.Reason = TimedOut, message.Sprintf(ctx, "not done after %s", b.timeout)
		return
	case results == nil:
		r.Outcome, r.Reason = Blocked, lastLine(e.output)
		return
	}
	r.Tests = len(results.List)
	for _, x := range results.List {
		if x.Status != runner.Failed || known[key(x)] {
			continue
		}
		if r.Failed++; len(r.Failures) < maxFailures {
			r.Failures = append(r.Failures, OtherTest{x.Place, x.Name, firstComplaint(x.Text)})
		}
	}
	broken := strings.Join(results.Broken, "\n")
	switch {
	case r.Failed > 0:
		r.Outcome = Failed
		r.Reason = message.Sprintf(ctx, "%d of %d tests failed; %s: %s", r.Failed, r.Tests, r.Failures[0].Name, r.Failures[0].Reason)
	case killed(e.err):
		r.Outcome, r.Reason = Blocked, message.Sprintf(ctx, "the tool was killed: %v", e.err)
	case broken != "" && obstacle(broken, func(string) bool { return false }) == "":
		r.Outcome, r.Reason = Failed, lastLine(printable(broken))
	case broken != "":
		r.Outcome, r.Reason = Blocked, obstacle(broken, func(string) bool { return false })
	default:
		r.Outcome = Passed
	}
}

// text writes a line for the suite, and one for each test that failed.
func (r *WholeSuite) text(b *strings.Builder, lang message.Lang) {
	name := message.New("all tests run by %s", r.Tool)
	if r.Home != "." {
		name = message.New("all tests run by %s in %s", r.Tool, r.Home)
	}
	said := r.Reason
	if said == "" {
		said = fmt.Sprintf("%s, %s", message.Count(r.Tests, "%d test", "%d tests").In(lang), time.Duration(r.Millis)*time.Millisecond)
	}
	fmt.Fprintf(b, "%s %s (%s)\n", shown[r.Outcome], name.In(lang), said)
	for _, f := range r.Failures {
		fmt.Fprintf(b, "       %s\n", strings.TrimSpace(f.Place+" "+f.Name)+": "+f.Reason)
	}
}

// junit returns the suite as one case.
func (r *WholeSuite) junit() junitSuite {
	c := junitCase{Class: r.Home, Name: r.Script, Time: seconds(r.Millis)}
	out := junitSuite{Name: r.Tool, Tests: 1, Time: c.Time}
	switch {
	case r.Outcome.Unsettled():
		out.Failures = 1
		c.Failure = &junitReason{Message: r.Reason, Type: string(r.Outcome)}
	case r.Outcome != Passed:
		out.Skipped = 1
		c.Skipped = &junitReason{Message: r.Reason}
	}
	out.Cases = []junitCase{c}
	return out
}
