package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/ckb"
	"github.com/reverse-spec/reverse-spec/mcp/client"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// ckbServer is the name under which a CKB is configured.
const ckbServer = "ckb"

// ckbGrace is how long a CKB has to end by itself, twice: it has nothing to save.
const ckbGrace = 200 * time.Millisecond

// newCKB makes the client of a project's CKB. The caller closes it.
func newCKB(p *workspace.Project, log *slog.Logger) (*ckb.Client, error) {
	data, err := dataHome()
	if err != nil {
		return nil, err
	}
	dial := func(ctx context.Context, s client.Server) (ckb.Session, error) {
		session, err := client.Dial(ctx, s, client.Options{Version: reversespec.Version(), Log: log, Grace: ckbGrace})
		return ckbSession{session}, err
	}
	o := ckb.Options{
		Root: p.Root(), State: filepath.Join(data, "ckb"), Getenv: os.Getenv, ReadFile: p.ReadFile,
		Start: func(ctx context.Context, c ckb.Command) (ckb.Session, error) {
			return dial(ctx, client.Server{Name: ckbServer, Type: client.TypeStdio, Command: c.Path, Args: c.Args, Dir: c.Dir})
		},
	}
	if s, ok := configuredCKB(p.Root()); ok {
		o.Fault = errors.Join(s.Err, client.NewApprovals(data).Check(s))
		o.Configured = func(ctx context.Context) (ckb.Session, error) { return dial(ctx, s) }
	}
	return ckb.New(o), nil
}

// configuredCKB returns the server that the user has configured for a project.
func configuredCKB(root string) (client.Server, bool) {
	home, err := os.UserHomeDir()
	if err != nil {
		return client.Server{}, false
	}
	s, ok := client.Load(home, root).Server(ckbServer)
	if s.Dir == "" {
		s.Dir = root
	}
	return s, ok
}

// withCKB reaches a project's CKB for one question.
func withCKB(ctx context.Context, p *workspace.Project, question func(*ckb.Access) error) error {
	c, err := newCKB(p, nil)
	if err != nil {
		return err
	}
	return errors.Join(question(c.Reach(ctx)), c.Close())
}

// ckbSession is a session of the MCP client as package ckb wants it.
type ckbSession struct{ *client.Session }

// Call calls a tool.
func (s ckbSession) Call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	text, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	r, err := s.Session.Call(ctx, client.Call{Tool: tool, Arguments: text, Timeout: -1})
	failed, refused := (*client.ToolError)(nil), (*client.RPCError)(nil)
	switch {
	case errors.As(err, &failed), errors.As(err, &refused):
		return "", &ckb.RefusedError{Message: err.Error()}
	case err != nil:
		return "", err
	}
	return r.Text(), nil
}
