package mcp

import (
	"context"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// verifyTool lists the contract tests of specs and, where the server was started
// with --allow-run, runs them. A test may do anything, and so do the effects that are
// declared.
func verifyTool() Tool {
	least := 1
	return Tool{
		Name:        "verify",
		Description: message.New("List the contract tests of specs; with run, run them and note the result in the specs. Use it after edits; for other tests use the project's own tool."),
		Params: []Param{
			{Name: "specPath", Type: String, Path: true, Description: message.New("Empty for all specs")},
			{Name: "only", Type: String, Description: message.New("Ids, comma-separated")},
			{Name: "run", Type: Boolean, Description: message.New("Needs --allow-run"), Default: false},
			{
				Name: "timeout", Type: Integer, Default: int(contracttest.DefaultTimeout / time.Second), Minimum: &least,
				Description: message.New("Seconds for each test"),
			},
			offsetParam(),
		},
		Runs:        true,
		Effects:     Effects{Destructive: true, OpenWorld: true},
		Run:         verify,
		RunReadOnly: listTests,
	}
}

// errMayNotRun refuses to run contract tests.
var errMayNotRun = message.Errorf("this server lists contract tests and runs none: it was started without --allow-run, or with --read-only")

// verify runs the selected tests, or lists them.
func verify(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	paths, opts, err := testsAsked(ctx, p, a)
	if err != nil {
		return nil, err
	}
	var report *contracttest.Report
	if a.Bool("run") {
		report, err = contracttest.Verify(ctx, p, paths, opts)
	} else {
		report, err = contracttest.List(ctx, p, paths, opts)
	}
	if err != nil {
		return nil, err
	}
	return cutTests(report, a), nil
}

// testsPage is the outcomes of some specs, as many entries as fit: each spec is one entry,
// followed by its tests, the rows of its matrix and its uncovered requirements.
type testsPage struct {
	*contracttest.Report
	Next *Next `json:"next,omitempty"`
}

// cutTests leaves the first entries of a report. Its counts are those of all.
func cutTests(r *contracttest.Report, a Arguments) testsPage {
	f := fitting{room: pageBytes}
	var specs []contracttest.Spec
	for _, s := range r.Specs {
		bare := s
		bare.Tests, bare.Matrix, bare.Uncovered = []contracttest.Test{}, []contracttest.Row{}, []string{}
		if len(fit(&f, []contracttest.Spec{bare})) > 0 {
			bare.Tests = fit(&f, s.Tests)
			bare.Matrix = fit(&f, s.Matrix)
			bare.Uncovered = fit(&f, s.Uncovered)
			specs = append(specs, bare)
		} else {
			f.left += len(s.Tests) + len(s.Matrix) + len(s.Uncovered)
		}
	}
	if f.left == 0 {
		return testsPage{Report: r}
	}
	if specs[0].Continued { // counted on an earlier page
		f.taken--
	}
	r.Specs = specs
	return testsPage{r, further("verify", a, f.left, "entries", a.Int("offset")+f.taken)}
}

// listTests is verify for a server that may not run tests.
func listTests(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	if a.Bool("run") {
		return nil, errMayNotRun
	}
	return verify(ctx, p, a)
}

// testsAsked reads the arguments of verify.
func testsAsked(ctx context.Context, p *project.Project, a Arguments) (paths []string, opts contracttest.Options, err error) {
	opts = contracttest.Options{Timeout: time.Duration(a.Int("timeout")) * time.Second, Program: contracttest.Self(), Offset: a.Int("offset")}
	opts.Only = strings.FieldsFunc(a.String("only"), func(c rune) bool { return c == ',' || c == ' ' || c == '，' })
	if a.String("specPath") == "" {
		paths, err = contracttest.Paths(ctx, p)
		return paths, opts, err
	}
	path, err := p.Rel(a.String("specPath"))
	return []string{path}, opts, err
}
