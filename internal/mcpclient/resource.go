package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Resource is one resource of a server.
type Resource struct {
	Server      string          `json:"server"`
	URI         string          `json:"uri"`
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	MIMEType    string          `json:"mimeType,omitempty"`
	Size        int64           `json:"size,omitempty"` // bytes; 0 for not known
	Raw         json.RawMessage `json:"-"`              // as the server describes it
}

// Contents is the content of a resource: Text, or Blob for binary data.
type Contents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Blob     []byte `json:"blob,omitempty"` // base64 in JSON
}

// String returns the text, or a description of binary data.
func (c *Contents) String() string {
	if c.Text != "" || len(c.Blob) == 0 {
		return c.Text
	}
	return fmt.Sprintf("[%s %s, %d bytes]", c.URI, c.MIMEType, len(c.Blob))
}

// Resources asks for the server's resources, all pages. A server without any has
// an empty list.
func (s *Session) Resources(ctx context.Context) ([]Resource, error) {
	resources := []Resource{}
	err := s.list(ctx, "resources/list", "resources", func(result json.RawMessage) error {
		var page struct {
			Resources []json.RawMessage `json:"resources"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return err
		}
		for _, raw := range page.Resources {
			r := Resource{}
			if err := json.Unmarshal(raw, &r); err != nil {
				return err
			}
			r.Server, r.Raw = s.server.Name, raw
			resources = append(resources, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return resources, nil
}

// Read reads a resource. Its timeout is that of a call.
func (s *Session) Read(ctx context.Context, uri string) ([]Contents, error) {
	if s.options.Call > 0 {
		var done func()
		ctx, done = context.WithTimeoutCause(ctx, s.options.Call, &TimeoutError{message.New("the read"), s.options.Call})
		defer done()
	}
	raw, err := s.peer.call(ctx, s.conn, jsonrpc.Call{Method: "resources/read", Params: map[string]any{"uri": uri}})
	if err != nil {
		return nil, message.Errorf("server %s: read %s: %w", s.server.Name, uri, err)
	}
	var result struct {
		Contents []Contents `json:"contents"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, message.Errorf("server %s: read %s: the answer is not a resource: %w", s.server.Name, uri, err)
	}
	return result.Contents, nil
}
