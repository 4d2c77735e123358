//go:build conformance

package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	messages "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// after is the time after each step of a tool that takes several. Our server tells of
// progress a tenth of a second later, and only the latest, so that a step takes longer.
const after = 250 * time.Millisecond

// plainTools are those of the suite's tools that ours could be, and that ask nothing.
func plainTools() []mcp.Tool {
	return []mcp.Tool{
		tool("test_simple_text", func(context.Context) (any, error) {
			return "This is a simple text response for testing.", nil
		}),
		tool("test_error_handling", func(context.Context) (any, error) {
			return nil, errors.New("this tool intentionally returns an error for testing")
		}),
		tool("test_tool_with_progress", func(ctx context.Context) (any, error) {
			return "three steps", steps(ctx, 3, func(i int) error {
				progress.Report(ctx, progress.Event{Stage: "step", Done: 50 * i, Total: 100})
				return nil
			})
		}),
		tool("test_logging_tool", func(ctx context.Context) (any, error) {
			return "logged, if that was asked for", mcp.Log(ctx, mcpgo.LoggingLevelInfo, "at work")
		}),
		tool("test_tool_with_logging", func(ctx context.Context) (any, error) {
			said := []string{"Tool execution started", "Tool processing data", "Tool execution completed"}
			return "three messages", steps(ctx, len(said), func(i int) error {
				return mcp.Log(ctx, mcpgo.LoggingLevelInfo, said[i])
			})
		}),
	}
}

// tool is a tool of ours without parameters.
func tool(name string, run func(context.Context) (any, error)) mcp.Tool {
	return mcp.Tool{
		Name: name, Description: messages.New("%s", "The suite's "+name+"."), Effects: mcp.Effects{ReadOnly: true, Idempotent: true},
		Run: func(ctx context.Context, _ *project.Project, _ mcp.Arguments) (any, error) { return run(ctx) },
	}
}

// steps does n things, one after another with time after each.
func steps(ctx context.Context, n int, do func(i int) error) error {
	for i := range n {
		if err := do(i); err != nil {
			return err
		}
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// contents are the tools with results that ours do not have, by name.
func contents() map[string][]mcpgo.Content {
	return map[string][]mcpgo.Content{
		"test_image_content":     {mcpgo.NewImageContent(picture(), "image/png")},
		"test_audio_content":     {mcpgo.NewAudioContent(sound(), "audio/wav")},
		"test_embedded_resource": {embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")},
		"test_multiple_content_types": {
			mcpgo.NewTextContent("Multiple content types test:"),
			mcpgo.NewImageContent(picture(), "image/png"),
			embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
		},
	}
}

// schema is that of a tool that does nothing: what it says must reach clients to the last
// keyword.
const schema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "where", "type": "object", "properties": {"city": {"type": "string"}}}},
	"properties": {"address": {"$ref": "#/$defs/address"}, "by": {"enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"by": {"const": "phone"}}},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// offerTools declares tools that ours cannot replace.
func offerTools(s *mcp.Server) {
	server.WithLogging()(s.Engine())
	all := contents()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		content := all[name]
		s.Offer(mcpgo.NewTool(name, mcpgo.WithDescription("The suite's "+name+".")), func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return &mcpgo.CallToolResult{Content: content}, nil
		})
	}
	s.Offer(mcpgo.NewToolWithRawSchema("json_schema_2020_12_tool", "The suite's json_schema_2020_12_tool.", json.RawMessage(schema)),
		func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return mcpgo.NewToolResultText("nothing done"), nil
		})
}
