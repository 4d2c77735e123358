package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Virtual returns the virtual edges from the named symbols, or all for nil: those that were set, and those to other projects of the store.
func (g *Graph) Virtual(ctx context.Context, symbols []string) (edges []store.VirtualEdge, err error) {
	err = g.read(ctx, "the virtual edges", func(tx pgx.Tx) error {
		edges = []store.VirtualEdge{}
		query, args := "SELECT content FROM reverse_spec.virtual_edge WHERE graph = $1", []any{g.id}
		if symbols != nil {
			query += " AND source_symbol = ANY($2)"
			args = append(args, textsIn(symbols))
		}
		rows, err := tx.Query(ctx, query+" ORDER BY source_symbol, target_repo, target_symbol, edge_type, contract_type, id", args...)
		if err != nil {
			return err
		}
		var text string
		_, err = pgx.ForEachRow(rows, []any{&text}, func() error {
			var e store.VirtualEdge
			if err := json.Unmarshal([]byte(textOut(text)), &e); err != nil {
				return message.Errorf("%w: a virtual edge: %w", errContents, err)
			}
			edges = append(edges, e)
			return nil
		})
		if err != nil {
			return err
		}
		part, args := "WHERE source = $1", []any{textIn(g.key)}
		if symbols != nil {
			part, args = part+" AND source_symbol = ANY($2)", append(args, textsIn(symbols))
		}
		links, err := readLinks(ctx, tx, part, args...)
		for _, l := range links {
			edges = append(edges, l.Edge)
		}
		if len(links) > 0 {
			slices.SortStableFunc(edges, compareVirtual)
		}
		return err
	})
	return edges, err
}

// compareVirtual compares edges by the order in which they are returned.
func compareVirtual(a, b store.VirtualEdge) int {
	return cmp.Or(cmp.Compare(a.SourceSymbol, b.SourceSymbol), cmp.Compare(a.TargetRepo, b.TargetRepo), cmp.Compare(a.TargetSymbol, b.TargetSymbol),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.Contract, b.Contract), cmp.Compare(a.ID, b.ID))
}

// SetVirtual replaces all virtual edges.
func (g *Graph) SetVirtual(ctx context.Context, edges []store.VirtualEdge) error {
	err := g.change(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.virtual_edge WHERE graph = $1", g.id); err != nil {
			return err
		}
		columns := []string{"graph", "id", "source_symbol", "target_repo", "target_symbol", "edge_type", "contract_type", "content"}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"reverse_spec", "virtual_edge"}, columns, pgx.CopyFromSlice(len(edges), func(i int) ([]any, error) {
			e := &edges[i]
			text, err := json.Marshal(e)
			return []any{
				g.id, textIn(e.ID), textIn(e.SourceSymbol), textIn(e.TargetRepo), textIn(e.TargetSymbol), textIn(string(e.Type)), textIn(e.Contract), textIn(string(text)),
			}, err
		}))
		return err
	})
	if err != nil {
		return message.Errorf("set the virtual edges of project %s: %w", g.project, err)
	}
	return nil
}

// copyVirtual gives a new graph the virtual edges of the old one: they refer to names, not ids.
func copyVirtual(ctx context.Context, tx pgx.Tx, from, to int32) error {
	_, err := tx.Exec(ctx, `INSERT INTO reverse_spec.virtual_edge
		SELECT $2, id, source_symbol, target_repo, target_symbol, edge_type, contract_type, content FROM reverse_spec.virtual_edge WHERE graph = $1`, from, to)
	return err
}
