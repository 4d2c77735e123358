package eval_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// people is a graph of two nodes: (#1:Person:Author {name: 'Ada', born: 1815}) and
// (#2), which has nothing.
type people struct{}

func (people) Labels(_ context.Context, ids []codegraph.ID) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		if id == 1 {
			all[i] = []string{"Person", "Author"}
		}
	}
	return all, nil
}

func (people) Keys(_ context.Context, ids []codegraph.ID) ([][]string, error) {
	all := make([][]string, len(ids))
	for i, id := range ids {
		if id == 1 {
			all[i] = []string{"born", "name"}
		}
	}
	return all, nil
}

func (people) Properties(_ context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error) {
	all := make([][]value.Value, len(ids))
	for i, id := range ids {
		all[i] = make([]value.Value, len(keys))
		for j, key := range keys {
			if id == 1 {
				all[i][j] = map[string]value.Value{"name": "Ada", "born": int64(1815)}[key]
			}
		}
	}
	return all, nil
}

// relationship has the property since.
type relationship value.Key

func (r relationship) Key() value.Key       { return value.Key(r) }
func (r relationship) Properties() []string { return []string{"since"} }
func (r relationship) Property(name string) value.Value {
	if name == "since" {
		return int64(1833)
	}
	return nil
}

// knows is (#1)-[:KNOWS]->(#2).
var knows = relationship{From: 1, To: 2, Type: "KNOWS"}

// variables are what every expression of these tests can name.
var variables = map[string]value.Value{
	"ada":    value.Node(1),
	"nobody": value.Node(2),
	"knows":  knows,
	"second": relationship{From: 1, To: 2, Type: "KNOWS", Number: 7},
	"path":   &value.Path{Nodes: []value.Node{2, 1}, Relationships: []value.Relationship{knows}},
	"one":    int64(1),
	"text":   "text",
	"yes":    true,
	"nil":    nil,
	"list":   value.List{int64(1), int64(2), int64(3), int64(4)},
	"nan":    nan(),
}

func nan() value.Value {
	v, _ := value.Divide(0.0, 0.0)
	return v
}

// newRow returns a scope of the variables, and a row of them for when all is compiled.
func newRow() (s *eval.Scope, row func() eval.Row) {
	s = eval.NewScope()
	for name := range variables {
		s.Add(name)
	}
	return s, func() eval.Row {
		r := make(eval.Row, s.Width())
		for _, name := range s.Names() {
			slot, _ := s.Slot(name)
			r[slot] = variables[name]
		}
		return r
	}
}

// newCompiler returns one whose patterns are all there.
func newCompiler() *eval.Compiler {
	return &eval.Compiler{
		Graph:      people{},
		Parameters: map[string]value.Value{"p": int64(5), "names": value.List{"Ada", "Bob"}},
		Subquery: func(syntax.Expr, *eval.Scope) (eval.Expr, error) {
			return func(context.Context, eval.Row) (value.Value, error) { return true, nil }, nil
		},
	}
}

// answer evaluates an expression.
func answer(t *testing.T, text string) (value.Value, error) {
	t.Helper()
	e, err := syntax.ParseExpr(text)
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	s, row := newRow()
	compiled, err := newCompiler().Compile(e, s)
	if err != nil {
		return nil, err
	}
	return compiled(t.Context(), row())
}

// written is an answer as the tables of these tests have it: a value, or the class and
// code of a fault.
func written(v value.Value, err error) string {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		place := ""
		if e.At == (syntax.Pos{}) {
			place = " without a place"
		}
		return string(e.Class) + "/" + e.Code + place
	}
	if err != nil {
		return err.Error()
	}
	return value.Format(v)
}

// cases calls test with the lines "expression | value" of a file.
func cases(t *testing.T, path string, test func(expression, want string)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		i := strings.LastIndex(line, " | ")
		if i < 0 {
			t.Fatalf("%s: no value in %q", path, line)
		}
		test(strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+3:]))
	}
}

func TestExpressionsHaveTheirValues(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			cases(t, path, func(expression, want string) {
				if got := written(answer(t, expression)); got != want {
					t.Errorf("%s is %s, want %s", expression, got, want)
				}
			})
		})
	}
}
