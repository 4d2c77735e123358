package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// toolCall is a tools/call request.
type toolCall struct {
	id        jsonrpc.ID
	tool      string
	arguments json.RawMessage // nil for none; decoded when the tool is run
	meta      meta
	inputs    map[string]json.RawMessage // inputResponses: the client's answers to an earlier result that asked for input
	params    json.RawMessage            // all of them, for the text of an error
}

// meta is the _meta member of a tools/call request.
type meta struct {
	progressToken jsonrpc.ID // "" for none
	folder        string     // the client's working folder, as Codex sends it; "" for none
	version       string     // of the protocol, since 2026-07-28; "" for none
	logLevel      mcpgo.LoggingLevel
	capabilities  *mcpgo.ClientCapabilities // sent with version; nil for none
}

// decodeCall decodes a tools/call request. Member names are compared exactly. The members that
// are not used must have their types all the same.
func decodeCall(m jsonrpc.Message, lang message.Lang) (*toolCall, *jsonrpc.Error) {
	params := jsonrpc.Object(m.Params)
	name, ok := jsonrpc.Text(params["name"])
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message.New("params.name must be the name of a tool").In(lang)}
	}
	c := &toolCall{id: m.ID, tool: name, arguments: params["arguments"], meta: decodeMeta(params["_meta"]), params: m.Params}
	unused := struct {
		meta  map[string]json.RawMessage
		task  mcpgo.TaskParams
		state string
	}{}
	for name, into := range map[string]any{"_meta": &unused.meta, "task": &unused.task, "requestState": &unused.state, "inputResponses": &c.inputs} {
		if raw := params[name]; raw != nil && json.Unmarshal(raw, into) != nil {
			return nil, unparsable(m.Params)
		}
	}
	return c, nil
}

// unparsable is the error of a tools/call request whose params have the wrong types, in
// mcp-go's words: for them, and only then, mcp-go decodes the params again.
func unparsable(params json.RawMessage) *jsonrpc.Error {
	text, err := jsonrpc.Encode(map[string]json.RawMessage{"params": params})
	if err == nil {
		err = json.Unmarshal(text, &mcpgo.CallToolRequest{})
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("unparsable %s request: %v", mcpgo.MethodToolsCall, err)}
}

func decodeMeta(raw json.RawMessage) (m meta) {
	members := jsonrpc.Object(raw)
	if token, ok := jsonrpc.IDOf(members["progressToken"]); ok {
		m.progressToken = token
	}
	m.folder, _ = jsonrpc.Text(jsonrpc.Object(members[codexState])["sandboxCwd"])
	m.version, _ = jsonrpc.Text(members[mcpgo.MetaKeyProtocolVersion])
	level, _ := jsonrpc.Text(members[mcpgo.MetaKeyLogLevel])
	m.logLevel = mcpgo.LoggingLevel(level)
	var capabilities mcpgo.ClientCapabilities
	if raw := members[mcpgo.MetaKeyClientCapabilities]; raw != nil && json.Unmarshal(raw, &capabilities) == nil {
		m.capabilities = &capabilities
	}
	return m
}

// hasRoots reports whether the client can send its roots with a call.
func (m meta) hasRoots() bool {
	return mcpgo.IsModernProtocol(m.version) && m.capabilities != nil && m.capabilities.Roots != nil
}

// protocol returns the protocol of a request, as mcp-go keeps it in the contexts of
// its handlers. Since 2026-07-28 every request names a version and the client's
// capabilities; the error is that of missing capabilities or an unsupported version.
func (m meta) protocol(ctx context.Context) (*server.RequestProtocolInfo, *jsonrpc.Error) {
	if !mcpgo.IsModernProtocol(m.version) {
		return &server.RequestProtocolInfo{ProtocolVersion: m.version}, nil
	}
	if m.capabilities == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "missing or invalid _meta field " + mcpgo.MetaKeyClientCapabilities}
	}
	if !mcpgo.IsValidProtocolVersion(m.version) {
		e := mcpgo.UnsupportedProtocolVersionError{Version: m.version, Supported: server.SupportedProtocolVersionsFromContext(ctx)}
		return nil, errorOf(e.JSONRPCError().Error)
	}
	return &server.RequestProtocolInfo{Modern: true, ProtocolVersion: m.version, ClientCapabilities: m.capabilities, LogLevel: m.logLevel}, nil
}

// initialize is what matters of an initialize request.
type initialize struct {
	client   string // its name
	roots    bool   // the client can be asked for its roots
	sampling bool   // the client lends its model
}

func decodeInitialize(raw json.RawMessage) (p initialize) {
	params := jsonrpc.Object(raw)
	p.client, _ = jsonrpc.Text(jsonrpc.Object(params["clientInfo"])["name"])
	offered := jsonrpc.Object(params["capabilities"])
	p.roots, p.sampling = offered["roots"] != nil, offered["sampling"] != nil
	return p
}

// decodeCancelled returns the id of a request that is cancelled, "" for none.
func decodeCancelled(raw json.RawMessage) jsonrpc.ID {
	id, _ := jsonrpc.IDOf(jsonrpc.Object(raw)["requestId"])
	return id
}
