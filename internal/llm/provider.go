package llm

import (
	"context"
	"strings"
)

// Providers.
const (
	Auto      = "auto" // the first usable one of the others
	Anthropic = "anthropic"
	OpenAI    = "openai"
	ClaudeCLI = "claude-cli"
	Client    = "client" // the model of the MCP client whose call it is
	None      = "none"
)

// provider is an access to models.
type provider struct {
	name  string
	model string // the default; "" for the server's only model
	key   string // environment variable of the key; "" for none
	// usable reports whether auto can choose it, and why or why not.
	usable func(ctx context.Context, s *Settings) (ok bool, why string)
	// complete fills in the rest of a choice; it fails if something is missing.
	complete func(ctx context.Context, s *Settings, c *Choice) error
	open     func(c *Choice, o Options) asker
}

// providers returns all providers, in the order in which auto tries them.
//
// The default models are the ones for code and agents in the lists of the two services
// of October 2026 (anthropic-sdk-go 1.84, openai-go 3.95); the claude command knows
// its own names.
func providers() []provider {
	return []provider{
		{Anthropic, "claude-sonnet-5-5", "ANTHROPIC_API_KEY", anthropicUsable, anthropicComplete, openAnthropic},
		{OpenAI, "", "OPENAI_API_KEY", openAIUsable, openAIComplete, openOpenAI},
		{ClaudeCLI, "sonnet", "", claudeCLIUsable, claudeCLIComplete, openClaudeCLI},
		{Client, "", "", clientUsable, clientComplete, openClient},
		{None, "", "", noneUsable, noneComplete, openNone},
	}
}

// Providers returns the valid values of [Settings.Provider].
func Providers() []string {
	names := []string{Auto}
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// mask shows only the kind of a key and its end.
func mask(key string) string {
	const shown, enough = 4, 16
	if len(key) < enough {
		return "…"
	}
	kind := ""
	for _, prefix := range []string{"sk-ant-", "sk-proj-", "sk-"} {
		if strings.HasPrefix(key, prefix) {
			kind = prefix
			break
		}
	}
	return kind + "…" + key[len(key)-shown:]
}
