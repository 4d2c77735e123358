package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/config"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// authReport is the output of auth.
type authReport struct {
	*llm.Choice
	ConfigFiles []string  `json:"configFiles,omitempty"`
	Verified    *verified `json:"verified,omitempty"`
}

// verified is the result of a test call.
type verified struct {
	Model  string    `json:"model"`
	Usage  llm.Usage `json:"usage"`
	Millis int64     `json:"millis"`
}

func (a *app) authCommand() *cobra.Command {
	var f modelFlags
	var verify, asJSON bool
	cmd := &cobra.Command{
		Use:   "auth",
		Short: "Tell which model would be asked, and why",
		Long: `Auth shows which provider, model, address and key would be used, where each of them was
set, and what was found of the other providers. It asks nobody; --verify makes one tiny
call. Of a key its end is shown.

A provider is taken from --provider, REVERSE_SPEC_PROVIDER, or config.yaml in the user's
folder; the project's .reverse-spec.yaml may say none. Else the first is taken of
  anthropic    when ANTHROPIC_API_KEY is set (ANTHROPIC_BASE_URL: another address)
  openai       when OPENAI_BASE_URL is set: Ollama, vLLM, LM Studio, ... (OPENAI_API_KEY if it wants one)
  claude-cli   when REVERSE_SPEC_CLAUDE_CLI=1 and the claude command is logged in
  client       in mcp-server, when a call asks for prose and the MCP client lends its model
  none         specs then hold what the code proves

EXIT STATUS
  3 when there is no model to ask, though nobody asked for none`,
		Example: `  reverse-spec auth
  reverse-spec auth --provider openai --model qwen3-coder --verify`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			choice, settings, err := chooseModel(cmd.Context(), a.root(), f)
			if err != nil {
				return err
			}
			a.warn(settings.Notes(a.lang))
			r := authReport{Choice: choice, ConfigFiles: settings.Files}
			if verify {
				if r.Verified, err = verifyModel(cmd.Context(), choice); err != nil {
					return err
				}
			}
			if asJSON {
				err = a.printJSON(r)
			} else {
				err = a.showAuth(r, settings)
			}
			if err == nil && len(choice.Warnings) > 0 {
				return errCheckFailed
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&verify, "verify", false, "make one tiny call")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// verifyModel asks the model for a word.
func verifyModel(ctx context.Context, c *llm.Choice) (*verified, error) {
	const enough = 64 // tokens
	start := time.Now()
	answer, err := c.Open(llm.Options{}).Complete(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "Reply with the word ok."}}, MaxTokens: enough,
	})
	if err != nil {
		return nil, err
	}
	return &verified{answer.Model, answer.Usage, time.Since(start).Milliseconds()}, nil
}

func (a *app) showAuth(r authReport, settings *config.Config) error {
	w := a.table()
	line := func(name message.Text, value, why string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\t%s\n", a.localize(name), value, why)
		}
	}
	line(message.New("provider"), r.Provider, r.Why)
	if r.Provider != llm.None {
		line(message.New("model"), cmp.Or(r.Model, "-"), r.ModelFrom)
	}
	line(message.New("base URL"), r.BaseURL, a.addressFrom(r.Provider, settings))
	line(message.New("command"), r.Command, "")
	line(message.New("key"), r.Key, r.KeyFrom)
	for _, file := range r.ConfigFiles {
		line(message.New("configuration"), file, "")
	}
	for _, l := range r.Looked {
		if !l.Usable {
			line(message.New("not used"), l.Provider, l.Why)
		}
	}
	if v := r.Verified; v != nil {
		line(message.New("verified"), v.Model, a.localize(message.New("answered after %d ms (%d tokens read, %d written)", v.Millis, v.Usage.Total()-v.Usage.Output, v.Usage.Output)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.warn(r.Warnings)
	return nil
}

// addressFrom returns where an address was set.
func (a *app) addressFrom(provider string, settings *config.Config) string {
	if from := settings.From("llm." + provider + ".baseUrl"); from != "" {
		return from
	}
	return a.localize(message.New("the default"))
}
