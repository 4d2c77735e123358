// Package targets_test counts which statements of specs written by hand are found in the code by rules; see README.md.
package targets_test

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
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

// statement is one statement of a target.
type statement struct {
	id         string
	kinds      []string
	subject    string
	words      []string
	file, text string
}

// target is one file of statements.
type target struct {
	root, path string // the code
	least      int    // the least share that must be derived, in percent
	statements []statement
}

// found is a fact that the program finds.
type found struct {
	kind     string
	subjects []string
	text     string
	at       []evidence.Place
}

// read reads a file of statements; root is "" if the code is not on this machine.
func read(t *testing.T, file string) target {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out target
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		row := scanner.Text()
		word, rest, _ := strings.Cut(row, " ")
		switch word {
		case "", "#":
		case "package":
			out.root = filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
		case "repository":
			if dir := os.Getenv("SPEC_TARGETS"); dir != "" {
				out.root = filepath.Join(dir, strings.ReplaceAll(rest, "/", "+"))
			}
		case "target":
			out.path = rest
		case "least":
			if out.least, err = strconv.Atoi(rest); err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
		default:
			parts := strings.SplitN(row, "|", 5)
			if len(parts) != 5 {
				t.Fatalf("%s:%d: not a statement: %s", file, n, row)
			}
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			s := statement{id: parts[0], kinds: strings.Split(parts[1], ","), subject: parts[2], words: strings.Fields(parts[3])}
			s.file, s.text, _ = strings.Cut(parts[4], " ~ ")
			out.statements = append(out.statements, s)
		}
	}
	if _, err := os.Stat(filepath.Join(out.root, out.path)); out.root == "" || err != nil {
		out.root = ""
	}
	return out
}

// facts returns what the program finds in a target.
func facts(t *testing.T, of target) []found {
	t.Helper()
	p, err := project.Open(of.root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	tree, err := source.Read(t.Context(), p, of.path, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.ReadRelated(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	merged := code.Merge(tree.Target, tree.Files, time.Unix(0, 0))
	var out []found
	for _, c := range evidence.Find(t.Context(), tree.Files, merged, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing}) {
		out = append(out, found{string(c.Kind), append([]string{c.Subject, c.Name, c.Subject + "." + c.Name}, c.From...), said(&c), c.At})
	}
	out = append(out, found{"doc", []string{""}, merged.Doc, []evidence.Place{{File: tree.Files[0].Path, Line: 1}}})
	for _, f := range tree.Files {
		out = append(out, found{"doc", []string{""}, f.Doc, []evidence.Place{{File: f.Path, Line: 1}}})
	}
	out = append(out, declared("", merged.Exports)...)
	for _, f := range slices.Concat(tree.Files, tree.Tests) {
		for _, test := range f.Tests {
			out = append(out, found{"test", []string{test.Name, ""}, test.Name + " " + strings.Join(test.Rows, " "), []evidence.Place{{File: f.Path, Line: test.Line}}})
		}
	}
	return out
}

// declared returns the facts of declarations and their documentation.
func declared(owner string, list []code.Symbol) []found {
	var out []found
	for i := range list {
		s := &list[i]
		name := strings.TrimPrefix(owner+"."+s.Name, ".")
		at := []evidence.Place{{File: s.File, Line: s.StartLine}}
		out = append(out, found{"symbol", []string{name}, s.Signature, at}, found{"doc", []string{name}, s.Doc, at})
		out = append(out, declared(name, s.Members)...)
	}
	return out
}

// said returns all that a claim says.
func said(c *evidence.Claim) string {
	parts := append([]string{c.Subject, c.Name, c.Of, c.Role, c.Text}, c.Values...)
	if o := c.Option; o != nil {
		parts = append(parts, o.Type, o.Default, o.Help)
		if o.Required {
			parts = append(parts, "required")
		}
	}
	if o := c.Outcome; o != nil {
		parts = append(parts, o.Error, o.Message, o.Status, o.By)
		parts = append(append(append(parts, o.Details...), o.Wraps...), o.Beside...)
	}
	if s := c.Served; s != nil {
		parts = append(append(append(append(parts, s.Guards...), s.Inputs...), s.Success...), s.Refusals...)
	}
	for _, when := range c.When {
		parts = append(parts, when.String())
	}
	return strings.Join(slices.Concat(parts, c.From, c.Exits), " ")
}

// shows reports whether a fact is what a statement says.
func (f *found) shows(s *statement, line func(evidence.Place) string) bool {
	if !slices.Contains(s.kinds, f.kind) || s.subject != "" && !slices.Contains(f.subjects, s.subject) {
		return false
	}
	if slices.ContainsFunc(s.words, func(w string) bool { return !strings.Contains(f.text, w) }) {
		return false
	}
	return s.file == "" || slices.ContainsFunc(f.at, func(p evidence.Place) bool {
		return strings.HasSuffix(p.File, s.file) && strings.Contains(line(p), s.text)
	})
}

// lines returns a function that returns the text of a line.
func lines(root string) func(evidence.Place) string {
	files := map[string][]string{}
	return func(p evidence.Place) string {
		if files[p.File] == nil {
			text, _ := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.File)))
			files[p.File] = strings.Split(string(text), "\n")
		}
		if p.Line < 1 || p.Line > len(files[p.File]) {
			return ""
		}
		return files[p.File][p.Line-1]
	}
}

// TestTargets prints the share of each target that is derived.
func TestTargets(t *testing.T) {
	files, err := filepath.Glob("*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no targets: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
			of := read(t, file)
			if of.root == "" {
				t.Skip("the code of this target is not on this machine: see README.md")
			}
			known, at := facts(t, of), lines(of.root)
			var missing []string
			for i := range of.statements {
				if s := &of.statements[i]; !slices.ContainsFunc(known, func(f found) bool { return f.shows(s, at) }) {
					missing = append(missing, s.id)
				}
			}
			all := len(of.statements)
			share := 100 * (all - len(missing)) / all
			t.Logf("%d of %d statements (%d %%); not derived: %s", all-len(missing), all, share, strings.Join(missing, ", "))
			if share < of.least {
				t.Errorf("%d %% of the statements are derived, at least %d %% are expected", share, of.least)
			}
		})
	}
}
