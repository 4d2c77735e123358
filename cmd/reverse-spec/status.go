package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/explore"
	"github.com/reverse-spec/reverse-spec/internal/counted"
	"github.com/reverse-spec/reverse-spec/store"
	"github.com/reverse-spec/reverse-spec/workspace"
)

func (a *app) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Tell how the project's code graph stands",
		Long: `Status tells when the code graph was built, what it holds and how many files have
changed since. It changes nothing. It ends with status 3 when the graph is not that
of the files.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return with(a.open, func(p *workspace.Project) error {
				return withStore(func(s store.Store) error {
					st, err := explore.StatusOf(cmd.Context(), p, s)
					if err != nil {
						return fmt.Errorf("status 失败: %w", err)
					}
					if asJSON {
						err = a.printJSON(st)
					} else {
						err = a.showStatus(st)
					}
					if err == nil && st.Stale() {
						return errNo
					}
					return err
				})
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (a *app) showStatus(s *explore.Status) error {
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "project\t%s  %s\n", s.Project, s.Root)
	if !s.Indexed {
		fmt.Fprint(w, "graph\tnone yet: run reverse-spec index\n")
		return w.Flush()
	}
	fmt.Fprintf(w, "built\t%s by reverse-spec %s\n", s.BuiltAt.Local().Format(time.DateTime), s.Version)
	if s.Commit != "" {
		note := ""
		if s.Commit != s.HeadCommit {
			note = ", now at " + s.HeadCommit[:min(12, len(s.HeadCommit))]
		}
		fmt.Fprintf(w, "commit\t%s%s\n", s.Commit[:min(12, len(s.Commit))], note)
	}
	for _, file := range s.Scip {
		fmt.Fprintf(w, "with the SCIP index\t%s\n", file)
	}
	fmt.Fprintf(w, "since then\t%s changed, %d removed\n", counted.Of(s.Changed, "file"), s.Removed)
	fmt.Fprintf(w, "files\t%d\n", s.Files)
	fmt.Fprintf(w, "nodes\t%d\n", sum(s.Nodes))
	fmt.Fprintf(w, "edges\t%d\n", sum(s.Edges))
	fmt.Fprintf(w, "calls without an edge\t%d\n", sum(s.Unresolved))
	fmt.Fprintf(w, "parse errors\t%d\n", s.Errors)
	fmt.Fprintf(w, "size\t%.1f MB\n", float64(s.Size)/1e6)
	return w.Flush()
}

func sum[K ~string](m map[K]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}
