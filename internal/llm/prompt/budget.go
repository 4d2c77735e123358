package prompt

import "strings"

// DefaultBudget is the context budget in tokens for models without a small window.
const DefaultBudget = 100_000

// windows lists the budgets of models with small context windows: half of the window, which
// leaves room for the answer and for estimates that are too low. The first row whose name is
// part of the model's name applies.
var windows = []struct {
	name   string
	budget int
}{
	{"gpt-4-32k", 16_000},
	{"gpt-4-turbo", 64_000},
	{"gpt-4o", 64_000},
	{"gpt-4.", DefaultBudget},
	{"gpt-4", 4_000},
	{"gpt-3.5", 8_000},
	{"llama3.", 64_000},
	{"llama-3.", 64_000},
	{"llama3", 4_000},
	{"llama-3", 4_000},
	{"llama2", 2_000},
	{"codellama", 8_000},
	{"mixtral", 16_000},
	{"codestral", 16_000},
	{"mistral-large", 64_000},
	{"mistral", 16_000},
	{"qwen3", 20_000},
	{"qwen2.5", 16_000},
	{"deepseek", 64_000},
	{"gemma3", 64_000},
	{"gemma", 4_000},
	{"phi-4", 8_000},
	{"phi4", 8_000},
	{"phi3", 64_000},
}

// BudgetFor returns the context budget of a model in tokens: [DefaultBudget], or less if its
// window is known to be small.
func BudgetFor(model string) int {
	model = strings.ToLower(model)
	for _, w := range windows {
		if strings.Contains(model, w.name) {
			return w.budget
		}
	}
	return DefaultBudget
}
