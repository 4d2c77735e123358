// Package commands_test compares the flags that we find in public programs with what these say with --help.
package commands_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// program is a file in this folder.
type program struct {
	name       string
	repository string
	target     string
	partial    bool // its help shows only the usual flags
	setup      []string
	commands   []command
	statuses   []command // the status, and the shell command that ends with it
}

// command is a command with the shell command that prints its help.
type command struct{ path, help string }

// programs reads the files in this folder.
func programs(t *testing.T) []program {
	t.Helper()
	names, err := filepath.Glob("*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []program
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := program{name: strings.TrimSuffix(name, ".txt"), target: "."}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch key {
			case "repository", "go", "goroot", "python", "npm":
				p.repository = value
			case "target":
				p.target = value
			case "partial":
				p.partial = true
			case "setup":
				p.setup = append(p.setup, value)
			case "status":
				status, run, ok := strings.Cut(value, ": ")
				if !ok {
					t.Fatalf("%s: %s: no command", name, line)
				}
				p.statuses = append(p.statuses, command{status, run})
			case "command":
				path, help, ok := strings.Cut(value, ": ")
				if !ok {
					t.Fatalf("%s: %s: no help", name, line)
				}
				p.commands = append(p.commands, command{path, help})
			}
		}
		out = append(out, p)
	}
	return out
}

// tally counts flags of one program.
type tally struct{ statuses, said, shown, found, ours, right, names, values, helps, defaults, shownDefaults int }

// TestCommands compares flags, and prints each difference and a table.
func TestCommands(t *testing.T) {
	work := os.Getenv("REVERSE_SPEC_COMMANDS")
	if work == "" {
		t.Skip("REVERSE_SPEC_COMMANDS names no folder: see scripts/commands.sh")
	}
	t.Log("program            shown found   ours right  names values help defaults statuses")
	for _, p := range programs(t) {
		dir := filepath.Join(work, p.name)
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s: skipped: not fetched", p.name)
			continue
		}
		for _, s := range p.setup {
			if out, err := shell(dir, s); err != nil {
				t.Errorf("%s: %s: %v\n%s", p.name, s, err, out)
			}
		}
		c := compare(t, dir, &p)
		t.Logf("%-18s %5d %5s %6d %5s %6s %6s %4s %d of %d, %d of %d", p.name, c.shown, percent(c.found, c.shown), c.ours, percent(c.right, c.ours),
			percent(c.names, c.found), percent(c.values, c.found), percent(c.helps, c.found), c.defaults, c.shownDefaults, c.said, c.statuses)
	}
}

func percent(n, of int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(max(of, 1))) }

// shell runs a command and returns what it prints: programs print their help to either output, and exit with any status.
func shell(dir, text string) (string, error) {
	cmd := exec.Command("bash", "-c", text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "COLUMNS=400", "NO_COLOR=1", "TERM=dumb")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// statusOf returns the status with which a command ended.
func statusOf(err error) string {
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return strconv.Itoa(ended.ExitCode())
	}
	return "0"
}

// compare compares the flags of a program's commands.
func compare(t *testing.T, dir string, p *program) tally {
	t.Helper()
	claims := claimsOf(t, dir, p.target)
	var c tally
	for _, s := range p.statuses {
		_, err := shell(dir, s.help)
		c.statuses++
		if ended := statusOf(err); ended != s.path {
			t.Errorf("%s: %s: status %s, not %s", p.name, s.help, ended, s.path)
		} else if slices.ContainsFunc(claims, func(c evidence.Claim) bool { return c.Kind == evidence.ExitStatus && c.Name == s.path }) {
			c.said++
		} else {
			t.Logf("    status %s of %s is missing", s.path, s.help)
		}
	}
	for _, command := range p.commands {
		text, _ := shell(dir, command.help)
		rows := parseHelp(text)
		if len(rows) == 0 {
			t.Errorf("%s: %s: no flags in its help:\n%s", p.name, command.path, text)
			continue
		}
		ours := flagsOf(claims, command.path)
		say := func(format string, args ...any) {
			t.Logf("    %s: %s", command.path, fmt.Sprintf(format, args...))
		}
		if p.partial {
			ours = slices.DeleteFunc(ours, func(f *evidence.Claim) bool {
				return !slices.ContainsFunc(rows, func(r row) bool { return sharesName(namesOf(f), r.names) })
			})
		}
		c.add(rows, ours, say)
	}
	return c
}

// add compares the flags of one command.
func (c *tally) add(rows []row, ours []*evidence.Claim, say func(format string, args ...any)) {
	c.shown += len(rows)
	used := map[*evidence.Claim]bool{}
	for _, r := range rows {
		i := slices.IndexFunc(ours, func(f *evidence.Claim) bool { return sharesName(namesOf(f), r.names) })
		if i < 0 {
			say("missing %s", strings.Join(r.names, ", "))
			continue
		}
		f := ours[i]
		used[f] = true
		c.found++
		c.traits(f, r, say)
	}
	for _, f := range ours {
		if f.Role == evidence.Hidden {
			continue
		}
		c.ours++
		if used[f] {
			c.right++
		} else {
			say("not in the help: %s (%s:%d)", f.Name, f.At[0].File, f.At[0].Line)
		}
	}
}

// traits compares one flag.
func (c *tally) traits(f *evidence.Claim, r row, say func(format string, args ...any)) {
	a, b := namesOf(f), slices.Clone(r.names)
	slices.Sort(a)
	slices.Sort(b)
	if slices.Equal(a, b) {
		c.names++
	} else {
		say("%s: names %v, shown %v", f.Name, a, b)
	}
	if takes := f.Option.Type != "bool" && f.Option.Type != "count"; takes == r.value || f.Option.Type == "" {
		c.values++
	} else {
		say("%s: type %q, shown with a value: %v", f.Name, f.Option.Type, r.value)
	}
	if slices.ContainsFunc(append(r.more, r.help), func(shown string) bool { return sameHelp(f.Option.Help, shown) }) {
		c.helps++
	} else {
		say("%s: help\n        %q, shown\n        %q", f.Name, f.Option.Help, r.help)
	}
	if m := defaultIn.FindStringSubmatch(r.help); m != nil && !strings.Contains(plainest(f.Option.Help), plainest(m[0])) {
		c.shownDefaults++
		if shown := strings.Trim(strings.TrimSpace(m[1]), "\"'`"); plain(shown) == plain(f.Option.Default) || sameDefault(shown, f.Option.Default) {
			c.defaults++
		} else {
			say("%s: default %q, shown %q", f.Name, f.Option.Default, shown)
		}
	}
}

func sameDefault(shown, ours string) bool {
	clean := func(s string) string {
		return strings.Trim(strings.NewReplacer(" ", "", "[", "", "]", "", "\"", "").Replace(s), ",")
	}
	return clean(shown) == clean(ours)
}

func namesOf(f *evidence.Claim) []string {
	out := []string{f.Name}
	if f.Option.Short != "" {
		out = append(out, f.Option.Short)
	}
	if f.Option.Also != "" {
		out = append(out, strings.Split(f.Option.Also, ", ")...)
	}
	return out
}

// flagsOf returns the flags of a command, with those of the commands above that it has, too.
func flagsOf(claims []evidence.Claim, command string) []*evidence.Claim {
	var out []*evidence.Claim
	for i := range claims {
		f := &claims[i]
		if f.Kind == evidence.Flag && f.Option != nil && (f.Of == command || f.Option.Global && strings.HasPrefix(command, f.Of+" ")) {
			out = append(out, f)
		}
	}
	return out
}

// claimsOf returns the claims about a file or folder.
func claimsOf(t *testing.T, dir, target string) []evidence.Claim {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	tree, err := source.Read(t.Context(), p, target, source.Options{Scope: source.Everything})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.ReadImported(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	claims := evidence.Find(t.Context(), tree.Files, code.Merge(tree.Target, tree.Files, time.Unix(0, 0)), tree.Links, evidence.Known{Commands: tree.Commands})
	if os.Getenv("V") != "" {
		for _, c := range claims {
			if c.Kind == evidence.Command {
				t.Logf("    command %q of %q %v", c.Name, c.Of, cmp.Or(c.Option, &evidence.Option{}).Help)
			}
		}
	}
	return claims
}
