package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// open opens the project given by --project, or the one that contains the working folder.
func (a *app) open() (*project.Project, error) {
	return a.openAt(a.root())
}

// openAt opens the project in a folder, with the files that --include and --exclude select.
func (a *app) openAt(dir string) (*project.Project, error) {
	p, err := project.Open(dir)
	if err != nil || len(a.include)+len(a.exclude) == 0 {
		return p, err
	}
	selected, err := p.Selection(a.include, a.exclude)
	if err != nil {
		return nil, usageError{errors.Join(err, p.Close())}
	}
	return selected, nil
}

// openFor opens the project of a target: as open does, but an absolute path outside that
// project is in its own project.
func (a *app) openFor(path string) (*project.Project, error) {
	if a.project != "" || !filepath.IsAbs(path) {
		return a.open()
	}
	if _, err := os.Stat(path); err != nil {
		return a.open() // the command reports that it is missing
	}
	return a.openAt(project.For(".", path))
}

// with opens a project, calls work and closes it.
func with(open func() (*project.Project, error), work func(p *project.Project) error) error {
	p, err := open()
	if err != nil {
		return err
	}
	return errors.Join(work(p), p.Close())
}

// root returns the folder of the project, which may not exist.
func (a *app) root() string {
	if a.project != "" {
		return a.project
	}
	return project.Find(".")
}

// path converts a path on the command line to one of the project. Relative paths are relative
// to --project, or else to the working folder.
func (a *app) path(p *project.Project, arg string) (string, error) {
	if a.project != "" || filepath.IsAbs(arg) {
		return p.Rel(arg)
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", message.Errorf("path %s: %w", arg, err)
	}
	return p.Rel(abs)
}

// paths is [app.path] for several arguments.
func (a *app) paths(p *project.Project, args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		names := []string{arg}
		if strings.ContainsAny(arg, "*?[") { // a pattern that no shell has replaced; one that matches nothing is a name
			if list, err := filepath.Glob(arg); err == nil && len(list) > 0 {
				names = list
			}
		}
		for _, name := range names {
			file, err := a.path(p, name)
			if err != nil {
				return nil, err
			}
			out = append(out, file)
		}
	}
	return out, nil
}

// openStore opens the store of the code graphs of this machine. REVERSE_SPEC_HOME is its folder, GRAPH_DB_PATH the
// file of this project's graph.
func openStore() (store.Store, error) {
	return sqlite.Open(sqlite.Options{Home: os.Getenv("REVERSE_SPEC_HOME"), File: os.Getenv("GRAPH_DB_PATH"), Setting: "GRAPH_DB_PATH"})
}

// openShared opens the store that REVERSE_SPEC_STORE names; nil for none.
func openShared() (store.Shared, error) {
	address := os.Getenv(shared.Variable)
	if address == "" {
		return nil, nil
	}
	home, err := dataHome()
	if err != nil {
		return nil, err
	}
	return shared.Open(address, filepath.Join(home, "shared"))
}

// withGraphs calls work with the code graphs and closes them. The store is opened on first use.
func withGraphs(work func(g *graphs.Graphs) error) error {
	clients := newCKBs(nil)
	opts := graphs.Options{Store: openStore, Organisation: openShared, CKB: clients.of}
	b, err := openBackground()
	if err != nil {
		return err
	}
	if b != nil {
		opts.Resident = b
	}
	g := graphs.New(opts)
	err = errors.Join(work(g), clients.close(), g.Close())
	b.close()
	return err
}

// withStore opens the store of code graphs, calls work and closes it.
func withStore(work func(s store.Store) error) error {
	return withGraphs(func(g *graphs.Graphs) error {
		s, err := g.Store()
		if err != nil {
			return err
		}
		return work(s)
	})
}

// graphFlags are the flags of commands that query the code graph.
type graphFlags struct {
	noIndex bool
	json    bool
	in      string // the name of a project, instead of the folder's
}

func (f *graphFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.noIndex, "no-index", false, "take the stored graph as it is, without a look for changes")
	cmd.Flags().BoolVar(&f.json, "json", false, "the answer as JSON")
}

// addIn adds the flag for another project.
func (f *graphFlags) addIn(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.in, "in", "", "ask the graph of this `project`, by its name or address in reverse-spec projects")
}

// withGraph opens the project's code graph after indexing it and calls work. If it may be
// stale, a note is printed to standard error.
func (a *app) withGraph(ctx context.Context, f graphFlags, work func(g *graphs.Graph) error) error {
	if f.in != "" {
		return withGraphs(func(all *graphs.Graphs) error {
			return all.WithNamed(ctx, f.in, graphs.OpenOptions{NoIndex: f.noIndex}, func(g *graphs.Graph) error {
				for _, note := range g.Provenance(ctx) {
					a.note(message.New("%s", note))
				}
				return work(g)
			})
		})
	}
	return with(a.open, func(p *project.Project) error {
		return withGraphs(func(all *graphs.Graphs) error {
			ctx, bar := a.progress(ctx)
			g, err := all.Open(ctx, p, graphs.OpenOptions{NoIndex: f.noIndex})
			bar.done()
			if err != nil {
				return err
			}
			a.warn(g.Index.Warnings)
			if g.Index.Stale {
				a.warn([]string{message.Sprintf(ctx, "the code graph is of %s: %s", g.Index.BuiltAt.Format(time.DateTime), g.Index.Why)})
			}
			return errors.Join(work(g), g.Close())
		})
	})
}

// jsonIndent is the indentation of JSON output.
const jsonIndent = "  "

// printJSON prints a result as indented JSON.
func (a *app) printJSON(v any) error { return printJSON(a.out, v) }

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", jsonIndent)
	return enc.Encode(v)
}

// protocolStream returns the stream for JSON-RPC. If it is standard output, nothing else in
// the process can write to it afterwards.
func (a *app) protocolStream() (io.Writer, error) {
	if a.out != os.Stdout {
		return a.out, nil
	}
	return mcp.TakeStdout()
}
