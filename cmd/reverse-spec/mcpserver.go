package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/mcp"
	"github.com/reverse-spec/reverse-spec/store"
	"github.com/reverse-spec/reverse-spec/workspace"
)

func (a *app) serverCommand() *cobra.Command {
	var may mcp.Options
	cmd := &cobra.Command{
		Use:   "mcp-server",
		Short: "Serve the tools to a coding agent over stdio",
		Long: `The MCP server speaks JSON-RPC on standard input and output and nothing else
there; its log goes to standard error. It works on --project, TARGET_REPO_PATH,
CLAUDE_PROJECT_ROOT or the folder it is started in, the first that is set, and touches
nothing outside but the store of code graphs.

With --read-only it has no tool that writes: generate, batch, delete_project,
wipe_database, write_file and surgical_replace_code are not there, and diff leaves no
report.

The tool verify lists contract tests. With --allow-run it runs them too: a spec is a
program, so allow this only where the specs are as trusted as the code.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := cmp.Or(a.project, os.Getenv("TARGET_REPO_PATH"), os.Getenv("CLAUDE_PROJECT_ROOT"), ".")
			open := func() (*workspace.Project, error) { return workspace.Open(root) }
			return with(open, func(p *workspace.Project) error { return a.serve(cmd.Context(), p, may) })
		},
	}
	cmd.Flags().BoolVar(&may.ReadOnly, "read-only", false, "without the tools that write: generate, batch, delete_project, wipe_database, write_file, surgical_replace_code")
	cmd.Flags().BoolVar(&may.AllowRun, "allow-run", false, "let verify run the contract tests of specs")
	return cmd
}

// serve ends without an error when it was told to go: by the end of input,
// SIGTERM, or a client that is not there any more. May is what the server may do.
func (a *app) serve(ctx context.Context, p *workspace.Project, may mcp.Options) error {
	out, err := a.protocolStream()
	if err != nil {
		return err
	}
	stores, closeStore := lazily(openStore)
	s := mcp.New(mcp.Options{
		Project: p, Version: reversespec.Version(), Log: slog.New(slog.NewTextHandler(a.err, nil)), ReadOnly: may.ReadOnly,
		AllowRun: may.AllowRun, Stores: stores,
	})
	err = errors.Join(s.Serve(ctx, a.in, out), closeStore())
	if errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// lazily returns a function that opens a store when it is first asked for, and one
// that closes what was opened.
func lazily(open func() (store.Store, error)) (get mcp.Stores, done func() error) {
	opened := false
	get = sync.OnceValues(func() (store.Store, error) {
		s, err := open()
		opened = err == nil
		return s, err
	})
	return get, func() error {
		if !opened {
			return nil
		}
		s, err := get()
		return errors.Join(err, s.Close())
	}
}
