package adopted

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
)

// Removals tells what changes remove: what the files that changed have less of than before. What only moved, or got a name, is in another of
// these files.
type Removals struct {
	sides [2]func(file string) []byte
	files []string             // those that changed, besides those of the change at hand
	flat  [2]map[string]string // their texts in the form in which tokens are looked for
}

// NewRemovals returns the removals between two sides. Files are read when they are needed; a side is nil if its texts are not known.
func NewRemovals(old, now func(file string) []byte, files []string) *Removals {
	return &Removals{[2]func(string) []byte{old, now}, files, [2]map[string]string{{}, {}}}
}

func (r *Removals) text(side int, file string) string {
	if t, known := r.flat[side][file]; known {
		return t
	}
	r.flat[side][file] = link.Flat(string(r.sides[side](file)))
	return r.flat[side][file]
}

// Of returns the function that says what a change removes; nil if that is not known.
func (r *Removals) Of(c *Change) func(token string) bool {
	if r.sides[0] == nil || r.sides[1] == nil {
		return nil
	}
	was, is := link.Flat(c.Was), link.Flat(c.Is)
	files := slices.Concat(c.Files, r.files)
	slices.Sort(files)
	files = slices.Compact(files)
	return func(token string) bool {
		if link.Count(was, token) <= link.Count(is, token) {
			return false
		}
		var count [2]int
		for side := range count {
			for _, file := range files {
				count[side] += link.Count(r.text(side, file), token)
			}
		}
		return count[1] < count[0]
	}
}
