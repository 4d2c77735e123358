package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// generateTool is section 2.2 of the contract, and lang. It is not idempotent:
// every regeneration counts up the version of the spec.
func generateTool() Tool {
	return Tool{
		Name:        "generate",
		Description: "完整 Spec 生成流水线",
		Params: []Param{
			{Name: "targetPath", Type: String, Description: "目标文件或目录路径", Required: true},
			{Name: "deep", Type: Boolean, Description: "深度分析模式", Default: false},
			{Name: "outputDir", Type: String, Description: "输出目录", Default: "specs"},
			langParam(),
		},
		Run: generate,
	}
}

// langParam is the language that specs are written in. It has no default: left
// out, specs keep the language they have where that is known.
func langParam() Param {
	return Param{
		Name: "lang", Type: String, Enum: []string{"en", "zh"},
		Description: "Spec 标题与说明的语言 (language of the spec's headings and prose)",
	}
}

func generate(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
	output, err := p.Rel(a.String("outputDir"))
	if err != nil {
		return nil, err
	}
	return spec.Generate(ctx, p, a.String("targetPath"), spec.GenerateOptions{
		Deep: a.Bool("deep"), OutputDir: output, Lang: a.String("lang"),
	})
}
