package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// uniqueViolation is PostgreSQL's code for a key that is there.
const uniqueViolation = "23505"

// AddToken stores a token.
func (s *Store) AddToken(ctx context.Context, t store.Token) error {
	var keys []string // NULL
	if !t.Access.All {
		keys = textsIn(t.Access.Keys)
	}
	err := s.use(ctx, func(c *pgxpool.Conn) error {
		_, err := c.Exec(ctx, "INSERT INTO reverse_spec.token VALUES($1, $2, $3, $4, $5)", t.Hash, textIn(t.Name), keys, t.Created.UnixNano(), timeIn(t.Expires))
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && refused.Code == uniqueViolation {
			return store.ErrTaken
		}
		return err
	})
	if err != nil {
		return message.Errorf("add token %s: %w", t.Name, err)
	}
	return nil
}

// Tokens returns all tokens, sorted by name.
func (s *Store) Tokens(ctx context.Context) ([]store.Token, error) {
	return s.tokens(ctx, "ORDER BY name")
}

// Token returns the token with a hash.
func (s *Store) Token(ctx context.Context, hash string) (store.Token, error) {
	found, err := s.tokens(ctx, "WHERE hash = $1", hash)
	if err == nil && len(found) == 0 {
		err = store.ErrNoToken
	}
	if err != nil {
		return store.Token{}, message.Errorf("look up a token: %w", err)
	}
	return found[0], nil
}

// tokens returns the tokens of a part of a query.
func (s *server) tokens(ctx context.Context, part string, args ...any) (tokens []store.Token, err error) {
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		tokens = nil
		rows, err := c.Query(ctx, "SELECT hash, name, keys, created, expires FROM reverse_spec.token "+part, args...)
		if err != nil {
			return err
		}
		var hash, name string
		var keys []string
		var created int64
		var expires *int64
		_, err = pgx.ForEachRow(rows, []any{&hash, &name, &keys, &created, &expires}, func() error {
			t := store.Token{Name: textOut(name), Hash: hash, Access: store.Access{All: keys == nil}, Created: timeOut(&created), Expires: timeOut(expires)}
			for _, key := range keys {
				t.Access.Keys = append(t.Access.Keys, textOut(key))
			}
			tokens = append(tokens, t)
			return nil
		})
		return err
	})
	return tokens, err
}

// RevokeToken removes the token with a name.
func (s *Store) RevokeToken(ctx context.Context, name string) error {
	err := s.use(ctx, func(c *pgxpool.Conn) error {
		done, err := c.Exec(ctx, "DELETE FROM reverse_spec.token WHERE name = $1", textIn(name))
		if err == nil && done.RowsAffected() == 0 {
			return store.ErrNoToken
		}
		return err
	})
	if err != nil {
		return message.Errorf("revoke token %s: %w", name, err)
	}
	return nil
}
