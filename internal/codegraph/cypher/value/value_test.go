package value_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// relationship is one without properties.
type relationship value.Key

func (r relationship) Key() value.Key              { return value.Key(r) }
func (r relationship) Property(string) value.Value { return nil }
func (r relationship) Properties() []string        { return nil }

func path(nodes ...value.Node) *value.Path {
	p := &value.Path{Nodes: nodes}
	for range nodes[1:] {
		p.Relationships = append(p.Relationships, relationship{From: 1, To: 2, Type: "T"})
	}
	return p
}

// ordered are values of all types in the order of all; what is in one row is the same.
var ordered = [][]value.Value{
	{value.Map{}},
	{value.Map{"a": int64(1)}, value.Map{"a": 1.0}},
	{value.Map{"a": int64(2)}},
	{value.Map{"a": nil}},
	{value.Map{"b": int64(0)}},
	{value.Map{"a": int64(1), "b": int64(1)}},
	{value.Node(1)},
	{value.Node(2)},
	{relationship{From: 1, To: 2, Type: "A"}},
	{relationship{From: 1, To: 2, Type: "B"}},
	{relationship{From: 1, To: 2, Type: "B", Number: 1}},
	{relationship{From: 2, To: 1, Type: "A"}},
	{value.List{}},
	{value.List{"a"}},
	{value.List{"a", int64(1)}},
	{value.List{int64(1)}, value.List{1.0}},
	{value.List{int64(1), "a"}},
	{value.List{int64(1), nil}},
	{value.List{nil, int64(1)}},
	{path(1)},
	{path(1, 2)},
	{path(1, 2, 1)},
	{path(2)},
	{""},
	{"B"},
	{"a"},
	{"a\x00"},
	{"ab"},
	{false},
	{true},
	{math.Inf(-1)},
	{int64(math.MinInt64), -0x1p63},
	{int64(-1)},
	{-0.5},
	{int64(0), 0.0, math.Copysign(0, -1)},
	{0.5},
	{int64(1), 1.0},
	{int64(1 << 53), float64(1 << 53)},
	{int64(1<<53 + 1)},
	{int64(math.MaxInt64)},
	{0x1p63},
	{math.Inf(1)},
	{math.NaN(), math.Float64frombits(0x7ff8000000000002)},
	{nil},
}

func TestOrderIsTotalAndKeysAgreeWithIt(t *testing.T) {
	for i, row := range ordered {
		for j, other := range ordered {
			for _, a := range row {
				for _, b := range other {
					want := min(max(i-j, -1), 1)
					if got := value.Order(a, b); got != want {
						t.Errorf("the order of %s and %s is %d, want %d", value.Format(a), value.Format(b), got, want)
					}
					if got := bytes.Equal(value.AppendKey(nil, a), value.AppendKey(nil, b)); got != (i == j) {
						t.Errorf("%s and %s have the same key: %t", value.Format(a), value.Format(b), got)
					}
				}
			}
		}
	}
}

func TestKeysOfRowsDoNotRunIntoEachOther(t *testing.T) {
	rows := [][]value.Value{
		{"ab", "c"},
		{"a", "bc"},
		{"abc"},
		{value.List{"a"}, "b"},
		{value.List{"a", "b"}},
		{value.List{}, "a", "b"},
		{value.Map{"a": "b"}, nil},
		{value.Map{"a": nil}, "b"},
	}
	var keys []string
	for _, row := range rows {
		var key []byte
		for _, v := range row {
			key = value.AppendKey(key, v)
		}
		if slices.Contains(keys, string(key)) {
			t.Errorf("the key of %s is that of another row", value.Format(value.List(row)))
		}
		keys = append(keys, string(key))
	}
}

func TestEqualAndCompareAgreeWithOrder(t *testing.T) {
	for _, row := range ordered {
		for _, other := range ordered {
			a, b := row[0], other[0]
			order := value.Order(a, b)
			if equal, ok := value.Equal(a, b).(bool); ok && equal != (order == 0) && a == a {
				t.Errorf("%s = %s is %t", value.Format(a), value.Format(b), equal)
			}
			if r := value.Compare(a, b); r >= value.Less && int(r-value.Alike) != order {
				t.Errorf("%s stands to %s as %d, and their order is %d", value.Format(a), value.Format(b), r, order)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	for want, v := range map[string]value.Value{
		"null":                      nil,
		"true":                      true,
		"-7":                        int64(-7),
		"1.0":                       1.0,
		"-0.5":                      -0.5,
		"123456789012.0":            123456789012.0,
		"1.0E15":                    1e15,
		"1.5E-5":                    1.5e-5,
		"1.7976931348623157E308":    math.MaxFloat64,
		"-Infinity":                 math.Inf(-1),
		`'it\'s \\ a\nb'`:           "it's \\ a\nb",
		"[1, [], 'a']":              value.List{int64(1), value.List{}, "a"},
		"{a: 1, `b c`: null, é: 2}": value.Map{"é": int64(2), "b c": nil, "a": int64(1)},
		"(#7)":                      value.Node(7),
		"[:T]":                      relationship{From: 1, To: 2, Type: "T"},
		"<(#2)<-[:T]-(#1)-[:T]->(#2)>": &value.Path{
			Nodes: []value.Node{2, 1, 2},
			Relationships: []value.Relationship{
				relationship{From: 1, To: 2, Type: "T"}, relationship{From: 1, To: 2, Type: "T"},
			},
		},
	} {
		if got := value.Format(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestBriefFitsIntoAMessage(t *testing.T) {
	long := value.List{}
	for range 20 {
		long = value.List{long, strings.Repeat("ä", 100), long}
	}
	for _, v := range []value.Value{long, strings.Repeat("ä", 100), value.Map{"a": long}} {
		if got := value.Brief(v); len(got) > 63 || !strings.HasSuffix(got, "…") {
			t.Errorf("got %s", got)
		}
	}
	if got := value.Brief("short"); got != "'short'" {
		t.Errorf("got %s", got)
	}
}

func TestSizeOfCountsUpToItsBound(t *testing.T) {
	if small, large := value.SizeOf("a"), value.SizeOf(strings.Repeat("a", 1000)); large-small != 999 {
		t.Errorf("sizes %d and %d of strings that differ by 999 bytes", small, large)
	}
	doubled := value.List{}
	for range 60 {
		doubled = value.List{doubled, doubled}
	}
	if size := value.SizeOf(doubled); size < value.MaxSize || size > value.MaxSize+1000 {
		t.Errorf("a list of 2^60 lists has size %d", size)
	}
	if _, err := value.Bounded(doubled); err != value.ErrTooLarge { //nolint:errorlint // it is returned as it is
		t.Errorf("a list of 2^60 lists is bounded: %v", err)
	}
}

func TestIntegersDoNotOverflow(t *testing.T) {
	const most, least = int64(math.MaxInt64), int64(math.MinInt64)
	type operator = func(a, b value.Value) (value.Value, error)
	for _, c := range []struct {
		name string
		do   operator
		a, b int64
		want value.Value // nil for an overflow
	}{
		{"add", value.Add, most, 1, nil},
		{"add", value.Add, least, -1, nil},
		{"add", value.Add, most, least, int64(-1)},
		{"add", value.Add, least, 0, least},
		{"subtract", value.Subtract, least, 1, nil},
		{"subtract", value.Subtract, 0, least, nil},
		{"subtract", value.Subtract, -1, least, most},
		{"subtract", value.Subtract, most, 0, most},
		{"multiply", value.Multiply, most, 2, nil},
		{"multiply", value.Multiply, least, -1, nil},
		{"multiply", value.Multiply, least, 1, least},
		{"multiply", value.Multiply, 1 << 32, -1 << 31, least},
		{"multiply", value.Multiply, 1 << 32, 1 << 31, nil},
		{"divide", value.Divide, least, -1, nil},
		{"modulo", value.Modulo, least, -1, int64(0)},
	} {
		got, err := c.do(c.a, c.b)
		if got != c.want || (err != nil) != (c.want == nil) {
			t.Errorf("%s %d and %d: got %v, %v", c.name, c.a, c.b, got, err)
		}
	}
}

func TestTypesHaveNames(t *testing.T) {
	var got []value.Type
	for _, v := range []value.Value{
		nil, true, int64(1), 1.0, "", value.List{}, value.Map{}, value.Node(1), relationship{}, &value.Path{},
	} {
		got = append(got, value.TypeOf(v))
	}
	want := []value.Type{
		value.Null, value.Boolean, value.Integer, value.Float, value.String, value.ListType, value.MapType,
		value.NodeType, value.RelationshipType, value.PathType,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
