package resolve_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// comparison is two sets of pairs next to each other.
type comparison struct {
	truth, right, ours int
	found              int // of the truth
	open               int // of ours, of which the truth cannot tell
	rules, kinds       map[string]*share
	wrong, missed      []string
}

// share is how many of some are right.
type share struct{ right, all int }

func (s share) String() string {
	if s.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(s.right)/float64(s.all))
}

func (s *share) add(right bool) {
	s.all++
	if right {
		s.right++
	}
}

func compareCalls(p *repository, truth map[pair]said) *comparison {
	c := &comparison{rules: map[string]*share{}, kinds: map[string]*share{}}
	ran := executed(truth)
	covered, compiled := p.covered(truth), compiledTruth(truth)
	for k, s := range p.pairs {
		if k.from == k.to || !covered(k.from.file) {
			continue
		}
		if !compiled.judges(p, k, s) || !ran.judges(truth, k, s) {
			c.open++
			continue
		}
		right := ran.confirms(truth, k)
		c.ours++
		in(c.rules, s.rule).add(right)
		if right {
			c.right++
		} else {
			c.wrong = append(c.wrong, s.text(k))
		}
	}
	for k, s := range truth {
		if k.from == k.to || !ran.written(s) {
			continue
		}
		found := ran.finds(p, k, s)
		c.truth++
		in(c.kinds, s.rule).add(found)
		if found {
			c.found++
		} else {
			c.missed = append(c.missed, s.text(k))
		}
	}
	return c
}

func in(m map[string]*share, key string) *share {
	if m[key] == nil {
		m[key] = &share{}
	}
	return m[key]
}

func (s said) text(k pair) string {
	return fmt.Sprintf("%s\t%s\t%s -> %s\t%s:%s", s.rule, s.site, s.from, s.to, k.to, s.to)
}

// String draws the comparison as the rows of a table.
func (c *comparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pairs: truth %d, ours %d, precision %s, recall %s; not judged %d\n", c.truth, c.ours, share{c.right, c.ours}, share{c.found, c.truth}, c.open)
	for _, part := range []struct {
		word string
		list map[string]*share
	}{{"precision by rule", c.rules}, {"recall by kind of call", c.kinds}} {
		fmt.Fprintf(&b, "%s:\n", part.word)
		for _, key := range slices.SortedFunc(maps.Keys(part.list), func(x, y string) int {
			return cmp.Or(cmp.Compare(part.list[y].all, part.list[x].all), cmp.Compare(x, y))
		}) {
			fmt.Fprintf(&b, "  %-15s %6d of %6d  %s\n", key, part.list[key].right, part.list[key].all, part.list[key])
		}
	}
	return b.String()
}

// String says how many call sites have an edge, and why others have none.
func (s *sites) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "call sites with an edge: %d; without:", s.resolved)
	for _, reason := range slices.SortedFunc(maps.Keys(s.unresolved), func(x, y resolve.Reason) int {
		return cmp.Or(cmp.Compare(s.unresolved[y], s.unresolved[x]), cmp.Compare(x, y))
	}) {
		fmt.Fprintf(&b, " %s %d,", reason, s.unresolved[reason])
	}
	return strings.TrimRight(b.String(), ",:") + "\n"
}

// compareDispatch compares the edges to implementations with calls by what may run.
func compareDispatch(p *repository, truth map[pair]said) *comparison {
	c := &comparison{rules: map[string]*share{}, kinds: map[string]*share{}}
	covered := p.covered(truth)
	for k, s := range p.dispatch {
		if k.from == k.to || !covered(k.from.file) || !covered(k.to.file) {
			continue
		}
		_, right := truth[k]
		c.ours++
		if right {
			c.right++
		} else {
			c.wrong = append(c.wrong, s.text(k))
		}
	}
	for k, s := range truth {
		_, dispatched := p.dispatch[k]
		if _, called := p.pairs[k]; called || s.rule != "interface" {
			continue
		}
		c.truth++
		if dispatched {
			c.found++
		} else {
			c.missed = append(c.missed, s.text(k))
		}
	}
	return c
}

// write writes the false and the missed pairs, sorted, where a prefix for the files is
// given.
func (c *comparison) write(t *testing.T, prefix, kind string) {
	t.Helper()
	if prefix == "" {
		return
	}
	for name, list := range map[string][]string{"false": c.wrong, "missed": c.missed} {
		slices.Sort(list)
		if err := os.WriteFile(prefix+kind+"."+name, []byte(strings.Join(list, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
