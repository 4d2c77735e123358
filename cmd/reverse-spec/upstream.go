package main

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// proxy connects to other servers in the background: those of .kode.json and with --proxy
// those of .mcp.json, which other clients connect to themselves. It returns nil if there are
// none.
func (a *app) proxy(ctx context.Context, p *project.Project, flags serverFlags, logger *slog.Logger) (*mcpclient.Registry, func() error) {
	none := func() error { return nil }
	if flags.noProxy || os.Getenv(mcpclient.ChildEnv) != "" {
		return nil, none
	}
	root := ""
	if p != nil {
		root = p.Root()
	}
	load := mcpclient.LoadOwn
	if flags.proxy {
		load = mcpclient.Load
	}
	config, approvals, err := a.serversBy(load, root)
	if err != nil {
		logger.WarnContext(ctx, "no other servers are connected", "error", err)
		return nil, none
	}
	servers := slices.DeleteFunc(config.Servers, func(s mcpclient.Server) bool {
		ours := isThisServer(s)
		if ours {
			logger.InfoContext(ctx, "a server is skipped: it is this one", "server", s.Name)
		}
		return ours
	})
	if !flags.proxy { // the client is told of tools that change only where some can come
		servers = slices.DeleteFunc(servers, func(s mcpclient.Server) bool {
			state, err := standing(s, approvals)
			if state != ready {
				logger.WarnContext(ctx, "a server is not connected", "server", s.Name, "state", state, "error", err)
			}
			return state != ready
		})
		if len(servers) == 0 {
			return nil, none
		}
	}
	r := mcpclient.Start(ctx, servers, approvals, mcpclient.Options{
		Version: reversespec.Version(), Log: logger, Filter: flags.filter.filter(),
	})
	return r, r.Close
}

// isThisServer reports whether a server is this program for the same project, whose tools we
// already have. A server for another project, named in its environment or arguments, is not.
func isThisServer(s mcpclient.Server) bool {
	if s.Type != mcpclient.TypeStdio || s.Err != nil {
		return false
	}
	words := append([]string{s.Command}, s.Args...)
	i := slices.Index(words, "mcp-server")
	if i < 1 || !isThisProgram(words[i-1], i == 1) {
		return false
	}
	named := slices.ContainsFunc(words, func(w string) bool { return w == "--project" || strings.HasPrefix(w, "--project=") })
	return !named && s.Env["TARGET_REPO_PATH"] == "" && s.Env["CLAUDE_PROJECT_ROOT"] == ""
}

// isThisProgram reports whether a word of a command line names this program: by its name, as
// in "npx reverse-spec mcp-server", or as the path of the command.
func isThisProgram(word string, command bool) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(word)), ".exe")
	if base, _, _ := strings.Cut(name, "@"); base == "reverse-spec" {
		return true
	}
	if !command {
		return false
	}
	found, err := exec.LookPath(word)
	if err != nil {
		return false
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	x, err := os.Stat(found)
	if err != nil {
		return false
	}
	y, err := os.Stat(self)
	return err == nil && os.SameFile(x, y)
}
