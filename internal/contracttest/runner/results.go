package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Status is what became of a test.
type Status string

// The states of a test in a report.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Result is one test in a report of a tool: a test of the code, a subtest, or a row of a table.
type Result struct {
	Place  string // its package, file or class, as the tool names it; "" if it does not say
	Name   string // nested names are separated by " > "
	Status Status
	Text   string // what it printed, or why it failed; may be empty
}

// Results are the tests that a tool reports.
type Results struct {
	List []Result
	// Broken says why the tool could not run a file or a package at all, one text for each.
	Broken []string
	format *format
	home   string
}

// format is how a tool reports, and how its names are those of the code.
type format struct {
	tools []string
	read  func(report []byte, r *Results)
	// is reports whether a result is that of a test of a file, or of a subtest or a row of it.
	is func(home, file, name string, r *Result) bool
}

func formats() []format {
	return []format{
		{[]string{"go test"}, readGo, isGo},
		{[]string{"vitest", "jest"}, readJest, isTitled},
		{[]string{"mocha"}, readMocha, isTitled},
		{[]string{"node --test", "ava"}, readTAP, isTitled},
		{[]string{"tape"}, readTape, isTitled},
		{[]string{"pytest"}, readJUnit, isPython},
		{[]string{"unittest", "manage.py test"}, readUnittest, isPython},
		{[]string{"doctest"}, readDoctest, isPython},
		{[]string{"cargo test", "cargo test --doc"}, readCargo, isRust},
		{[]string{"mvn", "gradle"}, readJUnit, isMethod},
		{[]string{"phpunit", "pest"}, readJUnit, isMethod},
		{[]string{"rspec"}, readRSpec, isTitled},
		{[]string{"minitest"}, readMinitest, isMinitest},
		{[]string{"dotnet test"}, readTRX, isMethod},
		{[]string{"swift test"}, readXCTest, isMethod},
	}
}

// Read reads the reports of a tool that ran in a folder of the project: files that it wrote, or else what it printed.
// Nil for a tool whose reports are not known.
func Read(tool, home string, reports ...[]byte) *Results {
	for _, f := range formats() {
		if slices.Contains(f.tools, tool) {
			r := &Results{format: &f, home: home}
			for _, text := range reports {
				f.read(text, r)
			}
			return r
		}
	}
	return nil
}

// Of returns the results of a test of a file; name is that of [code.Test].
func (r *Results) Of(file, name string) []Result {
	var out []Result
	for i := range r.List {
		if r.format.is(r.home, file, name, &r.List[i]) {
			out = append(out, r.List[i])
		}
	}
	return out
}

// Sum returns what became of a test with some results: failed if one of them is, passed if one is; "" for none.
func Sum(list []Result) Status {
	var out Status
	for _, r := range list {
		switch {
		case r.Status == Failed:
			return Failed
		case out == "" || r.Status == Passed:
			out = r.Status
		}
	}
	return out
}

// within returns a path of the project relative to a folder of it.
func within(dir, file string) string { return home{dir: dir}.rel(file) }

// isFile reports whether a place is a file: a path of any root that ends with it.
func isFile(place, file string) bool {
	place = strings.ReplaceAll(place, `\`, "/")
	return place == file || strings.HasSuffix(place, "/"+file)
}

// isTitled is for tools whose tests have titles, which may contain values.
func isTitled(home, file, name string, r *Result) bool {
	if r.Place != "" && !isFile(r.Place, within(home, file)) {
		return false
	}
	titles := []string{spaced(r.Name)}
	if _, rest, nested := strings.Cut(r.Name, nesting); nested && r.Place == "" { // after the name of a file
		titles = append(titles, spaced(rest))
	}
	if slices.Contains(titles, spaced(name)) {
		return true
	}
	pattern, err := regexp.Compile("^" + anyTitle(spaced(name)) + "$")
	return err == nil && slices.ContainsFunc(titles, pattern.MatchString)
}

// spaced returns a nested name with spaces between, as some tools write it.
func spaced(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(name, nesting, " ")), " ")
}

// anyTitle returns a regular expression for a title with any values.
func anyTitle(title string) string {
	fixed := regexp.MustCompile(varying).Split(title, -1)
	for i, text := range fixed {
		fixed[i] = regexp.QuoteMeta(text)
	}
	return strings.Join(fixed, ".*")
}

// isPython is for names like test_a[1-2] in places like tests.test_a.TestA. The name of a class stands for all tests in it.
func isPython(home, file, name string, r *Result) bool {
	module := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSuffix(within(home, file), ".py"), "/", "."), ".__init__")
	full, _, _ := strings.Cut(r.Name, "[")
	full = strings.TrimPrefix(r.Place+"."+full, ".")
	own := strings.TrimSuffix(strings.TrimSuffix(dotted(code.Test{Name: name}), "__doc__"), ".") // the documentation of a class or module
	if strings.HasSuffix(full, "."+strings.Trim(module+"."+own, ".")) {                          // pytest found its settings in a folder above
		return true
	}
	class := strings.HasPrefix(own, "Test") && !strings.Contains(own, ".") // of which the tests are inherited
	if class && strings.HasSuffix(r.Place, "."+strings.Trim(module+"."+own, ".")) {
		return true
	}
	for { // the place may begin at any folder of the path
		if at := strings.Trim(module+"."+own, "."); full == at || class && r.Place == at {
			return true
		}
		_, rest, ok := strings.Cut(module, ".")
		if !ok {
			return false
		}
		module = rest
	}
}

// isRust is for full paths, without the name of the target.
func isRust(home, file, name string, r *Result) bool {
	parts := strings.Split(strings.TrimSuffix(within(home, file), ".rs"), "/")
	own := strings.ReplaceAll(name, nesting, "::")
	for i := range parts {
		module := rustModule(parts[i:])
		if i == len(parts)-1 && (parts[0] == "tests" || parts[0] == "benches" || parts[0] == "examples") {
			module = ""
		}
		if r.Name == strings.TrimPrefix(module+"::"+own, "::") {
			return true
		}
	}
	return r.Name == own && path.Base(file) == "main.rs"
}

// isMethod is for methods of classes.
func isMethod(_, _, name string, r *Result) bool {
	parts := strings.Split(name, nesting)
	own := parts[len(parts)-1]
	method, _, _ := strings.Cut(r.Name, " with data set")
	if method != own {
		method = strings.TrimRight(method, "()")
		if i := strings.IndexAny(method, "[({"); i > 0 {
			method = method[:i]
		}
	}
	if strings.TrimSpace(method) != own && !strings.HasSuffix(method, own) {
		return false
	}
	if r.Place == "" || len(parts) == 1 {
		return true
	}
	class := strings.FieldsFunc(r.Place, func(c rune) bool { return c == '.' || c == '$' || c == '\\' || c == '+' || c == ':' })
	return len(class) > 0 && class[len(class)-1] == parts[len(parts)-2]
}
