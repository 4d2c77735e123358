package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) indexCommand() *cobra.Command {
	var force, watch, noScip, asJSON bool
	var scip []string
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Build the project's code graph, or bring it up to date",
		Long: `Index parses the project's source files and stores which symbol calls, uses and
builds on which. The first run builds the whole graph; later ones take up what
has changed. The graph is kept in the user's data folder (REVERSE_SPEC_HOME, or
the file GRAPH_DB_PATH), nothing is written into the project.

Where a compiler's indexer has written down what names mean (a SCIP index, by
scip-typescript, scip-python, scip-go, scip-java, rust-analyzer, ...), --scip makes
the graph exact: what that index knows wins over what is worked out here, edge by
edge. It counts for files that were not written since it was. The index is
remembered with the graph and used by later runs as long as it is not changed;
--no-scip forgets it.`,
		Example: `  reverse-spec index
  reverse-spec index --watch
  reverse-spec index --json | jq .unresolved
  scip-python index . && reverse-spec index --scip index.scip`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return with(a.open, func(p *project.Project) error {
				return withStore(func(s store.Store) error {
					opts := index.Options{Force: force, Scip: scip, Wait: wait}
					if noScip {
						opts.Scip = []string{}
					}
					show := func(sum *index.Summary) error { return a.showSummary(sum, asJSON) }
					if watch {
						return live.Watch(cmd.Context(), p, s, opts, show, func(why error) {
							a.warn([]string{message.Sprintf(cmd.Context(), "the files are looked at again and again: %v", why)})
						})
					}
					sum, err := a.index(cmd.Context(), p, s, opts)
					if err != nil {
						return err
					}
					return show(sum)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "build the whole graph anew")
	cmd.Flags().BoolVar(&watch, "watch", false, "go on, and index again whenever files change")
	cmd.Flags().StringArrayVar(&scip, "scip", nil, "let a SCIP index, this `file`, win over what is worked out here; repeatable")
	cmd.Flags().BoolVar(&noScip, "no-scip", false, "forget the SCIP indexes that the graph was made with")
	cmd.MarkFlagsMutuallyExclusive("scip", "no-scip")
	cmd.Flags().DurationVar(&wait, "wait", index.DefaultWait, "how `long` to wait for another process that is indexing the project; 0 for not at all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the summary as JSON")
	return interruptible(cmd, message.Key("the code graph is as it was before: the same command begins anew"))
}

func (a *app) index(ctx context.Context, p *project.Project, s store.Store, opts index.Options) (*index.Summary, error) {
	heap.bound(indexGrowth, false)
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return index.Run(ctx, p, s, opts)
}

func (a *app) showSummary(sum *index.Summary, asJSON bool) error {
	a.warn(sum.Warnings)
	if asJSON {
		return a.printJSON(sum)
	}
	_, err := io.WriteString(a.out, sum.In(a.lang))
	if err != nil {
		return message.Errorf("print summary: %w", err)
	}
	return nil
}
