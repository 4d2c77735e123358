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
	var readOnly bool
	cmd := &cobra.Command{
		Use:   "mcp-server",
		Short: "Serve the tools to a coding agent over stdio",
		Long: `The MCP server speaks JSON-RPC on standard input and output and nothing else
there; its log goes to standard error. It works on the folder it is started in, or
on --project, and touches nothing outside.

With --read-only it has no tool that writes: generate, batch, write_file and
surgical_replace_code are not there, and diff leaves no report.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := a.project
			if root == "" {
				root = "."
			}
			open := func() (*workspace.Project, error) { return workspace.Open(root) }
			return with(open, func(p *workspace.Project) error { return a.serve(cmd.Context(), p, readOnly) })
		},
	}
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "without the tools that write: generate, batch, write_file, surgical_replace_code")
	return cmd
}

// serve ends without an error when it was told to go: by the end of input,
// SIGTERM, or a client that is not there any more.
func (a *app) serve(ctx context.Context, p *workspace.Project, readOnly bool) error {
	out, err := a.protocolStream()
	if err != nil {
		return err
	}
	s := mcp.New(mcp.Options{
		Project: p, Version: reversespec.Version(), Log: slog.New(slog.NewTextHandler(a.err, nil)), ReadOnly: readOnly,
	})
	err = s.Serve(ctx, a.in, out)
	if errors.Is(err, context.Canceled) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
