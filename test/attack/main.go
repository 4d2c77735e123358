// Command attack attacks the built program from outside, as a hostile repository, client or
// model would, and prints which attacks were tried and whether they failed:
//
//	go run ./test/attack -program native/linux-amd64/reverse-spec [-only paths] [-seed 7] [-write docs/security.md]
//
// An attack succeeds if the program crashes, shows a secret from outside the project, changes
// a file there, runs one of the project's commands, or hangs. The exit status is then 1. Each
// class derives its attacks from the seed, so that they can be repeated.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// class is one kind of attack.
type class struct {
	name  string // for -only: "paths"
	title string // for the table
	run   func(*run)
	lost  float64 // the share of attacks that may be inconclusive
}

// classes returns all classes, in the order of the table.
func classes() []class {
	return []class{
		{"protocol", "malformed protocol: messages cut, mixed up, nested, repeated, of wrong types", protocol, 0},
		{"paths", "paths: `..`, links out of the project, devices, odd names, in every tool that takes a path", paths, 0},
		{"races", "races: a folder that becomes a link while it is read and written", races, 0},
		{"git", "hostile git: hooks, fsmonitor, filters, diff drivers, pagers, includes, alternates, FIFOs", hostileGit, 0},
		{"settings", "hostile settings: links, devices, FIFOs, bombs, providers that cost, servers to start", settings, 0},
		{"input", "deep and wide input, in every language and manifest", input, 0},
		{"kills", "kills at a random moment, while specs and the graph are written", kills, 0},
		{"disk", "a full disk, at every size", fullDisk, 0},
		{"model", "model faults and lies, in both APIs", modelFaults, 0},
		{"secrets", "planted secrets in prompts, specs and drift reports (2 of 100 may be missed)", secrets, 0.02},
		{"browser", "browser payloads in code, specs and addresses against `view`", browser, 0},
	}
}

func main() {
	program := flag.String("program", "", "the `file` to attack")
	only := flag.String("only", "", "one `class`: "+names())
	seed := flag.Uint64("seed", uint64(time.Now().Unix()), "which attacks are drawn")
	write := flag.String("write", "", "the `page` whose table is replaced")
	flag.Parse()
	if err := attack(*program, *only, *seed, *write); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

func names() string {
	var all []string
	for _, c := range classes() {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}

// attack runs the classes, prints the table, and returns an error if an attack succeeded.
func attack(program, only string, seed uint64, page string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("-program: %w (make build makes it)", err)
	}
	var rows []string
	failed := 0
	for i, c := range classes() {
		if only != "" && only != c.name {
			continue
		}
		r := &run{program: program, rand: rand.New(rand.NewPCG(seed, uint64(i)))} // attacks are to be repeated
		begin := time.Now()
		if err := r.within(c.run); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprintf(os.Stderr, "%-9s %6d tried %6d held %s %.0f s; most processor time: %.1f s (%s)\n", c.name, r.tried, r.tried-len(r.failures), r.note, time.Since(begin).Seconds(), r.slowest.Seconds(), r.slow)
		for _, f := range r.failures[:min(len(r.failures), 20)] {
			fmt.Fprintln(os.Stderr, "  failed:", f)
		}
		if float64(len(r.failures)) > c.lost*float64(r.tried) {
			failed += len(r.failures)
		}
		rows = append(rows, r.row(c.title))
	}
	if len(rows) == 0 {
		return fmt.Errorf("-only: there is no class %q, but %s", only, names())
	}
	table := "| class | tried | held |\n|---|---|---|\n" + strings.Join(rows, "")
	fmt.Print(table) //nolint:forbidigo // a tool for us
	if page != "" && only == "" {
		if err := replaceTable(page, table); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d attacks did not hold; -seed %d repeats them", failed, seed)
	}
	return nil
}

// row returns the table row of a class.
func (r *run) row(title string) string {
	held := fmt.Sprint(r.tried - len(r.failures))
	if r.tried == 0 {
		held = "not run: " + r.note
	}
	return fmt.Sprintf("| %s | %d | %s |\n", title, r.tried, held)
}

// replaceTable replaces the text between the marks of the page.
func replaceTable(page, table string) error {
	const begin, end = "<!-- attacks -->\n", "<!-- /attacks -->"
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no %s", page, strings.TrimSpace(begin))
	}
	return os.WriteFile(page, []byte(before+begin+table+end+after), 0o644) // a page of the docs
}

// within creates the folders of a class and removes them afterwards.
func (r *run) within(work func(*run)) error {
	top, err := os.MkdirTemp("", "attack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(top) //nolint:errcheck // in the system's folder for such
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r.ctx, r.top = ctx, top
	if err := r.plant(); err != nil {
		return err
	}
	work(r)
	r.checkOutside()
	return nil
}
