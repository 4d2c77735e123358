package lang_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// truthModules are the modules compared with the interpreter. Packages are read whole.
var truthModules = []string{
	"argparse", "ast", "asyncio", "base64", "bdb", "calendar", "collections", "concurrent", "configparser", "contextlib",
	"copy", "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "dis", "doctest", "email", "enum", "fractions",
	"functools", "html", "http", "importlib", "inspect", "ipaddress", "json", "logging", "multiprocessing", "pathlib",
	"pickle", "sqlite3", "statistics", "subprocess", "tarfile", "typing", "unittest", "urllib", "xml", "zipfile",
}

// pythonFile is a file as reported by testdata/python/truth.py.
type pythonFile struct {
	File, Source, Doc, Rewritten string
	Symbols                      []pythonSymbol
}

type pythonSymbol struct {
	Name, Kind string
	Line, End  int
	Signatures []string
	Doc        string
	Params     []pythonParam
	Returns    string
}

// pythonParam is a parameter: [name, mode, type, default, variadic].
type pythonParam struct {
	Name, Mode, Type, Default string
	Variadic                  bool
}

func (p *pythonParam) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&p.Name, &p.Mode, &p.Type, &p.Default, &p.Variadic})
}

// TestPythonAgreesWithInterpreter compares what is read from the standard library with
// Python's own parser.
func TestPythonAgreesWithInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a good part of the standard library")
	}
	var files []pythonFile
	askPython(t, nil, &files, append([]string{"symbols"}, truthModules...)...)
	if len(files) < len(truthModules) {
		t.Fatalf("python3 gave %d files for %d modules", len(files), len(truthModules))
	}
	t.Run("symbols", func(t *testing.T) { sameSymbols(t, files) })
	t.Run("hashes", func(t *testing.T) { sameHashes(t, files) })
}

// sameSymbols compares every name, line, signature, parameter and docstring with the
// interpreter's.
func sameSymbols(t *testing.T, files []pythonFile) {
	ours := make([][]pythonSymbol, len(files))
	for i, f := range files {
		read := parsePython(t, f.File, f.Source)
		if read.Doc != f.Doc {
			t.Errorf("%s: the module's documentation differs:\n%s", f.File, cmp.Diff(f.Doc, read.Doc))
		}
		if len(read.ParseErrors) > 0 {
			t.Errorf("%s: parse errors %v", f.File, read.ParseErrors)
		}
		ours[i] = flatten([]pythonSymbol{}, read.Symbols, "")
	}
	normalise(t, ours)
	count := 0
	for i, f := range files {
		byName := func(a, b pythonSymbol) int { return strings.Compare(a.Name, b.Name) }
		slices.SortStableFunc(f.Symbols, byName)
		slices.SortStableFunc(ours[i], byName)
		count += len(f.Symbols)
		if diff := cmp.Diff(f.Symbols, ours[i]); diff != "" {
			t.Errorf("%s differs (-python +ours):\n%s", f.File, diff)
		}
	}
	t.Logf("%d files, %d symbols", len(files), count)
}

// sameHashes checks that the files and their ast.unparse output have the same hashes: other
// quotes, brackets, numbers and lines, no comments.
func sameHashes(t *testing.T, files []pythonFile) {
	for _, f := range files {
		if f.File == "pickle.py" {
			continue // ast.unparse changes f(a=b, *c) to f(*c, a=b)
		}
		was, is := parsePython(t, f.File, f.Source), parsePython(t, f.File, f.Rewritten)
		if diff := cmp.Diff(hashes(nil, was.Symbols, ""), hashes(nil, is.Symbols, "")); diff != "" {
			t.Errorf("%s: hashes differ (-as written +rewritten):\n%s", f.File, diff)
		}
		if was.Digest.Tokens != is.Digest.Tokens {
			t.Errorf("%s: the tokens differ", f.File)
		}
	}
}

// askPython runs truth.py. It skips the test if there is no interpreter.
func askPython(t *testing.T, question, answer any, args ...string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here to compare with")
	}
	in, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, append([]string{"testdata/python/truth.py"}, args...)...)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("truth.py: %v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatal(err)
	}
}

func parsePython(t *testing.T, path, src string) *code.File {
	t.Helper()
	f, err := lang.Parse(t.Context(), path, []byte(src), lang.All)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pythonKinds maps our kinds to the interpreter's terms.
var pythonKinds = map[code.Kind]string{
	code.Function: "function", code.Class: "class", code.Enum: "class", code.Interface: "class",
	code.Method: "method", code.Getter: "method", code.Setter: "method", code.Constructor: "method",
	code.Property: "field", code.EnumMember: "field", code.Variable: "var", code.Const: "var", code.TypeDef: "var",
}

// flatten lists symbols in the order of truth.py: members after their class, a property with
// its setter.
func flatten(out []pythonSymbol, list []code.Symbol, owner string) []pythonSymbol {
	index := map[string]int{}
	for _, s := range list {
		p := pythonSymbol{
			Name: owner + s.Name, Kind: pythonKinds[s.Kind], Line: s.StartLine, End: s.EndLine, Doc: s.Doc,
			Params: []pythonParam{}, Signatures: []string{}, Returns: s.Returns,
		}
		if s.Kind == code.TypeDef || owner != "" && p.Kind == "var" {
			p.Kind = "field"
			if owner == "" {
				p.Kind = "var"
			}
		}
		if p.Kind == "var" || p.Kind == "field" {
			p.Doc = "" // truth.py does not read documentation of variables
		} else {
			p.Signatures = append(p.Signatures, s.Signature)
		}
		if len(s.Overloads) > 0 {
			p.Signatures = nil
			for _, o := range s.Overloads {
				p.Signatures = append(p.Signatures, o.Signature)
			}
		}
		for _, q := range s.Params {
			p.Params = append(p.Params, pythonParam{q.Name, q.Mode, q.Type, q.Default, q.Variadic})
		}
		if at, ok := index[s.Name]; ok {
			first := &out[at]
			first.Signatures = append(first.Signatures, p.Signatures...)
			first.End = max(first.End, p.End)
			if first.Doc == "" {
				first.Doc = p.Doc
			}
			continue
		}
		index[s.Name] = len(out)
		out = append(out, p)
		out = flatten(out, s.Members, owner+s.Name+".")
	}
	return out
}

// hashes lists the hashes of each symbol.
func hashes(out []string, list []code.Symbol, owner string) []string {
	for _, s := range list {
		name := owner + s.Name
		out = append(out, strings.Join([]string{name, string(s.Kind), s.SignatureHash, s.BodyHash}, " "))
		out = hashes(out, s.Members, name+".")
	}
	return out
}

// normalise formats signatures, types and defaults like the interpreter.
func normalise(t *testing.T, files [][]pythonSymbol) {
	t.Helper()
	type texts struct{ Definitions, Expressions []string }
	var asked, answer texts
	var definitions, expressions []*string
	for _, list := range files {
		for i := range list {
			s := &list[i]
			for j := range s.Signatures {
				definitions = append(definitions, &s.Signatures[j])
			}
			expressions = append(expressions, &s.Returns)
			for j := range s.Params {
				expressions = append(expressions, &s.Params[j].Type, &s.Params[j].Default)
			}
		}
	}
	expressions = slices.DeleteFunc(expressions, func(s *string) bool { return *s == "" })
	for _, s := range definitions {
		asked.Definitions = append(asked.Definitions, *s)
	}
	for _, s := range expressions {
		asked.Expressions = append(asked.Expressions, *s)
	}
	askPython(t, map[string]any{"definitions": asked.Definitions, "expressions": asked.Expressions}, &answer, "normalise")
	for i, s := range definitions {
		*s = answer.Definitions[i]
	}
	for i, s := range expressions {
		*s = answer.Expressions[i]
	}
	for _, list := range files {
		for i := range list {
			slices.Sort(list[i].Signatures)
			list[i].Signatures = slices.Compact(list[i].Signatures)
		}
	}
}
