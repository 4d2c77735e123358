package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	messages "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// TestArguments calls the tools of the contract with the arguments of each line
// "<tool> <JSON>". What the tool got, or why it was not called, is indented. A file "lang"
// has the language of the server.
func TestArguments(t *testing.T) {
	tools := mcp.Tools(nil, nil, "")
	for i := range tools {
		tools[i].Run = func(_ context.Context, _ *project.Project, a mcp.Arguments) (any, error) { return a, nil }
	}
	golden.Archives(t, "arguments", func(t *testing.T, files map[string][]byte) string {
		lang := messages.Lang(bytes.TrimSpace(files["lang"]))
		s := mcp.New(mcp.Options{Version: "2.0.0", Tools: slices.Clone(tools), Lang: lang})
		var b strings.Builder
		for line := range strings.Lines(string(files["calls"])) {
			tool, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
			answer := decode(t, talk(t, s, fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))[0])
			text := answer.Result.Content[0].Text
			if strings.HasPrefix(text, "{") == answer.Result.IsError {
				t.Errorf("%s: isError is %v", line, answer.Result.IsError)
			}
			fmt.Fprintf(&b, "%s    %s\n", line, text)
		}
		return b.String()
	})
}

func TestArgumentsMayBeLeftOutAltogether(t *testing.T) {
	s := fake(echo())
	for _, params := range []string{`{"name":"echo"}`, `{"name":"echo","arguments":null}`, `{"name":"echo","arguments":{}}`} {
		answer := decode(t, talk(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`)[0])
		if got := answer.Result.Content[0].Text; got != `{"text":""}` {
			t.Errorf("%s: %s", params, got)
		}
	}
}
