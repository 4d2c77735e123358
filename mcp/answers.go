package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime/debug"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// success is the result of a tool that went well: text as it is, any other value
// whole as JSON text, as in the contract, and the same again as structured
// content for clients that read objects, unless the tool is one of text alone.
func (t Tool) success(value any) (*mcpgo.CallToolResult, error) {
	if text, ok := value.(string); ok {
		return mcpgo.NewToolResultText(text), nil
	}
	b, err := encode(value)
	if err != nil {
		return nil, internalError{message.Errorf("the result cannot be encoded: %w", err)}
	}
	text := bytes.NewBuffer(nil)
	if t.Indent == "" || json.Indent(text, b, "", t.Indent) != nil {
		text = bytes.NewBuffer(b)
	}
	result := mcpgo.NewToolResultText(text.String())
	if bytes.HasPrefix(b, []byte("{")) && !t.TextOnly { // the protocol allows nothing but objects
		result.RawStructuredContent = b
	}
	return result, nil
}

// degraded is the result of a tool whose model failed: an error for who reads, and what was
// made without the model as structured content.
func (t Tool) degraded(ctx context.Context, value any, err *spec.DegradedError) (*mcpgo.CallToolResult, error) {
	result, fault := t.success(value)
	if fault != nil {
		return nil, fault
	}
	result.Content = mcpgo.NewToolResultError(t.failure(ctx, err, nil)).Content
	result.IsError = true
	return result, nil
}

// answered is the answer to a request that went well.
type answered struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// refused is the answer to a request that did not, or to no request at all.
type refused struct {
	JSONRPC string                    `json:"jsonrpc"`
	ID      json.RawMessage           `json:"id"`
	Error   mcpgo.JSONRPCErrorDetails `json:"error"`
}

// handshake is the result of initialize, to the byte that of the contract's
// section 3.1.
type handshake struct {
	ProtocolVersion string               `json:"protocolVersion"`
	Capabilities    capabilities         `json:"capabilities"`
	ServerInfo      mcpgo.Implementation `json:"serverInfo"`
}

// capabilities is what mcp-go says that the server can do, with a listChanged of tools
// that is false, which mcp-go leaves out.
type capabilities struct {
	Tools struct {
		ListChanged bool `json:"listChanged"`
	} `json:"tools"`
	mcpgo.ServerCapabilities
}

// called is the result of a tool call. mcp-go's own form escapes <, > and &,
// which code is full of.
type called struct {
	Meta              *mcpgo.Meta      `json:"_meta,omitempty"`
	ResultType        mcpgo.ResultType `json:"resultType,omitempty"`
	Content           []mcpgo.Content  `json:"content"`
	StructuredContent json.RawMessage  `json:"structuredContent,omitempty"`
	IsError           bool             `json:"isError,omitempty"`
}

// answer has mcp-go handle a request and returns the answer as one line. It
// always returns one.
func (s *Server) answer(ctx context.Context, f frame) (line []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.log.ErrorContext(ctx, "request panicked", "method", f.method, "panic", r, "stack", string(debug.Stack()))
			line = refuse(f.id, mcpgo.INTERNAL_ERROR, panicked(s.lang, r))
		}
	}()
	line, err := encode(s.form(ctx, f, s.mcp.HandleMessage(ctx, f.message())))
	if err != nil {
		s.log.ErrorContext(ctx, "answer cannot be encoded", "method", f.method, "error", err)
		return refuse(f.id, mcpgo.INTERNAL_ERROR, internal(s.lang, err.Error()))
	}
	return line
}

// form puts the id as it was sent and the contract's form of results into an
// answer of mcp-go.
func (s *Server) form(ctx context.Context, f frame, reply mcpgo.JSONRPCMessage) any {
	switch m := reply.(type) {
	case mcpgo.JSONRPCResponse:
		result := s.formResult(f, m.Result)
		if f.method == string(mcpgo.MethodToolsList) {
			result = s.proxy.list(ctx, result)
		}
		return answered{mcpgo.JSONRPC_VERSION, f.id, result}
	case mcpgo.JSONRPCError:
		if m.Error.Code == mcpgo.METHOD_NOT_FOUND && s.lang != message.English { // mcp-go speaks English
			m.Error.Message = message.New("method %s is not supported", f.method).In(s.lang)
		}
		return refused{mcpgo.JSONRPC_VERSION, f.id, m.Error}
	default:
		return refused{mcpgo.JSONRPC_VERSION, f.id, mcpgo.NewJSONRPCErrorDetails(mcpgo.INTERNAL_ERROR, internal(s.lang, message.New("no result").In(s.lang)), nil)}
	}
}

func (s *Server) formResult(f frame, result any) any {
	switch r := result.(type) {
	case mcpgo.InitializeResult:
		h := handshake{r.ProtocolVersion, capabilities{ServerCapabilities: r.Capabilities}, r.ServerInfo}
		h.Capabilities.Tools.ListChanged = s.proxy != nil // ours never change
		if name, _ := text(f.member("clientInfo", "name")); s.roots && strings.HasPrefix(name, "codex") {
			h.Capabilities.Experimental = map[string]any{codexState: struct{}{}}
		}
		return h
	case *mcpgo.CallToolResult:
		if r.ResultType == mcpgo.ResultTypeInputRequired {
			return r
		}
		return called{r.Meta, r.ResultType, r.Content, r.RawStructuredContent, r.IsError}
	default:
		return result
	}
}

// refuse is a JSON-RPC error as one line; a nil id becomes null.
func refuse(id json.RawMessage, code int, text string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return refuseWith(id, mcpgo.NewJSONRPCErrorDetails(code, text, nil))
}

// refuseWith is a JSON-RPC error with all its details as one line.
func refuseWith(id json.RawMessage, details mcpgo.JSONRPCErrorDetails) []byte {
	line, err := encode(refused{mcpgo.JSONRPC_VERSION, id, details})
	if err != nil { // not with a valid id, and frames let no other through
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return line
}

// encode is JSON on one line, without the escapes that HTML would need.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
