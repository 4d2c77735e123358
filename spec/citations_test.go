package spec_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestCitationsHold generates the spec of real code, parses it, and checks that every
// file:line in it exists and has one of the names beside the citation.
func TestCitationsHold(t *testing.T) {
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	for _, pkg := range []string{"net/url", "text/template", "encoding/json"} {
		t.Run(pkg, func(t *testing.T) {
			files := map[string][]byte{}
			entries, err := fs.ReadDir(os.DirFS(root), pkg)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if strings.HasSuffix(e.Name(), ".go") {
					if files[e.Name()], err = os.ReadFile(filepath.Join(root, pkg, e.Name())); err != nil {
						t.Fatal(err)
					}
				}
			}
			s, text := generate(t, openProject(t, files), ".", spec.GenerateOptions{})
			c := newCiting(s, func(name string) []byte { return files[name] })
			c.text(string(text))
			if c.count < 30 {
				t.Errorf("only %d citations", c.count)
			}
			for _, problem := range c.problems {
				t.Error(problem)
			}
		})
	}
}

// citing checks the citations of one spec.
type citing struct {
	long       func(place string) string // the place with its path in the project
	read       func(name string) []byte  // nil for a missing file
	extensions []string                  // of the files in the spec
	rows       map[string][]string       // lines by file
	declared   map[string][]declared     // by file:line
	count      int
	problems   []string
}

// declared is the name of a declaration and the words in it: the line may have another name,
// or the start of the declaration.
type declared struct {
	name  string
	words []string
}

func newCiting(s *spec.Spec, read func(name string) []byte) *citing {
	c := &citing{long: s.LongPlace, read: read, rows: map[string][]string{}, declared: map[string][]declared{}}
	if s.Baseline != nil {
		c.declarations(s.Baseline.Exports)
	}
	for _, f := range s.Front.RelatedFiles {
		if ext := path.Ext(f); !slices.Contains(c.extensions, ext) {
			c.extensions = append(c.extensions, ext)
		}
	}
	return c
}

func (c *citing) declarations(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		place := fmt.Sprintf("%s:%d", s.File, s.StartLine)
		c.declared[place] = append(c.declared[place], declared{s.Name[strings.LastIndexAny(s.Name, ".:")+1:], wordsOf(s.Signature)})
		c.declarations(s.Members)
	}
}

// text checks every line of a spec outside fences. A citation belongs to the names on its
// line; the evidence of an item to those in its heading and text.
func (c *citing) text(text string) {
	var item, glance strings.Builder // glance is what requirements refer to whose cases it has
	fence, head := "", ""            // head is the first row of the table that a row is in
	for row := range strings.Lines(text) {
		row = strings.TrimSuffix(row, "\n")
		if ticks := row[:len(row)-len(strings.TrimLeft(row, "`"))]; len(ticks) >= 3 && (fence == "" || row == fence) {
			if fence != "" {
				ticks = ""
			}
			fence = ticks
			continue
		}
		if fence != "" {
			continue
		}
		if strings.HasPrefix(row, "#") {
			item.Reset()
		}
		item.WriteString(row + "\n")
		if strings.HasPrefix(item.String(), "## At a glance") || strings.HasPrefix(item.String(), "## 概览") {
			glance.WriteString(row + "\n")
		}
		switch {
		case !strings.HasPrefix(row, "|"):
			head = ""
		case head == "":
			head = row
		}
		named := row
		switch {
		case strings.HasPrefix(row, "**"), strings.HasPrefix(row, "- ") && strings.HasPrefix(item.String(), "### REQ"):
			if named = item.String(); strings.Contains(named, "*At a glance* lists them.") || strings.Contains(named, "见“概览”。") {
				named += glance.String()
			}
		case strings.HasPrefix(row, "|"): // of a table that the heading is about
			heading, _, _ := strings.Cut(item.String(), "\n")
			named = row + " " + heading + " " + head
		}
		for _, place := range c.places(row) {
			c.count++
			c.holds(place, named)
		}
	}
}

// span matches text between backticks.
var span = regexp.MustCompile("``? ?([^`]+?) ?``?")

// places returns the citations in a line.
func (c *citing) places(row string) []string {
	var out []string
	for _, m := range span.FindAllStringSubmatch(row, -1) {
		if c.isPlace(m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// isPlace reports whether code is of the form "a/b.go:12" or "a/b.go:12:3".
func (c *citing) isPlace(text string) bool {
	name, rest, _ := strings.Cut(text, ":")
	_, err := strconv.Atoi(strings.ReplaceAll(rest, ":", ""))
	return err == nil && slices.Contains(c.extensions, path.Ext(name)) && !strings.Contains(name, " ")
}

// holds records a citation whose line is missing or has none of the names.
func (c *citing) holds(place, named string) {
	name, number, _ := strings.Cut(c.long(place), ":")
	number, _, _ = strings.Cut(number, ":")
	n, _ := strconv.Atoi(number)
	if c.rows[name] == nil {
		c.rows[name] = strings.Split(string(c.read(name)), "\n")
	}
	rows := c.rows[name]
	if n < 1 || n > len(rows) || n == len(rows) && rows[n-1] == "" && n > 1 {
		c.problems = append(c.problems, fmt.Sprintf("there is no %s, in %q", place, named))
		return
	}
	row := rows[n-1]
	if goesOn(row) {
		row = strings.Join(rows[n-1:min(n+20, len(rows))], " ")
	}
	if strings.Contains(strings.ToLower(name), "test") || strings.Contains(name, "spec") {
		return // it may reach what is named through others
	}
	for _, m := range span.FindAllStringSubmatch(named, -1) { // a literal, such as the empty text
		if strings.HasPrefix(m[1], `"`) && strings.Contains(row, m[1]) {
			return
		}
	}
	names := c.names(named)
	if strings.Contains(named, "(doc `") || strings.Contains(named, "**: doc `") { // its words are those of the documentation
		names = wordsOf(named)
	}
	for _, d := range c.declared[c.long(place)] {
		if slices.Contains(names, d.name) || len(wordsOf(d.name)) == 0 && strings.Contains(named, d.name) {
			names = append(names, d.words...)
		}
	}
	nothingNamed := len(names) == 0 || strings.HasPrefix(named, "- [SYNTAX ERROR")
	if held := nothingNamed && strings.TrimSpace(row) != ""; !held && !shares(names, row) && !quotes(named, row) && !spells(named, row) && !derives(named, row) && !strings.Contains(named, "`"+stem(name)+"`") && !throwsVariable.MatchString(row) && !makesCommand.MatchString(row) {
		c.problems = append(c.problems, fmt.Sprintf("%s is %q, which has nothing of %q", place, row, named))
	}
}

// throwsVariable matches a line that throws what a variable holds or a function makes: it does not name the error.
var throwsVariable = regexp.MustCompile(`^\s*(throw|raise) (\w+;?\s*$|[a-z]\w*\()`)

// makesCommand matches a line that makes a command whose name is that of the program.
var makesCommand = regexp.MustCompile(`\b(Argument|Option)Parser\(`)

// message matches a quoted text of the code.
var message = regexp.MustCompile(`“([^”]*)”`)

// quotes reports whether a line contains a quoted text, or the last part of a scenario's
// heading.
func quotes(named, row string) bool {
	first, _, _ := strings.Cut(named, "\n")
	if _, title, ok := strings.Cut(first, " > "); ok && strings.Contains(row, title) {
		return true
	}
	return slices.ContainsFunc(message.FindAllStringSubmatch(named, -1), func(m []string) bool {
		text := strings.TrimSuffix(m[1], "…")
		return text != "" && strings.Contains(row, text)
	})
}

// codeSpans matches a code span, also one with a backtick in it.
var codeSpans = regexp.MustCompile("`` (.+?) ``|`([^`]+)`")

// spells reports whether a line has the text of a code span in which the words are none: an operator, a value.
func spells(named, row string) bool {
	return slices.ContainsFunc(codeSpans.FindAllStringSubmatch(named, -1), func(m []string) bool {
		text := strings.ReplaceAll(m[1]+m[2], `\|`, "|")
		return (len(wordsOf(text)) == 0 || strings.HasPrefix(text, "`")) && strings.Contains(row, text)
	})
}

// stem returns the name of a file without folder and extension, by which a program is called that has no other name.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// derives reports whether a line has one of the names in code spans apart from case and punctuation: a library derives
// the name of an option from that of a field.
func derives(named, row string) bool {
	plain := func(text string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return unicode.ToLower(c)
			}
			return -1
		}, text)
	}
	for _, m := range span.FindAllStringSubmatch(named, -1) {
		for word := range strings.FieldsSeq(m[1]) {
			if name := plain(word); len(name) > 2 && strings.Contains(plain(row), name) {
				return true
			}
		}
	}
	return false
}

// goesOn reports whether the statement, or an example in a comment, continues on the next
// lines.
func goesOn(row string) bool {
	row = strings.TrimSpace(row)
	if strings.HasPrefix(row, ">>>") || strings.HasPrefix(row, "@") { // an example; a decorator, before what it is of
		return true
	}
	_, example, isExample := strings.Cut(row, "```")
	return isExample && !strings.Contains(example, " ") || row != "" && strings.ContainsAny(row[len(row)-1:], "{([,<")
}

// names returns the words to look for: of code spans and messages in a text, of a scenario's
// heading, of a note.
func (c *citing) names(text string) []string {
	var named strings.Builder
	for row := range strings.Lines(text) {
		for _, m := range slices.Concat(span.FindAllStringSubmatch(row, -1), message.FindAllStringSubmatch(row, -1)) {
			if !c.isPlace(m[1]) {
				named.WriteString(m[1] + " ")
			}
		}
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "### SC-") || strings.HasPrefix(first, "- **") {
		named.WriteString(first)
	}
	return wordsOf(named.String())
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '$' })
}

// shares reports whether a line has one of the words, or is not empty and has no words.
func shares(names []string, row string) bool {
	words := wordsOf(row)
	if len(words) == 0 {
		return strings.TrimSpace(row) != ""
	}
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) })
}
