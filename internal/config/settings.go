package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// setting is a row of the table of settings.
type setting struct {
	key      string // in files; dots separate nested keys
	variable string // environment variable
	flag     string // command-line flag; "" for none
	project  scope  // what a project's file may set
	set      func(c *Config, value string) error
}

// scope reports whether a project's file, which is untrusted, may set a value: it may restrict
// what the user permits but not extend it.
type scope func(c *Config, value string) bool

func anything(*Config, string) bool { return true }
func nothing(*Config, string) bool  { return false }

// only permits the listed, restrictive values.
func only(narrow ...string) scope {
	return func(_ *Config, value string) bool {
		return slices.Contains(narrow, strings.ToLower(strings.TrimSpace(value)))
	}
}

// lower permits a limit below the current one.
func lower(c *Config, value string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	return err != nil || n > 0 && (c.LLM.Rate == 0 || n < c.LLM.Rate) // the setter reports invalid numbers
}

// settings returns the table.
func settings() []setting {
	return []setting{
		{"llm.provider", "REVERSE_SPEC_PROVIDER", "provider", only("none"), text(func(c *Config) *string { return &c.LLM.Provider })},
		{"llm.model", "REVERSE_SPEC_MODEL", "model", nothing, text(func(c *Config) *string { return &c.LLM.Model })},
		{"llm.anthropic.baseUrl", "ANTHROPIC_BASE_URL", "", nothing, text(func(c *Config) *string { return &c.LLM.AnthropicURL })},
		{"llm.openai.baseUrl", "OPENAI_BASE_URL", "", nothing, text(func(c *Config) *string { return &c.LLM.OpenAIURL })},
		{"llm.rate", "REVERSE_SPEC_RATE", "rate", lower, count(func(c *Config) *int { return &c.LLM.Rate })},
		{"llm.claudeCli", "REVERSE_SPEC_CLAUDE_CLI", "", nothing, truth(func(c *Config) *bool { return &c.LLM.ClaudeCLI })},
		{"lang", "REVERSE_SPEC_LANG", "lang", anything, text(func(c *Config) *string { return &c.Lang })},
		{"hooks", "REVERSE_SPEC_HOOKS", "", only("0", "false", "no", "off"), truth(func(c *Config) *bool { return &c.Hooks })},
	}
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, value string) error {
		*field(c) = strings.TrimSpace(value)
		return nil
	}
}

func count(field func(*Config) *int) func(*Config, string) error {
	return func(c *Config, value string) error {
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 {
			return message.Errorf("%q is not a number of requests a minute", value)
		}
		*field(c) = n
		return nil
	}
}

func truth(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, value string) error {
		switch strings.ToLower(value) {
		case "1", "true", "yes", "on":
			*field(c) = true
		case "0", "false", "no", "off":
			*field(c) = false
		default:
			return message.Errorf("%q is neither true nor false", value)
		}
		return nil
	}
}
