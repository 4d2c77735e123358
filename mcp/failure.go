package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spelling"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// failure is the text of a call that failed, in the form of the tool's contract:
// "<tool> 失败: <detail>" or "Error: <detail>". An error with a Hint gives it on
// a line of its own. Of the call's arguments it quotes what is of use.
func (t Tool) failure(ctx context.Context, err error, arguments any) string {
	given := texts(arguments)
	prefix := t.ErrorPrefix
	if prefix == "" {
		prefix = t.Name + " 失败: "
	}
	text := prefix + spelling.Message(detail(ctx, err), given...)
	if hint := spelling.Message(message.Hint(message.From(ctx), err), given...); hint != "" && !strings.Contains(text, hint) {
		text += "\n" + hint
	}
	return text
}

// texts are the texts among the arguments of a call.
func texts(arguments any) []string {
	object, _ := arguments.(map[string]any)
	var out []string
	for _, value := range object {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
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
