package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// diffTool is section 2.4 of the contract, and base and offset. It is not read-only: it
// leaves its report under drift-logs/, one file a module and day, unless the
// server may not write.
func diffTool() Tool {
	return Tool{
		Name:        "diff",
		Description: fixed("Spec 漂移检测"),
		Params: []Param{
			{Name: "specPath", Type: String, Path: true, Description: fixed("Spec 文件路径（.spec.md）"), Required: true},
			{Name: "sourcePath", Type: String, Path: true, Description: fixed("源代码文件或目录路径"), Required: true},
			{
				Name: "base", Type: String,
				Description: message.New("Git revision, instead of the spec"),
			},
			offsetParam(),
		},
		Effects:     Effects{Idempotent: true},
		FixedErrors: true,
		Meta:        upfront(),
		Run:         diff(true),
		RunReadOnly: diff(false),
	}
}

// diff runs the tool, with or without the report file.
func diff(report bool) Run {
	return func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
		return detect(ctx, p, a, report)
	}
}

func detect(ctx context.Context, p *project.Project, a Arguments, write bool) (any, error) {
	spec, err := p.Rel(a.String("specPath"))
	if err != nil {
		return nil, err
	}
	source, err := p.Rel(a.String("sourcePath"))
	if err != nil {
		return nil, err
	}
	report, err := drift.Detect(ctx, p, drift.Options{Spec: spec, Source: source, Base: a.String("base"), NoReport: !write})
	if err != nil {
		return nil, err
	}
	return cutReport(report, a)
}

// reportPage is a drift report with as many of its items as fit into a result. Its counts are
// of all items, and its file has all of them.
type reportPage struct {
	*drift.Report
	Next *Next `json:"next,omitempty"`
}

func cutReport(r *drift.Report, a Arguments) (any, error) {
	offset, total := a.Int("offset"), len(r.Items)
	if offset > 0 && offset >= total {
		return nil, beyond(offset, total, message.New("items"))
	}
	page, left := cutPage(r.Items, offset, pageBytes, "")
	r.Items = page
	if left == 0 {
		return reportPage{Report: r}, nil
	}
	return reportPage{r, further("diff", a, left, "items", offset+len(page))}, nil
}
