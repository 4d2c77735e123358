package spec

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Shown says how tests show a claim; see [lock.Shown].
type Shown = lock.Shown

// What tests show of a claim.
const (
	Tested   = lock.Tested
	Reached  = lock.Reached
	Untested = lock.Untested
)

// Ran reports whether a line of a file ran; known is false if the tool that measured says nothing about it.
type Ran func(file string, line int) (ran, known bool)

// Coverage is what the tools of tests measured.
type Coverage struct {
	Ran     []Ran
	Partial bool // some tests ran without being measured
}

// Shows says how tests show a claim on a line, of which asserting is the number of tests that assert on it. What only tests
// that were not measured assert on is not known.
func (c *Coverage) Shows(file string, line, asserting int) Shown {
	out := lock.Unknown
	for _, ran := range c.Ran {
		did, known := ran(file, line)
		switch {
		case did && asserting > 0:
			return lock.Tested
		case did:
			return lock.Reached
		case known && (asserting == 0 || !c.Partial):
			out = lock.Untested
		}
	}
	return out
}

// measured applies what was measured to the tests of a claim at a place: those that assert on it, and the number of others that
// reach it. A claim whose line does not run has none.
func (m *material) measured(c *evidence.Claim, place string, tests []string, reach int) (Shown, []string, int) {
	file, number, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if m.coverage == nil || err != nil {
		return lock.Unknown, tests, reach
	}
	shown := m.coverage.Shows(file, line, len(tests))
	m.shownOf[c] = m.shownOf[c].Or(shown)
	switch shown {
	case lock.Untested:
		return shown, nil, 0
	case lock.Reached:
		return shown, nil, max(reach, 1)
	default:
		return shown, tests, reach
	}
}

// ClaimCounts counts claims by how tests show them.
type ClaimCounts struct {
	Tested   int `json:"tested"`
	Reached  int `json:"reached"` // not asserted
	Untested int `json:"untested"`
}

// CountClaims counts the claims of which a tool measured whether their lines run; nil if there is none.
func CountClaims(list []RecordedClaim) *ClaimCounts {
	var out ClaimCounts
	for i := range list {
		switch list[i].Shown {
		case lock.Tested:
			out.Tested++
		case lock.Reached:
			out.Reached++
		case lock.Untested:
			out.Untested++
		case lock.Unknown:
		}
	}
	if out == (ClaimCounts{}) {
		return nil
	}
	return &out
}
