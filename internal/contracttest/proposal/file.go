package proposal

import (
	"fmt"
	"go/format"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Mark begins the first line of a file of tests that this program wrote: it may be replaced.
const Mark = "Written by reverse-spec generate --write-tests"

// Written reports whether this program wrote a file.
func Written(text []byte) bool {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.Contains(line, Mark)
}

// Case is a call that should end with an error.
type Case struct {
	Number   int    // unique in the file; its title begins with it
	When     string // the condition, as written
	Function *code.Symbol
	Callee   string  // what is called: "Take", "Version.parse", "new Version"; of an object the name of the method
	Object   *Object // that a method is called on; nil for what is called by itself
	Args     []any   // a value for each parameter; [Any] for any
	Error    string  // the type or variable that is the error; "" if only the text identifies it
	Message  string  // what its text contains; "" if that is not known
	Panics   bool
	// Body are the statements that make the call, as a model wrote them; "" for a call with Args. In Go they return the error, unless
	// the call panics.
	Body    string
	Imports []string // of Body, as they are written in the language; in Go a path, perhaps after a name
}

// Place is where the tests of a file go.
type Place struct {
	Tool     string // the name of the tool that runs them
	Source   *code.File
	Path     string // of the new file
	Module   string // by which the tests import the code; "" in Go
	Requires bool   // by require
}

// ErrCall is returned for a function that cannot be called with simple values.
var ErrCall = message.Errorf("a parameter takes more than a simple value")

// Kinds returns what the parameters of a function accept.
func Kinds(language string, params []code.Param) ([]Kind, error) {
	var out []Kind
	for _, p := range params {
		k := kindOf(language, p.Type)
		if language == "go" && k == Opaque && strings.Contains(p.Type, ".") && !strings.Contains(p.Type, "error") {
			return nil, ErrCall // its package may not be imported
		}
		out = append(out, k)
	}
	return out, nil
}

// kindOf returns what a type accepts.
func kindOf(language, typ string) Kind {
	typ = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typ), ":"))
	for _, k := range kinds[language] {
		if slices.Contains(k.types, typ) {
			return k.kind
		}
	}
	switch {
	case language == "go" && strings.HasPrefix(typ, "[]") && slices.Contains([]string{"[]string", "[]any"}, typ):
		return List
	case language == "go":
		return Opaque
	}
	return Anything // unions, aliases: the tests say whether it fits
}

var kinds = map[string][]struct {
	types []string
	kind  Kind
}{
	"go": {
		{[]string{"string"}, Text},
		{[]string{"int", "int8", "int16", "int32", "int64", "rune"}, Whole},
		{[]string{"uint", "uint8", "uint16", "uint32", "uint64", "byte"}, Positive},
		{[]string{"float64", "float32"}, Real},
		{[]string{"bool"}, Truth},
	},
	"python":     {{[]string{"str"}, Text}, {[]string{"int"}, Whole}, {[]string{"float"}, Real}, {[]string{"bool"}, Truth}},
	"typescript": {{[]string{"string"}, Text}, {[]string{"number"}, Real}, {[]string{"boolean"}, Truth}},
}

// Writes reports whether tests of a tool can be written.
func Writes(tool string) bool {
	return slices.Contains([]string{"go test", "pytest", "unittest", "vitest", "jest"}, tool)
}

// File returns the text of a file with the tests of cases, at least one; cases of one function follow each other.
func File(at Place, cases []Case) string {
	switch at.Tool {
	case "go test":
		return goFile(at, cases)
	case "pytest":
		return pytestFile(at, cases)
	case "unittest":
		return unittestFile(at, cases)
	}
	return ecmaFile(at, cases)
}

// Name returns the name of the file of tests for a module: a file, or a folder if whole. Beside is a file of tests of it.
func Name(tool, target string, whole bool, beside string) string {
	stem, ext := strings.TrimSuffix(path.Base(target), path.Ext(target)), path.Ext(beside)
	if whole {
		stem = path.Base(target)
	}
	if stem == "." || stem == "" {
		stem = ""
	}
	switch {
	case tool == "go test" && whole:
		return "contract_generated_test.go"
	case tool == "go test":
		return stem + "_contract_generated_test.go"
	case tool == "pytest", tool == "unittest":
		return strings.ReplaceAll("test_"+stem+"_contract_generated.py", "__", "_")
	}
	if !slices.Contains([]string{".ts", ".js", ".mjs", ".cjs", ".mts", ".cts"}, ext) {
		ext = map[bool]string{true: ".ts", false: ".js"}[ext == ".tsx"]
	}
	infix := ".test"
	if strings.Contains(path.Base(beside), ".spec.") {
		infix = ".spec"
	}
	return strings.TrimPrefix(stem+".contract"+infix+ext, ".")
}

// title is the name of a case in a table.
func (c *Case) title() string {
	const most = 60
	when := c.condition()
	if runes := []rune(when); len(runes) > most {
		when = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%d: %s", c.Number, when)
}

// groups returns the cases that follow each other and of which same returns the same.
func groups(cases []Case, same func(*Case) string) [][]Case {
	var out [][]Case
	for _, c := range cases {
		if n := len(out); n > 0 && same(&out[n-1][0]) == same(&c) {
			out[n-1] = append(out[n-1], c)
			continue
		}
		out = append(out, []Case{c})
	}
	return out
}

// inPython returns what a case calls in Python.
func inPython(c *Case) string { return c.target("python", nil) }

// inECMAScript returns what a case calls in TypeScript and JavaScript.
func inECMAScript(c *Case) string { return c.target("typescript", nil) }

// camel returns the name of a function as a part of the name of a test.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(strings.TrimPrefix(name, "new "), func(c rune) bool { return c == '.' || c == '_' || c == ' ' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func goFile(at Place, cases []Case) string {
	var b strings.Builder
	imports := map[string]bool{"testing": true}
	body := &strings.Builder{}
	for _, g := range groups(cases, (*Case).subject) {
		goTable(body, g, imports)
	}
	fmt.Fprintf(&b, "// %s; it is replaced when the tests are written again.\n\npackage %s\n\nimport (\n", Mark, at.Source.Package)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		b.WriteString("\t" + goImport(name) + "\n")
	}
	b.WriteString(")\n" + body.String())
	if formatted, err := format.Source([]byte(b.String())); err == nil { // a model does not write as gofmt does
		return string(formatted)
	}
	return b.String()
}

// goImport returns the specification of an import: a path, perhaps after a name.
func goImport(text string) string {
	name, path, named := strings.Cut(strings.ReplaceAll(text, `"`, ""), " ")
	if !named {
		return strconv.Quote(name)
	}
	return name + " " + strconv.Quote(path)
}

// goTable writes the table of a function: what to call, and what its error must be.
func goTable(b *strings.Builder, g []Case, imports map[string]bool) {
	fmt.Fprintf(b, "\nfunc TestContract%s(t *testing.T) {\n\tfor _, tc := range []struct {\n\t\tname string\n\t\tcall func() error\n\t\tis   error\n\t\ttext string\n\t}{\n", camel(g[0].subject()))
	for i := range g {
		c := &g[i]
		is := "nil"
		if c.Error != "" {
			is = c.Error
		}
		fmt.Fprintf(b, "\t\t{\n\t\t\tname: %q,\n\t\t\tcall: func() error {\n\t\t\t\t%s\n\t\t\t},\n\t\t\tis:   %s,\n\t\t\ttext: %q,\n\t\t},\n", c.title(), goBody(c, imports), is, c.Message)
	}
	imports["errors"], imports["strings"] = true, true
	b.WriteString(`	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.call()
			if err == nil || tc.is != nil && !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("%v, want %v %q", err, tc.is, tc.text)
			}
		})
	}
}
`)
}

// goBody returns the statements that call a function and return its error.
func goBody(c *Case, imports map[string]bool) string {
	call := c.Body
	if call == "" {
		call = c.target("go", imports) + "(" + strings.Join(goArguments(c, imports), ", ") + ")"
	}
	for _, name := range c.Imports {
		imports[strings.ReplaceAll(name, `"`, "")] = true
	}
	if c.Panics {
		imports["fmt"] = true
		return "err := error(nil)\n\t\t\t\tfunc() {\n\t\t\t\t\tdefer func() {\n\t\t\t\t\t\tif p := recover(); p != nil {\n\t\t\t\t\t\t\terr = fmt.Errorf(\"%v\", p)\n\t\t\t\t\t\t}\n\t\t\t\t\t}()\n\t\t\t\t\t" +
			call + "\n\t\t\t\t}()\n\t\t\t\treturn err"
	}
	if c.Body != "" {
		return c.Body
	}
	results := goResults(c.Function.Returns)
	if results <= 1 {
		return "return " + call
	}
	return strings.Repeat("_, ", results-1) + "err := " + call + "\n\t\t\t\treturn err"
}

// goResults returns the number of results of a function of Go.
func goResults(returns string) int {
	returns = strings.TrimSpace(returns)
	if !strings.HasPrefix(returns, "(") {
		return 1
	}
	depth, n := 0, 1
	for _, c := range returns {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

func goArguments(c *Case, imports map[string]bool) []string {
	var out []string
	for i, p := range c.Function.Params {
		if p.Variadic && c.Args[i] == any(Any{}) {
			continue
		}
		out = append(out, goValue(c.Args[i], p.Type, imports))
	}
	return out
}

func goValue(x any, typ string, imports map[string]bool) string {
	switch x := x.(type) {
	case Any:
		switch kindOf("go", typ) {
		case Text:
			return `"a"`
		case Whole, Positive, Real:
			return "1"
		case Truth:
			return "true"
		default:
			return "*new(" + typ + ")"
		}
	case nil:
		return "nil"
	case string:
		return textLiteral(x, func(n int) string { imports["strings"] = true; return fmt.Sprintf("strings.Repeat(%q, %d)", x[:1], n) })
	case float64:
		switch {
		case math.IsNaN(x):
			imports["math"] = true
			return "math.NaN()"
		case math.IsInf(x, 0):
			imports["math"] = true
			return "math.Inf(1)"
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		return typ + "{" + joinAll(x, func(x any) string { return goValue(x, "", imports) }) + "}"
	}
	return fmt.Sprint(x)
}

// textLiteral returns a text as a literal; one that repeats a byte often as a call.
func textLiteral(x string, repeated func(n int) string) string {
	const long = 40
	if len(x) > long && strings.Count(x, x[:1]) == len(x) {
		return repeated(len(x))
	}
	return strconv.Quote(x)
}

func joinAll(list []any, write func(any) string) string {
	var out []string
	for _, x := range list {
		out = append(out, write(x))
	}
	return strings.Join(out, ", ")
}
