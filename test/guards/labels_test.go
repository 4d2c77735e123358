package guards_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repository is what one file of labels says.
type repository struct {
	name, commit, language string
	files                  []*file
}

// file is a labelled file. Lines that are in none of its functions are not compared.
type file struct {
	path      string
	functions []*function
}

// function is a function, or another range of lines, whose exits are all labelled.
type function struct {
	name   string
	lines  span
	none   bool
	exits  []*exit
	may    []span // lines of exits that may be left out
	passed []span // those, and lines of exits that only pass an error on, or may be left out
	caught []span // lines of what is thrown and caught in the function: no exits
}

// span is a range of lines, both included.
type span struct{ from, to int }

func (s span) has(line int) bool { return s.from <= line && line <= s.to }

// exit is an exit: what a label says of it, and what the program says.
type exit struct {
	in             string
	lines          span
	kind, error    string
	message        string
	status         string
	closure        string
	helper         string
	when, optional []string
	unless         []int // exits of the same function that were not taken
	partial        bool  // of a label: it may be said in part; of ours: it is
}

// readLabels reads the labels beside this file.
func readLabels(t *testing.T) []*repository {
	t.Helper()
	names, err := filepath.Glob("*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no labels", err)
	}
	var all []*repository
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := labelReader{name: name}
		for line := range strings.Lines(string(data)) {
			r.at++
			if err := r.line(strings.TrimRight(line, "\n")); err != nil {
				t.Errorf("%s:%d: %v", name, r.at, err)
			}
		}
		all = append(all, r.out)
	}
	return all
}

// labelReader reads one file of labels, line by line.
type labelReader struct {
	name string
	at   int
	out  *repository
	fn   *function
	exit *exit
}

func (r *labelReader) line(text string) error {
	depth := len(text) - len(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	if text == "" || strings.HasPrefix(text, "#") {
		return nil
	}
	switch depth {
	case 0:
		return r.head(text)
	case 2:
		return r.ofFunction(text)
	case 4:
		return r.ofExit(text)
	}
	return fmt.Errorf("indented by %d", depth)
}

func (r *labelReader) head(text string) error {
	key, value, _ := strings.Cut(text, " ")
	if key != "repository" && r.out == nil {
		return fmt.Errorf("%s before the repository", key)
	}
	r.exit = nil
	switch key {
	case "repository":
		r.out = &repository{name: value}
	case "commit":
		r.out.commit = value
	case "language":
		r.out.language = value
	case "file":
		r.out.files = append(r.out.files, &file{path: value})
	case "function":
		name, lines, _ := strings.Cut(value, " ")
		s, err := readSpan(lines)
		if err != nil || len(r.out.files) == 0 {
			return fmt.Errorf("function %s has no lines or no file", name)
		}
		r.fn = &function{name: name, lines: s}
		f := r.out.files[len(r.out.files)-1]
		f.functions = append(f.functions, r.fn)
	default:
		return fmt.Errorf("unknown word %q", key)
	}
	return nil
}

func (r *labelReader) ofFunction(text string) error {
	if r.fn == nil {
		return fmt.Errorf("%q outside a function", text)
	}
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "none":
		r.fn.none = true
	case "may":
		if err := addSpans(&r.fn.may, value); err != nil {
			return err
		}
		return addSpans(&r.fn.passed, value)
	case "passes":
		return addSpans(&r.fn.passed, value)
	case "caught":
		return addSpans(&r.fn.caught, value)
	case "exit":
		f := strings.SplitN(value, " ", 4)
		for len(f) < 4 {
			f = append(f, "")
		}
		s, err := readSpan(f[0])
		if err != nil {
			return err
		}
		if f[1] != "throw" && f[1] != "return" && f[1] != "panic" {
			return fmt.Errorf("kind %q", f[1])
		}
		r.exit = &exit{in: r.fn.name, lines: s, kind: f[1], error: unlabelled(f[2]), message: unquote(f[3])}
		r.fn.exits = append(r.fn.exits, r.exit)
	default:
		return fmt.Errorf("unknown word %q", key)
	}
	return nil
}

func (r *labelReader) ofExit(text string) error {
	if r.exit == nil {
		return fmt.Errorf("%q outside an exit", text)
	}
	key, value, _ := strings.Cut(text, " ")
	switch {
	case key == "unless":
		for n := range strings.FieldsSeq(value) {
			line, err := strconv.Atoi(n)
			if err != nil {
				return err
			}
			r.exit.unless = append(r.exit.unless, line)
		}
	case key == "optional":
		r.exit.optional = append(r.exit.optional, value)
	case key == "status":
		r.exit.status = value
	case key == "closure":
		r.exit.closure = value
	case key == "helper":
		r.exit.helper = value
	case text == "partial allowed":
		r.exit.partial = true
	default:
		r.exit.when = append(r.exit.when, text)
	}
	return nil
}

func addSpans(to *[]span, text string) error {
	for lines := range strings.FieldsSeq(text) {
		s, err := readSpan(lines)
		if err != nil {
			return err
		}
		*to = append(*to, s)
	}
	return nil
}

func readSpan(text string) (span, error) {
	from, to, long := strings.Cut(text, "-")
	a, err := strconv.Atoi(from)
	if err != nil || !long {
		return span{a, a}, err
	}
	b, err := strconv.Atoi(to)
	return span{a, b}, err
}

func unlabelled(text string) string {
	if text == "~" {
		return ""
	}
	return text
}

// unquote returns what stands between the first and the last character.
func unquote(text string) string {
	if text = unlabelled(text); len(text) < 2 {
		return ""
	}
	return text[1 : len(text)-1]
}

// resolve returns the exit of a line.
func (f *function) resolve(line int) *exit {
	for _, e := range f.exits {
		if e.lines.from == line {
			return e
		}
	}
	return nil
}

// TestLabels holds the labels to their form, and to the size that the comparison is to have.
func TestLabels(t *testing.T) {
	exits, byLanguage := 0, map[string]int{}
	for _, r := range readLabels(t) {
		if r.name == "" || len(r.commit) != 40 || r.language == "" {
			t.Errorf("%s: repository, commit or language is missing", r.name)
		}
		for _, f := range r.files {
			for i, fn := range f.functions {
				if fn.none != (len(fn.exits) == 0) && len(fn.passed) == 0 {
					t.Errorf("%s %s: %d exits, none: %v", f.path, fn.name, len(fn.exits), fn.none)
				}
				for _, other := range f.functions[:i] {
					if other.lines.from <= fn.lines.to && fn.lines.from <= other.lines.to {
						t.Errorf("%s: %s and %s share lines", f.path, other.name, fn.name)
					}
				}
				checkExits(t, f, fn)
				exits += len(fn.exits)
				byLanguage[r.language] += len(fn.exits)
			}
		}
	}
	enough := 0
	for _, n := range byLanguage {
		if n >= 15 {
			enough++
		}
	}
	if exits < 220 || enough < 8 {
		t.Errorf("%d exits, %d languages with at least 15: %v", exits, enough, byLanguage)
	}
}

func checkExits(t *testing.T, f *file, fn *function) {
	t.Helper()
	last := 0
	for _, e := range fn.exits {
		if !fn.lines.has(e.lines.from) || !fn.lines.has(e.lines.to) || e.lines.from <= last {
			t.Errorf("%s %s: exit %d lies outside, or is out of order", f.path, fn.name, e.lines.from)
		}
		last = e.lines.from
		for _, line := range e.unless {
			if line >= e.lines.from || fn.resolve(line) == nil {
				t.Errorf("%s %s: exit %d: unless %d names no earlier exit", f.path, fn.name, e.lines.from, line)
			}
		}
		if slices.ContainsFunc(fn.passed, func(s span) bool { return s.has(e.lines.from) }) {
			t.Errorf("%s %s: exit %d passes an error on, too", f.path, fn.name, e.lines.from)
		}
	}
}
