package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// ckbServer is the name of a CKB server in the configuration.
const ckbServer = "ckb"

// ckbGrace is how long each step of a CKB's shutdown may take; it has nothing to save.
const ckbGrace = 200 * time.Millisecond

// ckbs has the CKB clients of the projects that a server works in.
type ckbs struct {
	log *slog.Logger // nil for none

	mu   sync.Mutex
	made map[string]*ckb.Client // by the project's root
}

func newCKBs(log *slog.Logger) *ckbs { return &ckbs{log: log, made: map[string]*ckb.Client{}} }

// of returns the client of a project's CKB, created on first use; nil without a data folder.
func (c *ckbs) of(p *project.Project) *ckb.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[p.Root()] == nil {
		data, err := dataHome()
		if err != nil {
			return nil
		}
		c.made[p.Root()] = newCKB(p, data, c.log)
	}
	return c.made[p.Root()]
}

// close closes the clients.
func (c *ckbs) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	for _, client := range c.made {
		err = errors.Join(err, client.Close())
	}
	return err
}

// newCKB creates the client of a project's CKB; data is the folder for its state. The caller
// must close it.
func newCKB(p *project.Project, data string, log *slog.Logger) *ckb.Client {
	dial := func(ctx context.Context, s mcpclient.Server) (ckb.Session, error) {
		session, err := mcpclient.Dial(ctx, s, mcpclient.Options{Version: reversespec.Version(), Log: log, Grace: ckbGrace})
		return ckbSession{session}, err
	}
	o := ckb.Options{
		Root: p.Root(), State: filepath.Join(data, "ckb"), Getenv: os.Getenv, ReadFile: p.ReadFile,
		Start: func(ctx context.Context, c ckb.Command) (ckb.Session, error) {
			return dial(ctx, mcpclient.Server{Name: ckbServer, Type: mcpclient.TypeStdio, Command: c.Path, Args: c.Args, Dir: c.Dir})
		},
	}
	if s, ok := configuredCKB(p.Root()); ok {
		o.Err = errors.Join(s.Err, mcpclient.NewApprovals(data).Check(s))
		o.Configured = func(ctx context.Context) (ckb.Session, error) { return dial(ctx, s) }
	}
	return ckb.New(o)
}

// configuredCKB returns the CKB server in the user's configuration for a project.
func configuredCKB(root string) (mcpclient.Server, bool) {
	home, err := os.UserHomeDir()
	if err != nil {
		return mcpclient.Server{}, false
	}
	s, ok := mcpclient.Load(home, root).Server(ckbServer)
	if s.Dir == "" {
		s.Dir = root
	}
	return s, ok
}

// ckbSession adapts a session of the MCP client to package ckb.
type ckbSession struct{ *mcpclient.Session }

// Call calls a tool.
func (s ckbSession) Call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	r, err := s.Session.Call(ctx, mcpclient.Call{Tool: tool, Arguments: text, Timeout: -1})
	failed, refused := (*mcpclient.ToolError)(nil), (*jsonrpc.Error)(nil)
	switch {
	case errors.As(err, &failed), errors.As(err, &refused):
		return "", &ckb.RefusedError{Message: err.Error(), Err: err}
	case err != nil:
		return "", err
	}
	return r.Text(), nil
}
