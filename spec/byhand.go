package spec

import (
	"bytes"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// byHand reports whether a spec was written by hand. Such a spec is rendered with the fields
// and sections that it has, and no others.
func (s *Spec) byHand() bool { return s.Front.Type == "" }

// lacks reports whether a section is empty.
func (s *Spec) lacks(section Section) bool {
	if s.Kept[section] != "" {
		return false
	}
	switch section {
	case SecRequirements:
		return len(s.Requirements) == 0
	case SecScenarios:
		return len(s.Scenarios) == 0
	case SecTests:
		return len(s.ContractTests) == 0
	case SecInventory:
		return len(s.Files) == 0
	case SecTrace:
		return len(s.Trace) == 0 && s.TraceNote == ""
	default:
		return *s.text(section) == ""
	}
}

// handOrder is the order of the first front matter fields in hand-written specs, as in the
// contract's own; other fields follow in their own order.
var handOrder = []string{"last_referenced_by", "last_verified", "health"}

// render writes the front matter: every field of a generated spec, and the non-empty fields of
// a hand-written one.
func (f Front) render(b *bytes.Buffer) {
	var fields yaml.Node
	// Encoding a struct of strings into a buffer cannot fail.
	_ = fields.Encode(f)
	if f.Type == "" {
		fields.Content = given(fields.Content)
		if len(fields.Content) == 0 {
			return
		}
	}
	enc := yaml.NewEncoder(b)
	enc.SetIndent(2)
	_ = enc.Encode(&fields)
	_ = enc.Close()
}

// given returns the key-value pairs that have a value, in the order of hand-written specs.
func given(content []*yaml.Node) []*yaml.Node {
	var pairs [][]*yaml.Node
	for pair := range slices.Chunk(content, 2) {
		if _, err := time.Parse(time.DateOnly, pair[1].Value); err == nil { // hand-written dates are unquoted
			pair[1].Tag, pair[1].Style = "!!timestamp", 0
		}
		if pair[1].Value != "" || len(pair[1].Content) > 0 {
			pairs = append(pairs, pair)
		}
	}
	place := func(pair []*yaml.Node) int {
		if i := slices.Index(handOrder, pair[0].Value); i >= 0 {
			return i
		}
		return len(handOrder)
	}
	slices.SortStableFunc(pairs, func(a, b []*yaml.Node) int { return place(a) - place(b) })
	return slices.Concat(pairs...)
}
