package drift

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// matching pairs the symbols of two lists: indexes into the old and new list.
type matching struct {
	pairs   [][2]int
	removed []int // old ones without a partner
	added   []int // new ones without a partner
}

// key identifies a symbol in one pass of matching; "" if it does not apply.
type key func(s *code.Symbol) string

// match pairs old and new symbols, with the most specific key first. Symbols with equal keys
// are paired in order.
func match(before, now []code.Symbol, keys ...key) matching {
	var m matching
	used := make([]bool, len(now))
	open := make([]int, len(before))
	for i := range open {
		open[i] = i
	}
	for _, k := range keys {
		free := map[string][]int{}
		for j := range now {
			if id := k(&now[j]); !used[j] && id != "" {
				free[id] = append(free[id], j)
			}
		}
		var left []int
		for _, i := range open {
			id := k(&before[i])
			if id == "" || len(free[id]) == 0 {
				left = append(left, i)
				continue
			}
			j := free[id][0]
			free[id] = free[id][1:]
			used[j] = true
			m.pairs = append(m.pairs, [2]int{i, j})
		}
		open = left
	}
	m.removed = open
	for j := range now {
		if !used[j] {
			m.added = append(m.added, j)
		}
	}
	return m
}

func id(parts ...string) string { return strings.Join(parts, "\x00") }

// byHash restricts a key to symbols with equal signatures.
func byHash(k key) key {
	return func(s *code.Symbol) string {
		if s.SignatureHash == "" {
			return ""
		}
		return id(k(s), s.SignatureHash)
	}
}

// arityInFile returns the key of a type with its number of type parameters, by which C#
// distinguishes types of one name; one of them is then called "Box<T>".
func arityInFile(s *code.Symbol) string {
	name := s.Name
	if group(s.Kind) == "type" {
		name, _, _ = strings.Cut(name, "<")
	}
	return id(s.File, s.Constraint, name, string(s.Kind), strconv.Itoa(len(s.TypeParameters)))
}

// Keys of top-level symbols. A file is a tie-breaker: the same name in the same file first,
// then in the same folder.
// same file first, then in the same folder.

func inFile(s *code.Symbol) string { return id(s.File, s.Constraint, s.Name, string(s.Kind)) }

func inFolder(s *code.Symbol) string {
	return id(path.Dir(s.File), s.Constraint, s.Name, string(s.Kind))
}

func groupInFile(s *code.Symbol) string {
	return id(s.File, s.Constraint, s.Name, group(s.Kind))
}

func groupInFolder(s *code.Symbol) string {
	return id(path.Dir(s.File), s.Constraint, s.Name, group(s.Kind))
}
func nameInFolder(s *code.Symbol) string { return id(path.Dir(s.File), s.Constraint, s.Name) }

// defaultInFile returns the key of a default export, whose name users choose.
func defaultInFile(s *code.Symbol) string {
	if !s.Default {
		return ""
	}
	return id(s.File, s.Constraint, group(s.Kind))
}

// same returns a key for symbols of equal content in any file.
func same(s *code.Symbol) string {
	if s.SignatureHash == "" && s.BodyHash == "" {
		return ""
	}
	return id(s.Constraint, s.Name, string(s.Kind), s.SignatureHash, s.BodyHash, digestOf(s.Members))
}

// digestOf returns the content of members as one string.
func digestOf(members []code.Symbol) string {
	var b strings.Builder
	for _, m := range members {
		b.WriteString(id(m.Name, string(m.Kind), m.SignatureHash, m.BodyHash, m.Value) + "\x01")
		b.WriteString(digestOf(m.Members))
	}
	return b.String()
}

// matchTop pairs top-level symbols. Where users import folders, as in Go, a symbol in another
// folder is a different symbol. Elsewhere it has moved if its content is equal, if its name is
// the only one of its kind on both sides, or if it resembles the removed one.
func matchTop(before, now []code.Symbol, language string) matching {
	wanders := func(k key) key {
		return func(s *code.Symbol) string {
			if compatOf(s.File, language).exact {
				return ""
			}
			return k(s)
		}
	}
	m := match(before, now,
		byHash(inFile), arityInFile, inFile, groupInFile, defaultInFile, byHash(inFolder), inFolder, groupInFolder, wanders(same))
	m.pairMoved(before, now, language)
	rest := match(picked(before, m.removed), picked(now, m.added), nameInFolder)
	return m.join(rest)
}

// pairMoved pairs the remaining symbols by name and group, the most similar first.
func (m *matching) pairMoved(before, now []code.Symbol, language string) {
	counts := [2]map[string]int{grouped(before), grouped(now)}
	free := map[string][]int{}
	for _, j := range m.added {
		k := id(now[j].Constraint, now[j].Name, group(now[j].Kind))
		free[k] = append(free[k], j)
	}
	var left []int
	for _, i := range m.removed {
		s := &before[i]
		k := id(s.Constraint, s.Name, group(s.Kind))
		only := counts[0][k] == 1 && counts[1][k] == 1
		best, score := -1, 0
		for n, j := range free[k] {
			if r := resemblance(s, &now[j]); r > score || only && best < 0 {
				best, score = n, r
			}
		}
		if best < 0 || compatOf(s.File, language).exact {
			left = append(left, i)
			continue
		}
		j := free[k][best]
		free[k] = slices.Delete(free[k], best, best+1)
		m.pairs = append(m.pairs, [2]int{i, j})
		m.added = slices.DeleteFunc(m.added, func(x int) bool { return x == j })
	}
	m.removed = left
}

// grouped counts symbols by name and group.
func grouped(list []code.Symbol) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[id(list[i].Constraint, list[i].Name, group(list[i].Kind))]++
	}
	return out
}

// resemblance measures how much two symbols of one name in different files have in common, 0
// for nothing. Among equals the file with the shorter path wins.
func resemblance(a, b *code.Symbol) int {
	score := 0
	if a.SignatureHash != "" && a.SignatureHash == b.SignatureHash {
		score += 400
	}
	if a.BodyHash != "" && a.BodyHash == b.BodyHash {
		score += 400
	}
	if path.Base(a.File) == path.Base(b.File) {
		score += 200
	}
	if len(a.Members) > 0 {
		score += 200 * shared(a.Members, b.Members) / len(a.Members)
	}
	if len(a.Params) > 0 && names(a.Params) == names(b.Params) {
		score += 100
	}
	if score > 0 {
		score = max(1, score-strings.Count(b.File, "/"))
	}
	return score
}

// shared counts the names that two lists of members have in common.
func shared(a, b []code.Symbol) int {
	n := 0
	for i := range a {
		if slices.ContainsFunc(b, func(m code.Symbol) bool { return m.Name == a[i].Name }) {
			n++
		}
	}
	return n
}

// picked returns the symbols at these indexes.
func picked(list []code.Symbol, at []int) []code.Symbol {
	out := make([]code.Symbol, len(at))
	for n, i := range at {
		out[n] = list[i]
	}
	return out
}

// join adds the matching of m's unmatched symbols.
func (m matching) join(rest matching) matching {
	for _, ij := range rest.pairs {
		m.pairs = append(m.pairs, [2]int{m.removed[ij[0]], m.added[ij[1]]})
	}
	m.removed, m.added = indexes(m.removed, rest.removed), indexes(m.added, rest.added)
	return m
}

// indexes returns the elements of list at these positions.
func indexes(list, at []int) []int {
	out := make([]int, len(at))
	for n, i := range at {
		out[n] = list[i]
	}
	return out
}

// matchMembers pairs the members of two types.
func matchMembers(before, now []code.Symbol) matching {
	exact := func(s *code.Symbol) string { return id(s.Name, string(s.Kind), mark(s.Static)) }
	alike := func(s *code.Symbol) string { return id(s.Name, group(s.Kind), mark(s.Static)) }
	named := func(s *code.Symbol) string { return s.Name }
	return match(before, now, byHash(exact), exact, alike, named)
}

func mark(b bool) string {
	if b {
		return "1"
	}
	return ""
}
