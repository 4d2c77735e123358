package mcp

import (
	"context"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/mcp/sampling"
)

// withSampling returns the context of a call with the model of the client, if it offers one. Since 2026-07-28 servers send no
// requests, so that such clients lend none.
func (c *connection) withSampling(ctx context.Context, call *toolCall) context.Context {
	if !c.sampling.Load() || mcpgo.IsModernProtocol(call.meta.version) {
		return ctx
	}
	return sampling.With(ctx, func(ctx context.Context, method string, params map[string]any) ([]byte, error) {
		return c.peer.ask(ctx, jsonrpc.Call{
			Method: method, Params: params,
			Cancelled: func(id jsonrpc.ID) {
				c.session.notify(jsonrpc.MethodCancelled, jsonrpc.Cancelled{RequestID: id})
			},
		})
	})
}

// proseParam asks for prose where no model is configured, too: by the client's own.
func proseParam() Param {
	return Param{
		Name: "prose", Type: Boolean, Default: false,
		Description: message.New("Prose of a model, else of the client's (sampling)"),
	}
}

// proseContext returns the context of a call that may ask for prose.
func proseContext(ctx context.Context, a Arguments) context.Context {
	if a.Bool("prose") {
		return sampling.Wanted(ctx)
	}
	return ctx
}
