package redact_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// vector is a text with a secret from the tests of another scanner; the secret is "" if they do not say which part
// of the text it is.
type vector struct{ where, text, secret string }

// TestVectorsOfOtherScanners reads the test data of other programs that look for secrets, which
// scripts/secrets.sh fetches to language "vectors" of REVERSE_SPEC_CORPORA. The figures
// are printed with -v; they are in docs/secrets.md. The secrets are of their making and
// the texts too: what they count as one may be a name of a user.
func TestVectorsOfOtherScanners(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(os.Getenv("REVERSE_SPEC_CORPORA"), "vectors", "*"))
	if os.Getenv("REVERSE_SPEC_CORPORA") == "" || len(folders) == 0 {
		t.Skip("skipped: the test data of others is fetched by scripts/secrets.sh")
	}
	for _, dir := range folders {
		planted, kept := 0, 0
		for _, v := range vectors(t, dir) {
			planted++
			clean, found := redact.Text(v.text, redact.Hints{})
			if v.secret == "" && len(found) > 0 || v.secret != "" && !strings.Contains(clean, v.secret) {
				kept++
			} else if os.Getenv("REVERSE_SPEC_MISSED") != "" {
				t.Logf("missed %s: %q in %.300q", v.where, v.secret, v.text)
			}
		}
		t.Logf("kept out | vectors of %s | %d of %d (%.2f %%)", filepath.Base(dir), kept, planted, 100*float64(kept)/float64(max(1, planted)))
		if least := map[string]int{"gitleaks": 95, "trufflehog": 80, "detect-secrets": 45}[filepath.Base(dir)]; kept*100 < planted*least {
			t.Errorf("%s: %d of %d", dir, kept, planted)
		}
	}
}

// vectors reads the test data below a folder: of trufflehog the tables of input and want,
// of gitleaks the true positives, of detect-secrets what its plugins must find.
func vectors(t *testing.T, dir string) (out []vector) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		slash := filepath.ToSlash(file)
		switch {
		case strings.HasSuffix(file, "_test.go") && strings.Contains(slash, "/pkg/detectors/"):
			out = append(out, tables(file, string(text))...)
		case strings.HasSuffix(file, ".go") && strings.Contains(slash, "/cmd/generate/config/rules/"):
			out = append(out, positives(file, string(text))...)
		case strings.HasSuffix(file, ".py") && strings.Contains(slash, "/tests/plugins/"):
			for _, m := range parametrized.FindAllStringSubmatch(string(text), -1) {
				out = append(out, vector{file, m[1] + m[2], ""})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var parametrized = regexp.MustCompile(`\(\s*(?:'([^'\\\n]+)'|"([^"\\\n]+)"),\s*True,?\s*\)`)

// constants are the strings that names of a file stand for.
type constants map[string]ast.Expr

// tables reads the rows of tables of tests that have an input and what is wanted of it.
func tables(file, text string) (out []vector) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		return nil
	}
	known := constants{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					known[name.Name] = n.Values[i]
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					known[name.Name] = n.Rhs[i]
				}
			}
		}
		return true
	})
	ast.Inspect(parsed, func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		input, wanted := "", []string{}
		for _, e := range row.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			switch key, _ := kv.Key.(*ast.Ident); {
			case key == nil:
			case key.Name == "input":
				input, _ = known.text(kv.Value, 0)
			case key.Name == "want":
				if list, ok := kv.Value.(*ast.CompositeLit); ok {
					for _, e := range list.Elts {
						if v, ok := known.text(e, 0); ok {
							wanted = append(wanted, v)
						}
					}
				}
			}
		}
		for _, v := range wanted {
			if len(v) >= 8 && strings.Contains(input, v) {
				out = append(out, vector{file, input, v})
			}
		}
		return true
	})
	return out
}

// text evaluates an expression of strings.
func (c constants) text(e ast.Expr, depth int) (string, bool) {
	if depth > 8 {
		return "", false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		v, err := strconv.Unquote(e.Value)
		return v, err == nil
	case *ast.Ident:
		if v := c[e.Name]; v != nil {
			return c.text(v, depth+1)
		}
	case *ast.BinaryExpr:
		left, ok1 := c.text(e.X, depth+1)
		right, ok2 := c.text(e.Y, depth+1)
		return left + right, ok1 && ok2
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			var args []any
			for _, a := range e.Args[1:] {
				v, ok := c.text(a, depth+1)
				if !ok {
					return "", false
				}
				args = append(args, v)
			}
			format, ok := c.text(e.Args[0], depth+1)
			return fmt.Sprintf(format, args...), ok
		}
	}
	return "", false
}

// positives reads the strings of the lists called tps.
func positives(file, text string) (out []vector) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		return nil
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if !ok || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
			return true
		}
		name, _ := set.Lhs[0].(*ast.Ident)
		list, _ := set.Rhs[0].(*ast.CompositeLit)
		if name == nil || list == nil || name.Name != "tps" {
			return true
		}
		for _, e := range list.Elts {
			if v, ok := (constants{}).text(e, 0); ok {
				out = append(out, vector{file, v, ""})
			}
		}
		return true
	})
	return out
}
