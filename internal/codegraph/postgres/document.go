package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// SetDocuments replaces the documents of a project.
func (s *Store) SetDocuments(ctx context.Context, key string, texts map[string][]byte) error {
	sum := sha256.New()
	paths := slices.Sorted(maps.Keys(texts))
	for _, path := range paths {
		fmt.Fprintf(sum, "%d %s %d ", len(path), path, len(texts[path]))
		sum.Write(texts[path])
	}
	now := hex.EncodeToString(sum.Sum(nil))
	err := s.transact(ctx, func(tx pgx.Tx) error {
		before := ""
		if err := tx.QueryRow(ctx, "SELECT documents FROM reverse_spec.project WHERE key = $1 FOR UPDATE", textIn(key)).Scan(&before); err != nil || before == now {
			return err
		}
		if err := forgetDocuments(ctx, tx, key); err != nil {
			return err
		}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"reverse_spec", "document"}, []string{"key", "path", "content"}, pgx.CopyFromSlice(len(paths), func(i int) ([]any, error) {
			return []any{textIn(key), textIn(paths[i]), texts[paths[i]]}, nil
		}))
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE reverse_spec.project SET documents = $2 WHERE key = $1", textIn(key), now)
		}
		return err
	})
	if err != nil {
		return message.Errorf("store the specs of %s: %w", key, err)
	}
	return nil
}

func forgetDocuments(ctx context.Context, tx pgx.Tx, key string) error {
	_, err := tx.Exec(ctx, "DELETE FROM reverse_spec.document WHERE key = $1", textIn(key))
	return err
}

// Documents returns the documents of a project.
func (s *Store) Documents(ctx context.Context, key, known string) (texts map[string][]byte, hash string, err error) {
	read := func(tx pgx.Tx) error {
		texts = nil
		err := tx.QueryRow(ctx, "SELECT documents FROM reverse_spec.project WHERE key = $1", textIn(key)).Scan(&hash)
		if errors.Is(err, pgx.ErrNoRows) {
			return store.ErrNone
		}
		if err != nil || hash == known && known != "" {
			return err
		}
		texts = map[string][]byte{}
		rows, err := tx.Query(ctx, "SELECT path, content FROM reverse_spec.document WHERE key = $1", textIn(key))
		if err != nil {
			return err
		}
		var path string
		var content []byte
		_, err = pgx.ForEachRow(rows, []any{&path, &content}, func() error {
			texts[textOut(path)] = slices.Clone(content)
			return nil
		})
		return err
	}
	err = s.use(ctx, func(c *pgxpool.Conn) error { // both in one state
		return transact(ctx, c.Conn(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, read)
	})
	if err != nil {
		return nil, "", message.Errorf("read the specs of %s: %w", key, err)
	}
	return texts, hash, nil
}
