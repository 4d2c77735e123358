package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Tool is one tool of a server.
type Tool struct {
	Server       string          `json:"server"`
	Name         string          `json:"name"`  // as the server calls it
	Alias        string          `json:"alias"` // for clients that take [A-Za-z0-9_-] alone; unique in a registry, "" outside one
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"` // JSON Schema of the arguments, as sent
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  Annotations     `json:"annotations"`
	Raw          json.RawMessage `json:"-"` // as the server describes it
}

// Annotations are hints of a server about a tool, not guarantees.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// FullName is the tool's name in a registry: "server:tool". A server's name holds
// no colon, so no two tools have the same.
func (t Tool) FullName() string { return t.Server + ":" + t.Name }

// Tools asks for the server's tools, all pages. Of tools with the same name the
// first counts; the others, and those without a name, are logged and skipped.
func (s *Session) Tools(ctx context.Context) ([]Tool, error) {
	tools := []Tool{}
	seen := map[string]bool{}
	err := s.list(ctx, "tools/list", "tools", func(result json.RawMessage) error {
		var page struct {
			Tools []json.RawMessage `json:"tools"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return err
		}
		if page.Tools == nil {
			return message.Errorf("it has no tools member")
		}
		for _, raw := range page.Tools {
			t, err := s.tool(raw)
			if err == nil && seen[t.Name] {
				err = message.Errorf("there is one of the same name")
			}
			if err != nil {
				s.peer.log.WarnContext(ctx, "a tool is skipped", "tool", jsonrpc.Clip(t.Name), "error", err)
				continue
			}
			seen[t.Name] = true
			tools = append(tools, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tools, nil
}

// tool reads one tool.
func (s *Session) tool(raw json.RawMessage) (Tool, error) {
	t := Tool{Annotations: Annotations{Destructive: true, OpenWorld: true}} // the protocol's defaults
	if err := json.Unmarshal(raw, &t); err != nil {
		return t, err
	}
	t.Server, t.Alias, t.Raw = s.server.Name, "", raw
	if t.Name == "" {
		return t, message.Errorf("it has no name")
	}
	if len(t.InputSchema) == 0 || string(t.InputSchema) == "null" {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return t, nil
}

// Call is a call of a tool.
type Call struct {
	Tool      string          // its name: as the server calls it for a [Session], "server:tool" for a [Registry]
	Arguments json.RawMessage // a JSON object; nil for an empty one
	Timeout   time.Duration   // 0 for that of the options, negative for none
	// Progress is called for each progress notification, in order, before the
	// call returns; nil for none.
	Progress func(jsonrpc.Progress)
}

// Result is what a tool returned.
type Result struct {
	Content    []Content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Raw        json.RawMessage `json:"-"` // as the server sent it
}

// Content is one piece of a result.
type Content struct {
	Type     string    `json:"type"`               // "text", "image", "audio", "resource" or "resource_link"
	Text     string    `json:"text,omitempty"`     // text
	Data     []byte    `json:"data,omitempty"`     // image, audio; base64 in JSON
	MIMEType string    `json:"mimeType,omitempty"` // image, audio, resource_link
	URI      string    `json:"uri,omitempty"`      // resource_link
	Name     string    `json:"name,omitempty"`     // resource_link
	Resource *Contents `json:"resource,omitempty"` // resource
}

// Text returns the text of a result, one content a line; other contents are described
// by type and size. Without any content it is the structured content.
func (r *Result) Text() string {
	if len(r.Content) == 0 {
		return string(r.Structured)
	}
	lines := make([]string, len(r.Content))
	for i, c := range r.Content {
		switch {
		case c.Type == "text":
			lines[i] = c.Text
		case c.Resource != nil:
			lines[i] = c.Resource.String()
		case c.URI != "":
			lines[i] = fmt.Sprintf("[%s %s %s]", c.Type, c.Name, c.URI)
		default:
			lines[i] = fmt.Sprintf("[%s %s, %d bytes]", c.Type, c.MIMEType, len(c.Data))
		}
	}
	return strings.Join(lines, "\n")
}

// ToolError is the error of a tool that failed.
type ToolError struct {
	Tool   string // "server:tool"
	Result *Result
}

func (e *ToolError) text() message.Text {
	text := strings.TrimSpace(e.Result.Text())
	if text == "" {
		return message.New("tool %s: the server gives no reason", e.Tool)
	}
	return message.New("tool %s: %s", e.Tool, text)
}

func (e *ToolError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *ToolError) In(lang message.Lang) string { return e.text().In(lang) }

// Call calls a tool and waits for its result. The errors: a [*ToolError] when
// the tool failed, a wrapped [*jsonrpc.Error] when the server refused the
// call, a [*TimeoutError], a [*LostError], the cause of ctx. When ctx or the time
// ends, the server is notified.
func (s *Session) Call(ctx context.Context, c Call) (*Result, error) {
	name := s.server.Name + ":" + c.Tool
	arguments := bytes.TrimSpace(c.Arguments)
	switch {
	case len(arguments) == 0 || string(arguments) == "null":
		arguments = json.RawMessage("{}")
	case arguments[0] != '{' || !json.Valid(arguments):
		return nil, message.Errorf("tool %s: the arguments must be a JSON object", name)
	}
	if c.Timeout == 0 {
		c.Timeout = s.options.Call
	}
	if c.Timeout > 0 {
		var done func()
		ctx, done = context.WithTimeoutCause(ctx, c.Timeout, &TimeoutError{message.New("the call"), c.Timeout})
		defer done()
	}
	raw, err := s.peer.call(ctx, s.conn, jsonrpc.Call{
		Method: "tools/call",
		Params: map[string]any{"name": c.Tool, "arguments": json.RawMessage(arguments)},
		Report: c.Progress,
	})
	if err != nil {
		return nil, message.Errorf("tool %s: %w", name, err)
	}
	r := &Result{Raw: raw}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, message.Errorf("tool %s: the answer is not a result: %w", name, err)
	}
	if r.IsError {
		return nil, &ToolError{name, r}
	}
	return r, nil
}
