package contracttest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// wholeSuite is all tests that a tool has in its folder: those of a module, and those of other code, which may notice what
// the module's own do not.
type wholeSuite struct {
	tool *runner.Tool
	// What it says about the code as it is.
	passed, failed map[string]bool // tests, by their key
	broken         int             // files and packages that cannot be run
	limit          time.Duration
}

// name returns the suite in words.
func (w *wholeSuite) name() message.Text { return message.New("all tests run by %s", w.tool.Name) }

// key identifies a test in the reports of a tool.
func key(r runner.Result) string { return r.Place + "\x00" + r.Name }

// suiteTools returns the tools that run some contract tests, those whose suites are different, configured for the first
// file that each runs.
func (b *sandbox) suiteTools(ctx context.Context, tests []*Test) []*runner.Tool {
	read := func(name string) ([]byte, error) {
		return openfile.Read(filepath.Join(b.root, filepath.FromSlash(name)), mostBytes)
	}
	var out []*runner.Tool
	for _, t := range tests {
		if !hasRuns(*t) {
			continue
		}
		tool := toolFor(ctx, read, t.runs[0])
		if tool != nil && tool.Suite() != "" && !slices.ContainsFunc(out, func(o *runner.Tool) bool { return o.Suite() == tool.Suite() }) {
			out = append(out, tool)
		}
	}
	return out
}

// toolFor returns the tool of recorded tests; nil if their file is gone, or run by another one now.
func toolFor(ctx context.Context, read runner.Reader, of spec.RecordedTests) *runner.Tool {
	text, err := read(of.File)
	if err != nil {
		return nil
	}
	f, err := lang.Parse(ctx, of.File, text, lang.All)
	if err != nil {
		return nil
	}
	for _, t := range f.Tests {
		if tool, err := runner.Find(read, f, t.Runner); err == nil && tool.Name == of.Tool {
			return tool
		}
	}
	return nil
}

// runWhole runs all tests of a tool. The error is that of the script; the results are nil if the tool reports none.
func (b *sandbox) runWhole(ctx context.Context, tool *runner.Tool) (*runner.Results, string, error) {
	start, name := time.Now(), b.nextName()
	out, err := b.script(ctx, name, tool.Suite())
	t := &Test{runs: []spec.RecordedTests{{Tool: tool.Name, Home: tool.Home, Reports: tool.Reports}}}
	results := runner.Read(tool.Name, tool.Home, b.reportsOf(t, name+reportSuffix, out.whole.Bytes(), start)...)
	if results != nil && len(results.List) == 0 {
		results = nil
	}
	return results, out.text(message.English), err
}

// wholeSuites returns the suites of the tools of some contract tests, with what they say about the code as it is. Why one is
// of no use is added to the note of out.
func (l *lab) wholeSuites(ctx context.Context, tests []*Test, most time.Duration, out *MutatedSpec) ([]*wholeSuite, error) {
	defer func(limit time.Duration) { l.timeout = limit }(l.timeout)
	l.timeout = most
	var list []*wholeSuite
	for _, tool := range l.suiteTools(ctx, tests) {
		w := &wholeSuite{tool: tool, passed: map[string]bool{}, failed: map[string]bool{}}
		progress.Report(ctx, progress.Event{Stage: "verify", Item: w.name().In(message.From(ctx))})
		start := time.Now()
		results, output, err := l.runWhole(ctx, tool)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.limit = min(most, max(least, 4*time.Since(start)))
		why := w.start(results, err)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			why = message.New("%v are not done after %s, and were not run with mistakes; --timeout allows more", w.name(), most)
		case why.String() != "" && lastLine(output) != "":
			why = message.New("%v: %s", why, lastLine(output))
		}
		if why.String() == "" {
			list = append(list, w)
			continue
		}
		out.addNote(why.In(message.From(ctx)))
	}
	return list, nil
}

// addNote adds a sentence to the note.
func (s *MutatedSpec) addNote(text string) {
	if s.Note != "" {
		s.Note += "; "
	}
	s.Note += text
}

// start records what the suite says about the code as it is. The text says why that is of no use; it is empty if it is.
func (w *wholeSuite) start(results *runner.Results, err error) message.Text {
	if results == nil {
		return message.New("%v could not be run", w.name())
	}
	for _, r := range results.List {
		switch r.Status {
		case runner.Passed:
			w.passed[key(r)] = true
		case runner.Failed:
			w.failed[key(r)] = true
		case runner.Skipped:
		}
	}
	w.broken = len(results.Broken)
	if len(w.passed) == 0 || err != nil && len(w.failed) == 0 && w.broken == 0 {
		return message.New("%v could not be run", w.name())
	}
	return message.Text{}
}

// judgeWidely runs whole suites on changed code that no test of the spec notices, until one does.
func (l *lab) judgeWidely(ctx context.Context, list []*wholeSuite) (judgement, error) {
	defer func(limit time.Duration) { l.timeout = limit }(l.timeout)
	for _, w := range list {
		l.timeout = w.limit
		results, _, err := l.runWhole(ctx, w.tool)
		if ctx.Err() != nil {
			return judgement{}, ctx.Err()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return judgement{verdict: Late, by: w.name().String(), elsewhere: true}, nil
		}
		if by := w.notices(results, err); by != "" {
			return judgement{verdict: Noticed, by: by, elsewhere: true}, nil
		}
	}
	return judgement{verdict: Unnoticed, widely: len(list) > 0}, nil
}

// notices returns the test that fails, or is missing, and did not without the mistake; "" for none.
func (w *wholeSuite) notices(results *runner.Results, err error) string {
	switch {
	case err == nil || killed(err):
		return ""
	case results == nil:
		return w.name().String()
	}
	seen := map[string]bool{}
	for _, r := range results.List {
		if seen[key(r)] = true; r.Status == runner.Failed && !w.failed[key(r)] {
			return r.Name
		}
	}
	if len(results.Broken) > w.broken {
		return w.name().String()
	}
	for test := range w.passed {
		if !seen[test] {
			return w.name().String() // it crashed
		}
	}
	return ""
}
