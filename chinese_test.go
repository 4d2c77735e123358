package reversespec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// termsOfChinese are the Latin words that Chinese texts of specs have: headings of the contract's documents, names of things, languages and
// formats, and the kinds of evidence.
var termsOfChinese = strings.Fields(`Requirements Scenarios Given When Then API Schema JSON Contract Tests Test ID Spec-ID draft SYNTAX ERROR SHALL
	HTTP URL SQL gRPC Mermaid SECRET`)

// TestChineseOfSpecsHasNoEnglish holds the Chinese texts of the packages that write specs free of English words outside code, and of
// spaces that no letter or code needs.
func TestChineseOfSpecsHasNoEnglish(t *testing.T) {
	word := regexp.MustCompile(`[A-Za-z][A-Za-z-]+`)
	apart := regexp.MustCompile(`\p{Han} \p{Han}|[，。；：、（] | [，。；：、）]`)
	code := regexp.MustCompile("`[^`]*`|%(\\[\\d+\\])?[a-z]|<[^>]*>|\\{[^}]*\\}|\\.[a-z]+\\b")
	checked := 0
	for place, text := range chineseOfSpecs(t) {
		checked++
		plain := code.ReplaceAllString(text, "")
		for _, w := range word.FindAllString(plain, -1) {
			if !slices.Contains(termsOfChinese, w) {
				t.Errorf("%s: %q in %q", place, w, text)
			}
		}
		if at := apart.FindString(text); at != "" && at != "，且 " && at != "，或 " && at != "；或 " {
			t.Errorf("%s: a space in %q of %q", place, at, text)
		}
	}
	if checked < 350 {
		t.Errorf("only %d texts were found", checked)
	}
}

var han = regexp.MustCompile(`\p{Han}`)

// chineseOfSpecs returns the Chinese texts of the packages that write specs, by their places.
func chineseOfSpecs(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, root := range []string{"spec", "internal/batch", "internal/diagram", "internal/contracttest", "internal/evidence"} {
		err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if x, ok := n.(ast.Expr); ok {
					if text, ok := chineseOf(x); ok && han.MatchString(text) {
						out[set.Position(n.Pos()).String()] = text
						return false
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// chineseOf returns the value of a string literal or of a sum of them.
func chineseOf(x ast.Expr) (string, bool) {
	switch e := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		a, ok := chineseOf(e.X)
		b, also := chineseOf(e.Y)
		return a + b, ok || also
	}
	return "", false
}
