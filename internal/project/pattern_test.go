package project_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Pieces that random patterns and names are made of.
var (
	pieces = []string{
		"a", "b", "ab", "foo", ".x", "é", "-", "]", "[", " ", "#", "!",
		"*", "*", "**", "***", "?", "/", "/", "/", "**/", "/**", "/**/", "*/",
		"[ab]", "[!a]", "[^b]", "[a-c]", "[c-a]", "[]a]", "[!]a]", "[a-]", "[-a]", "[a\\-c]", "[\\]a]", "[a-\\c]",
		"[[:alpha:]]", "[[:digit:]x]", "[![:alpha:]]", "[[:punct:]]", "[[:nope:]]", "[[:alpha]", "[[:]", "[a", "[",
		"\\*", "\\a", "\\ ", "\\", "\\/", "\\[", "\\!", "\\#", "\t",
	}
	names = []string{"a", "b", "ab", "aab", "foo", ".x", "x", "a b", "é", "-", "]", "[a", "*", "#a", "!a", "c", "\\", "fooa"}
)

// randomLine returns a line of an ignore file.
func randomLine(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(6) == 0 {
		b.WriteByte('!')
	}
	if r.IntN(6) == 0 {
		b.WriteByte('/')
	}
	for range 1 + r.IntN(5) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String() + []string{"", "", "", "", "/", "/", " ", "  ", "\\ ", "\r"}[r.IntN(10)]
}

// randomPath returns a path of one to four elements.
func randomPath(r *rand.Rand) string {
	parts := make([]string, 1+r.IntN(4))
	for i := range parts {
		parts[i] = names[r.IntN(len(names))]
	}
	return strings.Join(parts, "/")
}

// ignored applies lines as git does: from the top down, the last that matches decides.
func ignored(patterns []project.Pattern, path string, dir bool) bool {
	for end := range path + "/" {
		if end < len(path) && path[end] != '/' {
			continue
		}
		for i := len(patterns) - 1; i >= 0; i-- {
			if patterns[i].Match(path[:end], dir || end < len(path)) {
				if !patterns[i].Negated() {
					return true
				}
				break
			}
		}
	}
	return false
}

func TestPatternsMeanWhatGitSaysTheyMean(t *testing.T) {
	const cases, pathsEach = 300, 20
	top := repository(t, nil)
	r := rand.New(rand.NewPCG(1, 2))
	var lines [cases][]string
	var paths [cases][]string
	var question bytes.Buffer
	for i := range cases {
		dir := filepath.Join(top, fmt.Sprint("case", i))
		must(t, os.Mkdir(dir, 0o755))
		for range 1 + r.IntN(4) {
			lines[i] = append(lines[i], randomLine(r))
		}
		must(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(strings.Join(lines[i], "\n")), 0o644))
		for range pathsEach {
			p := randomPath(r)
			if r.IntN(2) == 0 { // what does not exist is a file to git
				must(t, os.MkdirAll(filepath.Join(dir, p), 0o755))
			}
			paths[i] = append(paths[i], p)
			fmt.Fprintf(&question, "case%d/%s\x00", i, p)
		}
	}
	answers := checkIgnore(t, top, &question)
	for i := range cases {
		var patterns []project.Pattern
		for _, line := range lines[i] {
			line = strings.TrimSuffix(line, "\r")
			if p, ok := project.ParsePattern(fmt.Sprint("case", i), line); ok {
				patterns = append(patterns, p)
			}
		}
		for _, p := range paths[i] {
			name := fmt.Sprintf("case%d/%s", i, p)
			_, err := os.Stat(filepath.Join(top, name))
			got := ignored(patterns, name, err == nil)
			if want := answers[name]; got != want {
				t.Errorf("%q on %s: ignored %v, git says %v", lines[i], p, got, want)
			}
		}
	}
}

// checkIgnore asks git which of the paths are ignored.
func checkIgnore(t *testing.T, top string, paths *bytes.Buffer) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", "-C", top, "check-ignore", "--no-index", "--stdin", "-z")
	cmd.Stdin = paths
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		answers[p] = true
	}
	if len(answers) < 100 {
		t.Fatalf("git ignores %d paths only: the cases are no good", len(answers))
	}
	return answers
}

func TestPatternOnOnePath(t *testing.T) {
	for _, c := range []struct {
		line, path string
		dir, want  bool
	}{
		{"foo", "a/foo", false, true},
		{"/foo", "a/foo", false, false},
		{"a/foo", "a/foo", false, true},
		{"a/foo", "b/a/foo", false, false},
		{"foo/", "foo", false, false},
		{"foo/", "x/foo", true, true},
		{"*.log", "a/b.log", false, true},
		{"a/*.log", "a/b/c.log", false, false},
		{"a/**/c", "a/c", false, true},
		{"a/**/c", "a/x/y/c", false, true},
		{"**/c", "c", false, true},
		{"a/**", "a", true, false},
		{"a/**", "a/b/c", false, true},
		{"a**/c", "ab/x/c", false, true}, // git compares "a" first, and then "**/" leads
		{"x*a**/c", "xya/b/c", false, false},
		{"[[:space:]]", "\v", false, false},
		{`\!a`, "!a", false, true},
		{`a\ `, "a ", false, true},
		{"a ", "a", false, true},
		{`a\`, `a\`, false, false},
		{strings.Repeat("?", 70), strings.Repeat("x", 70), false, true},
		{strings.Repeat("?", 70), strings.Repeat("x", 69), false, false},
		{strings.Repeat("*a", 80), strings.Repeat("a", 200), false, true},
	} {
		p, ok := project.ParsePattern("", c.line)
		if got := ok && p.Match(c.path, c.dir); got != c.want {
			t.Errorf("%q on %q (folder: %v) = %v", c.line, c.path, c.dir, got)
		}
	}
}

// slow says what a pattern without classes and escapes means, one way at a time.
func slow(pattern, text string, start bool) bool {
	if pattern == "" {
		return text == ""
	}
	if pattern[0] == '*' {
		rest := strings.TrimLeft(pattern, "*")
		alone := start && len(pattern)-len(rest) > 1 && (rest == "" || rest[0] == '/')
		if alone && rest != "" && slow(rest[1:], text, true) {
			return true
		}
		for i := 0; ; i++ {
			if slow(rest, text[i:], false) {
				return true
			}
			if i == len(text) || text[i] == '/' && !alone {
				return false
			}
		}
	}
	return text != "" && (pattern[0] == text[0] || pattern[0] == '?' && text[0] != '/') &&
		slow(pattern[1:], text[1:], pattern[0] == '/')
}

func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"foo", "a/foo"},
		{"/a/**/b", "a/x/b"},
		{"a**/b", "ax/b"},
		{"*.go", "x.go"},
		{"**/x/?*", "a/x/b"},
		{"[a-c]*", "b"},
		{`\!x`, "!x"},
		{"a/", "a"},
		{"!a", "a"},
		{"***", "a/b"},
		{"**/", "a"},
		{"[[:alpha:]-z]", "-"},
		{"[", "["},
		{`[\`, "a"},
		{"a/**", "a/b"},
		{"*/b", "a/b"},
	} {
		f.Add(seed[0], seed[1], true)
		f.Add(seed[0], seed[1], false)
	}
	f.Fuzz(func(t *testing.T, line, path string, dir bool) {
		p, ok := project.ParsePattern("", line)
		if !ok {
			return
		}
		got := p.Match(path, dir)
		if len(line) > 12 || len(path) > 20 || strings.ContainsAny(line, "[\\\x00 ") || strings.Contains(path, "//") {
			return // the slow way is for short and plain ones
		}
		text := strings.TrimPrefix(line, "!")
		text, dirOnly := strings.CutSuffix(text, "/")
		if !strings.Contains(text, "/") {
			path = path[strings.LastIndexByte(path, '/')+1:]
		}
		text = strings.TrimPrefix(text, "/")
		head := len(text)
		if i := strings.IndexAny(text, "*?"); i >= 0 {
			head = i
		}
		want := text != "" && (dir || !dirOnly) && strings.HasPrefix(path, text[:head]) && slow(text[head:], path[head:], true)
		if got != want {
			t.Errorf("%q on %q (folder: %v) = %v", line, path, dir, got)
		}
	})
}
