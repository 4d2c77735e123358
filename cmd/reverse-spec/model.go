package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/config"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// modelFlags are the flags of commands that may use a model.
type modelFlags struct {
	provider, model string
	rate            string // a number, as in the settings
	none            bool
	options         llm.Options // except the rate
}

func (f *modelFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.provider, "provider", "", "who is asked: auto, anthropic, openai, claude-cli, client or none (default: REVERSE_SPEC_PROVIDER, the configuration, auto)")
	cmd.Flags().BoolVar(&f.none, "no-llm", false, "ask no model: the same as --provider none")
	cmd.MarkFlagsMutuallyExclusive("no-llm", "provider")
	cmd.Flags().StringVar(&f.rate, "rate", "", "most requests a minute (`number`; default: REVERSE_SPEC_RATE, the configuration, no bound)")
	cmd.Flags().StringVar(&f.model, "model", "", "which `model` is asked (default: REVERSE_SPEC_MODEL, the configuration, the provider's)")
}

// chooseModel reads the settings for a project, whose root may be "", and chooses the model.
func chooseModel(ctx context.Context, root string, f modelFlags) (*llm.Choice, *config.Config, error) {
	if f.none {
		f.provider = llm.None
	}
	c, err := config.Load(config.Options{Project: root, Flags: map[string]string{"llm.provider": f.provider, "llm.model": f.model, "llm.rate": f.rate}})
	if err != nil {
		return nil, nil, err
	}
	choice, err := llm.Choose(ctx, llm.Settings{
		Provider: c.LLM.Provider, ProviderFrom: c.From("llm.provider"),
		Model: c.LLM.Model, ModelFrom: c.From("llm.model"),
		AnthropicURL: c.LLM.AnthropicURL, OpenAIURL: c.LLM.OpenAIURL, AllowClaude: c.LLM.ClaudeCLI,
	})
	return choice, c, err
}

// models returns the function that opens a project's model for questions.
func models(f modelFlags) func(context.Context, *project.Project) (llm.Model, []string, error) {
	return func(ctx context.Context, p *project.Project) (llm.Model, []string, error) {
		return modelFor(ctx, p.Root(), f)
	}
}

// modelFor opens the project's model; nil if there is none, which questions do not require.
// The notes are for results.
func modelFor(ctx context.Context, root string, f modelFlags) (m llm.Model, notes []string, err error) {
	choice, settings, err := chooseModel(ctx, root, f)
	if err != nil {
		return nil, nil, err
	}
	if choice.Provider == llm.None {
		return nil, settings.Notes(message.From(ctx)), nil
	}
	f.options.Rate = settings.LLM.Rate
	return choice.Open(f.options), settings.Notes(message.From(ctx)), nil
}
