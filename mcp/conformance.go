//go:build conformance

package mcp

import (
	"context"
	"encoding/json"
	"errors"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

// What stands in this file is for the program in mcp/conformance, which the official
// conformance suite asks: the suite wants pictures, prompts and log messages, and our
// own tools have no use for them. No other build has it.

// Engine returns mcp-go's server, to which prompts and resources are declared.
func (s *Server) Engine() *server.MCPServer { return s.mcp }

// Offer adds a tool in mcp-go's form, for results that are neither texts nor JSON.
// Clients may not be served yet.
func (s *Server) Offer(tool mcpgo.Tool, handle server.ToolHandlerFunc) {
	s.tools = append(s.tools, Tool{Name: tool.Name, custom: func(ctx context.Context, c *toolCall) (*mcpgo.CallToolResult, *jsonrpc.Error) {
		var request mcpgo.CallToolRequest
		if err := json.Unmarshal(c.params, &request.Params); err != nil {
			return nil, unparsable(c.params)
		}
		result, err := handle(ctx, request)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: err.Error()}
		}
		return result, nil
	}})
	s.mcp.AddTool(tool, nil)
}

// Ask sends the client of a call a request and returns the result. It must be told the
// context of the call. The errors are those of a request for roots.
func Ask(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	p, ok := ctx.Value(projectsKey{}).(*projects)
	if !ok {
		return nil, errors.New("ask: not called by a client")
	}
	return p.peer.ask(ctx, method, params)
}

// Log sends a log message to the client of a call, unless it asked for graver ones
// only, or, since revision 2026-07-28, for none with this call. It must be told the context
// of the call.
func Log(ctx context.Context, level mcpgo.LoggingLevel, data any) error {
	to, ok := server.ClientSessionFromContext(ctx).(*session)
	if !ok {
		return errors.New("log: not called by a client")
	}
	least := to.GetLogLevel()
	if of := server.RequestProtocolInfoFromContext(ctx); of != nil && of.Modern {
		least = of.LogLevel
	}
	if !level.ShouldSendTo(least) {
		return nil
	}
	to.notify(string(mcpgo.MethodNotificationMessage), map[string]any{"level": level, "logger": serverName, "data": data})
	return nil
}

// Levels is what the stream to a client must be, too, for the client to say which log
// messages it wants: a session of ours keeps nothing that only the suite asks for.
type Levels interface {
	// SetLogLevel notes the least level that the client wants.
	SetLogLevel(mcpgo.LoggingLevel)
	// GetLogLevel returns it.
	GetLogLevel() mcpgo.LoggingLevel
}

// SetLogLevel makes a session one that mcp-go takes a level for, see
// [server.SessionWithLogging].
func (s *session) SetLogLevel(level mcpgo.LoggingLevel) {
	if levels, ok := s.out.(Levels); ok {
		levels.SetLogLevel(level)
	}
}

// GetLogLevel returns the least level of what the client is sent.
func (s *session) GetLogLevel() mcpgo.LoggingLevel {
	if levels, ok := s.out.(Levels); ok {
		return levels.GetLogLevel()
	}
	return mcpgo.LoggingLevelDebug
}
