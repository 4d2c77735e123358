package main

import (
	"context"
	"errors"
	"log/slog"

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
			p, err := workspace.Open(root)
			if err != nil {
				return err
			}
			defer p.Close()
			out, err := a.protocolStream()
			if err != nil {
				return err
			}
			s := mcp.New(mcp.Options{
				Project: p, Version: reversespec.Version(), Log: slog.New(slog.NewTextHandler(a.err, nil)),
			})
			err = s.Serve(cmd.Context(), a.in, out)
			if errors.Is(err, context.Canceled) { // SIGTERM is how servers are told to go
				return nil
			}
			return err
		},
	}
}
