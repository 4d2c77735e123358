package contracttest

import (
	"context"
	"strconv"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// number matches the number of a test in its name, as its tool reports it.
var number = lazyregexp.New(`(?:^|[^0-9])(\d+):|test_case_(\d+)`)

// numbered runs a command of a tool and returns what became of its tests, by the number that each has in its name.
func (l *lab) numbered(ctx context.Context, tool *runner.Tool, script string) (map[int]runner.Status, error) {
	t := &Test{runs: []spec.RecordedTests{{Tool: tool.Name, Home: tool.Home, Reports: tool.Reports}}}
	start, name := time.Now(), l.nextName()
	out, _ := l.script(ctx, name, script) // its end says no more than its report
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ran := map[int]runner.Status{}
	results := runner.Read(tool.Name, tool.Home, l.reportsOf(t, name+reportSuffix, out.whole.Bytes(), start)...)
	if results == nil {
		return ran, nil
	}
	for _, r := range results.List {
		if m := number.FindStringSubmatch(r.Name); m != nil {
			n, _ := strconv.Atoi(m[1] + m[2])
			ran[n] = r.Status
		}
	}
	return ran, nil
}
