package spec

import (
	"bytes"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// byHand tells whether a spec is another hand's: it has the fields and sections that
// its author gave it, and is written with no others.
func (s *Spec) byHand() bool { return s.Front.Type == "" }

// lacks tells whether a section has nothing in it.
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

// handOrder is the fields of front matter as the contract's own specs have them;
// the others follow in their own order.
var handOrder = []string{"last_referenced_by", "last_verified", "health"}

// render writes the front matter: of our own specs every field, of another hand's
// those that it has.
func (f Front) render(b *bytes.Buffer) {
	var fields yaml.Node
	// A struct of strings encodes without error, into a buffer too.
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

// given keeps, of keys and values, those with a value, in the order of another hand.
func given(content []*yaml.Node) []*yaml.Node {
	var pairs [][]*yaml.Node
	for pair := range slices.Chunk(content, 2) {
		if _, err := time.Parse(time.DateOnly, pair[1].Value); err == nil { // people write it without quotes
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
