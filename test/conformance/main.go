//go:build conformance

// Conformance is the server that the official conformance suite asks
// (scripts/conformance.sh). The suite speaks streamable HTTP and wants tools, prompts and
// resources that ours is no place for. So this program declares those to our server,
// next to our own tools, and hands on what comes by HTTP to [mcp.Server.Serve], line by
// line: frames, the loop, calls, progress and the form of answers are those that clients
// meet on stdio.
//
// It prints its address and serves until its standard input ends. It is built with
// -tags conformance only, and no other program holds any of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/mcp"
)

func main() {
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1) //nolint:forbidigo // main exits
	}
}

// run serves on a free port of this machine, whose URL it writes to out, until in ends.
func run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b := newBridge(ctx, fixture())
	h := &http.Server{
		Handler:           local(b),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(listener) }()
	if _, err := fmt.Fprintf(out, "http://%s/mcp\n", listener.Addr()); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	stop()
	err = errors.Join(err, h.Shutdown(context.WithoutCancel(ctx)))
	if end := <-served; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	b.wait()
	return err
}

// fixture is our server, with the prompts, resources and tools that the suite needs.
func fixture() *mcp.Server {
	s := mcp.New(mcp.Options{
		Version: reversespec.Version(),
		Tools:   slices.Concat(mcp.Tools(nil, nil, ""), plainTools(), askingTools()), // ours are listed and not called
	})
	offerTools(s)
	offerRounds(s)
	offerPrompts(s.Engine())
	offerResources(s.Engine())
	return s
}
