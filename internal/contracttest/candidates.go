package contracttest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// violable are the kinds of claims that a mistake on their line violates.
var violable = []evidence.Kind{
	evidence.Exit, evidence.Refusal, evidence.ExitStatus, evidence.Choice, evidence.Effect, evidence.Lookup, evidence.Limit, evidence.Default,
	evidence.Predicate, evidence.Setting, evidence.Environment, evidence.Flag, evidence.Argument, evidence.Input,
}

// candidates returns the mistakes that the code of a spec has room for: in functions, and on the lines of claims. Lines with
// secrets are left out.
func candidates(p *project.Project, now *spec.Current) ([]*candidate, error) {
	var out []*candidate
	for _, f := range now.Files {
		if f.Generated || f.Vendored || f.Constraint != "" {
			continue
		}
		text, err := p.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		found, err := mutation.Find(f.Path, text)
		if err != nil { // it cannot be parsed
			continue
		}
		list := inFile(f, text, found)
		for i := range now.Claims {
			violate(list, f.Path, &now.Claims[i])
		}
		out = append(out, slices.DeleteFunc(list, func(c *candidate) bool { return !c.mutant.Inside && len(c.claims) == 0 })...)
	}
	return out, nil
}

// inFile returns the mistakes of a file with the functions that they are in.
func inFile(f *code.File, text []byte, found []mutation.Mutant) []*candidate {
	var out []*candidate
	for i := range found {
		m := found[i]
		if slices.ContainsFunc(f.Redactions, func(r code.Redaction) bool { return m.Line <= r.Line && r.Line <= m.EndLine }) {
			continue
		}
		c := &candidate{file: f.Path, text: text, mutant: m}
		c.symbol, c.exported = functionAt(f.Symbols, m.Line, "", true)
		out = append(out, c)
	}
	return out
}

// functionAt returns the qualified name of the function at a line, and whether users can call it.
func functionAt(list []code.Symbol, line int, owner string, exported bool) (name string, can bool) {
	for i := range list {
		s := &list[i]
		own := strings.TrimPrefix(owner+"."+s.Name, ".")
		can := exported && s.Exported
		if inner, ok := functionAt(s.Members, line, own, can); inner != "" { // methods may be outside their type
			return inner, ok
		}
		if s.StartLine <= line && line <= s.EndLine {
			return own, can
		}
	}
	return "", false
}

// longest is the number of lines above which a mistake is not on one of them, but around it.
const longest = 5

// violate adds a claim to the mistakes that violate it: those on its line, and those in the innermost condition that
// decides about its line.
func violate(list []*candidate, file string, claim *spec.CurrentClaim) {
	if !slices.Contains(violable, claim.Kind) {
		return
	}
	for _, at := range claim.At {
		if at.File != file {
			continue
		}
		from, to := innermost(list, at.Line)
		for _, c := range list {
			m := &c.mutant
			on := m.Line <= at.Line && at.Line <= m.EndLine && m.EndLine-m.Line <= longest
			if (on || from > 0 && m.From == from && m.To == to) && !slices.Contains(c.claims, claim) {
				c.claims = append(c.claims, claim)
			}
		}
	}
}

// innermost returns the lines that the innermost condition decides about which decides about a line; 0 for none.
func innermost(list []*candidate, line int) (from, to int) {
	for _, c := range list {
		m := &c.mutant
		if m.Decides(line) && (from == 0 || m.To-m.From < to-from) {
			from, to = m.From, m.To
		}
	}
	return from, to
}

// pick chooses most mistakes: three of five violate claims, one of each claim in turn; the others are in functions, one of
// each in turn, exported ones first. The choice depends on nothing but the code.
func pick(list []*candidate, most int) []*candidate {
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.id(), b.id()))
	})
	stated := newTurns()
	for _, c := range order {
		for _, claim := range c.claims {
			stated.add(claim.ID(), claim.Kind != evidence.Exit, c)
		}
	}
	others := newTurns()
	for _, c := range order {
		others.add(c.file+"\x00"+c.symbol, !c.exported, c)
	}
	var out []*candidate
	taken := map[*candidate]bool{}
	take := func(from *turns) bool {
		c := from.next(taken)
		if c != nil {
			taken[c] = true
			out = append(out, c)
		}
		return c != nil
	}
	for n := 0; len(out) < most; n++ {
		const of, share = 5, 3
		first, second := stated, others
		if n%of >= share {
			first, second = others, stated
		}
		if !take(first) && !take(second) {
			break
		}
	}
	return out
}

// rank mixes the mistakes by a hash, so that their kinds differ.
func (c *candidate) rank() uint32 {
	sum := sha256.Sum256([]byte(c.id()))
	return binary.BigEndian.Uint32(sum[:])
}

// id identifies a mistake in the code as it is.
func (c *candidate) id() string {
	return fmt.Sprintf("%s:%d-%d %s", c.file, c.mutant.Start, c.mutant.End, c.mutant.Now)
}

// turns are queues that take turns: those of the first rank before those of the second, in each round.
type turns struct {
	keys  [2][]string
	lists map[string][]*candidate
	round []string // what is left of the round
}

func newTurns() *turns { return &turns{lists: map[string][]*candidate{}} }

func (t *turns) add(key string, second bool, c *candidate) {
	if t.lists[key] == nil {
		rank := 0
		if second {
			rank = 1
		}
		t.keys[rank] = append(t.keys[rank], key)
	}
	t.lists[key] = append(t.lists[key], c)
}

// next returns the next candidate that is not taken; nil if none is left.
func (t *turns) next(taken map[*candidate]bool) *candidate {
	for range 2 {
		for len(t.round) > 0 {
			key := t.round[0]
			t.round = t.round[1:]
			for len(t.lists[key]) > 0 {
				c := t.lists[key][0]
				t.lists[key] = t.lists[key][1:]
				if !taken[c] {
					return c
				}
			}
		}
		t.round = slices.Concat(t.keys[0], t.keys[1])
	}
	return nil
}
