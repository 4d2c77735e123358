package contracttest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/replica"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// lab is a copy of a project in which tests run on changed code.
type lab struct {
	*sandbox
	copy *replica.Replica
}

// openLab copies a project. The caller must close the lab.
func openLab(ctx context.Context, p *project.Project, opts Options) (*lab, error) {
	r, err := replica.Make(ctx, p.Root())
	if err != nil {
		return nil, err
	}
	b, err := newSandbox(r.Root, opts)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	b.env = append(b.env, "PYTHONDONTWRITEBYTECODE=1") // of two versions of a file that are written in one second, Python would take the first
	return &lab{b, r}, nil
}

func (l *lab) close() error { return errors.Join(l.sandbox.close(), l.copy.Close()) }

// put writes a file of the copy.
func (l *lab) put(file string, text []byte) error {
	at := filepath.Join(l.root, filepath.FromSlash(file))
	if err := os.WriteFile(at, text, 0o600); err != nil {
		return message.Errorf("write into the copy: %w", err)
	}
	return nil
}

// verdict is what tests say about changed code.
type verdict string

// Verdicts.
const (
	Noticed   verdict = "noticed"
	Late      verdict = "timeout" // noticed, since the tests did not end in time
	Unnoticed verdict = "unnoticed"
	Invalid   verdict = "invalid" // the code cannot be built, or something outside the code prevented the tests
)

// judgement is a verdict with what it is based on.
type judgement struct {
	verdict verdict
	by      string // the test that noticed
	reason  string // why it is invalid
	// elsewhere says that only a test noticed that is not of the spec; widely, that all tests of its tools ran, or would have.
	elsewhere, widely bool
}

// try runs tests on a file with other text, and whole suites if they notice nothing; then it puts the file back.
func (l *lab) try(ctx context.Context, tests []*Test, whole []*wholeSuite, file string, before, after []byte) (j judgement, err error) {
	if !mutation.Reads(file, before, after) {
		return judgement{verdict: Invalid, reason: "syntax"}, nil
	}
	if err := l.put(file, after); err != nil {
		return judgement{}, err
	}
	defer func() { err = errors.Join(err, l.put(file, before)) }()
	language, _ := mutation.Language(file)
	if j, err = l.judgeAll(ctx, tests, language); err == nil && j.verdict == Unnoticed {
		return l.judgeWidely(ctx, whole)
	}
	return j, err
}

// judgeAll runs tests until one notices.
func (l *lab) judgeAll(ctx context.Context, tests []*Test, language string) (judgement, error) {
	for _, t := range tests {
		run := t.fresh()
		l.run(ctx, run)
		if err := ctx.Err(); err != nil {
			return judgement{}, err
		}
		if j := run.judgement(language); j.verdict != Unnoticed {
			return j, nil
		}
	}
	return judgement{verdict: Unnoticed}, nil
}

// fresh returns a test that was not run.
func (t *Test) fresh() *Test {
	return &Test{ID: t.ID, Title: t.Title, Type: t.Type, Covers: t.Covers, Needs: t.Needs, Script: t.Script, runs: t.runs}
}

// crash matches what programs print that were built and then ended by an error.
var crash = lazyregexp.New(`(?m)panic: |^fatal error: |SIG[A-Z]{3,}|stack overflow`)

// typeError matches what tools print that check types before they run a test.
var typeError = lazyregexp.New(`\bTS\d{4}\b`)

// judgement returns what a test says that was run on changed code, and passed before.
func (t *Test) judgement(language string) judgement {
	switch t.Outcome {
	case Passed:
		return judgement{verdict: Unnoticed}
	case TimedOut:
		return judgement{verdict: Late, by: t.ID}
	case Blocked:
		return judgement{verdict: Invalid, reason: t.Reason}
	default:
	}
	unbuilt := false
	for _, r := range t.Ran {
		if r.Outcome == Failed {
			return judgement{verdict: Noticed, by: r.Name}
		}
		unbuilt = unbuilt || r.Outcome == Unbuilt
	}
	checked := mutation.Compiled(language) && !crash.MatchString(t.Output) || typeError.MatchString(t.Output)
	if unbuilt && !t.others && checked {
		return judgement{verdict: Invalid, reason: t.Reason}
	}
	return judgement{verdict: Noticed, by: t.ID}
}

// least is the shortest time limit for tests that run on changed code.
const least = 15 * time.Second

// limit sets the time limit by what the tests took on the code as it is: a few times as long, within what the user allows.
func (l *lab) limit(most, took time.Duration) {
	const times = 4
	l.timeout = min(most, max(least, times*took))
}
