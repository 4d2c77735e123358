package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// prepareTool is section 2.1 of the contract, maxTokens and offset.
func prepareTool() Tool {
	least := 1
	return Tool{
		Name:        "prepare",
		Description: fixed("AST 预处理 + 上下文组装"),
		Params: []Param{
			{Name: "targetPath", Type: String, Path: true, Description: fixed("目标文件或目录路径（绝对或相对于 cwd）"), Required: true},
			{Name: "deep", Type: Boolean, Description: fixed("深度分析模式（包含函数体）"), Default: false, Spelled: true},
			{
				Name: "maxTokens", Type: Integer, Default: 20_000, Minimum: &least,
				Description: message.New("Token budget of the answer"),
			},
			offsetParam(),
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		FixedErrors: true,
		Meta:        upfront(),
		Run:         prepare,
	}
}

// callTokens is the most tokens that the call for the next page takes, without its
// path.
const callTokens = 80

func prepare(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	reserve := callTokens + len(a.String("targetPath"))/3
	r, err := spec.Prepare(ctx, p, a.String("targetPath"), spec.PrepareOptions{
		Deep: a.Bool("deep"), MaxTokens: max(a.Int("maxTokens")-reserve, 1), Offset: a.Int("offset"),
	})
	if err != nil {
		return nil, err
	}
	return prepared{r, moreOf(r, a)}, nil
}

// prepared is the result, and the call that returns more if it was cut.
type prepared struct {
	*spec.PrepareResult
	Next *Next `json:"next,omitempty"`
}

// maxAsked is the most tokens that a caller is advised to ask for: Claude Code shows at most
// [maxResultChars].
const maxAsked = maxResultChars / 4

// moreOf is the call for what was cut: the next page of symbols; if all symbols are
// returned, the same call for the whole target; if that is too much, a part of the target.
// After the last page there is none.
func moreOf(r *spec.PrepareResult, a Arguments) *Next {
	switch {
	case r.More > 0: // with the same maxTokens, by which the pages are cut
		return further("prepare", a, r.More, "symbols", r.NextOffset)
	case !r.Truncated || a.Int("offset") > 0:
		return nil
	}
	next := &Next{Remaining: max(r.Whole-a.Int("maxTokens"), 0), Unit: "tokens", Tool: "prepare", Arguments: map[string]any{}}
	switch {
	case r.Whole <= maxAsked:
		next.Arguments["targetPath"], next.Arguments["maxTokens"] = a.String("targetPath"), r.Whole+callTokens+len(a.String("targetPath"))
	case len(r.FilePaths) == 1:
		next.Tool, next.Arguments["file_path"] = "read_file", r.FilePaths[0]
		return next
	case len(r.FilePaths) > 0:
		next.Arguments["targetPath"] = r.FilePaths[0]
	default:
		next.Tool, next.Arguments["directory_path"] = "list_directory", a.String("targetPath")
		return next
	}
	if a.Bool("deep") {
		next.Arguments["deep"] = true
	}
	return next
}
