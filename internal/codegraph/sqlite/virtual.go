package sqlite

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// virtualColumns are the columns that virtualEdge reads and writeVirtual writes.
const virtualColumns = `id, source_repo, source_symbol, target_repo, target_symbol, edge_type, contract_type, confidence_level, rule,
	source_file, target_root, target_file, signature, created_at, updated_at, source_line, start_line, end_line,
	confidence, exact_match, signature_similarity, contract_bonus`

// virtualOrder is the sort order of virtual edges.
const virtualOrder = " ORDER BY source_symbol, target_repo, target_symbol, edge_type, contract_type, id"

// Virtual returns the virtual edges from the named symbols, or all for nil.
func (g *Graph) Virtual(ctx context.Context, symbols []string) (edges []store.VirtualEdge, err error) {
	err = g.read(ctx, "the virtual edges", func(c *conn) error {
		edges, err = readVirtual(c.Conn, symbols)
		return err
	})
	return edges, err
}

func readVirtual(c *sqlite.Conn, symbols []string) ([]store.VirtualEdge, error) {
	query := "SELECT " + virtualColumns + " FROM virtual_edges"
	if symbols != nil {
		query += " WHERE source_symbol IN (SELECT value FROM json_each(?))"
	}
	stmt, err := c.Prepare(query + virtualOrder)
	if err != nil {
		return nil, err
	}
	if symbols != nil {
		names, err := json.Marshal(symbols)
		if err != nil {
			return nil, reset(stmt, err)
		}
		stmt.BindText(1, string(names))
	}
	edges := []store.VirtualEdge{}
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return edges, reset(stmt, err)
		}
		edges = append(edges, virtualEdge(stmt))
	}
}

// virtualEdge reads a virtual edge from a row.
func virtualEdge(row *sqlite.Stmt) store.VirtualEdge {
	e := store.VirtualEdge{}
	for i, to := range virtualTexts(&e) {
		*to = row.ColumnText(i)
	}
	e.CreatedAt, e.UpdatedAt = timeIn(row.ColumnText(13)), timeIn(row.ColumnText(14))
	for i, to := range []*int{&e.SourceLine, &e.StartLine, &e.EndLine} {
		*to = row.ColumnInt(15 + i)
	}
	for i, to := range virtualParts(&e) {
		*to = row.ColumnFloat(18 + i)
	}
	return e
}

// virtualTexts returns the text fields in the order of their columns.
func virtualTexts(e *store.VirtualEdge) []*string {
	return []*string{
		&e.ID, &e.SourceRepo, &e.SourceSymbol, &e.TargetRepo, &e.TargetSymbol, (*string)(&e.Type), &e.Contract, &e.Level, &e.Rule,
		&e.SourceFile, &e.TargetRoot, &e.TargetFile, &e.Signature,
	}
}

// virtualParts returns the confidence fields in the order of their columns.
func virtualParts(e *store.VirtualEdge) []*float64 {
	return []*float64{&e.Confidence, &e.ExactMatch, &e.SignatureSimilarity, &e.ContractBonus}
}

// timeIn parses a time written by another program; the zero time if it cannot.
func timeIn(text string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// SetVirtual replaces all virtual edges.
func (g *Graph) SetVirtual(ctx context.Context, edges []store.VirtualEdge) error {
	err := g.change(ctx, func(c *sqlite.Conn) error {
		if err := run(c, "DELETE FROM virtual_edges"); err != nil {
			return err
		}
		return writeVirtual(c, edges)
	})
	if err != nil {
		return message.Errorf("set the virtual edges of project %s: %w", g.opened.Project, g.store.checkDamage(ctx, g.file, g.info, err))
	}
	return nil
}

// writeVirtual inserts virtual edges.
func writeVirtual(c *sqlite.Conn, edges []store.VirtualEdge) error {
	marks := strings.Repeat(", ?", strings.Count(virtualColumns, ","))
	stmt, err := c.Prepare("INSERT INTO virtual_edges(" + virtualColumns + ") VALUES(?" + marks + ")")
	if err != nil {
		return err
	}
	for i := range edges {
		e := edges[i]
		for k, text := range virtualTexts(&e) {
			stmt.BindText(k+1, *text)
		}
		stmt.BindText(14, timeText(e.CreatedAt))
		stmt.BindText(15, timeText(e.UpdatedAt))
		for k, n := range []int{e.SourceLine, e.StartLine, e.EndLine} {
			stmt.BindInt64(16+k, int64(n))
		}
		for k, part := range virtualParts(&e) {
			stmt.BindFloat(19+k, *part)
		}
		if err := exec(stmt); err != nil {
			return message.Errorf("virtual edge %s: %w", e.ID, err)
		}
	}
	return nil
}

// timeText formats a time for timeIn.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// copyVirtual copies the virtual edges of the graph to be replaced: they refer to names, not ids. If that graph
// cannot be read, nothing is copied.
func (b *Builder) copyVirtual(ctx context.Context) error {
	var edges []store.VirtualEdge
	err := b.store.withReader(ctx, b.file, func(c *sqlite.Conn) error {
		at, err := b.store.verify(b.file, c)
		if err == nil && at == b.store.schema.version() {
			edges, err = readVirtual(c, nil)
		}
		return err
	})
	if err != nil {
		return ctx.Err()
	}
	return writeVirtual(b.c, edges)
}
