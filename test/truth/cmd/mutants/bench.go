package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bench is where packages are changed and their contract tests run.
type bench struct{ tool, dir string }

// report is what we read of verify's.
type report struct {
	Specs []struct {
		Tests []struct {
			ID      string `json:"id"`
			Type    string `json:"type"`
			Outcome string `json:"outcome"`
		} `json:"tests"`
	} `json:"specs"`
}

// packageOf writes the spec of a package and tries mistakes on it.
func (b *bench) packageOf(ctx context.Context, out io.Writer, random *rand.Rand, name string, bodies, signatures int) (tally, error) {
	t := tally{name: name}
	spec, ids, err := b.spec(ctx, name)
	if err != nil {
		return t, err
	}
	all, err := mistakes(filepath.Join(b.dir, filepath.FromSlash(name)))
	if err != nil {
		return t, err
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, m := range all {
		tests, count, found, most := ids["behavior"], &t.bodies, &t.bodiesFound, bodies
		if m.signature {
			tests, count, found, most = ids["schema"], &t.signatures, &t.signaturesFound, signatures
		}
		if *count == most {
			continue
		}
		compiles, fails, err := b.try(ctx, m, name, spec, tests)
		switch {
		case err != nil:
			return t, err
		case !compiles:
			t.uncompiled++
			continue
		case fails:
			*found++
		default:
			fmt.Fprintf(out, "  not found: %s\n", m)
		}
		*count++
	}
	return t, nil
}

// spec writes the spec of a package; ids are those of its contract tests by type.
func (b *bench) spec(ctx context.Context, name string) (file string, ids map[string][]string, err error) {
	var made struct {
		SpecPath string `json:"specPath"`
	}
	if err := b.json(ctx, &made, "generate", name, "--check", "--json"); err != nil {
		return "", nil, err
	}
	var r report
	if err := b.json(ctx, &r, "verify", made.SpecPath, "--json", "--no-update"); err != nil {
		return "", nil, err
	}
	ids = map[string][]string{}
	for _, t := range r.Specs[0].Tests {
		if t.Outcome != "passed" {
			return "", nil, fmt.Errorf("%s of unchanged code: %s", t.ID, t.Outcome)
		}
		ids[t.Type] = append(ids[t.Type], t.ID)
	}
	return made.SpecPath, ids, nil
}

// try makes a mistake, runs contract tests, and takes the mistake back. Only those in
// bodies have to compile: what a change of a signature does to its callers is no
// matter.
func (b *bench) try(ctx context.Context, m mistake, name, spec string, tests []string) (compiles, fails bool, err error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return false, false, err
	}
	changed := string(text[:m.from]) + m.text + string(text[m.to:])
	if err := os.WriteFile(m.file, []byte(changed), 0o600); err != nil {
		return false, false, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(m.file, text, 0o600)) }()
	if !m.signature && b.command(ctx, "go", "build", "./"+name).Run() != nil {
		return false, false, ctx.Err()
	}
	var r report
	if err := b.json(ctx, &r, "verify", spec, "--json", "--no-update", "--only", strings.Join(tests, ",")); err != nil {
		return true, false, err
	}
	for _, t := range r.Specs[0].Tests {
		fails = fails || t.Outcome == "failed" || t.Outcome == "timeout"
	}
	return true, fails, ctx.Err()
}

func (b *bench) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = b.dir
	return cmd
}

// failedTests is the exit status of verify when a test failed.
const failedTests = 3

// json runs the tool and reads what it prints.
func (b *bench) json(ctx context.Context, into any, args ...string) error {
	text, err := b.command(ctx, b.tool, args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == failedTests {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return json.Unmarshal(text, into)
}
