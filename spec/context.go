package spec

import (
	"context"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// ContextOptions are the choices of [Assemble].
type ContextOptions struct {
	Model     string // whose budget to keep, where Budget is 0
	Budget    int    // most tokens of the context; 0 for that of the model
	Snippets  bool   // functions in full, too
	OutputDir string // where the specs of dependencies stand; "" for [DefaultOutputDir]
	// Lines bounds what is given in full to declarations that begin within them, in a
	// target that is one file; see [Chunks]. The zero value is all of it.
	Lines Chunk
}

// DefaultBudget is how many tokens a context has, unless its model has a smaller window.
const DefaultBudget = 100_000

// windows are the budgets of models with small windows: half of the window, so that the
// answer and a count that is too low have room. A row holds for names that contain its
// words; the first that does counts.
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

// BudgetFor returns how many tokens of context a model is given: [DefaultBudget], and
// less where its window is known to be small.
func BudgetFor(model string) int {
	model = strings.ToLower(model)
	for _, w := range windows {
		if strings.Contains(model, w.name) {
			return w.budget
		}
	}
	return DefaultBudget
}

// Assemble makes the context of a target that has been read: what [Generate] knows of it,
// as texts for a model. Dependencies are given by the interface in their spec where
// there is one, else by the signatures of what they export. What does not fit the budget
// is left out: functions first, then tests and README, then dependencies, then bodies of
// declarations, last declarations. Secrets are in none of it. Errors are those of
// reading files, and the context's.
func Assemble(ctx context.Context, p *project.Project, tree *source.Tree, o ContextOptions) (Context, error) {
	ctx = message.With(ctx, message.Choice{Lang: message.English}) // models are asked in English
	m := newMaterial(p, tree, "en", time.Time{})
	list, err := m.parcels(ctx, p, o)
	if err != nil {
		return Context{}, err
	}
	return assemble(ctx, list, or0(o.Budget, BudgetFor(o.Model))), ctx.Err()
}

// or0 returns the first number that is not 0.
func or0(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// parcels are all parts in full.
func (m *material) parcels(ctx context.Context, p *project.Project, o ContextOptions) ([]*parcel, error) {
	list := []*parcel{{kind: SkeletonPart, title: m.name, items: m.declarations(ctx, o.Lines)}}
	deps, err := m.dependencyInterfaces(ctx, or(o.OutputDir, DefaultOutputDir))
	if err != nil {
		return nil, err
	}
	list = append(list, &parcel{kind: DependencyPart, title: message.Sprintf(ctx, "What it uses"), items: deps})
	if o.Snippets {
		snippets, err := snippets(ctx, p, m.tree.Files, o.Lines)
		if err != nil {
			return nil, err
		}
		part := &parcel{kind: SnippetPart, title: message.Sprintf(ctx, "Functions in full")}
		for _, s := range snippets {
			part.items = append(part.items, item{full: markdown.Fenced(s.language, s.text)})
		}
		list = append(list, part)
	}
	return append(list,
		&parcel{kind: TestPart, title: message.Sprintf(ctx, "Tests"), items: m.testNames()},
		&parcel{kind: ReadmePart, title: "README", items: readme(p, m.target)}), nil
}

// testNames are the names of the target's tests.
func (m *material) testNames() []item {
	var out []item
	for _, f := range m.tests() {
		for _, t := range f.Tests {
			out = append(out, item{full: "- " + markdown.Cell(t.Name) + " (" + f.Path + ":" + itoa(t.Line) + ")"})
		}
	}
	return out
}
