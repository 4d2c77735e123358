package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke the tokens of serve",
		Long: `A token lets an agent or a person ask a server that reverse-spec serve runs, about some
projects of the shared store (REVERSE_SPEC_STORE), or all. The store has a hash of it.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(a.tokenAddCommand(), a.tokenListCommand(), a.tokenRevokeCommand())
	return cmd
}

func (a *app) tokenAddCommand() *cobra.Command {
	var projects []string
	var days int
	cmd := &cobra.Command{
		Use:   "add <name>",
		Short: "Make a token and print it",
		Long: `Add makes a token and prints it on standard output, once: it is stored nowhere. The name
is for logs, metrics, and revoke.`,
		Example: `  reverse-spec token add alice --days 90
  reverse-spec token add shop-agent --for shop --for https://github.com/org/cart`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			const mostDays = 36500
			if days < 0 || days > mostDays {
				return usageError{message.Errorf("--days is 0 to %d", mostDays)}
			}
			return withGraphs(func(g *graphs.Graphs) error {
				secret, t, err := g.AddToken(cmd.Context(), args[0], projects, time.Duration(days)*24*time.Hour)
				if err != nil {
					return err
				}
				a.note(message.New("token %s for %s; it is not shown again", t.Name, a.seenBy(t)))
				if a.json {
					return a.printJSON(struct {
						Token string `json:"token"`
						tokenRow
					}{secret, tokenRows([]store.Token{t})[0]})
				}
				_, err = fmt.Fprintln(a.out, secret)
				return err
			})
		},
	}
	cmd.Flags().StringArrayVar(&projects, "for", nil, "a `project` that the token may see, by its name or address in reverse-spec projects; repeatable (default: all)")
	cmd.Flags().IntVar(&days, "days", 0, "how many days it is good; 0 for ever")
	return cmd
}

func (a *app) tokenListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withGraphs(func(g *graphs.Graphs) error {
				tokens, err := g.Tokens(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"tokens": tokenRows(tokens)})
				}
				w := a.table()
				for _, t := range tokens {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Name, t.Created.Local().Format(time.DateOnly), a.expiry(t), a.seenBy(t))
				}
				if len(tokens) == 0 {
					a.note(message.New("none yet: reverse-spec token add NAME makes one"))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// tokenRow is a token in JSON: without the hash of its secret.
type tokenRow struct {
	Name     string     `json:"name"`
	Created  time.Time  `json:"created"`
	Expires  *time.Time `json:"expires,omitempty"`
	All      bool       `json:"all"`
	Projects []string   `json:"projects,omitempty"`
}

func tokenRows(tokens []store.Token) []tokenRow {
	rows := make([]tokenRow, len(tokens))
	for i, t := range tokens {
		rows[i] = tokenRow{Name: t.Name, Created: t.Created, All: t.Access.All, Projects: t.Access.Keys}
		if !t.Expires.IsZero() {
			rows[i].Expires = &t.Expires
		}
	}
	return rows
}

// seenBy says what a token may see.
func (a *app) seenBy(t store.Token) string {
	if t.Access.All {
		return a.localize(message.New("all projects"))
	}
	return strings.Join(t.Access.Keys, " ")
}

// expiry says until when a token is good.
func (a *app) expiry(t store.Token) string {
	switch {
	case t.Expires.IsZero():
		return a.localize(message.New("for ever"))
	case time.Now().After(t.Expires):
		return a.localize(message.New("expired"))
	}
	return a.localize(message.New("until %s", t.Expires.Local().Format(time.DateTime)))
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke <name>",
		Short: "Revoke a token",
		Long:  `Revoke removes a token. Servers refuse it within five seconds.`,
		Args:  exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withGraphs(func(g *graphs.Graphs) error {
				if err := g.RevokeToken(cmd.Context(), args[0]); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"revoked": args[0]})
				}
				a.note(message.New("token %s is revoked", args[0]))
				return nil
			})
		},
	}
}
