package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// mostProviders is how many projects may provide a name that still tells something. What more have, such as the path /health, leads to
// none of them alone.
const mostProviders = 8

// setContracts records what a project says of contracts, if that changed, and reports whether the edges into it are of something else.
func setContracts(ctx context.Context, tx pgx.Tx, key string, c store.Contracts) (changed bool, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(text)
	state := hex.EncodeToString(sum[:])
	const query = `INSERT INTO reverse_spec.contract(key, provides, uses, trace, surface, state) VALUES($1, $2, $3, $4, $5, $6)
		ON CONFLICT(key) DO UPDATE SET provides = $2, uses = $3, trace = $4, surface = $5, state = $6 WHERE contract.state <> $6`
	provides, uses := append([]int64{}, c.Provides...), append([]int64{}, c.Uses...)
	if _, err := tx.Exec(ctx, query, textIn(key), provides, uses, append([]byte{}, c.Trace...), c.Surface, state); err != nil {
		return false, err
	}
	err = tx.QueryRow(ctx, "SELECT linked <> surface FROM reverse_spec.contract WHERE key = $1", textIn(key)).Scan(&changed)
	return changed, err
}

// Trace returns what a project said of its code.
func (s *Store) Trace(ctx context.Context, key string) (trace []byte, err error) {
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		err := c.QueryRow(ctx, "SELECT trace FROM reverse_spec.contract WHERE key = $1", textIn(key)).Scan(&trace)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, message.Errorf("read what %s may use of contracts: %w", key, err)
	}
	return bytes.Clone(trace), nil
}

// providers are the projects that provide a name that the project $1 uses, one that few provide, with the hashes of what they provide.
var providers = fmt.Sprintf(`WITH own AS (SELECT uses FROM reverse_spec.contract WHERE key = $1),
	hit AS (SELECT c.key, c.surface, n FROM reverse_spec.contract c, unnest(c.provides) n
		WHERE c.provides && (SELECT uses FROM own) AND n IN (SELECT unnest(uses) FROM own)),
	few AS (SELECT n FROM hit GROUP BY n HAVING count(*) <= %d)
	SELECT DISTINCT key, surface FROM hit JOIN few USING (n) WHERE key <> $1 ORDER BY key`, mostProviders)

// contractState returns the projects whose contracts a project may use, and the state of what its edges depend on.
func contractState(ctx context.Context, q querier, key string) (keys []string, state string, err error) {
	own := ""
	err = q.QueryRow(ctx, "SELECT state FROM reverse_spec.contract WHERE key = $1", textIn(key)).Scan(&own)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	rows, err := q.Query(ctx, providers, textIn(key))
	if err != nil {
		return nil, "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, own)
	var other, surface string
	_, err = pgx.ForEachRow(rows, []any{&other, &surface}, func() error {
		keys = append(keys, other) // as it is stored
		fmt.Fprintf(sum, "%q %s\n", other, surface)
		return nil
	})
	return keys, hex.EncodeToString(sum.Sum(nil)), err
}

// Providers returns the projects whose contracts a project may use.
func (s *Store) Providers(ctx context.Context, key string) (found []store.SharedProject, state string, err error) {
	var keys []string
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		keys, state, err = contractState(ctx, c, key)
		return err
	})
	if err == nil && len(keys) > 0 {
		found, err = s.origins(ctx, "WHERE p.key = ANY($1) ORDER BY p.key", keys)
	}
	if err != nil {
		return nil, "", message.Errorf("find the contracts that %s may use: %w", key, err)
	}
	return found, state, nil
}

// Users returns the projects that may use the contracts of a project.
func (s *Store) Users(ctx context.Context, key string) ([]store.SharedProject, error) {
	query := fmt.Sprintf(`WHERE p.key <> $1 AND p.key IN (SELECT key FROM reverse_spec.contract WHERE uses && (
		SELECT coalesce(array_agg(DISTINCT n), '{}') FROM reverse_spec.contract own, unnest(own.provides || own.was) n
		WHERE own.key = $1 AND (SELECT count(*) FROM reverse_spec.contract c WHERE c.provides @> ARRAY[n]) <= %d)) ORDER BY p.key`, mostProviders)
	found, err := s.origins(ctx, query, textIn(key))
	if err != nil {
		return nil, message.Errorf("find who may use the contracts of %s: %w", key, err)
	}
	return found, nil
}

// unmovedContracts returns [store.ErrMoved] unless what edges by contracts depend on is as it was. Whoever changes it afterwards computes
// them anew.
func unmovedContracts(ctx context.Context, tx pgx.Tx, sources map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(sources)) {
		_, state, err := contractState(ctx, tx, key)
		if err == nil && state != sources[key] {
			err = store.ErrMoved
		}
		if err != nil {
			return err
		}
	}
	return nil
}
