package claimcheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/claimcheck"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

var files = map[string]string{
	"go.mod": "module a.example/shop\n",
	"shop.go": `package shop

import "errors"

const Max = 10

var ErrNegative = errors.New("negative")

// Add adds.
func Add(a, b int) (int, error) {
	if a < 0 {
		return 0, ErrNegative
	}
	if b > Max {
		return 0, errors.New("too much")
	}
	return a + b, nil
}

func Kind(s string) string {
	if s == "" {
		return "none"
	}
	return "some"
}

func Run(s string, hook func()) string {
	hook()
	_, _ = Add(1, 2)
	return Kind(s)
}

func alone(n int) int { return n + 1 }

func named(n int) int { return n }

var table = map[string]any{"named": 1}

func divided(n int) int { return 1 / n }

func early(a, b string) string {
	if a == "x" {
		return "first"
	}
	if b == "" {
		return "second"
	}
	return "third"
}
`,
	"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestKind(t *testing.T) {\n\tif Kind(\"\") != \"none\" {\n\t\tt.Fatal()\n\t}\n}\n",
	"parse.py": `def parse(text):
    if not text:
        raise ValueError("empty")
    return text.split()
`,
	"shapes.py": `class Shape(Exception):
    sides = 4


class Round(Shape):
    pass


class Other:
    pass


class Odd(missing.thing()):
    pass
`,
	"order.rb": `class Order
  def save
  end

  def save!
    save
  end

  def spare
  end
end
`,
	"desk.rb": `class Desk
  def take
    Order.new.save!
  end
end
`,
	"pair.go": `package shop

type Holder struct{}

func (h Holder) Label() string { return Label() }

func Label() string { return "x" }

func once() string { return Label() }

func twice() string { return once() }
`,
}

// TestStatements are confirmed, refuted, or unverifiable, and the places are those that show it.
func TestStatements(t *testing.T) {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g := graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }})
	defer g.Close()
	for _, c := range []struct {
		statement string
		want      claimcheck.Verdict
		place     string // the first; "" for none or any
	}{
		{"nobody calls alone", claimcheck.Confirmed, "shop.go:33"},
		{"Nothing uses `Add`.", claimcheck.Refuted, "shop.go:29"},
		{"nobody calls named", claimcheck.Unverifiable, "shop.go:37"}, // its name is a text
		{"Add is called", claimcheck.Confirmed, "shop.go:29"},
		{"Run calls Kind()", claimcheck.Confirmed, "shop.go:30"},
		{"Run calls alone", claimcheck.Unverifiable, ""}, // hook may be anything
		{"Kind calls Add", claimcheck.Refuted, "shop.go:20"},
		{"Kind does not call Add", claimcheck.Confirmed, "shop.go:20"},
		{"Kind is exported", claimcheck.Confirmed, "shop.go:20"},
		{"alone is public", claimcheck.Refuted, "shop.go:33"},
		{"alone is private", claimcheck.Confirmed, "shop.go:33"},
		{"Kind is tested", claimcheck.Confirmed, "shop_test.go:6"},
		{"alone is untested", claimcheck.Unverifiable, ""},
		{"Add returns an error when a < 0", claimcheck.Confirmed, "shop.go:12"},
		{"Add fails with ErrNegative on negative input", claimcheck.Confirmed, "shop.go:12"},
		{"Add fails when b is negative", claimcheck.Unverifiable, ""},
		{"Add fails if b > Max", claimcheck.Confirmed, "shop.go:15"},
		{"Add never fails", claimcheck.Refuted, "shop.go:12"},
		{"Add fails with ErrOther", claimcheck.Unverifiable, ""},
		{"alone never fails", claimcheck.Confirmed, "shop.go:33"},
		{"divided never fails", claimcheck.Unverifiable, ""},
		{"alone throws on empty input", claimcheck.Refuted, "shop.go:33"},
		{"parse throws ValueError on empty input", claimcheck.Confirmed, "parse.py:3"},
		{"parse raises KeyError", claimcheck.Unverifiable, ""},
		{`Kind returns "none" when s is empty`, claimcheck.Confirmed, "shop.go:22"},
		{`Kind returns "other" when s is empty`, claimcheck.Refuted, "shop.go:22"},
		{`early returns "second" when b is empty`, claimcheck.Unverifiable, ""}, // not if a is "x"
		{"Max is 10", claimcheck.Confirmed, "shop.go:5"},
		{"the value of Max is 12", claimcheck.Refuted, "shop.go:5"},
		{"ErrNegative is 3", claimcheck.Unverifiable, ""},
		{"Missing exists", claimcheck.Unverifiable, ""},
		{"Missing does not exist", claimcheck.Confirmed, ""},
		{"Kind does not exist", claimcheck.Refuted, "shop.go:20"},
		{"only twice calls once", claimcheck.Confirmed, "pair.go:11"},
		{"nobody but twice calls Label", claimcheck.Refuted, ""},
		{"once is called only by twice", claimcheck.Confirmed, "pair.go:11"},
		{"once is called by twice", claimcheck.Confirmed, "pair.go:11"},
		{"Kind is called by Add", claimcheck.Refuted, ""},
		{"twice calls once directly", claimcheck.Confirmed, "pair.go:11"},
		{"Label is exported", claimcheck.Confirmed, "pair.go:7"}, // not the method
		{"Label returns an error when it is empty", claimcheck.Refuted, "pair.go:7"},
		{"Round extends Shape", claimcheck.Confirmed, ""},
		{"Round extends Other", claimcheck.Refuted, "shapes.py:5"},
		{"Odd extends Other", claimcheck.Unverifiable, ""},
		{"Shape.sides is 4", claimcheck.Unverifiable, "shapes.py:2"}, // it may be changed
		{"nobody calls Order.save!", claimcheck.Refuted, "desk.rb:3"},
		{"nobody calls Order.save", claimcheck.Refuted, "order.rb:6"},
		{"nobody calls Order.spare!", claimcheck.Confirmed, "order.rb:9"}, // it ends the sentence
		{"the moon is made of cheese, mostly", claimcheck.Unverifiable, ""},
	} {
		a, err := claimcheck.Of(t.Context(), p, g, c.statement)
		if err != nil {
			t.Errorf("%s: %v", c.statement, err)
			continue
		}
		place := ""
		if len(a.Evidence) > 0 {
			place = a.Evidence[0].Place
		}
		if a.Verdict != c.want || c.place != "" && place != c.place || a.Because == "" {
			t.Errorf("%s: %s at %s (%s), want %s at %s", c.statement, a.Verdict, place, a.Because, c.want, c.place)
		}
	}
}

// TestExamplesAreUnderstood: none of them is of an unknown form.
func TestExamplesAreUnderstood(t *testing.T) {
	p, err := project.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g := graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }})
	defer g.Close()
	for _, statement := range claimcheck.Examples() {
		if a, err := claimcheck.Of(t.Context(), p, g, statement); err == nil && strings.Contains(a.Because, "no form") {
			t.Errorf("%s: %s", statement, a.Because)
		}
	}
}
