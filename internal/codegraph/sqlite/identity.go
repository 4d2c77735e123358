package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// ForeignError says that a file where a database of this program is wanted is not
// one. Nothing was changed.
type ForeignError struct {
	Path    string
	Is      message.Text // "a folder", "a SQLite database of another program"
	Setting string       // that names the file: "GRAPH_DB_PATH"; "" for a file in the data folder
}

func (e *ForeignError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ForeignError) In(lang message.Lang) string {
	if e.Setting == "" {
		return message.New("%s (%s) is not a database of reverse-spec and was not changed; move it out of the data folder, or set REVERSE_SPEC_HOME to another folder", e.Path, e.Is).In(lang)
	}
	return message.New("%s names %s (%s), which is not a database of reverse-spec and was not changed; name another file, or unset %[1]s", e.Setting, e.Path, e.Is).In(lang)
}

// identify returns a [*ForeignError] for a file that is there and was not made as a
// database of this layout: such a file is never opened for writing, moved or
// removed, and nothing is put beside it. A missing and an empty file are nobody's.
//
// The mark is the application id in the header of the database. SQLite reads it,
// as a file that cannot change: so there are no locks, no log and no shared memory.
func (s *Store) identify(file string, as *schema) error {
	foreign := func(is message.Text) error { return &ForeignError{Path: s.path(file), Is: is, Setting: s.setting} }
	info, err := s.dir.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		if link, err := s.dir.Lstat(file); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return foreign(message.New("a link to a file that is missing"))
		}
		return nil
	}
	if err != nil {
		return message.Errorf("database %s: %w", s.path(file), err)
	}
	if !info.Mode().IsRegular() {
		return foreign(openfile.Kind(info.Mode()))
	}
	if info.Size() == 0 {
		return nil
	}
	id, err := applicationOf(s.path(file))
	switch {
	case sqlite.ErrCode(err).ToPrimary() == sqlite.ResultNotADB:
		return foreign(message.New("not a SQLite database"))
	case err != nil:
		return message.Errorf("database %s: %w", s.path(file), err)
	case id != int64(as.application):
		return foreign(message.New("a SQLite database of another program"))
	}
	return nil
}

// applicationOf reads the application id in the header of a database, also of one
// that is cut off: what follows the header does not count.
func applicationOf(path string) (id int64, err error) {
	c, err := sqlite.OpenConn(uriOf(path, "immutable=1"), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	// With a schema that may be written SQLite reads a file that is shorter than its
	// header says.
	if err := run(c, "PRAGMA writable_schema = ON"); err != nil {
		return 0, err
	}
	return number(c, "PRAGMA application_id")
}

// schemaOf returns the layout that a database is to have, by its name.
func (s *Store) schemaOf(file string) *schema {
	if s.catalog != nil && file == catalogFile {
		return &catalogSchema
	}
	return &s.schema
}

// mine returns what keeps a file from being worked on as a database of this store.
func (s *Store) mine(file string) error { return s.identify(file, s.schemaOf(file)) }

// resolve returns the file that a path of one database leads to, with the links
// on the way followed.
func resolve(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real, nil
	}
	return file, nil
}

// oneFile opens a store of one file, which must be ours, empty or missing. Only
// then are folders made for it.
func (s *Store) oneFile(path string) error {
	file, err := resolve(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, string(filepath.Separator)) {
		return &ForeignError{Path: path, Is: message.New("a folder"), Setting: s.setting}
	}
	dir, name := filepath.Split(file)
	s.file = name
	if root, err := os.OpenRoot(dir); err == nil { // where there is no folder there is no file
		s.dir = root
		return s.mine(name)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	s.dir, err = os.OpenRoot(dir)
	return err
}
