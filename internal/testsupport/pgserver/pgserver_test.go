package pgserver_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// What was committed is there after the server was killed and runs again.
func TestKilledAndRunAgain(t *testing.T) {
	s := pgserver.Start(t)
	address := s.Database()
	s.Exec("test1", "CREATE TABLE kept(n int)", "INSERT INTO kept VALUES(7)")
	s.Kill()
	if _, err := pgx.Connect(t.Context(), address); err == nil {
		t.Fatal("it still answers")
	}
	s.Run()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := c.QueryRow(t.Context(), "SELECT n FROM kept").Scan(&n); err != nil || n != 7 {
		t.Errorf("%d, %v", n, err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
