package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// probe checks whether files can be created in the database folder. If not, as in an image or another user's
// folder, the store is read-only.
func (s *Store) probe() error {
	name := ".probe-" + rand.Text()
	f, err := s.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if openfile.ReadOnly(err) {
		s.readOnly = true
		return nil
	}
	if err != nil {
		return nil //nolint:nilerr // who writes says what is wrong
	}
	return errors.Join(f.Close(), s.dir.Remove(name))
}

// readOnlyError returns the error for a write.
func (s *Store) readOnlyError() error { return &store.ReadOnlyError{Path: s.dir.Name()} }

// reader opens a database for reading. If its folder cannot be written and it has no log, it is opened as
// immutable: SQLite would otherwise need to create files next to it.
func (s *Store) reader(ctx context.Context, file string) (*sqlite.Conn, error) {
	path := s.path(file)
	c, err := connect(ctx, path, false)
	if !s.readOnly {
		return c, err
	}
	if err == nil {
		if err = within(ctx, c, func() error { _, err := number(c, "SELECT count(*) FROM sqlite_schema"); return err }); err == nil {
			return c, nil
		}
		err = errors.Join(err, closeConn(c))
	}
	if info, statErr := s.dir.Stat(file + "-wal"); statErr == nil && info.Size() > 0 || ctx.Err() != nil {
		return nil, err
	}
	return openConn(uriOf(path, "immutable=1"), sqlite.OpenReadOnly|sqlite.OpenURI)
}

// uriOf returns the URI of a database with a query parameter of SQLite.
func uriOf(path, parameter string) string {
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") { // C:/x
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name, RawQuery: parameter}).String()
}
