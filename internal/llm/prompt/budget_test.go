package prompt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
)

func TestBudgets(t *testing.T) {
	got := map[string]int{}
	for _, model := range []string{"", "claude-opus-5", "gpt-4.1-mini", "gpt-4", "llama3.1:8b", "Meta-Llama-3-8B", "qwen3:8b"} {
		got[model] = prompt.BudgetFor(model)
	}
	want := map[string]int{"": 100_000, "claude-opus-5": 100_000, "gpt-4.1-mini": 100_000, "gpt-4": 4_000, "llama3.1:8b": 64_000, "Meta-Llama-3-8B": 4_000, "qwen3:8b": 20_000}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
