package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/forms"
	"github.com/reverse-spec/reverse-spec/spec"
)

// generateTool is section 2.2 of the contract, and lang, check and prose. It is not idempotent:
// every regeneration increments the version of the spec. It is not destructive: hand-written
// parts of a spec are kept, and a file that is not a generated spec is refused.
func generateTool(writers Writers) Tool {
	return Tool{
		Name:        "generate",
		Description: fixed("完整 Spec 生成流水线"),
		Params: []Param{
			{Name: "targetPath", Type: String, Path: true, Description: fixed("目标文件或目录路径"), Required: true},
			{Name: "deep", Type: Boolean, Description: fixed("深度分析模式"), Default: false, Spelled: true},
			{Name: "outputDir", Type: String, Description: fixed("输出目录"), Default: "specs"},
			langParam(),
			checkParam(),
			proseParam(),
			formatParam(),
			capabilitiesParam(),
		},
		Effects:      Effects{OpenWorld: writers != nil},
		FixedErrors:  true,
		Meta:         upfront(),
		Run:          generate(writers),
		RefuseUnsafe: mayNotCheck,
	}
}

// langParam is the language that specs are written in. It has no default: left
// out, specs keep the language they have where that is known.
func langParam() Param {
	return Param{
		Name: "lang", Type: String, Enum: []string{"en", "zh"},
	}
}

// checkParam runs contract tests before they are written. Its default is false, because
// the tests run code of the project.
func checkParam() Param {
	return Param{
		Name: "check", Type: Boolean, Default: false,
		Description: message.New("Write no contract test that fails (server with --allow-run)"),
	}
}

// check returns the runner of contract tests if the call asks for it, else nil.
func check(a Arguments) spec.Check {
	if !a.Bool("check") {
		return nil
	}
	return contracttest.Checker(contracttest.Options{Program: contracttest.Self()})
}

// mayNotCheck refuses a call that asks to run contract tests.
func mayNotCheck(a Arguments) error {
	if a.Bool("check") {
		return errMayNotCheck
	}
	return nil
}

// errMayNotCheck refuses to run contract tests.
var errMayNotCheck = message.Errorf("this server was started without --allow-run and runs no contract tests; leave out check")

func generate(writers Writers) Run {
	return func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
		output, err := p.Rel(a.String("outputDir"))
		if err != nil {
			return nil, err
		}
		ctx = proseContext(ctx, a)
		w, notes, err := writers.open(ctx, p)
		if err != nil {
			return nil, err
		}
		r, err := forms.Generate(ctx, p, a.String("targetPath"), spec.GenerateOptions{
			Deep: a.Bool("deep"), OutputDir: output, Lang: a.String("lang"), Check: check(a), Writer: w, Notes: notes,
		}, forms.Options(a.String("format"), a.String("capabilities")))
		if err != nil {
			return nil, err
		}
		return r, r.Err()
	}
}
