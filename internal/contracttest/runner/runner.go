// Package runner knows the programs that run tests: which one a project uses for a file, and
// the command that runs selected tests and no others. [Find] returns the [Tool] for a file.
//
// The commands are those of the project's own tool and meant to be pasted. Where the environment
// variable TEST_REPORT names a file, they also write the tool's own machine-readable report into it.
// [Results] reads a report, and [Results.Of] finds in it what became of a test.
package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Reader reads a file by its path from the project's root. A file that cannot be read is
// treated as missing.
type Reader func(name string) ([]byte, error)

// Tool is a program that runs tests, configured for one test file.
type Tool struct {
	Name  string   // "go test"
	Needs []string // programs that its commands call
	Home  string   // folder that its commands run in; "." is the project's root
	// Reports is the folder where the tool writes a report by itself; "" for none.
	Reports string

	group  string // files with the same tool and group run in one command
	unit   string // names the file in a command, if all of its tests are run
	filter func(code.Test) string
	script func(units, filters []string) string // filters is nil if all tests of the units are run
	suite  string
}

// ReportVariable is the environment variable that names the file for the report of a tool.
const ReportVariable = "TEST_REPORT"

// Filter returns the argument that selects a test; "" if that is not possible. Tests that can
// only run together share a filter, such as the subtests of a Go test.
func (t *Tool) Filter(test code.Test) string { return t.filter(test) }

// Suite returns the bash command that runs all tests that the tool has in its folder; "" if none is known.
func (t *Tool) Suite() string { return t.suite }

// Joins reports whether one command can run the tests of both tools.
func (t *Tool) Joins(o *Tool) bool { return t.Name == o.Name && t.Home == o.Home && t.group == o.group }

// Selection is what to run of a file: the tests of some filters.
type Selection struct {
	Tool    *Tool
	Filters []string // of the selected tests
	All     []string // of all tests of the file
}

// Script returns the bash command that runs the tests of selections in the project's root; their tools join. It names
// files or packages, and single tests only if it must, or where that is worth the words: see [Whole].
func Script(list []Selection, named bool) string {
	var units, filters []string
	for _, s := range list {
		units = add(units, s.Tool.unit)
		for _, f := range s.Filters {
			filters = add(filters, f)
		}
	}
	if !named && Whole(list) {
		filters = nil
	}
	return list[0].Tool.script(units, filters)
}

// maxNamed is the number of tests above which a command that names them is not readable.
const maxNamed = 12

// Whole reports whether the command for selections runs whole files: if they have most of the tests, or too many to name.
func Whole(list []Selection) bool {
	if list[0].Tool.unit == "" {
		return false
	}
	selected, all := 0, 0
	for _, s := range list {
		selected, all = selected+len(s.Filters), all+len(s.All)
	}
	return selected > maxNamed || 3*selected >= 2*all
}

// add appends a text that is not in a list.
func add(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// errNone is returned if no tool applies.
var errNone = message.Errorf("no program is known that runs it")

// Find returns the tool for the tests of a file; kind is the Runner of [code.Test]. The error
// says why there is none.
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

// row is a kind of tests, as parsers name it, with a tool. The first applicable row of a kind
// is used.
type row struct {
	kinds []string
	find  func(*place) (*Tool, error) // returns nil, nil if not applicable
}

// Kinds of examples in documentation.
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
		{[]string{PythonDoc}, pytestDocTest},
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

// home is the nearest folder at or above a file that has one of the given files; "." is the
// project's root.
type home struct {
	dir, name string
	text      string // content of the file
}

// above returns the nearest home of the test file that accept approves; nil approves all.
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

// rel returns a path of the project relative to the home.
func (h home) rel(name string) string {
	if h.dir == "." {
		return name
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, h.dir), "/")
}

// lines separates the arguments of a long command.
const lines = " \\\n  "

// args returns arguments as the end of a command, each on a line of its own if they are many.
func args(list []string) string {
	const most = 80 // bytes on one line
	if text := strings.Join(list, " "); len(list) == 1 || len(text) <= most {
		return " " + text
	}
	return lines + strings.Join(list, lines)
}

// report returns flags that are used where a report is asked for.
func report(flags string) string { return " ${" + ReportVariable + ":+" + flags + "}" }

// ForPeople returns a script without the flags that apply only when a report is asked for.
func ForPeople(script string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(script, " ${"+ReportVariable+":+")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, script, _ = strings.Cut(rest, "}")
	}
}

// reportFile is the file for the report, as a word of bash.
const reportFile = `"$` + ReportVariable + `"`

// enter returns the start of a command that runs in the home.
func (h home) enter() string {
	if h.dir == "." {
		return ""
	}
	return "cd " + word(h.dir) + " && "
}

// word quotes an argument for bash if needed.
func word(text string) string {
	plain := strings.IndexFunc(text, func(c rune) bool {
		return !strings.ContainsRune("/.-_:=@,+", c) && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
	if plain && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// anyOf returns a regular expression for the alternatives in list.
func anyOf(list []string) string {
	if len(list) == 1 {
		return "^" + list[0] + "$"
	}
	return "^(" + strings.Join(list, "|") + ")$"
}

// nesting separates the groups in the name of a test.
const nesting = " > "

// outermost returns the first part of a nested name.
func outermost(t code.Test) string {
	name, _, _ := strings.Cut(t.Name, nesting)
	return name
}

// innermost returns the last part of a nested name.
func innermost(t code.Test) string {
	names := strings.Split(t.Name, nesting)
	return names[len(names)-1]
}

// plainName reports whether a name is a valid method name.
func plainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80
	}) < 0
}
