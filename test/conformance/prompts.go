//go:build conformance

package main

import (
	"context"
	"fmt"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// prompt is a prompt that the suite gets.
type prompt struct {
	name      string
	arguments []string
	says      func(given map[string]string) []mcpgo.Content
}

func prompts() []prompt {
	return []prompt{
		{"test_simple_prompt", nil, func(map[string]string) []mcpgo.Content {
			return []mcpgo.Content{mcpgo.NewTextContent("This is a simple prompt for testing.")}
		}},
		{"test_prompt_with_arguments", []string{"arg1", "arg2"}, func(given map[string]string) []mcpgo.Content {
			return []mcpgo.Content{mcpgo.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", given["arg1"], given["arg2"]))}
		}},
		{"test_prompt_with_embedded_resource", []string{"resourceUri"}, func(given map[string]string) []mcpgo.Content {
			return []mcpgo.Content{
				embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing."),
				mcpgo.NewTextContent("Please process the embedded resource above."),
			}
		}},
		{"test_prompt_with_image", nil, func(map[string]string) []mcpgo.Content {
			return []mcpgo.Content{mcpgo.NewImageContent(picture(), "image/png"), mcpgo.NewTextContent("Please analyze the image above.")}
		}},
	}
}

// embedded is a text resource embedded in a message.
func embedded(uri, kind, text string) mcpgo.EmbeddedResource {
	return mcpgo.NewEmbeddedResource(mcpgo.TextResourceContents{URI: uri, MIMEType: kind, Text: text})
}

// offerPrompts declares the prompts, and that their arguments can be completed.
func offerPrompts(s *server.MCPServer) {
	server.WithPromptCapabilities(false)(s)
	server.WithCompletions()(s)
	server.WithPromptCompletionProvider(completions{})(s)
	for _, p := range prompts() {
		options := []mcpgo.PromptOption{mcpgo.WithPromptDescription("The suite's " + p.name + ".")}
		for _, name := range p.arguments {
			options = append(options, mcpgo.WithArgument(name, mcpgo.RequiredArgument()))
		}
		s.AddPrompt(mcpgo.NewPrompt(p.name, options...), func(_ context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
			var result mcpgo.GetPromptResult
			for _, content := range p.says(r.Params.Arguments) {
				result.Messages = append(result.Messages, mcpgo.NewPromptMessage(mcpgo.RoleUser, content))
			}
			return &result, nil
		})
	}
}

// completions completes every argument of a prompt.
type completions struct{}

// CompletePromptArgument is [server.PromptCompletionProvider].
func (completions) CompletePromptArgument(_ context.Context, _ string, a mcpgo.CompleteArgument, _ mcpgo.CompleteContext) (*mcpgo.Completion, error) {
	return &mcpgo.Completion{Values: []string{a.Value + "is"}, Total: 1}, nil
}
