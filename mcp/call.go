package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// enqueue queues a tool call, or refuses it.
func (c *connection) enqueue(ctx context.Context, m jsonrpc.Message) {
	call, invalid := decodeCall(m, c.server.lang)
	if invalid != nil {
		c.send(jsonrpc.Response{ID: m.ID, Error: invalid})
		return
	}
	if unknown := c.server.unknownTool(call.tool); !unknown.Empty() {
		c.send(errorResponse(call.id, jsonrpc.CodeInvalidParams, unknown.In(c.server.lang)))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	j := &job{id: call.id, cancel: cancel, remote: c.server.proxy.has(call.tool)}
	j.run = func() { c.work(ctx, call, j) }
	if code, refusal := c.queue.add(j); !refusal.Empty() {
		cancel()
		c.send(errorResponse(call.id, code, refusal.In(c.server.lang)))
	}
}

// work runs a tool call and sends the response, unless the client cancelled it.
func (c *connection) work(ctx context.Context, call *toolCall, j *job) {
	defer j.cancel()
	var response jsonrpc.Response
	if j.remote {
		response = c.relay(ctx, call)
	} else {
		reporter := newReporter(c.session, c.server.lang, call.meta.progressToken)
		stop := context.AfterFunc(ctx, reporter.close) // a client that cancelled wants no more progress
		response = c.server.call(progress.With(c.withSampling(ctx, call), reporter.report), c.projects, call)
		reporter.close()
		reporter.keepApart(ctx)
		stop()
	}
	line := c.server.encode(response)
	if c.queue.finish(j) {
		c.session.send(line)
	}
}

// call runs a tool and returns the response. An error of a tool is a result for the model to
// read; a JSON-RPC error is one of the request itself.
func (s *Server) call(ctx context.Context, in *projects, c *toolCall) jsonrpc.Response {
	protocol, invalid := c.meta.protocol(ctx)
	if invalid != nil {
		return jsonrpc.Response{ID: c.id, Error: invalid}
	}
	ctx = server.WithRequestProtocolInfo(withProjects(ctx, in), protocol)
	var given any
	if c.arguments != nil {
		if err := json.Unmarshal(c.arguments, &given); err != nil {
			return jsonrpc.Response{ID: c.id, Error: unparsable(c.params)}
		}
	}
	t := s.tool(c.tool)
	if t.custom != nil {
		result, invalid := t.custom(ctx, c)
		if invalid != nil {
			return jsonrpc.Response{ID: c.id, Error: invalid}
		}
		return jsonrpc.Response{ID: c.id, Result: s.callResult(protocol, result)}
	}
	result, err := s.try(ctx, t, in, c, given)
	switch {
	case errors.Is(err, errAskRoots):
		result = server.NewInputRequestBuilder("").Roots(rootsInput).ToolResult()
	case err != nil:
		s.log.DebugContext(ctx, "tool failed", "tool", t.Name, "error", err)
		result = mcpgo.NewToolResultError(t.failure(ctx, err, given))
	}
	return jsonrpc.Response{ID: c.id, Result: s.callResult(protocol, result)}
}

// try is run with a panic as a result.
func (s *Server) try(ctx context.Context, t Tool, in *projects, c *toolCall, given any) (result *mcpgo.CallToolResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.ErrorContext(ctx, "tool panicked", "tool", t.Name, "panic", r, "stack", string(debug.Stack()))
			result, err = mcpgo.NewToolResultError(panicked(s.lang, r)), nil
		}
	}()
	return s.run(ctx, t, in, c, given)
}

// run checks the arguments, finds the project and runs the tool in it.
func (s *Server) run(ctx context.Context, t Tool, in *projects, c *toolCall, given any) (*mcpgo.CallToolResult, error) {
	if err := ctx.Err(); err != nil { // the server shut down while the call was queued
		return nil, err
	}
	a, err := t.arguments(given)
	if err != nil {
		return nil, err
	}
	p, err := in.of(ctx, c, t.absolutePaths(a))
	if err != nil {
		return nil, err
	}
	value, err := t.Run(ctx, p, a)
	if degraded, ok := errors.AsType[*spec.DegradedError](err); ok {
		return t.degraded(ctx, value, degraded)
	}
	if err != nil {
		return nil, err
	}
	return t.success(value)
}

// panicked is the contract's text for a panic. It is short; the stack is in the log.
func panicked(lang message.Lang, r any) string {
	return internal(lang, suggest.Quote(fmt.Sprint(r)))
}
