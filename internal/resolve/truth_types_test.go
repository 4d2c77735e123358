package resolve_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// TestTypesAsCompilersSeeThem compares the types that implement or extend others, in any number of steps, with what
// the language's own tools say, as TestCallsAsCompilersSeeThem compares calls.
//
//	REVERSE_SPEC_CALLS  the repository
//	REVERSE_SPEC_TYPES  its types and what they implement
//	REVERSE_SPEC_LISTS  where false and missed pairs are written, as <this>.types.false and <this>.types.missed; may be missing
func TestTypesAsCompilersSeeThem(t *testing.T) {
	repo, truth := os.Getenv("REVERSE_SPEC_CALLS"), os.Getenv("REVERSE_SPEC_TYPES")
	if repo == "" || truth == "" {
		t.Skip("no repository is named in REVERSE_SPEC_CALLS and REVERSE_SPEC_TYPES: run make accuracy")
	}
	c := compareTypes(linked(t, repo), readPairs(t, truth))
	t.Log("\n" + c.String())
	c.write(t, os.Getenv("REVERSE_SPEC_LISTS"), ".types")
}

// derive records an edge from a type to one of its bases.
func (p *repository) derive(file string, e resolve.Edge) {
	if e.To < 0 || e.Of != "" {
		return // a type of others; or it is found in the file of the type
	}
	from, to := p.symbols[file][e.From], p.symbols[e.Path][e.To]
	a, b := place{file, from.Line}, place{e.Path, to.Line}
	p.bases[a] = append(p.bases[a], derived{b, e.Type, said{from: from.Qualified, to: to.Qualified, rule: e.Rule.String(), site: file + ":" + strconv.Itoa(e.Line)}})
}

// derived is a base of a type.
type derived struct {
	to   place
	typ  codegraph.Relationship
	said said
}

// ancestors returns the pairs of types and what is reached from them by edges to bases. For Go those are the types that
// implement an interface in one step: embedding a type that does may hide a method.
func (p *repository) ancestors() map[pair]said {
	out := map[pair]said{}
	for from := range p.bases {
		for next := []place{from}; len(next) > 0; next = next[1:] {
			for _, b := range p.bases[next[0]] {
				key := pair{from, b.to}
				if _, known := out[key]; known || b.to == from {
					continue
				}
				if structural := strings.HasSuffix(from.file, ".go"); structural && (next[0] != from || b.typ != codegraph.Implements) {
					continue
				}
				b.said.from = p.bases[from][0].said.from
				out[key], next = b.said, append(next, b.to)
			}
		}
	}
	return out
}

// compareTypes compares types and their ancestors, of the types that the truth names: each in a pair with itself.
func compareTypes(p *repository, truth map[pair]said) *comparison {
	c := &comparison{rules: map[string]*share{}, kinds: map[string]*share{}}
	ours := p.ancestors()
	for k, s := range ours {
		_, fromKnown := truth[pair{k.from, k.from}]
		_, toKnown := truth[pair{k.to, k.to}]
		if !fromKnown || !toKnown {
			continue
		}
		_, right := truth[k]
		c.ours++
		in(c.rules, s.rule).add(right)
		if right {
			c.right++
		} else {
			c.wrong = append(c.wrong, s.text(k))
		}
	}
	for k, s := range truth {
		if k.from == k.to {
			continue
		}
		_, found := ours[k]
		c.truth++
		in(c.kinds, s.rule).add(found)
		if !found {
			c.missed = append(c.missed, s.text(k))
		}
	}
	return c
}
