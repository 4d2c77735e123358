package sqlite

import (
	"context"
	"slices"
)

// WithStep returns a store with one more migration.
func WithStep(s *Store, step string) {
	s.schema.steps = append(slices.Clip(s.schema.steps), step)
}

// Settle prepares a project's database for being replaced.
func FlushLog(ctx context.Context, s *Store, root string) error {
	return s.flushLog(ctx, s.fileOf(root))
}
