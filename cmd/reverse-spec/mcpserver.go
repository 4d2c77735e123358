package main

import (
	"context"
	"errors"
	"log/slog"
	"syscall"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/mcp"
	"github.com/reverse-spec/reverse-spec/workspace"
)

func (a *app) serverCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp-server",
		Short: "Serve the tools to a coding agent over stdio",
		Long: `The MCP server speaks JSON-RPC on standard input and output and nothing else
there; its log goes to standard error. It works on the folder it is started in, or
on --project, and touches nothing outside.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := a.project
			if root == "" {
				root = "."
			}
			open := func() (*workspace.Project, error) { return workspace.Open(root) }
			return with(open, func(p *workspace.Project) error { return a.serve(cmd.Context(), p) })
		},
	}
}

// serve ends without an error when it was told to go: by the end of input,
// SIGTERM, or a client that is not there any more.
func (a *app) serve(ctx context.Context, p *workspace.Project) error {
	out, err := a.protocolStream()
	if err != nil {
		return err
	}
	s := mcp.New(mcp.Options{
		Project: p, Version: reversespec.Version(), Log: slog.New(slog.NewTextHandler(a.err, nil)),
	})
	err = s.Serve(ctx, a.in, out)
	if errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
