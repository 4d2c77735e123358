package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// OffsetError reports a page of [Module.Prepare] after the last one.
type OffsetError struct{ Offset, Total int }

func (e *OffsetError) Error() string {
	return fmt.Sprintf("offset %d is beyond the %d symbols", e.Offset, e.Total)
}

// bytesPerToken is the bytes of JSON that count as one token; JSON is dense in punctuation.
const bytesPerToken = 3

// unit is the unit of paging: a symbol without its members, or a file without symbols.
type unit struct {
	file    int // index of its skeleton
	owner   int // index of the unit that it is a member of; -1 for none
	class   class
	share   float64 // position among the units of its class, from 0 to 1; each file gets an equal share of the page
	private bool    // under internals
	exports int     // exported members, at any depth
	symbol  code.Symbol
	path    string // "Outer.Inner.method", the name of a member whose owner is on another page
	size    int    // upper bound in bytes of JSON; 0 for a file
}

// class is the priority of a unit, highest first.
type class int

const (
	exports class = iota // exported top-level symbols
	members              // their exported members
	private              // all others
	testing              // declarations of test files
)

// pager splits skeletons into pages. The first page has the same share of each file, exported
// symbols first; later pages have the rest, file by file.
type pager struct {
	skeletons []code.Skeleton // test files last, then those with most exports first
	sources   int             // how many of them are not test files
	units     []unit          // by skeleton, an owner before its members
	limit     int             // page size in bytes
}

// newPager returns a pager for skeletons. tests has the paths of test files; limit is the page
// size in bytes.
func newPager(skeletons []code.Skeleton, tests map[string]bool, limit int) *pager {
	g := &pager{skeletons: slices.Clone(skeletons), limit: limit}
	counts := map[string]int{}
	for _, s := range skeletons {
		counts[s.FilePath] = exported(s.Exports)
	}
	slices.SortStableFunc(g.skeletons, func(a, b code.Skeleton) int {
		return cmp.Or(
			compareBool(tests[a.FilePath], tests[b.FilePath]),
			cmp.Compare(counts[b.FilePath], counts[a.FilePath]),
			cmp.Compare(a.FilePath, b.FilePath))
	})
	for i, s := range g.skeletons {
		if !tests[s.FilePath] {
			g.sources++
		}
		begin := len(g.units)
		g.add(i, -1, s.Exports, false)
		g.add(i, -1, s.Internals, true)
		if len(g.units) == begin {
			g.units = append(g.units, unit{file: i, owner: -1, class: private})
		}
		for j := range g.units[begin:] {
			if tests[s.FilePath] {
				g.units[begin+j].class = testing
			}
		}
	}
	g.rank()
	return g
}

// exported counts the exported symbols of a list, with their members.
func exported(list []code.Symbol) int {
	n := 0
	for _, s := range list {
		if s.Exported {
			n += 1 + exported(s.Members)
		}
	}
	return n
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// add appends symbols and their members.
func (g *pager) add(file, owner int, list []code.Symbol, internal bool) {
	for _, s := range list {
		u := unit{file: file, owner: owner, private: internal, symbol: lean(s, g.limit), path: s.Name, exports: exported(s.Members)}
		switch {
		case internal || !s.Exported:
			u.class = private
		case owner >= 0:
			u.class = max(members, g.units[owner].class)
		}
		if owner >= 0 {
			u.path = g.units[owner].path + "." + s.Name
		}
		full := u.symbol
		full.Name = u.path
		u.size = encodedSize(full) + len(",")
		if len(s.Members) > 0 {
			u.size += len(`,"members":[]`)
		}
		g.units = append(g.units, u)
		g.add(file, len(g.units)-1, s.Members, internal)
	}
}

// rank sets the share of each unit: its position among the units of its class in its file, or
// among the members of its owner.
func (g *pager) rank() {
	type group struct {
		file, owner int
		class       class
	}
	groups := map[group][]int{}
	for i, u := range g.units {
		k := group{u.file, -1, u.class}
		if u.class == members {
			k.owner = u.owner
		}
		groups[k] = append(groups[k], i)
	}
	for _, list := range groups {
		slices.SortStableFunc(list, func(a, b int) int {
			x, y := &g.units[a], &g.units[b]
			return cmp.Or(cmp.Compare(weight(x.symbol), weight(y.symbol)), cmp.Compare(y.exports, x.exports))
		})
		for i, u := range list {
			g.units[u].share = float64(i) / float64(len(list))
		}
	}
}

// weight orders symbols: types and functions before values.
func weight(s code.Symbol) int {
	switch {
	case s.Kind.HoldsMembers(), s.Kind == code.Function, s.Kind == code.Method, s.Kind == code.Constructor:
		return 0
	case s.Kind == code.TypeDef, s.Kind == code.Getter, s.Kind == code.Setter, s.Kind == code.Embedded:
		return 1
	default:
		return 2
	}
}

// encodedSize returns the size of a value as JSON in bytes.
func encodedSize(v any) int {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // plain data always encodes
	return b.Len() - len("\n")
}

// headSize returns the bytes of a skeleton without symbols, including its entry in filePaths.
func (g *pager) headSize(file int, first bool) int {
	s := g.head(file, first)
	s.Internals = []code.Symbol{{}}
	return encodedSize(s) - encodedSize(code.Symbol{}) + len(s.FilePath) + len(`,"",`)
}

// maxErrors limits the parse errors, the entry points and the names in them of a cut skeleton.
const maxErrors = 3

// head returns a skeleton without symbols. Documentation and errors go on the page with the
// file's first symbol.
func (g *pager) head(file int, first bool) code.Skeleton {
	s := g.skeletons[file]
	out := code.Skeleton{
		FilePath: s.FilePath, Language: s.Language, LOC: s.LOC, Exports: []code.Symbol{}, Imports: []code.Import{},
		Hash: s.Hash, AnalyzedAt: s.AnalyzedAt, ParserUsed: s.ParserUsed,
	}
	if first {
		out.Doc = firstParagraph(s.Doc, g.limit)
		out.ParseErrors, out.Entries = fewErrors(s.ParseErrors), s.Entries[:min(len(s.Entries), maxErrors)]
	}
	return out
}

func fewErrors(list []code.ParseError) []code.ParseError {
	list = slices.Clone(list[:min(len(list), maxErrors)])
	for i := range list {
		list[i].Affected = list[i].Affected[:min(len(list[i].Affected), maxErrors)]
	}
	return list
}

// order returns the units in page order: those that fit into the room of the first page, and
// then the rest. first is the number of units on the first page, at least one.
func (g *pager) order(room int) (order []int, first int) {
	chosen, room := g.choose(room)
	candidates := []int{}
	for i, u := range g.units {
		if u.file < chosen {
			candidates = append(candidates, i)
		}
	}
	slices.SortStableFunc(candidates, func(a, b int) int {
		x, y := &g.units[a], &g.units[b]
		return cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(x.share, y.share))
	})
	taken := make([]bool, len(g.units))
	for _, i := range candidates {
		u := &g.units[i]
		if u.size > room || u.owner >= 0 && !taken[u.owner] {
			continue
		}
		room -= u.size
		taken[i] = true
		order = append(order, i)
	}
	if len(order) == 0 {
		order, taken[0] = []int{0}, true
	}
	first = len(order)
	for i := range g.units {
		if !taken[i] {
			order = append(order, i)
		}
	}
	return order, first
}

// choose returns the number of files on the first page: as many as fit into half of it with
// their heads. Test files are included only if all other files fit completely. left is the
// room after the heads.
func (g *pager) choose(room int) (files, left int) {
	most := len(g.skeletons)
	whole := 0
	for _, u := range g.units {
		if u.class != testing {
			whole += u.size
		}
	}
	for i := range g.sources {
		whole += g.headSize(i, true)
	}
	if whole > room && g.sources > 0 {
		most = g.sources
	}
	heads := room / 2
	for files < most {
		size := g.headSize(files, true)
		if files > 0 && heads < size {
			break
		}
		heads -= size
		room -= size
		files++
	}
	return files, room
}

// page returns the end of the page that begins at order[from]: as many units as fit into room,
// at least one.
func (g *pager) page(order []int, from, room int) (to int) {
	given := g.begun(order[:from])
	file := -1
	for to = from; to < len(order); to++ {
		u := &g.units[order[to]]
		size := u.size
		if u.file != file {
			size += g.headSize(u.file, !given[u.file])
			file = u.file
		}
		if size > room && to > from {
			break
		}
		room -= size
	}
	return to
}

// begun returns the files that have a unit in order.
func (g *pager) begun(order []int) map[int]bool {
	files := map[int]bool{}
	for _, i := range order {
		files[g.units[i].file] = true
	}
	return files
}

// skeletonsOf builds the skeletons of a page. A member whose owner is on another page becomes
// a symbol named "Owner.member". given has the files that earlier pages began.
func (g *pager) skeletonsOf(page []int, given map[int]bool) []code.Skeleton {
	page = slices.Sorted(slices.Values(page))
	out := []code.Skeleton{}
	nested := map[int][]code.Symbol{} // members by owner, in reverse order
	for _, i := range slices.Backward(page) {
		u := &g.units[i]
		if len(out) == 0 || out[len(out)-1].FilePath != g.skeletons[u.file].FilePath {
			out = append(out, g.head(u.file, !given[u.file]))
		}
		s := &out[len(out)-1]
		if u.size == 0 {
			continue
		}
		symbol := u.symbol
		symbol.Members = nested[i]
		slices.Reverse(symbol.Members)
		_, here := slices.BinarySearch(page, u.owner)
		switch {
		case here:
			nested[u.owner] = append(nested[u.owner], symbol)
			continue
		case u.owner >= 0:
			symbol.Name = u.path
		}
		if u.private {
			s.Internals = append(s.Internals, symbol)
		} else {
			s.Exports = append(s.Exports, symbol)
		}
	}
	for i := range out {
		slices.Reverse(out[i].Exports)
		slices.Reverse(out[i].Internals)
	}
	slices.Reverse(out)
	return out
}

// lean returns a symbol without what its signature repeats, without hashes, and with the first
// paragraph of its documentation only.
func lean(s code.Symbol, limit int) code.Symbol {
	const mostValue = 80
	out := code.Symbol{
		Name: s.Name, Kind: s.Kind, Signature: clipText(s.Signature, limit/8), Doc: firstParagraph(s.Doc, limit),
		Visibility: s.Visibility, Exported: s.Exported, Default: s.Default, Static: s.Static, Abstract: s.Abstract, Async: s.Async,
		Optional: s.Optional, Readonly: s.Readonly, StartLine: s.StartLine, EndLine: s.EndLine, File: s.File, Constraint: s.Constraint,
		Part: s.Part, Broken: s.Broken,
	}
	if len(s.Value) <= mostValue {
		out.Value = s.Value
	}
	if len(strings.Join(s.Decorators, "")) <= mostValue {
		out.Decorators = s.Decorators
	}
	return out
}

// firstParagraph returns the start of a doc comment, for a reply of limit bytes.
func firstParagraph(doc string, limit int) string {
	const most = 160
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	return clipText(doc, min(most, limit/20))
}

// clipText cuts text to most bytes.
func clipText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
