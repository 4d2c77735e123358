package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/agents/hook"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/config"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// hookWork handles an event in a project within a budget, 0 for the default; the result is nil
// for no output.
type hookWork func(ctx context.Context, p *project.Project, e hook.Event, budget time.Duration) ([]byte, error)

func (a *app) hookCommand() *cobra.Command {
	var budget time.Duration
	cmd := &cobra.Command{
		Use:    "hook",
		Short:  "Tell a coding agent about the specs, as the plugin's hooks do",
		Hidden: true,
		Long: `Hook reads an event in Claude Code's form on standard input and prints what the agent
should know. It never fails: where something goes wrong, it says nothing.
REVERSE_SPEC_HOOKS=0, or "hooks: false" in .reverse-spec.yaml, turns it off.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().DurationVar(&budget, "budget", 0, "how `long` comparing code and specs may take (default: so short that nobody waits)")
	for _, h := range []struct {
		name, short string
		work        hookWork
	}{
		{"session-start", "Report the state of the project's specs", sessionStart},
		{"post-edit", "Report what an edit means for the spec of the file", postEdit},
	} {
		cmd.AddCommand(&cobra.Command{
			Use: h.name, Short: h.short, Long: h.short, Args: noArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				text, err := a.hook(cmd.Context(), h.work, budget)
				if err == nil {
					_, _ = a.out.Write(text) // there is nobody to report an error to
				}
				return nil
			},
		})
	}
	return cmd
}

// hook reads an event and handles it in its project: that of the session, or the file's own if
// the file is outside it.
func (a *app) hook(ctx context.Context, work hookWork, budget time.Duration) (text []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r) // never shown
		}
	}()
	e, err := hook.Read(a.in)
	if err != nil {
		return nil, err
	}
	if a.project == "" {
		a.project = project.Find(cmp.Or(os.Getenv("CLAUDE_PROJECT_DIR"), e.Dir, "."))
	}
	settings, err := config.Load(config.Options{Project: a.project})
	if err != nil || !settings.Hooks {
		return nil, err
	}
	if lang, ok := message.Parse(settings.Lang); ok && message.Explicit(ctx) == "" {
		ctx = message.With(ctx, message.Choice{Lang: lang, Explicit: lang}) // of the session's project
	}
	return text, with(a.open, func(p *project.Project) error {
		text, err = work(ctx, p, e, budget)
		return err
	})
}

func sessionStart(ctx context.Context, p *project.Project, _ hook.Event, budget time.Duration) ([]byte, error) {
	line, err := hook.SessionStart(ctx, p, hook.Session{
		Graph:  func(ctx context.Context) (time.Time, error) { return builtAt(ctx, p) },
		Budget: budget,
	})
	if line == "" {
		return nil, err
	}
	return []byte(line + "\n"), err
}

// builtAt returns when the graph of a project was built; the zero time if there is none.
func builtAt(ctx context.Context, p *project.Project) (at time.Time, err error) {
	return at, withStore(func(s store.Store) error {
		g, err := s.Open(ctx, p.Root())
		if errors.Is(err, store.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		state, err := g.State(ctx)
		at = state.BuiltAt
		return errors.Join(err, g.Close())
	})
}

func postEdit(ctx context.Context, p *project.Project, e hook.Event, budget time.Duration) ([]byte, error) {
	line, err := hook.PostEdit(ctx, p, e.File, budget)
	if err != nil || line == "" {
		return nil, err
	}
	return hook.Reply(line)
}
