package crossrepo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// FuzzRead checks that contracts with any content can be read, and that symbols are part of the text.
func FuzzRead(f *testing.F) {
	for _, data := range golden.Files(f, "contracts") {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + strings.Count(string(data), "\u0085") +
			strings.Count(string(data), "\u2028") + strings.Count(string(data), "\u2029") + 1
		for _, s := range crossrepo.Read(data) {
			if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines {
				t.Errorf("%s %s on lines %d to %d of %d", s.Kind, s.Name, s.StartLine, s.EndLine, lines)
			}
		}
		crossrepo.Operations(data, data)
		for _, language := range []string{"python", "go"} {
			texts, at := crossrepo.Literals(string(data), language)
			for i, text := range texts {
				if !strings.Contains(string(data), text) || at[i] < 1 || at[i] > lines {
					t.Errorf("text %q on line %d", text, at[i])
				}
				crossrepo.PathIn(text)
			}
		}
	})
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		language, src string
		want          []string
		lines         []int
	}{
		{"go", "a := \"x\\\"y\" // \"no\"\nb := `1\n2` /* `no` */ + \"z\"", []string{`x\"y`, "1\n2", "z"}, []int{1, 2, 3}},
		{"python", "# it's\ns = '''a\n'b' '''\nt = f\"{x}\"", []string{"a\n'b' ", "{x}"}, []int{2, 4}},
		{"rust", "fn f<'a>(x: &'a str) -> &'a str { \"s\" }", []string{"a>(x: &", "s"}, []int{1, 1}},
		{"kotlin", "val a = \"\"\"one\ntwo\"\"\"\nval b = \"open\nval c = \"c\"", []string{"one\ntwo", "c"}, []int{1, 4}},
	} {
		texts, lines := crossrepo.Literals(c.src, c.language)
		if diff := cmp.Diff(c.want, texts); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.language, diff)
		}
		if diff := cmp.Diff(c.lines, lines); diff != "" {
			t.Errorf("%s: lines: -want +got\n%s", c.language, diff)
		}
	}
}

func TestPathsInTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"/orders":                             {"orders"},
		"https://api.example.com/v1/orders/1": {"v1", "orders", "1"},
		"https://api.example.com":             nil,
		"${this.base}/orders/${o.id}?x=1":     {"orders", "*"},
		"{HOST}/a/{b}":                        {"a", "*"},
		"/a/%s/b/%d":                          {"a", "*", "b", "*"},
		"/a/:id/b/":                           {"a", "*", "b"},
		"/usr/bin /usr/lib":                   nil,
		"orders/1":                            nil,
		"/":                                   nil,
		"//":                                  nil,
		"/a/{b":                               {"a", "*"},
	} {
		if diff := cmp.Diff(want, crossrepo.PathIn(text)); diff != "" {
			t.Errorf("%q: -want +got\n%s", text, diff)
		}
	}
}
