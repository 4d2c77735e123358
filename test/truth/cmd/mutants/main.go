// Mutants puts mistakes into exported functions of Go packages, one at a time, and
// counts those that the contract tests of the packages' specs find. The packages are
// changed in place: give it a copy.
//
//	mutants -tool bin/reverse-spec -dir COPY [-seed 1] [-bodies 20] [-signatures 10] PACKAGE...
//
// A mistake in a body is found when a contract test fails; it is not counted when the
// package no longer compiles. One in a signature is found when a contract test of
// signatures fails: all of these must be, or the exit status is 1.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		stop()
		os.Exit(1) // stop was called
	}
}

// errSurvived is returned when a mistake in a signature was not found.
var errSurvived = fmt.Errorf("not every mistake in a signature was found")

// run does what the arguments say, and prints a line for what was not found and a
// table.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	b := bench{}
	flags.StringVar(&b.tool, "tool", "reverse-spec", "the `program` reverse-spec")
	flags.StringVar(&b.dir, "dir", ".", "the `folder` of the project")
	seed := flags.Uint64("seed", 1, "which mistakes are taken")
	bodies := flags.Int("bodies", 20, "mistakes in the bodies of each package")
	signatures := flags.Int("signatures", 10, "mistakes in the signatures of each package")
	if err := flags.Parse(args); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(*seed, 0)) // the same mistakes each time
	total := tally{name: "all"}
	fmt.Fprintf(out, "%-18s %9s %9s %12s %9s %10s\n", "package", "in bodies", "found", "in signatures", "found", "uncompiled")
	for _, name := range flags.Args() {
		t, err := b.packageOf(ctx, out, random, name, *bodies, *signatures)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		t.print(out)
		total.add(t)
	}
	total.print(out)
	if total.signatures != total.signaturesFound {
		return errSurvived
	}
	return nil
}

// tally is what became of the mistakes.
type tally struct {
	name                        string
	bodies, bodiesFound         int
	signatures, signaturesFound int
	uncompiled                  int
}

func (t *tally) add(o tally) {
	t.bodies += o.bodies
	t.bodiesFound += o.bodiesFound
	t.signatures += o.signatures
	t.signaturesFound += o.signaturesFound
	t.uncompiled += o.uncompiled
}

func (t *tally) print(out io.Writer) {
	share := func(found, of int) string {
		return fmt.Sprintf("%d (%.0f %%)", found, 100*float64(found)/float64(max(of, 1)))
	}
	fmt.Fprintf(out, "%-18s %9d %9s %12d %9s %10d\n", t.name, t.bodies, share(t.bodiesFound, t.bodies),
		t.signatures, share(t.signaturesFound, t.signatures), t.uncompiled)
}
