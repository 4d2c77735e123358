package eval_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func TestValueSizesAreBounded(t *testing.T) {
	const want = "ArgumentError/NumberOutOfRange"
	for _, text := range []string{
		"range(1, 20000000)",
		"reduce(a = 'x', i IN range(1, 60) | a + a)",
		"reduce(a = [1], i IN range(1, 60) | a + a)",
		"reduce(a = 1, i IN range(1, 60) | [a, a])",
		"reduce(a = {}, i IN range(1, 60) | {l: a, r: a})",
		"[x IN range(1, 10000) | range(1, 10000)]",
		"'x' =~ reduce(a = 'x', i IN range(1, 20) | a + a)",
		"replace(reduce(a = 'x', i IN range(1, 20) | a + a), 'x', 'a string that is longer than it was before, and once more as long')",
	} {
		if got := written(answer(t, text)); got != want {
			t.Errorf("%s is %.60s, want %s", text, got, want)
		}
	}
}

func TestLoopsStopWithTheQuery(t *testing.T) {
	s, row := newRow()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"[x IN list | x]", "all(x IN list WHERE x > 0)", "reduce(a = 0, x IN list | a)"} {
		e, err := syntax.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := newCompiler().Compile(e, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compiled(ctx, row()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s gave %v", text, err)
		}
	}
}

func TestFaultsSayWhereAndWhat(t *testing.T) {
	for text, want := range map[string]string{
		"1 + size(one)":           "TypeError at line 1, column 5: size() takes a string or a list, not the Integer 1",
		"one + yes":               "TypeError at line 1, column 5: + does not take Integer and Boolean",
		"[1] + sizes(list)":       "SyntaxError at line 1, column 7: there is no function sizes()",
		"substring(text)":         "SyntaxError at line 1, column 1: substring() takes 2 to 3 arguments, not 1",
		"list['a']":               "TypeError at line 1, column 5: the index of a list is an integer, not the String 'a'",
		"1 / 0":                   "ArithmeticError at line 1, column 3: an integer is divided by zero",
		"text =~ '*'":             "ArgumentError at line 1, column 9: =~ has '*', which is not a regular expression: error parsing regexp: missing argument to repetition operator: `*`",
		"head(range(1, 99)[0])":   "TypeError at line 1, column 1: head() takes a list, not the Integer 1",
		"type({a: range(1, 99)})": "TypeError at line 1, column 1: type() takes a relationship, not the Map {a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, …",
	} {
		_, err := answer(t, text)
		if err == nil || err.Error() != want {
			t.Errorf("%s says\n  %v, want\n  %s", text, err, want)
		}
	}
}

func TestUnknownFunctionSuggestion(t *testing.T) {
	for text, want := range map[string]string{
		"sizes(list)":     "did you mean size()?",
		"lengths(path)":   "did you mean length()?",
		"x(1)":            "",
		"colect(one)":     "did you mean collect()?",
		"relationship(1)": "did you mean relationships()?",
		"xyzzy(1)":        "",
	} {
		_, err := answer(t, text)
		e, ok := errors.AsType[*syntax.Error](err)
		if !ok || e.Advice.String() != want {
			t.Errorf("%s advises %q, want %q", text, e.Advice, want)
		}
	}
}

func TestRelationshipsHaveAnIDThatStays(t *testing.T) {
	v, err := answer(t, "id(knows)")
	if want := value.Value(int64(5078186664662717436)); err != nil || v != want {
		t.Errorf("got %v, %v, want %v", v, err, want)
	}
	if got := written(answer(t, "elementId(knows) = '5:' + toString(id(knows))")); got != "true" {
		t.Errorf("elementId and id differ: %s", got)
	}
}

func TestExpressionsAreConcurrencySafe(t *testing.T) {
	e, err := syntax.ParseExpr("[x IN list WHERE toString(x) =~ ('[' + x + ']') | x + one]")
	if err != nil {
		t.Fatal(err)
	}
	s, row := newRow()
	compiled, err := newCompiler().Compile(e, s)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, 8)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = written(compiled(t.Context(), row())) })
	}
	all.Wait()
	for _, g := range got {
		if want := "[2, 3, 4, 5]"; g != want {
			t.Errorf("got %s, want %s", g, want)
		}
	}
}

// broken is a graph that cannot be read.
type broken struct{ people }

var errBroken = errors.New("broken")

func (broken) Properties(context.Context, []codegraph.ID, ...string) ([][]value.Value, error) {
	return nil, errBroken
}

func TestErrorsOfTheGraphArePassedOn(t *testing.T) {
	for _, text := range []string{"ada.name", "ada['name']", "properties(ada)", "ada.name = 1 OR true"} {
		e, err := syntax.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		s, row := newRow()
		c := newCompiler()
		c.Graph = broken{}
		compiled, err := c.Compile(e, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compiled(t.Context(), row()); !errors.Is(err, errBroken) {
			t.Errorf("%s gave %v", text, err)
		}
	}
}

var _ eval.Graph = broken{}

func TestFaultsAreSaidInChinese(t *testing.T) {
	for text, want := range map[string]string{
		"1 + size(one)":     "TypeError（第 1 行第 5 列）：size() 接受字符串或列表，不接受 Integer 1",
		"one + yes":         "TypeError（第 1 行第 5 列）：+ 不接受 Integer 和 Boolean",
		"substring(text)":   "SyntaxError（第 1 行第 1 列）：substring() 接受 2 到 3 个参数，而不是 1 个",
		"1 / 0":             "ArithmeticError（第 1 行第 3 列）：整数除以零",
		"[1] + sizes(list)": "SyntaxError（第 1 行第 7 列）：没有函数 sizes()",
	} {
		_, err := answer(t, text)
		if got := message.Render(message.Chinese, err); got != want {
			t.Errorf("%s says\n  %s, want\n  %s", text, got, want)
		}
	}
}
