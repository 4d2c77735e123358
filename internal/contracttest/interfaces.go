package contracttest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// interfaceEnd ends the script of the test of the interface, after the path of its spec.
const interfaceEnd = " --fail-on breaking"

// maxTogether limits how many specs one comparison takes, so that several run in parallel.
const maxTogether = 64

// runInterfaces runs the tests of interfaces together: each reads the project, and one comparison of many specs reads it once. It
// returns the tests that are left: others, and those that do not pass, which say why when they run alone.
func (b *sandbox) runInterfaces(ctx context.Context, tests []*Test, jobs int) []*Test {
	const fewest = 3
	var list []*Test
	for _, t := range tests {
		if specOf(t) != "" {
			list = append(list, t)
		}
	}
	if len(list) < fewest {
		return tests
	}
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	size := max(min(maxTogether, (len(list)+jobs-1)/jobs), 1)
	free := make(chan struct{}, jobs)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for at := 0; at < len(list); at += size {
		group := list[at:min(at+size, len(list))]
		free <- struct{}{}
		wg.Go(func() {
			b.together(ctx, group)
			<-free
			mu.Lock()
			defer mu.Unlock()
			done += len(group)
			progress.Report(ctx, progress.Event{Stage: "verify", Item: group[len(group)-1].ID, Done: done, Total: len(list)})
		})
	}
	wg.Wait()
	var left []*Test
	for _, t := range tests {
		if t.Outcome == "" {
			left = append(left, t)
		}
	}
	return left
}

// together marks the tests of a group that pass, by one comparison of all, and where that finds something, of each half.
func (b *sandbox) together(ctx context.Context, group []*Test) {
	if len(group) < 2 || ctx.Err() != nil {
		return
	}
	start := time.Now()
	script := strings.Builder{}
	script.WriteString(strings.TrimSuffix(interfaceTest, " "))
	for _, t := range group {
		script.WriteString(" " + specOf(t))
	}
	script.WriteString(interfaceEnd)
	_, err := b.script(ctx, b.nextName(), script.String())
	switch {
	case err == nil:
		for _, t := range group {
			t.Outcome, t.Millis = Passed, time.Since(start).Milliseconds()/int64(len(group))
		}
	case errors.Is(err, context.DeadlineExceeded):
	default:
		b.together(ctx, group[:len(group)/2])
		b.together(ctx, group[len(group)/2:])
	}
}

// specOf returns the path of a spec, as a script writes it, of which a test compares the interface; "" for any other test.
func specOf(t *Test) string {
	word, ok := strings.CutPrefix(t.Script, interfaceTest)
	word, whole := strings.CutSuffix(word, interfaceEnd)
	if !ok || !whole || len(t.runs)+len(t.Needs) > 0 || strings.ContainsAny(word, " \t\n'\"`$&|;<>()*?[]{}~#!\\") {
		return "" // what the shell would read otherwise runs alone
	}
	return word
}
