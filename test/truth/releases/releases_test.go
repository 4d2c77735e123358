// Package releases compares the breaking changes that `reverse-spec diff --base` reports between two releases of public code
// with those that the language's own tools see. Run it with scripts/drift.sh, which prints a table and fails below the goals.
//
// The pairs of each language are listed in a file: those marked built were looked at while the rules were written, those marked
// held were not.
package releases_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// change is a change of what users of a package see.
type change struct {
	Package  string `json:"package"` // a folder; "" where the language does not tell
	Symbol   string `json:"symbol"`
	Breaking bool   `json:"breaking"`
	Message  string `json:"message"`
}

// item is the compared part of an item of diff.
type item struct {
	Rule        string `json:"rule"`
	Symbol      string `json:"symbolName"`
	Location    string `json:"location"`
	Description string `json:"description"`
	Old         string `json:"oldValue"`
	Breaking    bool   `json:"breaking"`
}

// score counts breaking changes.
type score struct {
	truth, found int // of the language's tool, and those of them that were reported
	items, right int // reported, and those of them that the tool sees, too
}

func (s *score) add(o score) {
	s.truth, s.found, s.items, s.right = s.truth+o.truth, s.found+o.found, s.items+o.items, s.right+o.right
}

func (s score) precision() float64 { return ratio(s.right, s.items) }
func (s score) recall() float64    { return ratio(s.found, s.truth) }
func (s score) f1() float64 {
	p, r := s.precision(), s.recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// row is a line of the table.
func (s score) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %.3f | %.3f | %.3f |", name, s.truth, s.items, s.precision(), s.recall(), s.f1())
}

// pair is two releases of one package.
type pair struct {
	use, name, old, now string
	more                []string // other words of the line
}

// pairs reads a list of pairs: use, name, old and new release on each line.
func pairs(t *testing.T, file string) []pair {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	only, err := regexp.Compile(os.Getenv("DRIFT_PAIRS"))
	if err != nil {
		t.Fatal(err)
	}
	var out []pair
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 4 && f[0] != "#" && only.MatchString(f[1]) {
			out = append(out, pair{f[0], f[1], f[2], f[3], f[4:]})
		}
	}
	return out
}

// measure compares all pairs, and fails if F1 is below the goal.
func measure(t *testing.T, language string, list []pair, goal float64, one func(t *testing.T, p pair) (score, bool)) {
	t.Helper()
	total := map[string]*score{"built": {}, "held": {}}
	all, missing := score{}, 0
	for _, p := range list {
		s, ok := one(t, p)
		if !ok {
			missing++
			continue
		}
		t.Logf("%s %s..%s (%s): %d of %d breaking changes found, %d of %d items right", p.name, p.old, p.now, p.use, s.found, s.truth, s.right, s.items)
		total[p.use].add(s)
		all.add(s)
	}
	t.Logf("table: | %s | breaking changes | items | precision | recall | F1 |", language)
	t.Logf("table: %s", total["built"].row("built"))
	t.Logf("table: %s", total["held"].row("held"))
	t.Logf("table: %s", all.row(fmt.Sprintf("all %d pairs", len(list)-missing)))
	if missing == len(list) {
		t.Skip("none of the releases could be fetched")
	}
	if all.f1() < goal {
		t.Errorf("%s: F1 %.3f is below the goal of %.2f", language, all.f1(), goal)
	}
}

// cached returns the truth of a pair from the cache, or makes it and puts it there.
func cached(t *testing.T, language string, p pair, make func() ([]change, error)) ([]change, bool) {
	t.Helper()
	name := strings.ReplaceAll(p.name+"@"+p.old+".."+p.now, "/", "+") + ".json"
	file := filepath.Join(cache(t), "truth", language, name)
	var out []change
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &out) == nil {
		return out, true
	}
	out, err := make()
	if err != nil {
		t.Logf("%s %s..%s: skipped: %v", p.name, p.old, p.now, err)
		return nil, false
	}
	data, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return out, true
}

// cache returns the folder for what was fetched.
func cache(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("REVERSE_SPEC_DRIFT")
	if dir == "" {
		t.Skip("scripts/drift.sh sets REVERSE_SPEC_DRIFT and REVERSE_SPEC_PROGRAM")
	}
	return dir
}

// repository makes a repository that has one release committed and the other in its tree.
func repository(t *testing.T, old, now string) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q")
	unpack(t, old, dir)
	run(t, dir, "git", "add", "-A", "-f")
	commit(t, dir)
	run(t, dir, "git", "rm", "-rqf", "--ignore-unmatch", ".")
	unpack(t, now, dir)
	return dir
}

func commit(t *testing.T, dir string) {
	t.Helper()
	run(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "a release")
}

// unpack copies a folder, which may be read-only.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(to, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chmod(name, 0o700)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// diff returns what the program reports of a repository, as a user would call it.
func diff(t *testing.T, dir string) []item {
	t.Helper()
	program := os.Getenv("REVERSE_SPEC_PROGRAM")
	if program == "" {
		t.Skip("scripts/drift.sh sets REVERSE_SPEC_DRIFT and REVERSE_SPEC_PROGRAM")
	}
	var r struct{ Items []item }
	if err := json.Unmarshal(run(t, dir, program, "diff", "--base", "HEAD", "--json", "--no-report"), &r); err != nil {
		t.Fatal(err)
	}
	return r.Items
}

// agree counts how far items agree with the truth. Both sides may name a member or its type.
func agree(t *testing.T, p pair, truth []change, items []item, same func(c *change, i *item) bool) score {
	t.Helper()
	var s score
	used := make([]bool, len(items))
	for k := range truth {
		c := &truth[k]
		if !c.Breaking {
			continue
		}
		s.truth++
		hit := false
		for i := range items {
			if items[i].Breaking && same(c, &items[i]) {
				hit, used[i] = true, true
			}
		}
		if hit {
			s.found++
		} else {
			detail(t, p, "missed: %s %s", c.Package, c.Message)
		}
	}
	for i := range items {
		switch {
		case !items[i].Breaking:
		case used[i]:
			s.items, s.right = s.items+1, s.right+1
		default:
			s.items++
			detail(t, p, "not in the truth: %s %s (%s)", items[i].Location, items[i].Description, items[i].Rule)
		}
	}
	return s
}

// detail logs a disagreement, of held pairs only if asked for, so that nobody looks at them by accident.
func detail(t *testing.T, p pair, format string, args ...any) {
	t.Helper()
	if p.use == "built" || os.Getenv("DRIFT_HELD") != "" {
		t.Logf("  %s: "+format, append([]any{p.name}, args...)...)
	}
}

// nested reports whether two names are equal, or one is a member of the other.
func nested(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// run runs a program, which may end with status 3: a check failed.
func run(t *testing.T, dir, program string, args ...string) []byte {
	t.Helper()
	out, err := try(t, dir, program, args...)
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 3 {
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// try runs a program and returns what it printed; an error has what it said.
func try(t *testing.T, dir, program string, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return out, nil
}
