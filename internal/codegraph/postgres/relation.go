package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// recount counts the edges from some projects, and those to one, in the transaction that changed them.
func recount(ctx context.Context, tx pgx.Tx, sources []string, target string) error {
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.relation WHERE source = ANY($1) OR target = $2", textsIn(sources), textIn(target)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO reverse_spec.relation SELECT source, target, coalesce(substring(content FROM '"contract_type":"([^"]*)"'), ''), bool_or(contract), count(*)
		FROM reverse_spec.link WHERE source = ANY($1) OR target = $2 GROUP BY 1, 2, 3`, textsIn(sources), textIn(target))
	return err
}

// Relations returns how many edges lead from projects to others.
func (s *Store) Relations(ctx context.Context, keys []string) (all []store.Relation, err error) {
	var stored []string // NULL
	if keys != nil {
		stored = textsIn(keys)
	}
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		all = nil
		rows, err := c.Query(ctx, `SELECT source, target, kind, contract, edges FROM reverse_spec.relation
			WHERE $1::text[] IS NULL OR source = ANY($1) OR target = ANY($1) ORDER BY source, target, kind`, stored)
		if err != nil {
			return err
		}
		var r store.Relation
		_, err = pgx.ForEachRow(rows, []any{&r.Source, &r.Target, &r.Kind, &r.Contract, &r.Edges}, func() error {
			all = append(all, store.Relation{Source: textOut(r.Source), Target: textOut(r.Target), Kind: textOut(r.Kind), Contract: r.Contract, Edges: r.Edges})
			return nil
		})
		return err
	})
	if err != nil {
		return nil, message.Errorf("read what projects use of each other: %w", err)
	}
	return all, nil
}
