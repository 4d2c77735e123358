package sqlite

import (
	"context"
	"slices"
)

// WithStep returns a store that knows of one version more, and the way there.
func WithStep(s *Store, step string) {
	s.schema.steps = append(slices.Clip(s.schema.steps), step)
}

// FlushLog does what precedes the replacing of a project's database.
func FlushLog(ctx context.Context, s *Store, root string) error {
	return s.flushLog(ctx, s.fileOf(root))
}
