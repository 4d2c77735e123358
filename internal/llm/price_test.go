package llm_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// TestPricesAreKnownOrNot, never guessed from a similar name.
func TestPricesAreKnownOrNot(t *testing.T) {
	for _, c := range []struct {
		settings llm.Settings
		want     llm.Price // zero if unknown
	}{
		{llm.Settings{Provider: llm.Anthropic, Model: "claude-sonnet-4-5"}, llm.Price{Input: 3, Output: 15}},
		{llm.Settings{Provider: llm.Anthropic, Model: "claude-sonnet-4-5-20250929"}, llm.Price{Input: 3, Output: 15}},
		{llm.Settings{Provider: llm.Anthropic, Model: "claude-opus-4-20250514"}, llm.Price{Input: 15, Output: 75}},
		{llm.Settings{Provider: llm.Anthropic}, llm.Price{}},
		{llm.Settings{Provider: llm.Anthropic, Model: "claude-sonnet-4-5", AnthropicURL: "http://localhost:1"}, llm.Price{}},
		{llm.Settings{Provider: llm.OpenAI, Model: "gpt-4.1-mini-2025-04-14"}, llm.Price{Input: 0.4, Output: 1.6}},
		{llm.Settings{Provider: llm.OpenAI, Model: "gpt-5.2"}, llm.Price{}},
		{llm.Settings{Provider: llm.OpenAI, Model: "gpt-5", OpenAIURL: "http://localhost:1/v1"}, llm.Price{}},
		{llm.Settings{Provider: llm.None}, llm.Price{}},
	} {
		c.settings.Getenv = llmtest.Key
		choice, err := llm.Choose(t.Context(), c.settings)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, known := choice.Price(); got != c.want || known != (c.want != llm.Price{}) {
			t.Errorf("%s at %s: %v, known: %t", choice.Model, choice.BaseURL, got, known)
		}
	}
}

func TestPricesAreParsed(t *testing.T) {
	p, err := llm.ParsePrice("3, 3")
	if want := (llm.Price{Input: 3, Output: 3}); err != nil || p != want {
		t.Errorf("%v, %v", p, err)
	}
	if got := p.Cost(500_000, 100_000); got < 1.799 || got > 1.801 {
		t.Errorf("cost %v", got)
	}
	for _, bad := range []string{"", "3", "3,x", "-1,2", "Inf,1", "3;4"} {
		if _, err := llm.ParsePrice(bad); err == nil {
			t.Errorf("%q is taken for prices", bad)
		}
	}
}
