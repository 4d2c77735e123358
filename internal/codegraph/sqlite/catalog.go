package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"regexp"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// catalog is the database of projects, which maps folders to names. A project keeps its name until it is deleted,
// also while it has no graph.
type catalog struct{ store *Store }

// catalogFile is the file name of the catalog.
const catalogFile = "catalog.db"

// catalogSchema is the layout of the catalog.
var catalogSchema = schema{
	application: 0x52535043, // "RSPC"
	tables:      []string{"project"},
	create:      "CREATE TABLE project(root TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) WITHOUT ROWID;",
}

// within runs f in a transaction on the catalog, which is rebuilt if it is missing or damaged.
func (c *catalog) within(ctx context.Context, begin string, f func(db *sqlite.Conn) error) error {
	for range 2 {
		info, err := c.store.dir.Stat(catalogFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return message.Errorf("list of projects: %w", err)
		}
		err = c.try(ctx, begin, f)
		if err == nil {
			return nil
		}
		damaged := (*store.DamagedError)(nil)
		if info == nil || !errors.As(c.store.checkDamage(ctx, catalogFile, info, err), &damaged) {
			return message.Errorf("list of projects: %w", err)
		}
	}
	return message.Errorf("list of projects %s: it was damaged, and made again, twice", c.store.path(catalogFile))
}

func (c *catalog) try(ctx context.Context, begin string, f func(db *sqlite.Conn) error) error {
	if err := c.store.checkOwn(catalogFile); err != nil {
		return err
	}
	if c.store.readOnly {
		return c.tryReadOnly(ctx, begin, f)
	}
	return c.store.withGate(ctx, catalogFile, func() error {
		db, err := openConn(c.store.path(catalogFile), sqlite.OpenReadWrite|sqlite.OpenCreate)
		if err != nil {
			return err
		}
		err = c.ready(ctx, db)
		if err == nil {
			err = transact(ctx, db, begin, func() error { return f(db) })
		}
		return errors.Join(err, closeConn(db))
	})
}

// tryReadOnly is like try for a folder that cannot be written: a missing catalog is rebuilt in memory.
func (c *catalog) tryReadOnly(ctx context.Context, begin string, f func(db *sqlite.Conn) error) error {
	if begin != reading {
		return c.store.readOnlyError()
	}
	db, err := c.store.reader(ctx, catalogFile)
	if err != nil {
		if db, err = openConn(":memory:"); err != nil {
			return err
		}
	}
	if err = c.ready(ctx, db); err == nil {
		err = transact(ctx, db, begin, func() error { return f(db) })
	}
	return errors.Join(err, closeConn(db))
}

// ready fills the catalog if it is empty.
func (c *catalog) ready(ctx context.Context, db *sqlite.Conn) error {
	empty := false
	check := func() error {
		things, err := number(db, "SELECT count(*) FROM sqlite_schema")
		if empty = things == 0; err != nil || empty {
			return err
		}
		at, is, err := catalogSchema.inspect(db)
		switch {
		case err != nil:
			return err
		case is != whole:
			return errLacking
		case at > catalogSchema.version():
			return &store.VersionError{Path: c.store.path(catalogFile), Got: at, Known: catalogSchema.version()}
		}
		return nil
	}
	if err := transact(ctx, db, reading, check); err != nil || !empty {
		return err
	}
	return transact(ctx, db, writing, func() error {
		if err := check(); err != nil || !empty { // another process was first
			return err
		}
		if err := errors.Join(sqlitex.ExecuteScript(db, catalogSchema.create, nil), catalogSchema.stamp(db)); err != nil {
			return err
		}
		return c.fill(ctx, db)
	})
}

// databaseName matches the database's name at the start of the name of any file that belongs to it.
var databaseName = regexp.MustCompile(`^[0-9A-Za-z_-]*-[0-9a-f]{16}\.db`)

// fill adds the projects whose databases exist.
func (c *catalog) fill(ctx context.Context, db *sqlite.Conn) error {
	files, err := fs.ReadDir(c.store.dir.FS(), ".")
	if err != nil {
		return err
	}
	for _, f := range files {
		if databaseName.FindString(f.Name()) != f.Name() {
			continue
		}
		state, err := c.store.peek(ctx, f.Name())
		if err != nil || state.Root == "" || c.store.fileOf(state.Root) != f.Name() {
			continue // named when it is indexed
		}
		if err := put(db, "INSERT OR IGNORE INTO project VALUES(?, ?)", state.Root, state.Project); err != nil {
			return err
		}
	}
	return nil
}

// entries returns the whole catalog, sorted by name.
func (c *catalog) entries(ctx context.Context) (all []entry, err error) {
	err = c.within(ctx, reading, func(db *sqlite.Conn) error {
		all = nil
		return each(db, "SELECT root, name FROM project ORDER BY name", nil, func(row *sqlite.Stmt) error {
			all = append(all, entry{row.ColumnText(0), row.ColumnText(1)})
			return nil
		})
	})
	return all, err
}

// name returns the name of a folder, or the name that it would get.
func (c *catalog) name(ctx context.Context, root string) (name string, err error) {
	err = c.within(ctx, reading, func(db *sqlite.Conn) error {
		name, _, err = nameOf(db, root)
		return err
	})
	return name, err
}

// reserve gives a folder its name.
func (c *catalog) reserve(ctx context.Context, root string) (name string, err error) {
	err = c.within(ctx, writing, func(db *sqlite.Conn) error {
		had := false
		if name, had, err = nameOf(db, root); err != nil || had {
			return err
		}
		return put(db, "INSERT INTO project VALUES(?, ?)", root, name)
	})
	return name, err
}

// nameOf returns the name of a folder, or the one that it would get.
func nameOf(db *sqlite.Conn, root string) (name string, had bool, err error) {
	name, err = text(db, "SELECT name FROM project WHERE root = ?", root)
	if err != nil || name != "" {
		return name, true, err
	}
	base, sum := baseName(root), hash(root)
	for _, name := range []string{base, base + "__" + sum[:8], base + "__" + sum[:16]} {
		if taken, err := text(db, "SELECT name FROM project WHERE name = ?", name); err != nil || taken == "" {
			return name, false, err
		}
	}
	return base + "__" + sum, false, nil
}

// forget removes a folder from the catalog.
func (c *catalog) forget(ctx context.Context, root string) error {
	return c.within(ctx, writing, func(db *sqlite.Conn) error { return put(db, "DELETE FROM project WHERE root = ?", root) })
}

// put runs a statement with text parameters.
func put(c *sqlite.Conn, statement string, args ...string) error {
	stmt, err := c.Prepare(statement)
	if err != nil {
		return err
	}
	for i, a := range args {
		stmt.BindText(i+1, a)
	}
	return exec(stmt)
}

// text returns the single text of a query's result; "" without a row.
func text(c *sqlite.Conn, query, arg string) (string, error) {
	stmt, err := c.Prepare(query)
	if err != nil {
		return "", err
	}
	stmt.BindText(1, arg)
	found := ""
	more, err := stmt.Step()
	if more {
		found = stmt.ColumnText(0)
	}
	return found, reset(stmt, err)
}

// clear removes all entries.
func (c *catalog) clear(ctx context.Context) error {
	return c.within(ctx, writing, func(db *sqlite.Conn) error { return put(db, "DELETE FROM project") })
}
