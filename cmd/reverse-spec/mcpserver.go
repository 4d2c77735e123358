package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/agents"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

func (a *app) serverCommand() *cobra.Command {
	var flags serverFlags
	cmd := &cobra.Command{
		Use:   "mcp-server",
		Short: "Serve the tools to a coding agent over stdio",
		Long: `The MCP server speaks JSON-RPC on standard input and output and nothing else
there; its log goes to standard error. Its project is --project, TARGET_REPO_PATH or
CLAUDE_PROJECT_ROOT, where one is set; else the folders that the client works in (its
roots, or its working folder with each call); else CLAUDE_PROJECT_DIR or the working
folder. When that is the folder of the plugin itself, the project is the one around the
first absolute path of a call. Outside the project it changes only the store of code
graphs.

Files that programs run, or whose text they obey, are not written by the file tools:
settings of coding agents and editors, workflows, git hooks and the like. With
--allow-write and the name of a place, such as .claude or .github/workflows, they are.
No file of the project can allow it.

With --read-only it does not have the tools that write: generate, batch,
delete_project, wipe_database, write_file and surgical_replace_code; diff writes no
report. With --tools it has only those that are named: their definitions are read with
each task, about 2,500 tokens for all.

It also offers the tools of the servers in .kode.json, the user's and those of the
project that were approved (reverse-spec mcp approve), as server__tool; those that
--allow and --deny let through, and with --read-only those that say that they only
read. With --proxy those in .mcp.json, too, which most clients connect to by
themselves; with --no-proxy none. It does not wait for slow servers: clients are told
when there are more tools, or fewer. A server that it starts and that is this program
connects to no others.

The tool verify lists contract tests. With --allow-run it runs them too, and generate
and batch check those that they write when asked to: a spec is a program, so allow this
only where the specs are as trusted as the code.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			heap.stop()
			if err := flags.check(); err != nil {
				return usageError{err}
			}
			set := cmp.Or(a.project, os.Getenv("TARGET_REPO_PATH"), os.Getenv("CLAUDE_PROJECT_ROOT"))
			flags.roots = set == ""
			root := cmp.Or(set, os.Getenv("CLAUDE_PROJECT_DIR"), ".")
			if flags.roots && agents.IsPlugin(root, os.Getenv) { // the client names its folder only with a call
				return a.serve(cmd.Context(), nil, flags)
			}
			open := func() (*project.Project, error) { return a.openAt(root) }
			return with(open, func(p *project.Project) error { return a.serve(cmd.Context(), p, flags) })
		},
	}
	cmd.Flags().BoolVar(&flags.proxy, "proxy", false, "offer the tools of the servers in .mcp.json, too")
	cmd.Flags().BoolVar(&flags.noProxy, "no-proxy", false, "connect to no other servers")
	cmd.MarkFlagsMutuallyExclusive("proxy", "no-proxy")
	flags.filter.add(cmd)
	cmd.Flags().BoolVar(&flags.readOnly, "read-only", false, "without the tools that write: generate, batch, delete_project, wipe_database, write_file, surgical_replace_code")
	cmd.Flags().StringSliceVar(&flags.tools, "tools", nil, "offer only these `names` of tools, with commas between them: orient,review,verify_claim")
	cmd.Flags().BoolVar(&flags.allowRun, "allow-run", false, "let verify, generate and batch run contract tests")
	cmd.Flags().StringSliceVar(&flags.allowWrite, "allow-write", nil, "let the file tools write files that programs run, in this `place`: .claude, .github/workflows, ...; repeatable")
	return cmd
}

type serverFlags struct {
	tools    []string // names; none for all
	readOnly bool
	allowRun bool
	// allowWrite lists the protected places that may be written.
	allowWrite []string
	places     project.Places
	proxy      bool
	noProxy    bool
	roots      bool // the client may name its folders
	filter     filterFlags
}

// check reads the names in the flags.
func (f *serverFlags) check() (err error) {
	if f.places, err = project.ParsePlaces(f.allowWrite); err != nil {
		return err
	}
	return mcp.UnknownTool(f.tools)
}

// serve returns nil when it is told to stop: by the end of input, SIGTERM, or a client that
// has gone away.
func (a *app) serve(ctx context.Context, p *project.Project, flags serverFlags) error {
	out, err := a.protocolStream()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(a.err, nil))
	if _, err := dataHome(); err != nil {
		return err
	}
	memory, err := liveMemory()
	if err != nil {
		return err
	}
	clients := newCKBs(log)
	g := graphs.New(graphs.Options{Store: openStore, Organisation: openShared, CKB: clients.of, Model: models(modelFlags{}), Shared: true, Log: log, Live: live.Options{Memory: memory}})
	proxy, closeProxy := a.proxy(ctx, p, flags, log)
	s := mcp.New(mcp.Options{
		Project: p, Roots: flags.roots, Version: reversespec.Version(), Lang: a.lang, Log: log, Only: flags.tools, ReadOnly: flags.readOnly, AllowRun: flags.allowRun, AllowWrite: flags.places,
		Graphs: g, Proxy: proxy, Writers: writers(modelFlags{}), Forms: dataFolder(formsFolder),
	})
	stop := listenForCommands(ctx, g, log)
	err = s.Serve(ctx, a.in, out)
	stop()
	err = errors.Join(err, closeProxy(), clients.close(), g.Close())
	if errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// memoryVariable is the environment variable that bounds what a server keeps between changes, in MiB.
const memoryVariable = "REVERSE_SPEC_LIVE_MEMORY"

// liveMemory returns the bound in bytes; 0 for the default, less for nothing.
func liveMemory() (int64, error) {
	text := os.Getenv(memoryVariable)
	if text == "" {
		return 0, nil
	}
	const most = 1 << 20
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n < 0 || n > most:
		return 0, usageError{message.Errorf("%s is %q: write a number of MiB, 0 for nothing", memoryVariable, text)}
	case n == 0:
		return -1, nil
	}
	return n << 20, nil
}
