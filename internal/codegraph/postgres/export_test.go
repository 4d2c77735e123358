package postgres

import "context"

// Unlock releases the advisory lock of a folder behind the back of the store, as a pooler would that gives the connection
// another session.
func (s *Store) Unlock(ctx context.Context, root string) error {
	l, err := s.holds(root)
	if err == nil {
		_, err = l.conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
	}
	return err
}
