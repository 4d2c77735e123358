package resolve_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// TestLinksOfAModule: without a store, every call of a function is there, in source order, also of what is declared in
// an imported file of which only the head is known.
func TestLinksOfAModule(t *testing.T) {
	files := map[string][]byte{
		"go.mod": []byte("module example.com/shop\n"),
		"shop/shop.go": []byte(`package shop

import "example.com/shop/log"

type Shop struct{ log *log.Log }

func (s *Shop) Sell() { s.log.Print(name()); s.log.Print(name()) }

func name() string { return "" }
`),
		"log/log.go": []byte(`package log

type Log struct{ out }

type out struct{}

func (o out) Print(text string) {}
`),
	}
	_, parsed := openProject(t, files)
	slices.SortFunc(parsed, func(a, b *code.File) int { return len(b.Path) - len(a.Path) })
	r := resolved(t, files, parsed)
	head := *parsed[1]
	head.Facts = head.Facts.Head()
	want := []string{
		"Shop.Sell -> out.Print at 7, of out", "Shop.Sell -> name at 7, of ", "Shop.Sell -> out.Print at 7, of out", "Shop.Sell -> name at 7, of ",
	}
	whole := resolve.New(parsed, r)
	part := whole.Part([]string{"shop/shop.go", "log/log.go"}).Links(func(file string) *code.Facts {
		if file == "shop/shop.go" {
			return parsed[0].Facts
		}
		return nil
	})
	for name, links := range map[string]*resolve.Links{"module": resolve.Module(parsed[:1], []*code.File{&head}, r), "part": part} {
		var got []string
		for _, u := range links.Calls(links.Find("shop/shop.go", "Shop.Sell", 7)) {
			got = append(got, fmt.Sprintf("%s -> %s at %d, of %s", u.From.Path(), u.To.Path(), u.Line, u.To.Owner()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestCallsInTheOrderTheyAreMade: arguments before the call that gets them, a receiver before its method, a closure after the call
// that it is given to.
func TestCallsInTheOrderTheyAreMade(t *testing.T) {
	_, parsed := openProject(t, map[string][]byte{"a.ts": []byte(`export class A {
  one(x: A): A { return x }
  two(x: A): A { return x }
}
function make(): A { return new A() }
function given(f: () => void): A { return make() }
function inside() {}
function last() {}

export function run(a: A) {
  make().two(make().one(a))
  given(() => inside()); last()
}
`)})
	links := resolve.Module(parsed, nil, resolved(t, nil, parsed))
	var got []string
	for _, u := range links.Evaluated(links.Find("a.ts", "run", 10)) {
		got = append(got, u.To.Path())
	}
	want := []string{"make", "make", "A.one", "A.two", "given", "inside", "last"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
