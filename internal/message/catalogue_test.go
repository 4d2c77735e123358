package message_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// makers are the functions of package message that take a key, and which of their
// arguments it is.
func makers() map[string]int {
	return map[string]int{"New": 0, "Errorf": 0, "Key": 0, "Sprintf": 1, "Translate": 1, "Count": 2}
}

// TestEveryMessageHasItsTranslation compares the keys in the source with those of the catalogue. The help texts of
// cmd are compared by a test there.
func TestEveryMessageHasItsTranslation(t *testing.T) {
	have := map[string]string{}
	for _, e := range message.Entries() {
		if old, twice := have[normal(e.Key)]; twice {
			t.Errorf("twice in the catalogue: %q: %q, %q", e.Key, old, e.Zh)
		}
		have[normal(e.Key)] = e.Zh
	}
	missing := map[string]string{}
	for key, place := range keys(t, filepath.Join("..", "..")) {
		if _, ok := have[normal(key)]; !ok {
			missing[place+" "+key] = key
		}
	}
	for _, place := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("not in the catalogue (internal/message/zh_*.go): %s", place)
	}
}

// normal returns a key as the catalogue compares it: whether an error is wrapped does not matter.
func normal(key string) string { return strings.ReplaceAll(key, "%w", "%v") }

// TestTranslationsTakeTheSameArguments: the same verbs, as often.
func TestTranslationsTakeTheSameArguments(t *testing.T) {
	for _, e := range message.Entries() {
		want, got := verbs(e.Key), verbs(e.Zh)
		if !slices.Equal(want, got) {
			t.Errorf("%q has %v, its translation %q %v", e.Key, want, e.Zh, got)
		}
		if strings.Contains(e.Key+e.Zh, "${") && len(want) > 0 {
			t.Errorf("%q is a format with ${, which the library of catalogues reads as a variable", e.Key)
		}
		if e.Zh == "" {
			t.Errorf("%q has no translation", e.Key)
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[\d.*]*(\[\d+\])?([a-zA-Z%])`)

// verbs are those of a format in the order of their arguments.
func verbs(format string) []string {
	var list []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		v := m[3]
		if v == "%" {
			continue
		}
		if v == "w" {
			v = "v"
		}
		if at := m[1] + m[2]; at != "" {
			next, _ = strconv.Atoi(strings.Trim(at, "[]"))
		}
		list = append(list, strconv.Itoa(next)+v)
		next++
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// keys are the texts that the source of the module gives to package message, with a
// place where each is.
func keys(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && file != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "tools") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
			keysOf(t, file, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no message was found in the source")
	}
	return found
}

func keysOf(t *testing.T, file string, found map[string]string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	own := f.Name.Name == "message"
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.SelectorExpr:
			if x, ok := fun.X.(*ast.Ident); ok && x.Name == "message" {
				name = fun.Sel.Name
			}
		case *ast.Ident:
			if own {
				name = fun.Name
			}
		}
		at, ok := makers()[name]
		if !ok || at >= len(call.Args) {
			return true
		}
		if key, ok := constant(call.Args[at]); ok {
			p := fset.Position(call.Pos())
			found[key] = filepath.ToSlash(p.String())
		}
		return true
	})
}

// constant is the value of an expression of string literals.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.BinaryExpr:
		x, okX := constant(e.X)
		y, okY := constant(e.Y)
		return x + y, okX && okY
	}
	return "", false
}
