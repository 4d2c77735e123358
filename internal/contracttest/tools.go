package contracttest

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// ToolState is a tool that runs contract tests in a folder.
type ToolState struct {
	Tool  string
	Home  string // "." is the project's root
	Specs int    // whose contract tests it runs
	Lacks string // what prevents it; "" if it can run
	Probe string // the command that says so; "" if a program is missing
	// Absent is the program that the machine lacks, or the file of a tool that the project does; "" if that is not the cause.
	Absent string
}

// Tools starts each tool that runs contract tests of some specs, with an argument that does nothing, and returns what prevents
// it. No test is run. Errors: those of [List], and bash is missing.
func Tools(ctx context.Context, p *project.Project, paths []string) (out []ToolState, err error) {
	suites, err := open(ctx, p, paths, Options{})
	if err != nil {
		return nil, err
	}
	b, err := newSandbox(p.Root(), Options{})
	if err != nil {
		return nil, errors.Join(err, closed(suites))
	}
	defer func() { err = errors.Join(err, b.close(), closed(suites)) }()
	at := map[[2]string]int{}
	for i := range suites {
		seen := map[[2]string]bool{}
		for j := range suites[i].Tests {
			t := &suites[i].Tests[j]
			if !hasRuns(*t) {
				continue
			}
			key := [2]string{t.runs[0].Tool, t.runs[0].Home}
			k, known := at[key]
			if !known {
				k, at[key] = len(out), len(out)
				out = append(out, b.stateOf(ctx, t))
			}
			if !seen[key] {
				seen[key] = true
				out[k].Specs++
			}
		}
	}
	return out, ctx.Err()
}

// stateOf starts the tool of a contract test.
func (b *sandbox) stateOf(ctx context.Context, t *Test) ToolState {
	s := ToolState{Tool: t.runs[0].Tool, Home: t.runs[0].Home}
	if s.Home == "" {
		s.Home = "."
	}
	if absent := absentOf(b.root, t.Needs); absent != "" {
		s.Absent = absent
		s.Lacks = message.Sprintf(ctx, "%s is not installed", absent)
		return s
	}
	if line, fails := b.probe(ctx, t); fails {
		s.Lacks = line
		s.Probe = runner.Probe(s.Tool, s.Home, nil, b.has)
		if s.Tool == "go test" {
			s.Probe = "go vet ./..."
		}
	}
	return s
}
