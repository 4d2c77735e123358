package tck_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

func TestValuesAreReadAndWritten(t *testing.T) {
	a := tck.Node{Labels: []string{"B", "A"}, Properties: value.Map{"x": int64(1), "y": "z"}}
	rel := tck.Relationship{Type: "T", Properties: value.Map{"since": 1.5}}
	for _, test := range []struct {
		text    string
		value   any
		written string // where it is another text
	}{
		{"null", nil, ""},
		{"true", true, ""},
		{"-12", int64(-12), ""},
		{"1.0", 1.0, ""},
		{"1E+21", 1e21, "1e+21"},
		{".5", 0.5, "0.5"},
		{"NaN", math.NaN(), ""},
		{"Inf", math.Inf(1), ""},
		{"-Inf", math.Inf(-1), ""},
		{`'it\'s \\ a | "b"'`, `it's \ a | "b"`, ""},
		{"'\n'", "\n", `'\n'`},
		{"[]", value.List{}, ""},
		{"[1, [null], 'a, ]']", value.List{int64(1), value.List{nil}, "a, ]"}, ""},
		{"{}", value.Map{}, ""},
		{"{`b`: {c: 2.5}, a: [1]}", value.Map{"b": value.Map{"c": 2.5}, "a": value.List{int64(1)}}, "{a: [1], b: {c: 2.5}}"},
		{"()", tck.Node{}, ""},
		{"(:B:A {y: 'z', x: 1})", a, "(:A:B {x: 1, y: 'z'})"},
		{"({x: 1})", tck.Node{Properties: value.Map{"x": int64(1)}}, ""},
		{"[:T]", tck.Relationship{Type: "T"}, ""},
		{"[:T {since: 1.5}]", rel, ""},
		{
			"<(:B:A {x: 1, y: 'z'})-[:T {since: 1.5}]->()<-[:U]-(:C)>",
			tck.Path{
				Nodes:         []tck.Node{a, {}, {Labels: []string{"C"}}},
				Relationships: []tck.Relationship{rel, {Type: "U"}},
				Backward:      []bool{false, true},
			},
			"<(:A:B {x: 1, y: 'z'})-[:T {since: 1.5}]->()<-[:U]-(:C)>",
		},
		{"<()>", tck.Path{Nodes: []tck.Node{{}}}, ""},
	} {
		got, err := tck.ParseValue(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(test.value, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
		if test.written == "" {
			test.written = test.text
		}
		if written := tck.Format(got, false); written != test.written {
			t.Errorf("%s is written as %s", test.text, written)
		}
	}
}

func TestParseValueErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":       `value "": expected a value at ""`,
		"[1, 2":  `value "[1, 2": expected "," at ""`,
		"1 2":    `value "1 2": expected a value instead of "1 2"  at ""`,
		"'a":     `value "'a": expected the end of a string at "a"`,
		"[1] 2":  `value "[1] 2": expected the end at "2"`,
		"<()-()": `value "<()-()": expected "[" at "()"`,
	} {
		if v, err := tck.ParseValue(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v, want %s", text, v, err, want)
		}
	}
}

func TestTablesAreCompared(t *testing.T) {
	list := func(items ...any) []any {
		l := value.List{}
		for _, item := range items {
			l = append(l, item)
		}
		return []any{l}
	}
	row := func(values ...any) []any { return values }
	for _, test := range []struct {
		name    string
		want    tck.Want
		columns []string
		rows    [][]any
		same    bool
	}{
		{"any order", tck.Want{Columns: []string{"a"}, Rows: [][]any{row(1), row(2)}}, []string{"a"}, [][]any{row(2), row(1)}, true},
		{"in order", tck.Want{Columns: []string{"a"}, Rows: [][]any{row(1), row(2)}, Ordered: true}, []string{"a"}, [][]any{row(2), row(1)}, false},
		{"how often", tck.Want{Columns: []string{"a"}, Rows: [][]any{row(1), row(1)}}, []string{"a"}, [][]any{row(1)}, false},
		{"columns", tck.Want{Columns: []string{"a", "b"}}, []string{"b", "a"}, nil, false},
		{"empty", tck.Want{}, []string{"a"}, nil, true},
		{"not empty", tck.Want{}, []string{"a"}, [][]any{row(1)}, false},
		{"lists", tck.Want{Columns: []string{"a"}, Rows: [][]any{list(1, 2)}}, []string{"a"}, [][]any{list(2, 1)}, false},
		{"lists in any order", tck.Want{Columns: []string{"a"}, Rows: [][]any{list(1, 2)}, AnyList: true}, []string{"a"}, [][]any{list(2, 1)}, true},
		{"types", tck.Want{Columns: []string{"a"}, Rows: [][]any{row(int64(1))}}, []string{"a"}, [][]any{row(1.0)}, false},
	} {
		if got := test.want.Differ(test.columns, test.rows); (got == "") != test.same {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
