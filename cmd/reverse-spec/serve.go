package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"

	"github.com/spf13/cobra"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/teamserver"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen, url      string
	certificate, key string
	rate, concurrent int
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the shared graphs to a team over HTTP",
		Long: `Serve answers agents (MCP over streamable HTTP, at /mcp) and people (pages, at /) about the
projects in the shared store that REVERSE_SPEC_STORE names. Nothing can be written.

Each request carries a token: reverse-spec token add makes one, for some projects or for
all. A browser signs in with it. Requests for another host name than that of --url, or
from other web sites, are refused; so are tokens in addresses.

Clients must reach it by https, except on this machine: with --tls-cert and --tls-key, or
through a proxy in front of it, whose address is then --url.

/healthz says that the process answers, /readyz that the store does, /metrics is for
Prometheus, with a token for all projects. A log in JSON goes to standard error.`,
		Example: `  reverse-spec serve
  reverse-spec serve --listen :8443 --url https://code.example.org:8443 --tls-cert cert.pem --tls-key key.pem
  reverse-spec serve --listen :8080 --url https://code.example.org`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			heap.stop()
			return a.serveTeam(cmd.Context(), f)
		},
	}
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8484", "the `address` to listen on; :8484 for all of this machine")
	cmd.Flags().StringVar(&f.url, "url", "", "where clients reach the server: an `address` such as https://code.example.org (default: the address it listens on)")
	cmd.Flags().StringVar(&f.certificate, "tls-cert", "", "a `file` with the certificate, in PEM")
	cmd.Flags().StringVar(&f.key, "tls-key", "", "a `file` with its key")
	cmd.Flags().IntVar(&f.rate, "rate", teamserver.DefaultRate, "how many requests a minute a token may make")
	cmd.Flags().IntVar(&f.concurrent, "concurrent", 0, "how many questions are answered at once; 0 for four times the cores")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	return cmd
}

// serveTeam serves until ctx ends.
func (a *app) serveTeam(ctx context.Context, f serveFlags) error {
	if os.Getenv(shared.Variable) == "" {
		return message.Errorf("no shared store is configured: set %s to its address", shared.Variable)
	}
	if f.rate < 1 || f.concurrent < 0 {
		return usageError{message.Errorf("--rate is at least 1, and --concurrent at least 0")}
	}
	var listener net.ListenConfig
	l, err := listener.Listen(ctx, "tcp", f.listen)
	if err != nil {
		return message.Errorf("listen on %s: %w", f.listen, err)
	}
	if f.url == "" {
		f.url = "http://" + l.Addr().String()
		if f.certificate != "" {
			f.url = "https://" + l.Addr().String()
		}
	}
	address, err := teamserver.ParseURL(f.url)
	if err != nil {
		return errors.Join(usageError{err}, l.Close())
	}
	logger := slog.New(slog.NewJSONHandler(a.err, nil))
	g := graphs.New(graphs.Options{Organisation: openShared, Guard: true, Shared: true, Log: logger})
	s := teamserver.New(teamserver.Options{
		Graphs: g, URL: address, Version: reversespec.Version(), Lang: a.lang, Log: logger, Rate: f.rate, Concurrent: f.concurrent,
	})
	if err := a.printAddress(address.String()); err != nil {
		return errors.Join(err, l.Close())
	}
	logger.Info("serving", "url", address.String(), "listen", l.Addr().String(), "version", reversespec.Version())
	return errors.Join(s.Serve(ctx, l, f.certificate, f.key), g.Close())
}
