package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/daemon"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// projectStatus is the state of the code graph and of the adopted specs.
type projectStatus struct {
	*explore.Status

	Adopted *adopted.Standing `json:"adopted,omitempty"`
	Live    []live.Status     `json:"live,omitempty"`   // servers that keep the graph current
	Server  *daemon.Process   `json:"server,omitempty"` // which of them, or another one, commands ask
}

func (a *app) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell how the project's code graph stands",
		Long: `Status tells when the code graph was built, what it holds and how many files have
changed since, which servers keep it current and what they have yet to do, whether one
answers for commands, and how many requirements of adopted specs have code. It changes
nothing. It ends with status 3 when the graph is not that of the files.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return with(a.open, func(p *project.Project) error {
				return withStore(func(s store.Store) error {
					st, err := explore.StatusOf(cmd.Context(), p, s)
					if err != nil {
						return err
					}
					specs, err := adopted.StandingOf(cmd.Context(), p)
					if err != nil {
						return err
					}
					if asJSON {
						servers := live.Of(st.Derived)
						for i := range servers {
							servers[i] = servers[i].Localized(a.lang)
						}
						server, _ := serverState(cmd.Context())
						err = a.printJSON(projectStatus{st, specs, servers, server})
					} else {
						_, server := serverState(cmd.Context())
						err = errors.Join(a.showStatus(st, live.Of(st.Derived), server), a.showAdopted(specs))
					}
					if err == nil && st.Stale() {
						return errCheckFailed
					}
					return err
				})
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (a *app) showStatus(s *explore.Status, servers []live.Status, server message.Text) error {
	w := a.table()
	line := func(name message.Text, value any) {
		fmt.Fprintf(w, "%s\t%s\n", a.localize(name), message.Render(a.lang, value))
	}
	line(message.New("project"), s.Project+"  "+s.Root)
	if !s.Indexed {
		line(message.New("code graph"), message.New("none yet: run reverse-spec index"))
		return w.Flush()
	}
	line(message.New("built"), message.New("%s by reverse-spec %s", s.BuiltAt.Local().Format(time.DateTime), s.Version))
	if s.Commit != "" {
		commit := message.New("%s", shortCommit(s.Commit))
		if s.Commit != s.HeadCommit {
			commit = message.New("%s, now at %s", shortCommit(s.Commit), shortCommit(s.HeadCommit))
		}
		line(message.New("commit"), commit)
	}
	for _, file := range s.Scip {
		line(message.New("with the SCIP index"), file)
	}
	line(message.New("since then"), message.New("%s changed, %d removed", message.Count(s.Changed, "%d file", "%d files"), s.Removed))
	line(message.New("files"), s.Files)
	line(message.New("nodes"), sum(s.Nodes))
	line(message.New("edges"), sum(s.Edges))
	line(message.New("calls without an edge"), sum(s.Unresolved))
	line(message.New("parse errors"), s.Errors)
	line(message.New("size"), fmt.Sprintf("%.1f MB", float64(s.Size)/1e6))
	for _, s := range servers {
		line(message.New("live"), s)
	}
	line(message.New("server"), server)
	return w.Flush()
}

// showAdopted tells how adopted specs stand, if there are any.
func (a *app) showAdopted(s *adopted.Standing) error {
	if s == nil {
		return nil
	}
	text := message.New("adopted specs: %d; %d of their %d requirements have code", s.Specs, s.Linked, s.Requirements)
	_, err := fmt.Fprintln(a.out, a.localize(text))
	return err
}

// shortCommit returns the first 12 digits of a commit's hash.
func shortCommit(hash string) string { return hash[:min(12, len(hash))] }

func sum[K ~string](m map[K]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}
