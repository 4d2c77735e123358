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

// This file is for the program in test/conformance, which the official
// conformance suite tests: the suite needs images, prompts and log messages, which our
// own tools do not use. Only builds with the conformance tag have it.

// Engine returns mcp-go's server, to which prompts and resources are declared.
func (s *Server) Engine() *server.MCPServer { return s.mcp }

// Offer adds a tool in mcp-go's form, for results that are neither text nor JSON.
// It must be called before clients are served.
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

// Ask sends a request to the client of a call and returns the result. ctx must be the
// context of the call. The errors are those of a request for roots.
func Ask(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	p, ok := ctx.Value(projectsKey{}).(*projects)
	if !ok {
		return nil, errors.New("ask: not called by a client")
	}
	return p.peer.ask(ctx, jsonrpc.Call{Method: method, Params: params})
}

// Log sends a log message to the client of a call, unless the client asked for higher levels
// only, or, since revision 2026-07-28, for none with this call. ctx must be the context
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

// Levels is implemented by a client's output stream to keep the level of log messages that the
// client wants: a session does not keep what only the suite needs.
type Levels interface {
	// SetLogLevel sets the least level that the client wants.
	SetLogLevel(mcpgo.LoggingLevel)
	// GetLogLevel returns it.
	GetLogLevel() mcpgo.LoggingLevel
}

// SetLogLevel implements
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
