package sqlite

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"zombiezen.com/go/sqlite"
)

// TestConnectionsWait: a connection waits for the locks of others, however many are opened and closed beside it.
func TestConnectionsWait(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	var writers, others sync.WaitGroup
	var done atomic.Bool
	once := func(file string, statements ...string) error {
		c, err := openConn(file, sqlite.OpenReadWrite|sqlite.OpenCreate)
		if err != nil {
			return err
		}
		return errors.Join(run(c, statements...), closeConn(c))
	}
	for range 4 {
		others.Go(func() {
			for !done.Load() {
				if err := once(":memory:"); err != nil {
					t.Error(err)
					return
				}
			}
		})
		writers.Go(func() {
			for range 100 {
				if err := once(file, "PRAGMA synchronous = OFF", "BEGIN IMMEDIATE", "CREATE TABLE IF NOT EXISTS a(b)", "INSERT INTO a VALUES (1)", "COMMIT"); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writers.Wait()
	done.Store(true)
	others.Wait()
}
