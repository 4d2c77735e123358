package lock

// Shown says how tests show a claim. The zero value is for a claim of whose line no tool measured whether it runs.
type Shown string

// How tests show a claim.
const (
	Unknown  Shown = ""
	Tested   Shown = "tested"   // a test asserts on it, and its line ran
	Reached  Shown = "reached"  // its line ran, and no test asserts on it
	Untested Shown = "untested" // no test runs its line
)

// Or returns how tests show two claims that are stated as one: as they show the one that they show best.
func (s Shown) Or(o Shown) Shown {
	for _, best := range []Shown{Tested, Reached, Untested} {
		if s == best || o == best {
			return best
		}
	}
	return Unknown
}
