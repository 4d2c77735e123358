// Command reverse-spec reads a code base and writes specs that stay true.
//
// One file per command; run.go is the frame around them, and wire.go opens what
// they work on. Commands hold no logic: each reads its flags, calls one function
// of a package and prints what that returns.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
