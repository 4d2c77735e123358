package postgres

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// migrations are the steps of the schema, 1.sql from nothing to version 1 and so on.
//
//go:embed schema/*.sql
var migrations embed.FS

// schemaVersion is the current version of the schema.
const schemaVersion = 5

// tables must be there in every version.
func tables() []string {
	return []string{"project", "writer", "graph", "word", "how", "tally", "file", "node", "edge", "virtual_edge"}
}

// migrationLock is the advisory lock of whoever changes the schema.
const migrationLock = 0x5253504753434845 // "RSPGSCHE"

// errLacking says that the schema was damaged by others.
var errLacking = message.Errorf("tables are missing: restore them from a backup, or DROP SCHEMA reverse_spec CASCADE and push again")

// migrate brings the schema to the current version.
func (s *server) migrate(ctx context.Context, c *pgx.Conn) error {
	at, err := s.version(ctx, c)
	if err != nil || at == schemaVersion {
		return err
	}
	return transact(ctx, c, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		at, err := s.version(ctx, tx) // another process may have been first
		if err != nil {
			return err
		}
		return migrate(ctx, tx, at)
	})
}

// migrate applies the steps after a version.
func migrate(ctx context.Context, tx pgx.Tx, at int) error {
	there := false // made by an administrator, for a user who may make tables in it
	if err := tx.QueryRow(ctx, "SELECT to_regnamespace('reverse_spec') IS NOT NULL").Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := tx.Exec(ctx, "CREATE SCHEMA reverse_spec"); err != nil {
			return err
		}
	}
	for step := at + 1; step <= schemaVersion; step++ {
		text, err := migrations.ReadFile(fmt.Sprintf("schema/%d.sql", step))
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(text)); err != nil {
			return message.Errorf("migrate to version %d: %w", step, err)
		}
	}
	_, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM reverse_spec.version; INSERT INTO reverse_spec.version VALUES(%d)", schemaVersion))
	return err
}

// version returns the version of the schema, 0 for none. It is an error if it is newer than this program or lacks tables.
func (s *server) version(ctx context.Context, q querier) (at int, err error) {
	encoding, there := "", false
	err = q.QueryRow(ctx, "SELECT current_setting('server_encoding'), to_regclass('reverse_spec.version') IS NOT NULL").Scan(&encoding, &there)
	if err != nil {
		return 0, err
	}
	if !strings.EqualFold(encoding, "UTF8") {
		return 0, message.Errorf("its encoding is %s, and must be UTF8: createdb --encoding=UTF8 --template=template0", encoding)
	}
	if !there {
		return 0, nil
	}
	lacking := 0
	err = q.QueryRow(ctx, `SELECT coalesce((SELECT max(number) FROM reverse_spec.version), 0),
		(SELECT count(*) FROM unnest($1::text[]) AS t WHERE to_regclass('reverse_spec.' || t) IS NULL)`, tables()).Scan(&at, &lacking)
	switch {
	case err != nil:
		return 0, err
	case at > schemaVersion:
		return 0, &store.VersionError{Path: s.place, Got: at, Known: schemaVersion, Shared: true}
	case at < 1 || lacking > 0:
		return 0, &store.DamagedError{Path: s.place, Reason: errLacking, Shared: true}
	}
	return at, nil
}
