package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/mcp"
	"github.com/reverse-spec/reverse-spec/store"
	"github.com/reverse-spec/reverse-spec/store/sqlite"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// open opens the project: --project, or the one around the working folder.
func (a *app) open() (*workspace.Project, error) {
	return workspace.Open(a.root("."))
}

// openFor opens the project that a path to be read belongs to: as open does, but
// a path outside the working folder's project is looked for in its own.
func (a *app) openFor(path string) (*workspace.Project, error) {
	p, err := a.open()
	if err != nil || a.project != "" || !filepath.IsAbs(path) {
		return p, err
	}
	if _, err := p.Rel(path); err == nil {
		return p, nil
	}
	if _, err := os.Stat(path); err != nil {
		return p, nil //nolint:nilerr // the command says what is missing
	}
	if err := p.Close(); err != nil {
		return nil, err
	}
	return workspace.Open(workspace.Find(filepath.Dir(path)))
}

// with opens a project, works on it and closes it.
func with(open func() (*workspace.Project, error), work func(p *workspace.Project) error) error {
	p, err := open()
	if err != nil {
		return err
	}
	return errors.Join(work(p), p.Close())
}

func (a *app) root(dir string) string {
	if a.project != "" {
		return a.project
	}
	return workspace.Find(dir)
}

// path makes a path from the command line the project's: with --project,
// relative ones are meant from there, else from the working folder.
func (a *app) path(p *workspace.Project, arg string) (string, error) {
	if a.project != "" || filepath.IsAbs(arg) {
		return p.Rel(arg)
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", fmt.Errorf("path %s: %w", arg, err)
	}
	return p.Rel(abs)
}

// withStore opens the store of code graphs, works with it and closes it.
// REVERSE_SPEC_HOME is the folder it is in, GRAPH_DB_PATH the one file of this
// project's graph.
func (a *app) withStore(work func(s store.Store) error) error {
	s, err := sqlite.Open(sqlite.Options{Home: os.Getenv("REVERSE_SPEC_HOME"), File: os.Getenv("GRAPH_DB_PATH")})
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close())
}

// printJSON writes a result as indented JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// protocolStream returns the stream for JSON-RPC. When it is standard output,
// nothing else in the process can write there afterwards.
func (a *app) protocolStream() (io.Writer, error) {
	if a.out != os.Stdout {
		return a.out, nil
	}
	return mcp.TakeStdout()
}
