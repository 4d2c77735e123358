package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec"
)

// decides returns the conditions of a claim as pages state them: what the exits of the function before it leave open. A change of
// one exit changes the whole conditions of all after it, and not what is said of these.
func decides(c *spec.RecordedClaim, all []spec.RecordedClaim) []string {
	var out []string
	for i, when := range c.When {
		out = append(out, unformatted(strings.Join(when.After(exitsBefore(c, i, all)), " && ")))
	}
	slices.Sort(out)
	return out
}

// exitsBefore returns the conditions of the exits of the same function before one of a claim: those that its condition excludes, and
// that do not exclude it. A lock has no lines to tell the order by.
func exitsBefore(c *spec.RecordedClaim, i int, all []spec.RecordedClaim) []evidence.Condition {
	var out []evidence.Condition
	own := c.When[i]
	for k := range all {
		o := &all[k]
		if o.Kind != evidence.Exit || o.Subject != c.Subject {
			continue
		}
		for _, when := range o.When {
			if !when.Partial && when.Later == own.Later && own.Excludes(when) && !when.Excludes(own) {
				out = append(out, when)
			}
		}
	}
	return out
}

// saysSame reports whether what decides about a claim is as it was, although its whole condition is not.
func (d *claimDiffer) saysSame(old, now *spec.RecordedClaim) bool {
	if old.Kind != evidence.Exit && old.Kind != evidence.Effect || len(old.When) != len(now.When) {
		return false
	}
	return slices.Equal(decides(old, d.was), decides(now, d.is))
}
