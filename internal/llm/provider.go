package llm

import (
	"context"
	"strings"
)

// The providers.
const (
	Auto      = "auto" // the first of the others that is usable
	Anthropic = "anthropic"
	OpenAI    = "openai"
	ClaudeCLI = "claude-cli"
	None      = "none"
)

// provider is one way to a model.
type provider struct {
	name  string
	model string // the default; "" for the only one that the server has
	key   string // the environment variable that the key is in; "" for none
	// usable reports whether auto can take it, and why or why not.
	usable func(ctx context.Context, s *Settings) (ok bool, why string)
	// complete fills in what a choice of it needs; an error, when that is missing.
	complete func(ctx context.Context, s *Settings, c *Choice) error
	open     func(c *Choice, o Options) asker
}

// providers returns all there are, in the order in which auto looks.
//
// The default models are the ones for code and agents in the lists of the two services
// of October 2026 (anthropic-sdk-go 1.84, openai-go 3.95); the claude command knows
// its own names.
func providers() []provider {
	return []provider{
		{Anthropic, "claude-sonnet-5-5", "ANTHROPIC_API_KEY", anthropicUsable, anthropicComplete, openAnthropic},
		{OpenAI, "", "OPENAI_API_KEY", openAIUsable, openAIComplete, openOpenAI},
		{ClaudeCLI, "sonnet", "", claudeCLIUsable, claudeCLIComplete, openClaudeCLI},
		{None, "", "", noneUsable, noneComplete, openNone},
	}
}

// Providers returns the names that [Settings.Provider] may have.
func Providers() []string {
	names := []string{Auto}
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// mask shows of a key what kind it is and how it ends.
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
