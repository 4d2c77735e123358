package mcp

import (
	"context"
	"runtime/debug"
	"strconv"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// answer has mcp-go handle a request other than a tool call: the handshakes, lists, pings,
// and whatever is not supported.
func (s *Server) answer(ctx context.Context, m jsonrpc.Message) (response jsonrpc.Response) {
	defer func() {
		if r := recover(); r != nil {
			s.log.ErrorContext(ctx, "request panicked", "method", m.Method, "panic", r, "stack", string(debug.Stack()))
			response = errorResponse(m.ID, jsonrpc.CodeInternal, panicked(s.lang, r))
		}
	}()
	text, err := jsonrpc.Encode(engineRequest(m))
	if err != nil {
		return errorResponse(m.ID, jsonrpc.CodeInternal, internal(s.lang, err.Error()))
	}
	switch reply := s.mcp.HandleMessage(ctx, text).(type) {
	case mcpgo.JSONRPCResponse:
		return jsonrpc.Response{ID: m.ID, Result: s.engineResult(ctx, m, reply.Result)}
	case mcpgo.JSONRPCError:
		if reply.Error.Code == mcpgo.METHOD_NOT_FOUND && s.lang != message.English { // mcp-go has English alone
			reply.Error.Message = message.New("method %s is not supported", m.Method).In(s.lang)
		}
		return jsonrpc.Response{ID: m.ID, Error: errorOf(reply.Error)}
	default:
		return errorResponse(m.ID, jsonrpc.CodeInternal, internal(s.lang, message.New("no result").In(s.lang)))
	}
}

// engineRequest is a request as mcp-go takes it: as text, with the members that were
// checked and no others. mcp-go keeps a number in a float64; an id that does not fit
// goes in as a string. The response has the id as it was received in any case.
func engineRequest(m jsonrpc.Message) jsonrpc.Request {
	const most = 1 << 53
	r := jsonrpc.Request{ID: m.ID, Method: m.Method}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); m.ID[0] != '"' && (err != nil || n > most || n < -most) {
		r.ID = jsonrpc.StringID(string(m.ID))
	}
	if m.Params != nil {
		r.Params = m.Params
	}
	return r
}

// handshake is the result of initialize, byte for byte as in section 3.1 of the contract.
type handshake struct {
	ProtocolVersion string               `json:"protocolVersion"`
	Capabilities    capabilities         `json:"capabilities"`
	ServerInfo      mcpgo.Implementation `json:"serverInfo"`
}

// capabilities are those that mcp-go declares, and tools.listChanged when it is false, which
// mcp-go leaves out.
type capabilities struct {
	Tools struct {
		ListChanged bool `json:"listChanged"`
	} `json:"tools"`
	mcpgo.ServerCapabilities
}

// engineResult adds to a result of mcp-go what the contract and the proxy need.
func (s *Server) engineResult(ctx context.Context, m jsonrpc.Message, result any) any {
	switch r := result.(type) {
	case mcpgo.InitializeResult:
		h := handshake{r.ProtocolVersion, capabilities{ServerCapabilities: r.Capabilities}, r.ServerInfo}
		h.Capabilities.Tools.ListChanged = s.proxy != nil // our own never change
		if s.roots && strings.HasPrefix(decodeInitialize(m.Params).client, "codex") {
			h.Capabilities.Experimental = map[string]any{codexState: struct{}{}}
		}
		return h
	case mcpgo.ListToolsResult:
		if s.proxy != nil {
			return s.proxy.list(ctx, r)
		}
	}
	return result
}

// errorOf is an error of mcp-go's.
func errorOf(e mcpgo.JSONRPCErrorDetails) *jsonrpc.Error {
	out := &jsonrpc.Error{Code: e.Code, Message: e.Message}
	if e.Data != nil {
		out.Data, _ = jsonrpc.Encode(e.Data) // detail that cannot be encoded is left out
	}
	return out
}
