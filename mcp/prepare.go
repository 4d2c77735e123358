package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// prepareTool is section 2.1 of the contract, and maxTokens.
func prepareTool() Tool {
	least := 1
	return Tool{
		Name:        "prepare",
		Description: "AST 预处理 + 上下文组装",
		Params: []Param{
			{Name: "targetPath", Type: String, Path: true, Description: "目标文件或目录路径（绝对或相对于 cwd）", Required: true},
			{Name: "deep", Type: Boolean, Description: "深度分析模式（包含函数体）", Default: false},
			{
				Name: "maxTokens", Type: Integer, Default: 20_000, Minimum: &least,
				Description: "回复的最大 token 数，超出部分被裁剪并在 truncatedParts 中列出 (most tokens of the reply; what was cut is named in truncatedParts)",
			},
		},
		Effects: Effects{ReadOnly: true, Idempotent: true},
		Meta:    upfront(),
		Run:     prepare,
	}
}

func prepare(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
	return spec.Prepare(ctx, p, a.String("targetPath"), spec.PrepareOptions{Deep: a.Bool("deep"), MaxTokens: a.Int("maxTokens")})
}
