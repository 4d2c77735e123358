package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// settings returns the settings for an environment without a claude command.
func settings(environment ...string) llm.Settings {
	return llm.Settings{
		Getenv: func(name string) string {
			for i := 0; i < len(environment); i += 2 {
				if environment[i] == name {
					return environment[i+1]
				}
			}
			return ""
		},
		Find: func(string) (string, error) { return "", exec.ErrNotFound },
	}
}

// with modifies settings.
func with(s llm.Settings, change func(*llm.Settings)) llm.Settings {
	change(&s)
	return s
}

const key, noKey = "sk-ant-api03-0123456789wxyz", "ANTHROPIC_API_KEY is not set"

// notLoggedIn is the output of claude 2.1.329 in that case, shortened.
const notLoggedIn = `echo '{"loggedIn": false, "authMethod": "none"}'; exit 1`

// TestChoices checks the chosen model and the reason.
func TestChoices(t *testing.T) {
	in, out, old := newClaude(t, loggedIn), newClaude(t, notLoggedIn), newClaude(t, "echo unknown command auth >&2; exit 1")
	noURL, noClaude := llm.Look{Provider: "openai", Why: "OPENAI_BASE_URL is not set"}, llm.Look{Provider: "claude-cli", Why: "there is no claude command"}
	notAnthropic, nothing := llm.Look{Provider: "anthropic", Why: noKey}, llm.Look{Provider: "none", Usable: true, Why: "nothing else is usable"}
	warned := []string{llm.NoModel().String()}
	anthropic := llm.Choice{
		Provider: "anthropic", Why: "ANTHROPIC_API_KEY is set", Model: "claude-sonnet-5-5", ModelFrom: "the default",
		BaseURL: "https://api.anthropic.com", Key: "sk-ant-…wxyz", KeyFrom: "ANTHROPIC_API_KEY",
		Looked: []llm.Look{{Provider: "anthropic", Usable: true, Why: "ANTHROPIC_API_KEY is set"}},
	}
	elsewhere := anthropic
	elsewhere.BaseURL, elsewhere.Model, elsewhere.ModelFrom = "http://user:xxxxx@gate.example", "m", "--model"
	for name, c := range map[string]struct {
		settings llm.Settings
		want     llm.Choice
	}{
		"a key": {settings("ANTHROPIC_API_KEY", key+"\n"), anthropic},
		"a key, another address and model": {with(settings("ANTHROPIC_API_KEY", key), func(s *llm.Settings) {
			s.AnthropicURL, s.Model, s.ModelFrom, s.OpenAIURL = "http://user:secret@gate.example/v1/", "m", "--model", "http://x"
		}), elsewhere},
		"an address": {with(settings(), func(s *llm.Settings) { s.OpenAIURL = "http://localhost:11434/v1/" }), llm.Choice{
			Provider: "openai", Why: "a base URL is set", BaseURL: "http://localhost:11434/v1", ModelFrom: "the only one that the server has",
			Looked: []llm.Look{notAnthropic, {Provider: "openai", Usable: true, Why: "a base URL is set"}},
		}},
		"OpenAI's key alone": {settings("OPENAI_API_KEY", "sk-proj-0123456789abcd"), llm.Choice{
			Provider: "none", Why: nothing.Why, Warnings: warned,
			Looked: []llm.Look{notAnthropic, {Provider: "openai", Why: "there is a key, but no base URL: set OPENAI_BASE_URL, or name the provider"}, noClaude, nothing},
		}},
		"OpenAI by name": {with(settings("OPENAI_API_KEY", "sk-proj-0123456789abcd"), func(s *llm.Settings) { s.Provider, s.ProviderFrom = "openai", "--provider" }), llm.Choice{
			Provider: "openai", Why: "it was asked for: --provider", Model: "gpt-6.1-terra", ModelFrom: "the default",
			BaseURL: "https://api.openai.com/v1", Key: "sk-proj-…abcd", KeyFrom: "OPENAI_API_KEY",
		}},
		"a claude command that is not allowed": {with(settings(), func(s *llm.Settings) { s.Find = in.find }), llm.Choice{
			Provider: "none", Why: nothing.Why, Warnings: warned,
			Looked: []llm.Look{notAnthropic, noURL, {Provider: "claude-cli", Why: "the claude command may not be used: allow it by REVERSE_SPEC_CLAUDE_CLI=1 or llm.claudeCli, or name the provider"}, nothing},
		}},
		"one that is": {with(settings(), func(s *llm.Settings) { s.Find, s.AllowClaude = in.find, true }), llm.Choice{
			Provider: "claude-cli", Why: "the claude command is logged in, and may be used", Model: "sonnet", ModelFrom: "the default", Command: in.path,
			Looked: []llm.Look{notAnthropic, noURL, {Provider: "claude-cli", Usable: true, Why: "the claude command is logged in, and may be used"}},
		}},
		"one that is not logged in": {with(settings(), func(s *llm.Settings) { s.Find, s.AllowClaude = out.find, true }), llm.Choice{
			Provider: "none", Why: nothing.Why, Warnings: warned,
			Looked: []llm.Look{notAnthropic, noURL, {Provider: "claude-cli", Why: "the claude command is not logged in"}, nothing},
		}},
		"an old one": {with(settings(), func(s *llm.Settings) { s.Find, s.AllowClaude = old.find, true }), llm.Choice{
			Provider: "none", Why: nothing.Why, Warnings: warned,
			Looked: []llm.Look{notAnthropic, noURL, {Provider: "claude-cli", Why: "the claude command does not say whether it is logged in"}, nothing},
		}},
		"an old one by name": {with(settings(), func(s *llm.Settings) {
			s.Find, s.Provider, s.Model, s.ModelFrom = old.find, "claude-cli", "opus", "a file"
		}), llm.Choice{
			Provider: "claude-cli", Why: "it was asked for", Model: "opus", ModelFrom: "a file", Command: old.path,
		}},
		"nobody by name": {with(settings("ANTHROPIC_API_KEY", key), func(s *llm.Settings) { s.Provider = "none" }), llm.Choice{Provider: "none", Why: "it was asked for"}},
	} {
		got, err := llm.Choose(t.Context(), c.settings)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, *got, cmpopts.IgnoreUnexported(llm.Choice{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestAProviderThatIsNamedMustBeUsable: the error says what is missing and what to do.
func TestAProviderThatIsNamedMustBeUsable(t *testing.T) {
	for _, c := range []struct {
		settings   llm.Settings
		want, hint string
	}{
		{
			with(settings(), func(s *llm.Settings) { s.Provider = "anthropic" }), "ANTHROPIC_API_KEY is not set",
			"set ANTHROPIC_API_KEY, or name another provider by REVERSE_SPEC_PROVIDER: openai, claude-cli or none",
		},
		{
			with(settings(), func(s *llm.Settings) { s.Provider = "openai" }), "OPENAI_API_KEY is not set",
			"set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, such as http://localhost:11434/v1",
		},
		{
			with(settings(), func(s *llm.Settings) { s.Provider = "claude-cli" }), "there is no claude command",
			"install Claude Code and log in with it: claude auth login",
		},
		{
			with(settings(), func(s *llm.Settings) { s.Provider, s.Find = "claude-cli", newClaude(t, notLoggedIn).find }),
			"the claude command is not logged in", "claude auth login",
		},
		{with(settings(), func(s *llm.Settings) { s.Provider = "claud-cli" }), `no provider "claud-cli" (there are auto, anthropic, openai, claude-cli, client, none); did you mean claude-cli?`, ""},
		{with(settings(), func(s *llm.Settings) { s.OpenAIURL = "localhost:11434" }), "the base URL is not one of http or https", ""},
		{with(settings("ANTHROPIC_API_KEY", key), func(s *llm.Settings) { s.AnthropicURL = "ftp://u:secret@x" }), "the base URL is not one of http or https", ""},
	} {
		_, err := llm.Choose(t.Context(), c.settings)
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Kind != llm.KindMissing || e.Error() != c.want || e.Hint().String() != c.hint {
			t.Errorf("want %s\ngot %v", c.want, err)
		}
	}
}

// TestNoModelAlwaysFails with the warning of the choice.
func TestNoModelAlwaysFails(t *testing.T) {
	c, err := llm.Choose(t.Context(), settings())
	if err != nil {
		t.Fatal(err)
	}
	m := c.Open(llm.Options{})
	if _, err := m.Complete(t.Context(), ask("hi")); text(err) != llm.NoModel().String() || m.Name() != "none" {
		t.Errorf("%s: %v", m.Name(), err)
	}
}

// TestAChoiceAsJSONHasNoKey.
func TestAChoiceAsJSONHasNoKey(t *testing.T) {
	c, err := llm.Choose(t.Context(), settings("ANTHROPIC_API_KEY", key))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(c)
	want := `{"provider":"anthropic","why":"ANTHROPIC_API_KEY is set","model":"claude-sonnet-5-5","modelFrom":"the default",` +
		`"baseUrl":"https://api.anthropic.com","key":"sk-ant-…wxyz","keyFrom":"ANTHROPIC_API_KEY","looked":[{"provider":"anthropic","usable":true,"why":"ANTHROPIC_API_KEY is set"}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestTheContractsWordsInChinese checks the texts fixed by the MCP server's contract.
func TestTheContractsWordsInChinese(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{Status: 429, Message: "slow down", Header: llmtest.Header{"Retry-After": "3600"}})
	defer s.Close()
	_, err := open(t, llm.Anthropic, s, llm.Options{}).Complete(t.Context(), ask("hi"))
	_, missing := llm.Choose(t.Context(), with(settings(), func(s *llm.Settings) { s.Provider = "anthropic" }))
	for _, c := range []struct {
		err  error
		want string
	}{{err, "Claude API 返回 429: 速率限制"}, {missing, "未检测到 ANTHROPIC_API_KEY"}} {
		e, ok := errors.AsType[*llm.Error](c.err)
		if !ok {
			t.Fatal(c.err)
		}
		if got := e.Words().In(message.Chinese); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := message.Render(message.Chinese, fmt.Errorf("call: %w", c.err)); !strings.HasPrefix(got, "call: "+c.want) {
			t.Errorf("%q does not begin with %q", got, c.want)
		}
	}
	if got, want := llm.NoModel().In(message.Chinese), "未检测到 ANTHROPIC_API_KEY，spec 仅含代码可证明的内容"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
