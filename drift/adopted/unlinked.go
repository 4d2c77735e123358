package adopted

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// quoted returns the requirements that say exactly what a change removes from the code, whatever they are linked to: a text of several
// words, an option, a name of the environment, a part of a path. Only specs with links say so, and of many requirements those that have
// most of the words of the change.
func quoted(specs []*Spec, c *Change, known []Concern) []Concern {
	if c.Removes == nil || c.Was == "" {
		return nil
	}
	var list []Concern
	for _, s := range specs {
		if s.Written == nil || len(s.Accepted(false)) == 0 {
			continue
		}
		for i := range s.Written.Requirements {
			r := &s.Written.Requirements[i]
			if slices.ContainsFunc(known, func(k Concern) bool { return k.Requirement == r && k.Contradicted }) {
				continue
			}
			if one, ok := s.quotes(r, c); ok {
				list = append(list, one)
			}
		}
	}
	return nearest(list, c)
}

// quotes finds the part of a requirement that says what a change removes.
func (s *Spec) quotes(r *handwritten.Requirement, c *Change) (out Concern, ok bool) {
	for _, p := range partsOf(r) {
		for _, a := range link.Anchors(p.text) {
			if slices.ContainsFunc(tokens(&a), c.Removes) {
				return Concern{Spec: s, Requirement: r, Scenario: p.scenario, Contradicted: true}, true
			}
		}
	}
	return out, false
}

// environment matches names of the environment.
var environment = lazyregexp.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)

// tokens returns what code has of an anchor if it says the same by no accident, each in small letters.
func tokens(a *link.Anchor) []string {
	switch a.Kind {
	case link.Text:
		return link.Pieces(a.Value)
	case link.Option:
		return []string{strings.ToLower(a.Value)}
	case link.Name:
		if environment.MatchString(a.Value) {
			return []string{strings.ToLower(a.Value)}
		}
	case link.File:
		var out []string
		for part := range strings.SplitSeq(strings.Trim(a.Value, "/"), "/") {
			if a.Quoted && len(part) >= shortestPart && strings.ContainsAny(part, ".-_") {
				out = append(out, strings.ToLower(part))
			}
		}
		return out
	case link.Path, link.Command, link.Title, link.Matching, link.Common, link.Called, link.Planned, link.Chosen: // not in a text
	}
	return nil
}

// shortestPart is the least length of a part of a path that code has by no accident.
const shortestPart = 5

// mostQuoted limits the requirements without a link that a change is about.
const mostQuoted = 3

// nearest keeps the concerns that have most of the words of a change.
func nearest(list []Concern, c *Change) []Concern {
	if len(list) <= 1 {
		return list
	}
	words := changedWords(c)
	for _, name := range append([]string{c.Symbol}, c.Files...) {
		words = append(words, link.WordsOf(name)...)
	}
	count := map[string]float64{}
	said := make([][]string, len(list))
	for i := range list {
		said[i] = link.WordsOf(list[i].Requirement.Words())
		for _, w := range said[i] {
			count[w]++
		}
	}
	for i := range list {
		for _, w := range said[i] {
			if slices.Contains(words, w) {
				list[i].relevance += 1 / count[w]
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Concern) int {
		switch {
		case a.relevance > b.relevance:
			return -1
		case a.relevance < b.relevance:
			return 1
		}
		return 0
	})
	return list[:min(len(list), mostQuoted)]
}

// uses reports whether the changed lines have, on one side only, the name of what a requirement is linked to: they call it anew, or
// do not call it any more.
func (c *Change) uses(symbol string) bool {
	name := symbol[strings.LastIndexByte(symbol, '.')+1:]
	if len(name) < shortestUse || !compound.MatchString(name) {
		return false
	}
	return slices.Contains(identifier.FindAllString(c.Was, -1), name) != slices.Contains(identifier.FindAllString(c.Is, -1), name)
}

// shortestUse is the least length of a name that means the same wherever it is used.
const shortestUse = 6

var (
	identifier = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	compound   = lazyregexp.New(`^_*\pL[\pL\pN]*(?:_+[\pL\pN]+|\p{Lu}[\pL\pN]*)+$`)
)
