package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/workspace"
)

// failure is the text of a call that failed, in the form of the contract's
// section 2: "<tool> 失败: <detail>". An error with a Hint gives it on a line of
// its own.
func failure(ctx context.Context, tool string, err error) string {
	text := tool + " 失败: " + detail(ctx, err)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		if hint := hinted.Hint(); hint != "" && !strings.Contains(text, hint) {
			text += "\n" + hint
		}
	}
	return text
}

// detail is the words of an error. Those that the contract gives stand alone,
// without what was wrapped around them on their way.
func detail(ctx context.Context, err error) string {
	var missing *workspace.MissingError
	var outside *workspace.OutsideError
	switch {
	case errors.As(err, &missing):
		return missing.Error()
	case errors.As(err, &outside):
		return outside.Error()
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return "已取消，服务器正在关闭 (cancelled: the server is shutting down)"
	default:
		return err.Error()
	}
}
