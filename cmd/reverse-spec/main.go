// Command reverse-spec reads a code base and writes specs that stay true.
//
// Each command has a file. run.go executes commands and wire.go opens what they work on.
// Commands have no logic of their own: each reads its flags, calls one function of a package
// and prints the result.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	heap.begin()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills the process
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
