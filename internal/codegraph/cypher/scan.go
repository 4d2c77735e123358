package cypher

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// scan finds nodes and writes each to a slot, for each row.
type scan struct {
	graph  Graph
	scope  *eval.Scope
	slot   int
	name   string // name of the variable
	labels []string
	seeks  []seek // alternatives; nil for all nodes with the labels
	rows   float64
}

// seek is a property and its comparison.
type seek struct {
	property string
	by       By
	text     eval.Expr // a string, or a list of alternatives; other values match nothing
	constant bool      // independent of the row
	shown    string
}

func (s *scan) explain() step {
	of := s.name
	if len(s.labels) > 0 {
		of += ":" + strings.Join(s.labels, "|")
	}
	if len(s.seeks) == 0 {
		return step{name: "Scan", detail: "(" + of + ")", rows: s.rows}
	}
	shown := make([]string, len(s.seeks))
	for i, k := range s.seeks {
		shown[i] = k.shown
	}
	return step{name: "Seek", detail: fmt.Sprintf("(%s) %s", of, strings.Join(shown, " OR ")), rows: s.rows}
}

func (s *scan) run(ctx context.Context, in stream) stream {
	var found []codegraph.ID
	known := false
	return each(in, s.scope, func(out *emitter, rows []eval.Row) (more bool, err error) {
		for _, r := range rows {
			if !known {
				if found, err = s.find(ctx, r); err != nil {
					return false, err
				}
				known = !slices.ContainsFunc(s.seeks, func(k seek) bool { return !k.constant })
			}
			if more, err = s.spread(ctx, out, r, found); !more || err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// spread adds a row for each node, and reports whether to continue.
func (s *scan) spread(ctx context.Context, out *emitter, r eval.Row, ids []codegraph.ID) (more bool, err error) {
	for i, id := range ids {
		if i%fullBatch == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		next := out.copy(r)
		next[s.slot] = value.Node(id)
		if !out.add(next) {
			return false, nil
		}
	}
	return true, nil
}

// find returns the matching nodes for a row, sorted by id.
func (s *scan) find(ctx context.Context, r eval.Row) ([]codegraph.ID, error) {
	if len(s.seeks) == 0 {
		return s.graph.Find(ctx, Lookup{Labels: s.labels})
	}
	var all []codegraph.ID
	lookups := 0
	for _, k := range s.seeks {
		v, err := k.text(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, text := range texts(v) {
			ids, err := s.graph.Find(ctx, Lookup{Labels: s.labels, Property: k.property, By: k.by, Text: text})
			if err != nil {
				return nil, err
			}
			all = append(all, ids...)
			lookups++
		}
	}
	if lookups > 1 {
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all, nil
}

// texts returns a string as a list, or the strings of a list.
func texts(v value.Value) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case value.List:
		var all []string
		for _, item := range v {
			if text, ok := item.(string); ok {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}
