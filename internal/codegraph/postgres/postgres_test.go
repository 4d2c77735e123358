package postgres_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/storetest"
)

func TestStore(t *testing.T) {
	server := pgserver.Start(t)
	storetest.Run(t, func(t *testing.T) store.Store { return openStore(t, server.Database()) })
}

func TestSharedStore(t *testing.T) {
	server := pgserver.Start(t)
	storetest.RunShared(t, func(t *testing.T) store.Shared { return openStore(t, server.Database()) }, shared.Guard)
}

func openStore(t *testing.T, address string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(address, postgres.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
