package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// diffTool is section 2.4 of the contract, and base. It is not read-only: it
// leaves its report under drift-logs/, one file a module and day, unless the
// server may not write.
func diffTool() Tool {
	return Tool{
		Name:        "diff",
		Description: "Spec 漂移检测",
		Params: []Param{
			{Name: "specPath", Type: String, Path: true, Description: "Spec 文件路径（.spec.md）", Required: true},
			{Name: "sourcePath", Type: String, Path: true, Description: "源代码文件或目录路径", Required: true},
			{
				Name: "base", Type: String,
				Description: "用作基线的 git 版本，代替 Spec 内的基线 (git revision to compare with in place of the spec's baseline)",
			},
		},
		Effects:     Effects{Idempotent: true},
		Meta:        upfront(),
		Run:         diff(true),
		RunReadOnly: diff(false),
	}
}

// diff is the work of the tool, with or without the report file.
func diff(report bool) Run {
	return func(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
		return detect(ctx, p, a, report)
	}
}

func detect(ctx context.Context, p *workspace.Project, a Arguments, report bool) (any, error) {
	spec, err := p.Rel(a.String("specPath"))
	if err != nil {
		return nil, err
	}
	source, err := p.Rel(a.String("sourcePath"))
	if err != nil {
		return nil, err
	}
	return drift.Detect(ctx, p, drift.Options{Spec: spec, Source: source, Base: a.String("base"), NoReport: !report})
}
