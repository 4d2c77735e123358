package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"sync"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// opening is held for writing while a connection is closed, and for reading while one is opened. zombiezen.com/go/sqlite 1.4.2 forgets what
// waits for the locks of a connection only after its memory was freed; a connection that got that memory in between would not wait, but
// fail: "database is locked".
var opening sync.RWMutex

func openConn(path string, flags ...sqlite.OpenFlags) (*sqlite.Conn, error) {
	opening.RLock()
	defer opening.RUnlock()
	return sqlite.OpenConn(path, flags...)
}

func closeConn(c *sqlite.Conn) error {
	opening.Lock()
	defer opening.Unlock()
	return c.Close()
}

// connect opens an existing database. A connection for reading is read-only for SQLite, too: the last writable
// connection to leave a database may otherwise remove the log of the database that replaced it.
func connect(ctx context.Context, path string, write bool) (*sqlite.Conn, error) {
	flags := sqlite.OpenReadOnly
	if write {
		flags = sqlite.OpenReadWrite
	}
	c, err := openConn(path, flags)
	if err != nil {
		return nil, err
	}
	if write {
		// Losing an update could lead to another one with the same serial.
		if err := within(ctx, c, func() error { return run(c, "PRAGMA synchronous = FULL") }); err != nil {
			return nil, errors.Join(err, closeConn(c))
		}
	}
	return c, nil
}

// within runs f and interrupts its statements when the context ends.
func within(ctx context.Context, c *sqlite.Conn, f func() error) error {
	c.SetInterrupt(ctx.Done())
	defer c.SetInterrupt(nil)
	err := f()
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// transact runs f in a transaction, which is rolled back on error.
func transact(ctx context.Context, c *sqlite.Conn, begin string, f func() error) error {
	err := within(ctx, c, func() error {
		if err := run(c, begin); err != nil {
			return err
		}
		return f()
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = run(c, "COMMIT")
	}
	if err != nil && !c.AutocommitEnabled() {
		err = errors.Join(err, run(c, "ROLLBACK"))
	}
	return err
}

// How transactions begin.
const (
	reading = "BEGIN"
	writing = "BEGIN IMMEDIATE"
)

// run executes statements without parameters.
func run(c *sqlite.Conn, statements ...string) error {
	for _, s := range statements {
		if err := sqlitex.ExecuteTransient(c, s, nil); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for each row of a query.
func each(c *sqlite.Conn, query string, args []int64, f func(row *sqlite.Stmt) error) error {
	return eachRow(c, query, func(stmt *sqlite.Stmt) {
		for i, a := range args {
			stmt.BindInt64(i+1, a)
		}
	}, f)
}

// eachOf calls f for each row of a query of a table with a column file: for those of the files, or for all if ids is nil.
func eachOf(c *sqlite.Conn, query, order string, ids []store.FileID, f func(row *sqlite.Stmt) error) error {
	if ids == nil {
		return each(c, query+order, nil, f)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return eachRow(c, query+" WHERE file IN (SELECT value FROM json_each(?))"+order, func(stmt *sqlite.Stmt) { stmt.BindText(1, string(list)) }, f)
}

func eachRow(c *sqlite.Conn, query string, bind func(stmt *sqlite.Stmt), f func(row *sqlite.Stmt) error) (err error) {
	stmt, err := c.Prepare(query)
	if err != nil {
		return err
	}
	defer func() { err = reset(stmt, err) }()
	bind(stmt)
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return err
		}
		if err := f(stmt); err != nil {
			return err
		}
	}
}

// reset resets a statement and returns err, the error of its last step, if not nil: reset would report that error
// again.
func reset(stmt *sqlite.Stmt, err error) error {
	again := errors.Join(stmt.Reset(), stmt.ClearBindings())
	return cmp.Or(err, again)
}

// exec runs a bound statement that returns no rows.
func exec(stmt *sqlite.Stmt) error {
	_, err := stmt.Step()
	return reset(stmt, err)
}

// number returns the single number of a query's result; 0 without a row.
func number(c *sqlite.Conn, query string) (n int64, err error) {
	err = each(c, query, nil, func(row *sqlite.Stmt) error {
		n = row.ColumnInt64(0)
		return nil
	})
	return n, err
}

// Damage that SQLite itself does not report.
var (
	errLacking  = message.Errorf("tables are missing")
	errNoState  = message.Errorf("its state is missing")
	errContents = message.Errorf("a value is out of its range")
)

// isDamage reports whether an error is due to the content of a database.
func isDamage(err error) bool {
	code := sqlite.ErrCode(err).ToPrimary()
	return code == sqlite.ResultCorrupt || code == sqlite.ResultNotADB ||
		errors.Is(err, errLacking) || errors.Is(err, errNoState) || errors.Is(err, errContents)
}

// isUnrelated reports whether an error says nothing about the content of a database.
func isUnrelated(err error) bool {
	return slices.Contains([]sqlite.ResultCode{
		sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultInterrupt, sqlite.ResultFull, sqlite.ResultNoMem, sqlite.ResultPerm,
		sqlite.ResultReadOnly, sqlite.ResultCantOpen,
	}, sqlite.ErrCode(err).ToPrimary()) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrNotExist)
}

// quickCheck returns the damage that PRAGMA quick_check finds.
func quickCheck(c *sqlite.Conn) error {
	var found error
	err := each(c, "PRAGMA quick_check(1)", nil, func(row *sqlite.Stmt) error {
		if text := row.ColumnText(0); text != "ok" {
			found = message.Errorf("quick_check: %s", text)
		}
		return nil
	})
	return errors.Join(found, err)
}

// uint32Column returns a column as an unsigned 32-bit number.
func uint32Column(row *sqlite.Stmt, col int) (uint32, error) {
	n := row.ColumnInt64(col)
	if n < 0 || n > math.MaxUint32 {
		return 0, message.Errorf("%w: %s %d", errContents, row.ColumnName(col), n)
	}
	return uint32(n), nil
}
