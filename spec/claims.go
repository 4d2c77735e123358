package spec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Limits on lists: claims of one kind, and places of one claim.
const (
	maxOfKind = 100
	maxPlaces = 5
)

// claimsOf returns the claims of some kinds, at most maxOfKind of each; left counts the others.
func (m *material) claimsOf(kinds []evidence.Kind) (list []*evidence.Claim, left int) {
	count := map[evidence.Kind]int{}
	for i := range m.claims {
		c := &m.claims[i]
		if !slices.Contains(kinds, c.Kind) || tabled(c) {
			continue
		}
		if count[c.Kind]++; count[c.Kind] > maxOfKind {
			left++
			continue
		}
		list = append(list, c)
	}
	return list, left
}

// claimRows writes the claims of some kinds as a list.
func (m *material) claimRows(kinds ...evidence.Kind) []string {
	var rows []string
	list, left := m.claimsOf(kinds)
	for _, c := range list {
		more := details(c, m.lang)
		if more != "" {
			more = " · " + more
		}
		rows = append(rows, "- "+Say(c, m.lang)+more+m.places(c))
	}
	if left > 0 {
		rows = append(rows, m.more(left))
	}
	return rows
}

func (m *material) more(left int) string {
	return fmt.Sprintf(wording.In(m.lang, "- … and %d more", "- …另有 %d 项"), left)
}

// places lists the places of a claim in parentheses.
func (m *material) places(c *evidence.Claim) string {
	list := m.placeList(c)
	if list == "" {
		return ""
	}
	return wording.In(m.lang, " (", "（") + list + wording.In(m.lang, ")", "）")
}

// placeList lists the places of a claim.
func (m *material) placeList(c *evidence.Claim) string {
	var list []string
	for _, p := range c.At[:min(len(c.At), maxPlaces)] {
		list = append(list, m.short(fmt.Sprintf("%s:%d", p.File, p.Line)))
	}
	separator := wording.In(m.lang, ", ", "、")
	out := placeCodes(list, separator)
	if left := len(c.At) - maxPlaces; left > 0 {
		out += separator + fmt.Sprintf("… +%d", left)
	}
	return out
}

// key identifies a requirement within its module: its symbol, and for a claim about a body
// also its title.
func (r *Requirement) key() string {
	if len(r.Evidence) > 0 && (r.Evidence[0].Kind == "doc" || r.Evidence[0].Kind == "test") {
		return r.Symbol
	}
	return r.Symbol + " · " + r.Title
}

// recorded returns the claims as the lock keeps them, each with the first requirement that states it.
func (m *material) recorded() []RecordedClaim {
	ids := map[*evidence.Claim]string{}
	for _, id := range slices.Sorted(maps.Keys(m.stated)) {
		for _, c := range m.stated[id] {
			if ids[c] == "" {
				ids[c] = id
			}
		}
	}
	out := make([]RecordedClaim, 0, len(m.claims))
	for i := range m.claims {
		out = append(out, RecordedClaim{Claim: m.claims[i], Requirement: ids[&m.claims[i]], Shown: m.shownOf[&m.claims[i]]})
	}
	return out
}
