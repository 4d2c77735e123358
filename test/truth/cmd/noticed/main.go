// Noticed puts the same single mistakes into a module that verify --mutate puts there, runs the whole test suite of the
// project with each, and counts what both notice. The project is changed in place: give it a copy.
//
//	noticed -tool bin/reverse-spec -dir COPY -suite 'pytest -q' [-mutants 30] [-timeout 120s] TARGET...
//
// The suite is a command of bash that must succeed without a mistake. It notices a mistake if it fails, or does not end in
// time. The last column is how many times longer verify without mistakes takes than its commands by hand. The exit status is 1
// if the suite notices more than verify.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "noticed:", err)
		stop()
		os.Exit(1) // stop was called
	}
}

// bench is a project with its suite.
type bench struct {
	tool, dir, suite string
	mutants          int
	timeout          time.Duration
}

var errFewer = errors.New("the whole suite noticed more than verify")

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("noticed", flag.ContinueOnError)
	b := bench{}
	flags.StringVar(&b.tool, "tool", "reverse-spec", "the `program` reverse-spec")
	flags.StringVar(&b.dir, "dir", ".", "the `folder` of the project")
	flags.StringVar(&b.suite, "suite", "", "the `command` that runs all tests of the project, for bash in its folder")
	flags.IntVar(&b.mutants, "mutants", 30, "mistakes for each target")
	flags.DurationVar(&b.timeout, "timeout", 2*time.Minute, "how long the suite may take")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !b.passes(ctx) {
		return fmt.Errorf("the suite does not pass without a mistake: %s", b.suite)
	}
	fewer := false
	fmt.Fprintf(out, "%-40s %9s %7s %12s %8s %6s\n", "module", "mistakes", "verify", "whole suite", "invalid", "time")
	for _, target := range flags.Args() {
		worse, err := b.measure(ctx, out, target)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		fewer = fewer || worse
	}
	if fewer {
		return errFewer
	}
	return nil
}

// mutated is a mistake as verify --mutate --json lists it.
type mutated struct {
	File, Was, Now, Put, Outcome, Reason string
	Line, Start, End                     int
}

// measure compares what notices the mistakes in one target, and prints a line. It returns whether the suite notices more.
func (b *bench) measure(ctx context.Context, out io.Writer, target string) (fewer bool, err error) {
	list, err := b.mistakes(ctx, target)
	if err != nil {
		return false, err
	}
	tried, verify, suite := 0, 0, 0
	for _, m := range list {
		if m.Outcome == "invalid" {
			continue
		}
		tried++
		passes, err := b.with(ctx, m)
		if err != nil {
			return false, err
		}
		noticed := m.Outcome != "unnoticed"
		if noticed {
			verify++
		}
		if !passes {
			suite++
		}
		if noticed == passes {
			who := "only verify"
			if !passes {
				who = "only the suite"
			}
			fmt.Fprintf(out, "  %s: %s:%d %q is %q\n", who, m.File, m.Line, m.Was, m.Now)
		}
	}
	times, err := b.times(ctx, target)
	fmt.Fprintf(out, "%-40s %9d %7d %12d %8d %6.2f\n", target, tried, verify, suite, len(list)-tried, times)
	return suite > verify, err
}

// rounds is how often both sides of a comparison of times are run, in turn. The fastest of each counts.
const rounds = 5

// times returns how many times longer verify takes than its commands take by hand, one after the other.
func (b *bench) times(ctx context.Context, target string) (float64, error) {
	name := specOf(target)
	text, err := b.call(ctx, "verify", name, "--list", "--json")
	if err != nil {
		return 0, err
	}
	var list struct {
		Specs []struct {
			Tests []struct{ Type, Script string }
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return 0, err
	}
	hand := *b
	hand.suite = ""
	for _, t := range list.Specs[0].Tests {
		if t.Type == "behavior" {
			hand.suite += "(" + t.Script + "\n)\n"
		}
	}
	verify, by := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range rounds {
		start := time.Now()
		if _, err := b.call(ctx, "verify", name, "--no-cache", "--no-update", "--timeout", b.timeout.String()); err != nil {
			return 0, err
		}
		verify = min(verify, time.Since(start))
		start = time.Now()
		if !hand.passes(ctx) {
			return 0, fmt.Errorf("the commands of %s fail by hand", name)
		}
		by = min(by, time.Since(start))
	}
	return verify.Seconds() / by.Seconds(), nil
}

// specOf returns the file of the spec of a target.
func specOf(target string) string {
	if target == "." {
		return filepath.Join("specs", "_root.spec.md")
	}
	return filepath.Join("specs", target+".spec.md")
}

// mistakes writes the spec of a target and lists what verify --mutate says of it.
func (b *bench) mistakes(ctx context.Context, target string) ([]mutated, error) {
	if _, err := b.call(ctx, "generate", target); err != nil {
		return nil, err
	}
	text, err := b.call(ctx, "verify", specOf(target), "--mutate", "--json", "--no-cache",
		"--mutants", fmt.Sprint(b.mutants), "--timeout", b.timeout.String())
	if err != nil {
		return nil, err
	}
	var report struct {
		Specs []struct {
			Note    string
			Failed  bool
			Mutants []mutated
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	if len(report.Specs) != 1 || report.Specs[0].Failed {
		return nil, fmt.Errorf("nothing was tried: %s", text)
	}
	return report.Specs[0].Mutants, nil
}

// call runs reverse-spec in the project.
func (b *bench) call(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.tool, args...)
	cmd.Dir = b.dir
	var diagnostics bytes.Buffer
	cmd.Stderr = &diagnostics
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", args, err, text, &diagnostics)
	}
	return text, nil
}

// with reports whether the suite passes with a mistake.
func (b *bench) with(ctx context.Context, m mutated) (passes bool, err error) {
	file := filepath.Join(b.dir, filepath.FromSlash(m.File))
	text, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	changed := string(text[:m.Start]) + m.Put + string(text[m.End:])
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		return false, err
	}
	passes = b.passes(ctx)
	return passes, errors.Join(os.WriteFile(file, text, 0o644), ctx.Err())
}

// passes runs the suite.
func (b *bench) passes(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-eo", "pipefail", "-c", b.suite)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run() == nil
}
