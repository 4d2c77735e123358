// Package runner knows the programs that run tests: which of them a project uses
// for a file, and how one is told to run some tests of it and no other.
//
// What comes out is for people to paste: a command of the project's own tool. It
// fails when a test fails, and also when a test is not there any more or was
// passed over, which most tools call a success.
package runner

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Reader reads a file of the project by its path from the root. The error is not
// looked at: what cannot be read is not there.
type Reader func(name string) ([]byte, error)

// Tool is a program that runs tests, set up for one test file.
type Tool struct {
	Name  string   // "go test"
	Needs []string // the programs that its commands call

	filter func(code.Test) string
	script func(filters []string) string
}

// Filter is how the tool is told to run a test; "" when it cannot be told. Tests
// that it runs only together have one filter: those within a Go test have that
// test's.
func (t *Tool) Filter(test code.Test) string { return t.filter(test) }

// Script is the command, for bash in the project's root, that runs the tests of some
// filters, one at least.
func (t *Tool) Script(filters []string) string { return t.script(filters) }

// errNone is why there is no tool.
var errNone = message.Errorf("no program is known that runs it")

// Find returns the tool that a project runs tests of a file with; kind is the
// Runner of [code.Test]. The error says why there is none.
func Find(read Reader, f *code.File, kind string) (*Tool, error) {
	if f.Constraint != "" {
		return nil, message.Errorf("the file is built only for %s", f.Constraint)
	}
	p := &place{read: read, file: f}
	for _, r := range rows() {
		if !slices.Contains(r.kinds, kind) {
			continue
		}
		if t, err := r.find(p); t != nil || err != nil {
			return t, err
		}
	}
	return nil, errNone
}

// row is a kind of tests, as parsers name it, and who runs it. Where several rows
// have a kind, the first that finds itself in the project is taken.
type row struct {
	kinds []string
	find  func(*place) (*Tool, error) // nil, nil for: not this one
}

// The kinds of examples in documentation.
const (
	PythonDoc = "python doctest"
	RustDoc   = "rust doctest"
)

func rows() []row {
	return []row{
		{[]string{"go test"}, goTest},
		{[]string{"js"}, ecmaTest},
		{[]string{"unittest"}, djangoTest},
		{[]string{"pytest", "unittest"}, pytestTest},
		{[]string{"unittest"}, unittestTest},
		{[]string{PythonDoc}, doctestTest},
		{[]string{"cargo test"}, cargoTest},
		{[]string{RustDoc}, rustdocTest},
		{[]string{"junit"}, mavenTest},
		{[]string{"junit"}, gradleTest},
		{[]string{"rspec"}, rspecTest},
		{[]string{"minitest"}, minitestTest},
		{[]string{"phpunit"}, phpunitTest},
		{[]string{"pest"}, pestTest},
		{[]string{"dotnet test"}, dotnetTest},
		{[]string{"swift test"}, swiftTest},
	}
}

// place is a test file in its project.
type place struct {
	read Reader
	file *code.File
}

// home is the nearest folder at or above a file that holds a file of one of the
// names; "." is the project's root.
type home struct {
	dir, name string
	text      string // of the file
}

// above finds the home of the test file that a function accepts; nil accepts all.
func (p *place) above(accept func(home) bool, names ...string) (home, bool) {
	for dir := path.Dir(p.file.Path); ; dir = path.Dir(dir) {
		for _, name := range names {
			text, err := p.read(path.Join(dir, name))
			if h := (home{dir, name, string(text)}); err == nil && (accept == nil || accept(h)) {
				return h, true
			}
		}
		if dir == "." {
			return home{}, false
		}
	}
}

// has reports whether the project has a file.
func (p *place) has(name string) bool {
	_, err := p.read(name)
	return err == nil
}

// rel returns a path of the project as seen from the home.
func (h home) rel(name string) string {
	if h.dir == "." {
		return name
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, h.dir), "/")
}

// enter returns the beginning of a command that runs in the home.
func (h home) enter() string {
	if h.dir == "." {
		return ""
	}
	return "cd " + word(h.dir) + " && "
}

// word quotes an argument for bash where it needs to be.
func word(text string) string {
	plain := strings.IndexFunc(text, func(c rune) bool {
		return !strings.ContainsRune("/.-_:=@,+", c) && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
	if plain && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// counted ends a command whose tool calls it a success when nothing was run: a rule of
// awk counts in n what passed, which must be as many as the tests, or more.
func counted(rule string, n int) string {
	return " |\n  awk '{ print } " + rule + " END { exit n < " + itoa(n) + " }'"
}

func itoa(n int) string { return strconv.Itoa(n) }

// anyOf returns a regular expression for one of some, which are expressions themselves.
func anyOf(list []string) string {
	if len(list) == 1 {
		return "^" + list[0] + "$"
	}
	return "^(" + strings.Join(list, "|") + ")$"
}

// nesting is what stands in the name of a test between a group and what is in it.
const nesting = " > "

// outermost returns the first name of a nested one.
func outermost(t code.Test) string {
	name, _, _ := strings.Cut(t.Name, nesting)
	return name
}

// innermost returns the last name of a nested one.
func innermost(t code.Test) string {
	names := strings.Split(t.Name, nesting)
	return names[len(names)-1]
}

// plainName reports whether a name is one of a method.
func plainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80
	}) < 0
}
