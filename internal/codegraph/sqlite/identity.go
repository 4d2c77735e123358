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

// ForeignError says that the file at the path of a database is not a database of this program. It was not changed.
type ForeignError struct {
	Path    string
	Is      message.Text // what it is: "a folder", "a SQLite database of another program"
	Setting string       // the setting that names the file: "GRAPH_DB_PATH"; "" for a file in the data folder
}

func (e *ForeignError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ForeignError) In(lang message.Lang) string {
	if e.Setting == "" {
		return message.New("%s (%s) is not a database of reverse-spec and was not changed; move it out of the data folder, or set REVERSE_SPEC_HOME to another folder", e.Path, e.Is).In(lang)
	}
	return message.New("%s names %s (%s), which is not a database of reverse-spec and was not changed; name another file, or unset %[1]s", e.Setting, e.Path, e.Is).In(lang)
}

// identify returns a [*ForeignError] for an existing file that is not a database of the given layout: such a file
// is never opened for writing, moved or removed, and no file is made next to it. A missing or empty file is fine.
//
// The check reads the application id in the database header. SQLite opens the file as immutable, so it makes no
// locks, log or shared memory.
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

// applicationOf reads the application id in the header of a database. The file may be truncated after the header.
func applicationOf(path string) (id int64, err error) {
	c, err := openConn(uriOf(path, "immutable=1"), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, closeConn(c)) }()
	// Only with a writable schema does SQLite read a file shorter than its header says.
	if err := run(c, "PRAGMA writable_schema = ON"); err != nil {
		return 0, err
	}
	return number(c, "PRAGMA application_id")
}

// schemaOf returns the layout expected for a database file.
func (s *Store) schemaOf(file string) *schema {
	if s.catalog != nil && file == catalogFile {
		return &catalogSchema
	}
	return &s.schema
}

// checkOwn returns an error if a file is not a database of this store.
func (s *Store) checkOwn(file string) error { return s.identify(file, s.schemaOf(file)) }

// resolve returns the path of a database file with symbolic links followed.
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

// oneFile opens a store of one file, which must be a database of this program, empty or missing. It creates folders
// only after this check.
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
	if root, err := os.OpenRoot(dir); err == nil { // without the folder there is no file
		s.dir = root
		return s.checkOwn(name)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	s.dir, err = os.OpenRoot(dir)
	return err
}
