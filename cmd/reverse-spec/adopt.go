package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/reverse-spec/reverse-spec/internal/adopt"
	"github.com/reverse-spec/reverse-spec/internal/adopt/choose"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) adoptCommand() *cobra.Command {
	var opts adopt.Options
	var asJSON, interactive bool
	var model modelFlags
	cmd := &cobra.Command{
		Use:   "adopt spec...",
		Short: "Link specs that people wrote to the code, and keep them true",
		Long: `Adopt reads specs that people wrote, files or folders of them, in the form of OpenSpec,
Spec Kit or Kiro, or as Markdown with requirements. It links each requirement to the code
and the tests that it is about, says why and how sure it is, and which requirements have
no code. What the linked code does besides is listed as unspecified.

Nothing is written until links are accepted: with --yes those of at least --min-confidence,
with --interactive one after the other, with --accept and --reject by their ids. They are
kept in specs/.adopted/, beside the locks of pages, for the team to commit; the specs
themselves never change. A rejected link is not proposed again, and a later run says what is
new.

Links are found without a model: by names, texts, words, calls, and the proposals, designs
and tasks beside the specs. A model, where one is configured, is asked once for each
requirement without an accepted link, and can only choose among what was found; --no-llm asks
none.

From then on diff and review say which requirements a change contradicts or touches, and
verify runs the tests that are linked.`,
		Example: `  reverse-spec adopt openspec/specs
  reverse-spec adopt .kiro/specs/login/requirements.md --yes
  reverse-spec adopt docs/rules.md --interactive
  reverse-spec adopt openspec/specs --accept 3f2a91c0 --reject 77b0e4d2`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.MinConfidence <= 0 || opts.MinConfidence > 1 {
				return usageError{message.Errorf("--min-confidence takes a number above 0, up to 1")}
			}
			if interactive && !a.isTerminal() {
				return usageError{message.Errorf("--interactive needs a terminal; use --yes, or --accept and --reject")}
			}
			if interactive {
				opts.Decide = a.askLinks(cmd.Context(), bufio.NewReader(a.in))
			}
			return with(func() (*project.Project, error) { return a.openFor(args[0]) }, func(p *project.Project) error {
				r, err := a.adopt(cmd.Context(), p, args, opts, model)
				if err != nil {
					return err
				}
				return a.printAdopted(r, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&opts.Yes, "yes", false, "accept the links of at least --min-confidence")
	cmd.Flags().Float64Var(&opts.MinConfidence, "min-confidence", adopt.DefaultConfidence, "how sure a link must be, from 0 to 1")
	cmd.Flags().BoolVar(&interactive, "interactive", false, "ask for each link")
	cmd.Flags().StringSliceVar(&opts.Accept, "accept", nil, "`ids` of links to accept; may be given again")
	cmd.Flags().StringSliceVar(&opts.Reject, "reject", nil, "`ids` of links to reject; may be given again")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	cmd.MarkFlagsMutuallyExclusive("yes", "interactive")
	model.add(cmd)
	return cmd
}

func (a *app) printAdopted(r *adopt.Result, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
	a.warn(r.Warnings)
	return r.Text(a.out)
}

// isTerminal reports whether somebody can type.
func (a *app) isTerminal() bool {
	f, ok := a.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (a *app) adopt(ctx context.Context, p *project.Project, args []string, opts adopt.Options, model modelFlags) (*adopt.Result, error) {
	m, notes, err := modelFor(ctx, p.Root(), model)
	if err != nil {
		return nil, err
	}
	a.warn(notes)
	if m != nil {
		opts.Choose = func(ctx context.Context, requirement string, list []choose.Candidate) ([]int, error) {
			return choose.Ask(ctx, m, requirement, list)
		}
	}
	paths, err := a.paths(p, args)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return adopt.Run(ctx, p, paths, opts)
}

// askLinks returns a function that asks for a link. It ends with the context, although nothing was typed.
func (a *app) askLinks(ctx context.Context, in *bufio.Reader) func(*adopt.Spec, *adopt.Requirement, *adopt.Link) (adopt.Decision, error) {
	last := ""
	typed := typedLines(in)
	return func(s *adopt.Spec, q *adopt.Requirement, l *adopt.Link) (adopt.Decision, error) {
		if last != q.ID {
			last = q.ID
			fmt.Fprintf(a.err, "\n%s:%d %s\n", s.Path, q.Line, q.Title)
		}
		for {
			fmt.Fprintf(a.err, "  %s\n  %s ", l.Line(a.lang), a.localize(message.New("[y]es, [n]o, [l]ater, [q]uit?")))
			select {
			case <-ctx.Done():
				fmt.Fprintln(a.err)
				return adopt.Stop, ctx.Err()
			case line := <-typed:
				if d, ok := decisions[strings.ToLower(strings.TrimSpace(line.text))]; ok {
					return d, nil
				}
				if errors.Is(line.err, io.EOF) {
					fmt.Fprintln(a.err)
					return adopt.Stop, nil
				}
				if line.err != nil {
					return adopt.Stop, line.err
				}
			}
		}
	}
}

// decisions are the answers to a question.
var decisions = map[string]adopt.Decision{"y": adopt.Accept, "n": adopt.Reject, "l": adopt.Later, "q": adopt.Stop}

// typedLine is a line, or why there is none.
type typedLine struct {
	text string
	err  error
}

// typedLines reads lines ahead of the questions, so that waiting for one can end.
func typedLines(in *bufio.Reader) <-chan typedLine {
	out := make(chan typedLine)
	go func() {
		for {
			text, err := in.ReadString('\n')
			out <- typedLine{text, err}
			if err != nil {
				return
			}
		}
	}()
	return out
}
