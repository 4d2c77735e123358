package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

func (a *app) indexCommand() *cobra.Command {
	var flags indexFlags
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
--no-scip forgets it.

With --push the graph is that of the commit that is checked out, in the store that
REVERSE_SPEC_STORE names (postgres://user:password@host/database), for everybody who
uses that store: reverse-spec projects lists it, and query --in asks it. CI pushes after each
commit to the main branch. An older commit than that of the shared graph changes
nothing.`,
		Example: `  reverse-spec index
  reverse-spec index --watch
  reverse-spec index --json | jq .unresolved
  scip-python index . && reverse-spec index --scip index.scip
  REVERSE_SPEC_STORE=postgres://ci:secret@db.example.org/graphs reverse-spec index --push`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runIndex(cmd.Context(), &flags) },
	}
	flags.add(cmd)
	return interruptible(cmd, message.Key("the code graph is as it was before: the same command begins anew"))
}

// indexFlags are the flags of index.
type indexFlags struct {
	force, watch, noScip, json, push bool

	scip   []string
	wait   time.Duration
	pushed shared.PushOptions
}

func (f *indexFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.force, "force", false, "build the whole graph anew")
	cmd.Flags().BoolVar(&f.watch, "watch", false, "go on, and index again whenever files change")
	cmd.Flags().StringArrayVar(&f.scip, "scip", nil, "let a SCIP index, this `file`, win over what is worked out here; repeatable")
	cmd.Flags().BoolVar(&f.noScip, "no-scip", false, "forget the SCIP indexes that the graph was made with")
	cmd.MarkFlagsMutuallyExclusive("scip", "no-scip")
	cmd.Flags().DurationVar(&f.wait, "wait", index.DefaultWait, "how `long` to wait for another process that is indexing the project; 0 for not at all")
	cmd.Flags().BoolVar(&f.json, "json", false, "the summary as JSON")
	cmd.Flags().BoolVar(&f.push, "push", false, "bring the shared graph to the commit that is checked out, instead of the folder's own")
	cmd.Flags().StringVar(&f.pushed.Name, "name", "", "with --push, the `name` of the project; without it, the remote repository is the project")
	cmd.Flags().BoolVar(&f.pushed.Replace, "replace", false, "with --push, replace the graph of a newer commit or of another branch, too")
	cmd.MarkFlagsMutuallyExclusive("push", "watch")
}

// options returns the options of a run.
func (f *indexFlags) options() index.Options {
	opts := index.Options{Force: f.force, Scip: f.scip, Wait: f.wait}
	if f.noScip {
		opts.Scip = []string{}
	}
	return opts
}

// runIndex indexes the project for this machine, or for the shared store.
func (a *app) runIndex(ctx context.Context, f *indexFlags) error {
	if f.push {
		f.pushed.Index, f.pushed.Getenv = f.options(), os.Getenv
		return a.push(ctx, f.pushed, f.json)
	}
	if f.pushed.Name != "" || f.pushed.Replace {
		return usageError{message.Errorf("--name and --replace go with --push")}
	}
	return with(a.open, func(p *project.Project) error {
		return withStore(func(s store.Store) error {
			show := func(sum *index.Summary) error { return a.showSummary(sum, f.json) }
			if f.watch {
				return live.Watch(ctx, p, s, f.options(), show, func(why error) {
					a.warn([]string{message.Sprintf(ctx, "the files are looked at again and again: %v", why)})
				})
			}
			sum, err := a.index(ctx, p, s, f.options())
			if err != nil {
				return err
			}
			return show(sum)
		})
	})
}

func (a *app) index(ctx context.Context, p *project.Project, s store.Store, opts index.Options) (*index.Summary, error) {
	heap.bound(indexGrowth, false)
	opts.BeforeFull = heap.expect
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return index.Run(ctx, p, s, opts)
}

// pushPatience is how long a push is tried again while the shared store cannot be reached, unless --wait is shorter.
const pushPatience = 2 * time.Minute

// documents returns what is pushed with a graph: the specs, and what became of their requirements.
func documents(ctx context.Context, p *project.Project, known map[string][]byte) (map[string][]byte, error) {
	texts, err := spec.Texts(ctx, p)
	if err != nil {
		return nil, err
	}
	return texts, view.Histories(ctx, p, texts, known)
}

// push pushes the project to the shared store.
func (a *app) push(ctx context.Context, opts shared.PushOptions, asJSON bool) error {
	heap.bound(indexGrowth, false)
	return with(a.open, func(p *project.Project) error {
		return withGraphs(func(g *graphs.Graphs) error {
			opts.Documents = documents
			opts.Patience = min(opts.Index.Wait, pushPatience)
			opts.Retrying = func(why error, wait time.Duration) {
				a.warn([]string{a.localize(message.New("%v; the push is tried again in %s", why, wait.Round(time.Millisecond)))})
			}
			ctx, bar := a.progress(ctx)
			done, err := g.Push(ctx, p, opts)
			bar.done()
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(done)
			case done.Newer != "":
				a.note(message.New("nothing pushed: the shared graph of %s is of commit %s, which is newer than %s", done.Key, shortCommit(done.Newer), shortCommit(done.Commit)))
				return nil
			}
			if err := a.showSummary(done.Summary, false); err != nil {
				return err
			}
			a.note(message.New("pushed to the shared graph of %s: commit %s", done.Key, shortCommit(done.Commit)))
			a.noteLinks(done)
			return nil
		})
	})
}

// noteLinks says what a push did to the edges to other projects.
func (a *app) noteLinks(done *graphs.Pushed) {
	if done.Unlinked != nil {
		a.warn([]string{a.localize(message.New("the edges to other projects are those of before, and the next push computes them: %v", done.Unlinked))})
		return
	}
	if l := done.Linked; l != nil && l.From > 0 {
		a.note(message.New("it uses %s of %s", message.Count(l.From, "%d symbol", "%d symbols"), strings.Join(l.Uses, ", ")))
	}
	if l := done.Linked; l != nil && l.To > 0 {
		a.note(message.New("it is used at %s by %s", message.Count(l.To, "%d place", "%d places"), strings.Join(l.UsedBy, ", ")))
	}
	if l := done.Linked; l != nil && len(l.Skipped) > 0 {
		a.note(message.New("its edges to and from %s stay as they are: another version of reverse-spec pushed that, and the next push of it computes them", strings.Join(l.Skipped, ", ")))
	}
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
