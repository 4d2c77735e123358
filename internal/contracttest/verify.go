package contracttest

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// List returns the tests of specs without running them.
//
// Errors: those of reading, [spec.ErrNotSpec] (wrapped), an [*UnknownTestError].
func List(ctx context.Context, p *project.Project, paths []string, opts Options) (*Report, error) {
	paths, err := pagesFor(ctx, p, paths)
	if err != nil {
		return nil, err
	}
	suites, err := open(ctx, p, paths, opts)
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
	paths, err := pagesFor(ctx, p, paths)
	if err != nil {
		return nil, err
	}
	suites, err := open(ctx, p, paths, opts)
	if err != nil {
		return nil, err
	}
	r, err := verify(ctx, p, suites, opts)
	return r, errors.Join(err, closed(suites))
}

// pagesFor returns the pages that have the tests of some specs, each once.
func pagesFor(ctx context.Context, p *project.Project, paths []string) ([]string, error) {
	var out []string
	for _, name := range paths {
		pages, err := spec.PagesFor(ctx, p, name)
		if err != nil {
			return nil, err
		}
		for _, page := range pages {
			if !slices.Contains(out, page) {
				out = append(out, page)
			}
		}
	}
	return out, nil
}

func verify(ctx context.Context, p *project.Project, suites []suite, opts Options) (*Report, error) {
	b, err := newSandbox(p.Root(), opts)
	if err != nil {
		return nil, err
	}
	if err := b.runSuites(ctx, p, suites, opts); err != nil {
		return nil, errors.Join(err, b.close())
	}
	r := &Report{Specs: []Spec{}}
	if opts.Suite {
		if r.Suites, err = b.wholeReports(ctx, testsOf(suites)); err != nil {
			return nil, errors.Join(err, b.close())
		}
	}
	if err := b.close(); err != nil {
		return nil, err
	}
	now := time.Now
	if opts.Now != nil {
		now = opts.Now
	}
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

// runSuites runs the tests of all suites.
func (b *sandbox) runSuites(ctx context.Context, p *project.Project, suites []suite, opts Options) error {
	if opts.Coverage {
		if err := readClaims(ctx, p, b, suites); err != nil {
			return err
		}
	}
	b.runCached(ctx, p, testsOf(suites), opts)
	for i := range suites {
		if err := errors.Join(ctx.Err(), b.claims(ctx, &suites[i])); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// runCached runs the tests of which the cache does not know that they pass.
func (b *sandbox) runCached(ctx context.Context, p *project.Project, tests []*Test, opts Options) {
	c := openCache(ctx, p, opts.Cache, b.scratch)
	defer c.close()
	keys := map[*Test]string{}
	var todo []*Test
	for _, t := range tests {
		if keys[t] = c.key(ctx, b, t); !c.find(keys[t], t) {
			todo = append(todo, t)
		}
	}
	b.runAll(ctx, "verify", b.runInterfaces(ctx, todo, opts.Jobs), opts.Jobs)
	for _, t := range todo {
		c.keep(keys[t], t, time.Now())
	}
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

// runAll runs tests in parallel until ctx ends, and reports progress as a stage. With jobs less than 1 those of one tool
// run one after another.
func (b *sandbox) runAll(ctx context.Context, stage string, tests []*Test, jobs int) {
	queues := byTool(tests, jobs)
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	todo := make(chan []*Test)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(jobs, len(queues)) {
		wg.Go(func() {
			for queue := range todo {
				for _, t := range queue {
					mu.Lock()
					progress.Report(ctx, progress.Event{Stage: stage, Item: cmp.Or(t.ID, t.Title), Done: done, Total: len(tests)})
					mu.Unlock()
					b.run(ctx, t)
					mu.Lock()
					done++
					mu.Unlock()
				}
			}
		})
	}
	for _, queue := range queues {
		if ctx.Err() != nil {
			break
		}
		todo <- queue
	}
	close(todo)
	wg.Wait()
	if len(tests) > 0 && ctx.Err() == nil {
		progress.Report(ctx, progress.Event{Stage: stage, Done: done, Total: len(tests)})
	}
}

// byTool returns the tests in the groups that may run in parallel. With jobs less than 1 these are those of each tool,
// and one of all scripts that may do anything.
func byTool(tests []*Test, jobs int) [][]*Test {
	var out [][]*Test
	at := map[string]int{}
	for _, t := range tests {
		tool := ""
		switch {
		case jobs > 0:
			tool = strconv.Itoa(len(out))
		case len(t.runs) > 0:
			tool = t.runs[0].Tool
		}
		i, known := at[tool]
		if !known {
			i = len(out)
			at[tool] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], t)
	}
	return out
}

// timeout returns the time limit of a test.
func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, DefaultTimeout) }
