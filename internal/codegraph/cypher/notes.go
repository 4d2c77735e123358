package cypher

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// noteUnknownNames adds notes about labels, types and properties in a query that do not exist in the graph, because an empty
// result does not explain itself.
func noteUnknownNames(ctx context.Context, x *execution, q *syntax.Query) error {
	known, err := x.graph.Vocabulary(ctx)
	if err != nil {
		return err
	}
	r := unknownNames{execution: x, known: known, lang: message.From(ctx), keys: mapKeys(q)}
	r.query(q)
	return nil
}

type unknownNames struct {
	*execution
	known Vocabulary
	lang  message.Lang
	keys  map[string]bool // keys of maps in the query, which are no properties
}

// mapKeys returns the keys of the maps that a query makes, and of those that its procedures return.
func mapKeys(q *syntax.Query) map[string]bool {
	keys := map[string]bool{}
	for _, part := range q.Parts {
		for _, c := range part.Clauses {
			if call, ok := c.(*syntax.CallProcedure); ok {
				for _, key := range check.FindProcedure(call.Name).Keys {
					keys[key] = true
				}
			}
		}
	}
	for _, e := range q.Exprs() {
		syntax.Walk(e, func(e syntax.Expr) bool {
			var made []string
			switch e := e.(type) {
			case *syntax.Map:
				made = e.Keys
			case *syntax.MapProjection:
				made = e.Keys
			}
			for _, key := range made {
				keys[key] = true
			}
			return true
		})
	}
	return keys
}

func (r *unknownNames) query(q *syntax.Query) {
	for _, part := range q.Parts {
		for _, c := range part.Clauses {
			switch c := c.(type) {
			case *syntax.Match:
				for _, p := range c.Pattern {
					r.path(p)
				}
			case *syntax.CallSubquery:
				r.query(c.Query)
				continue
			}
			for _, e := range syntax.Exprs(c) {
				syntax.Walk(e, r.expr)
			}
		}
	}
}

func (r *unknownNames) path(p *syntax.Path) {
	for _, n := range p.Nodes {
		r.labels(n.Labels)
	}
	for _, rel := range p.Rels {
		for _, t := range rel.Types {
			r.word(message.New("no relationship is of the type %s", syntax.Quote(t)), t, r.known.Types)
		}
	}
}

// expr visits an expression; Walk visits its operands.
func (r *unknownNames) expr(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Property:
		if _, ok := e.Of.(*syntax.Variable); ok && len(r.known.Properties) > 0 && !r.keys[e.Key] {
			r.word(message.New("no node or relationship has the property %s", syntax.Quote(e.Key)), e.Key, r.known.Properties)
		}
	case *syntax.HasLabels:
		r.labels(e.Labels)
	case *syntax.PatternPredicate:
		r.path(e.Path)
	case *syntax.PatternComprehension:
		r.path(e.Path)
	case *syntax.Subquery:
		r.query(e.Query)
		return false
	}
	return true
}

func (r *unknownNames) labels(labels syntax.Labels) {
	for _, group := range labels {
		for _, label := range group {
			r.word(message.New("no node has the label %s", syntax.Quote(label)), label, r.known.Labels)
		}
	}
}

// word adds a note if a word is not known.
func (r *unknownNames) word(text message.Text, word string, known []string) {
	if slices.Contains(known, word) {
		return
	}
	if near := suggest.Nearest(word, known); near != "" {
		text = message.New("%s; did you mean %s?", text, near)
	}
	r.note(text.In(r.lang))
}
