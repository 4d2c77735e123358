package contracttest

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// List returns the tests of specs without running them.
//
// Errors: those of reading, [spec.ErrNotSpec] (wrapped), an [*UnknownTestError].
func List(p *project.Project, paths []string, opts Options) (*Report, error) {
	suites, err := open(p, paths, opts)
	if err != nil {
		return nil, err
	}
	r := &Report{Specs: []Spec{}}
	for _, s := range suites {
		if !s.gone {
			r.Specs = append(r.Specs, s.Spec)
		}
	}
	r.count()
	return r, closed(suites)
}

// Verify runs the tests of specs in the project's root and writes the result into the front
// matter of each spec that has "health" or "last_verified". Health is failing if a test
// failed. It is active if none failed, unless the spec is known to have drifted. A success of
// selected tests only is not written, because it says nothing about the others.
//
// A failed test is not an error. Errors: those of [List], bash is missing, and ctx's; then
// nothing is written.
func Verify(ctx context.Context, p *project.Project, paths []string, opts Options) (*Report, error) {
	suites, err := open(p, paths, opts)
	if err != nil {
		return nil, err
	}
	r, err := verify(ctx, p, suites, opts)
	return r, errors.Join(err, closed(suites))
}

func verify(ctx context.Context, p *project.Project, suites []suite, opts Options) (*Report, error) {
	b, err := newSandbox(p.Root(), opts)
	if err != nil {
		return nil, err
	}
	b.runAll(ctx, "verify", testsOf(suites), opts.Jobs)
	if err := errors.Join(ctx.Err(), b.close()); err != nil {
		return nil, err
	}
	now := time.Now
	if opts.Now != nil {
		now = opts.Now
	}
	r := &Report{Specs: []Spec{}}
	for i := range suites {
		if suites[i].gone {
			continue
		}
		if err := suites[i].conclude(ctx, now(), opts); err != nil {
			return nil, err
		}
		r.Specs = append(r.Specs, suites[i].Spec)
	}
	r.count()
	return r, nil
}

// testsOf returns pointers to all tests of the suites.
func testsOf(suites []suite) []*Test {
	var out []*Test
	for i := range suites {
		for j := range suites[i].Tests {
			out = append(out, &suites[i].Tests[j])
		}
	}
	return out
}

// runAll runs tests in parallel until ctx ends, and reports progress as a stage.
func (b *sandbox) runAll(ctx context.Context, stage string, tests []*Test, jobs int) {
	todo := make(chan *Test)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(max(jobs, 1), len(tests)) {
		wg.Go(func() {
			for t := range todo {
				mu.Lock()
				progress.Report(ctx, progress.Event{Stage: stage, Item: cmp.Or(t.ID, t.Title), Done: done, Total: len(tests)})
				mu.Unlock()
				b.run(ctx, t)
				mu.Lock()
				done++
				mu.Unlock()
			}
		})
	}
	for _, t := range tests {
		if ctx.Err() != nil {
			break
		}
		todo <- t
	}
	close(todo)
	wg.Wait()
	if len(tests) > 0 && ctx.Err() == nil {
		progress.Report(ctx, progress.Event{Stage: stage, Done: done, Total: len(tests)})
	}
}

// timeout returns the time limit of a test.
func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, DefaultTimeout) }
