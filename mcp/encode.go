package mcp

import (
	"bytes"
	"context"
	"encoding/json"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// success is the result of a tool that succeeded: text as it is, any other value
// as JSON text, as in the contract, and the same again as structured
// content for clients that read objects, unless the tool is [Tool.TextOnly].
func (t Tool) success(value any) (*mcpgo.CallToolResult, error) {
	if text, ok := value.(string); ok {
		return mcpgo.NewToolResultText(text), nil
	}
	b, err := jsonrpc.Encode(value)
	if err != nil {
		return nil, internalError{message.Errorf("the result cannot be encoded: %w", err)}
	}
	text := bytes.NewBuffer(nil)
	if t.Indent == "" || json.Indent(text, b, "", t.Indent) != nil {
		text = bytes.NewBuffer(b)
	}
	result := mcpgo.NewToolResultText(text.String())
	if bytes.HasPrefix(b, []byte("{")) && !t.TextOnly { // the protocol allows only objects
		result.RawStructuredContent = b
	}
	return result, nil
}

// degraded is the result of a tool whose model failed: an error as text, and the output
// without the model as structured content.
func (t Tool) degraded(ctx context.Context, value any, err *spec.DegradedError) (*mcpgo.CallToolResult, error) {
	result, encodeErr := t.success(value)
	if encodeErr != nil {
		return nil, encodeErr
	}
	result.Content = mcpgo.NewToolResultError(t.failure(ctx, err, nil)).Content
	result.IsError = true
	return result, nil
}

// callResult is the result of tools/call as it is sent. mcp-go's own type escapes <, > and
// &, of which code is full.
type callResult struct {
	Meta              *mcpgo.Meta      `json:"_meta,omitempty"`
	ResultType        mcpgo.ResultType `json:"resultType,omitempty"`
	Content           []mcpgo.Content  `json:"content"`
	StructuredContent json.RawMessage  `json:"structuredContent,omitempty"`
	IsError           bool             `json:"isError,omitempty"`
}

// callResult returns a result as it is sent. Since 2026-07-28 it has a type and names the
// server.
func (s *Server) callResult(protocol *server.RequestProtocolInfo, r *mcpgo.CallToolResult) any {
	if protocol.Modern {
		if r.ResultType == "" {
			r.ResultType = mcpgo.ResultTypeComplete
		}
		if meta := r.EnsureResultMeta(); meta.ServerInfo() == nil {
			meta.SetServerInfo(mcpgo.Implementation{Name: serverName, Version: s.version})
		}
	}
	if r.ResultType == mcpgo.ResultTypeInputRequired {
		return r
	}
	return callResult{r.Meta, r.ResultType, r.Content, r.RawStructuredContent, r.IsError}
}

// errorResponse is a response with an error.
func errorResponse(id jsonrpc.ID, code int, text string) jsonrpc.Response {
	return jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: text}}
}

// encode returns a response as one line. It always returns one.
func (s *Server) encode(r jsonrpc.Response) []byte {
	line, err := jsonrpc.Encode(r)
	if err != nil {
		s.log.Error("a response cannot be encoded", "error", err)
		line, err = jsonrpc.Encode(errorResponse(r.ID, jsonrpc.CodeInternal, internal(s.lang, err.Error())))
	}
	if err != nil { // not with a valid id, and no other is parsed
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return line
}
