package sqlite

// WithStep returns a store that knows of one version more, and the way there.
func WithStep(s *Store, step string) {
	s.schema.steps = append(s.schema.steps[:len(s.schema.steps):len(s.schema.steps)], step)
}
