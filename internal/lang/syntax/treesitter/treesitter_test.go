package treesitter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax/grammars"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax/treesitter"
)

// texts are whole and broken, in languages with and without a scanner.
var texts = []struct {
	grammar *syntax.Grammar
	text    string
}{
	{syntax.Go, "package a\n\nfunc f(x int) (y, z int) { return x + 1, g(x) }\n"},
	{syntax.Python, "class A(B):\n    def f(self, *a, k=1):\n        return [x for x in a if x]\n"},
	{syntax.TypeScript, "export const f = async <T,>(a: T[], {b = 1}: {b?: number}) => `x${a.map(c => c)}y`\n"},
	{syntax.Ruby, "def f(a, b: 1)\n  <<~X\n    a #{b}\n  X\nend\n"},
	{syntax.CPP, "template <class T> struct A : B<T> { int f() const override; };\n"},
	{syntax.JavaScript, "function f( { return a.b(1, ; }\nlet x = = 2\n"},
	{syntax.C, "int main(void) { if (x { return ]; }\n#if A\n"},
	{syntax.Java, "class Ä { /* ü */ String s = \"€\"; }\n"},
	{syntax.PHP, "<p><?php echo $a->b(...$c) ?></p>"},
}

// TestNodes: each node lies in its parent, after its sibling, and before what follows it.
func TestNodes(t *testing.T) {
	for _, c := range texts {
		for _, n := range []int{0, 1, 200} {
			text := strings.Repeat(c.text, n)
			tree, err := c.grammar.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if root := tree.Root(); root.After() != tree.Len() || root.End() > len(text) || root.Parent().Ok() {
				t.Errorf("%.20q: the root %s ends at %d of %d nodes", text, root.Kind(), root.After(), tree.Len())
			}
			for i := 1; i < tree.Len(); i++ {
				if err := placed(tree, i); err != nil {
					t.Fatalf("%.20q: node %d, %s: %v", text, i, tree.At(i).Kind(), err)
				}
			}
		}
	}
}

func placed(tree *syntax.Tree, i int) error {
	n := tree.At(i)
	p := n.Parent()
	switch {
	case n.Kind() == "":
		return errors.New("it has no kind")
	case p.Index() >= i || n.After() > p.After() || n.After() <= i:
		return fmt.Errorf("it is %d to %d, and its parent %d to %d", i, n.After(), p.Index(), p.After())
	case n.Start() < p.Start() || n.End() > p.End() || n.End() < n.Start():
		return fmt.Errorf("its bytes are %d to %d, and its parent's %d to %d", n.Start(), n.End(), p.Start(), p.End())
	}
	if before := n.Previous(); before.Ok() && (before.End() > n.Start() || before.Next() != n) {
		return fmt.Errorf("the one before it ends at %d, and it begins at %d", before.End(), n.Start())
	}
	return nil
}

// TestFields: fields of hidden rules are those of the nodes that are shown.
func TestFields(t *testing.T) {
	tree, err := syntax.TypeScript.Parse([]byte(texts[2].text))
	if err != nil {
		t.Fatal(err)
	}
	const want = `program
  export_statement
    declaration: lexical_declaration
      kind: const const
      variable_declarator
        name: identifier f
        value: arrow_function
          type_parameters: type_parameters
            type_parameter
              name: type_identifier T
          parameters: formal_parameters
            required_parameter
              pattern: identifier a
              type: type_annotation
                array_type
                  type_identifier T
            required_parameter
              pattern: object_pattern
                object_assignment_pattern
                  left: shorthand_property_identifier_pattern b
                  right: number 1
              type: type_annotation
                object_type
                  property_signature
                    name: property_identifier b
                    type: type_annotation
                      predefined_type
          body: template_string
            string_fragment x
            template_substitution
              call_expression
                function: member_expression
                  object: identifier a
                  property: property_identifier map
                arguments: arguments
                  arrow_function
                    parameter: identifier c
                    body: identifier c
            string_fragment y
`
	if got := tree.Root().String(); got != want {
		t.Errorf("%s", got)
	}
}

// TestLimitsAreThoseOfTheParse: a text that takes all steps that it may is read as a whole.
func TestLimitsAreThoseOfTheParse(t *testing.T) {
	l := treesitter.At(grammars.Load("javascript"))
	text := []byte(strings.Repeat("f(", 3000) + strings.Repeat(")", 3000) + "\n" + strings.Repeat("g(1, 2)\n", 3000))
	parse := func(steps int) (nodes []treesitter.Record, taken int) {
		p := l.Parser()
		defer p.Put()
		return p.Parse(text, steps, 1<<30)
	}
	want, taken := parse(1 << 30)
	got, _ := parse(taken)
	if len(want) < 20_000 || !slices.Equal(got, want) {
		t.Errorf("%d nodes of %d with %d steps", len(got), len(want), taken)
	}
	if got, _ := parse(taken / 2); len(got) != 0 {
		t.Errorf("%d nodes with half the steps", len(got))
	}
}

// TestParsersAreUsedAgain: a parser reads the same after a parse that gave up or was stopped, and many read at once.
func TestParsersAreUsedAgain(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var want []string
	for _, c := range texts {
		tree, err := c.grammar.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(tree.Steps, tree.Root()))
	}
	hopeless := bytes.Repeat([]byte("a<b,c<d,("), 100_000)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, c := range texts {
				if err := stopped(c.grammar.Metered(syntax.NewMeter(ended, len(hopeless))), hopeless); !errors.Is(err, context.Canceled) {
					t.Errorf("a parse that was stopped: %v", err)
				}
				tree, err := c.grammar.Parse([]byte(c.text))
				if err != nil {
					t.Error(err)
					return
				}
				if got := fmt.Sprint(tree.Steps, tree.Root()); got != want[i] {
					t.Errorf("first %s\nthen %s", want[i], got)
				}
			}
		})
	}
	wg.Wait()
}

func stopped(g *syntax.Grammar, text []byte) (err error) {
	defer syntax.Recover(&err)
	_, err = g.Parse(text)
	return err
}
