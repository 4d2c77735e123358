package sqlite

import "slices"

// WithStep returns a store that knows of one version more, and the way there.
func WithStep(s *Store, step string) {
	s.schema.steps = append(slices.Clip(s.schema.steps), step)
}
