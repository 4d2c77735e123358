package mcp

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/contract"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// verifyTool lists the contract tests of specs and, where the server was started
// with --allow-run, runs them. What they do is up to who wrote the spec, so its
// effects are the worst.
func verifyTool() Tool {
	least := 1
	return Tool{
		Name: "verify",
		Description: "契约测试：列出 Spec 的契约测试；服务器以 --allow-run 启动且 run 为 true 时运行并更新 front matter " +
			"(list the contract tests of specs; run them when run is true and the server was started with --allow-run)",
		Params: []Param{
			{Name: "specPath", Type: String, Path: true, Description: "Spec 文件路径；留空为项目全部 *.spec.md (a spec; empty for all of the project)"},
			{Name: "only", Type: String, Description: "契约测试 ID，逗号分隔；留空为全部 (ids of contract tests, with commas between; empty for all)"},
			{Name: "run", Type: Boolean, Description: "运行测试，需要 --allow-run (run the tests; needs a server with --allow-run)", Default: false},
			{
				Name: "timeout", Type: Integer, Default: int(contract.DefaultTimeout / time.Second), Minimum: &least,
				Description: "每个测试的超时秒数 (seconds that each test may take)",
			},
			offsetParam("entries"),
		},
		Runs:        true,
		Effects:     Effects{Destructive: true, OpenWorld: true},
		Run:         verify,
		RunReadOnly: listTests,
	}
}

// errMayNotRun is the answer to who wants tests run where none may be.
var errMayNotRun = errors.New("服务器未以 --allow-run 启动或为 --read-only，只能列出契约测试 " +
	"(this server lists contract tests and runs none: it was started without --allow-run, or with --read-only)")

// verify runs the tests that were asked for, or lists them.
func verify(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
	paths, opts, err := testsAsked(ctx, p, a)
	if err != nil {
		return nil, err
	}
	var report *contract.Report
	if a.Bool("run") {
		report, err = contract.Verify(ctx, p, paths, opts)
	} else {
		report, err = contract.List(p, paths, opts)
	}
	if err != nil {
		return nil, err
	}
	return cutTests(report, a), nil
}

// testsPage is what became of some specs, as many entries as fit: each spec is one, and
// is followed by its tests, the rows of its matrix and what is uncovered.
type testsPage struct {
	*contract.Report
	Next *Next `json:"next,omitempty"`
}

// cutTests leaves the first entries of a report. Its counts are those of all.
func cutTests(r *contract.Report, a Arguments) testsPage {
	f := fitting{room: pageBytes}
	var specs []contract.Spec
	for _, s := range r.Specs {
		bare := s
		bare.Tests, bare.Matrix, bare.Uncovered = []contract.Test{}, []contract.Row{}, []string{}
		if len(fit(&f, []contract.Spec{bare})) > 0 {
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
	if specs[0].Continued { // it was counted before
		f.taken--
	}
	r.Specs = specs
	return testsPage{r, further("verify", a, f.left, "entries", a.Int("offset")+f.taken)}
}

// listTests is verify where nothing may be run.
func listTests(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
	if a.Bool("run") {
		return nil, errMayNotRun
	}
	return verify(ctx, p, a)
}

// testsAsked reads the arguments of verify.
func testsAsked(ctx context.Context, p *workspace.Project, a Arguments) (paths []string, opts contract.Options, err error) {
	opts = contract.Options{Timeout: time.Duration(a.Int("timeout")) * time.Second, Program: contract.Self(), Offset: a.Int("offset")}
	opts.Only = strings.FieldsFunc(a.String("only"), func(c rune) bool { return c == ',' || c == ' ' || c == '，' })
	if a.String("specPath") == "" {
		paths, err = contract.All(ctx, p)
		return paths, opts, err
	}
	path, err := p.Rel(a.String("specPath"))
	return []string{path}, opts, err
}
