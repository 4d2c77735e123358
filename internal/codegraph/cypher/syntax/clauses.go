package syntax

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// mode parses EXPLAIN or PROFILE, if present.
func (p *parser) mode() Mode {
	if !p.isOneOf(string(Explain), string(Profile)) {
		return ""
	}
	return Mode(p.take().key)
}

// query parses single queries joined by UNION. A nested one may lack its RETURN.
func (p *parser) query(nested bool) *Query {
	if !nested && p.is("SHOW") {
		return p.show()
	}
	q := &Query{Parts: []*Single{p.single(nested)}}
	for p.is("UNION") {
		union := Union{At: p.take().at, All: p.accept("ALL")}
		if !union.All {
			p.accept("DISTINCT")
		}
		q.Unions = append(q.Unions, union)
		q.Parts = append(q.Parts, p.single(nested))
	}
	return q
}

// single parses the clauses of a query without UNION.
func (p *parser) single(nested bool) *Single {
	s := &Single{}
	next := message.New("a clause such as MATCH or RETURN")
	for p.err == nil && (len(s.Clauses) == 0 || !p.singleEnds()) {
		c := p.clause(next, nested)
		s.Clauses = append(s.Clauses, c)
		if call, ok := c.(*CallProcedure); ok && len(s.Clauses) == 1 && p.singleEnds() {
			call.Alone, call.All = true, call.All || call.Yield == nil
			return s
		}
		next = message.New("the next clause")
		projection, ok := c.(*Projection)
		if !ok {
			continue
		}
		next = message.New("',' or the next clause")
		if projection.Return {
			p.afterReturn(nested)
			return s
		}
	}
	if !nested {
		p.fail(p.tok().at, "InvalidClauseComposition", message.New("the query does not end with RETURN"), message.New("say with RETURN what you want to know"))
	}
	return s
}

// singleEnds reports whether the next token ends a single query.
func (p *parser) singleEnds() bool {
	return p.tok().kind == end || p.isOneOf(";", "}", "UNION")
}

// afterReturn reports an error if something follows RETURN.
func (p *parser) afterReturn(nested bool) {
	switch {
	case p.singleEnds() || p.err != nil:
	case p.isOneOf("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"):
		p.fail(p.tok().at, "InvalidClauseComposition", message.New("%s cannot follow RETURN, which is the last clause", p.tok().key),
			message.New("write WITH in place of the RETURN to go on"))
	default:
		p.noClause(message.New("',', a clause or the end of the query"), nested)
	}
}

// clause parses one clause. What describes the expected clauses for an error.
func (p *parser) clause(what message.Text, nested bool) Clause {
	at := p.tok().at
	switch {
	case p.is("MATCH"), p.is("OPTIONAL", "MATCH"):
		return p.match()
	case p.accept("UNWIND"):
		list := p.expr()
		p.expect("AS")
		return &Unwind{At: at, List: list, As: p.variable()}
	case p.accept("WITH"):
		c := p.projection(at)
		c.Where = p.where()
		return c
	case p.accept("RETURN"):
		c := p.projection(at)
		c.Return = true
		return c
	case p.is("CALL"), p.is("OPTIONAL", "CALL"):
		return p.call()
	case p.accept("OPTIONAL"):
		what = message.New("MATCH or CALL")
	}
	p.noClause(what, nested)
	return nil
}

func (p *parser) match() *Match {
	c := &Match{At: p.tok().at, Optional: p.accept("OPTIONAL")}
	p.expect("MATCH")
	c.Pattern = p.pattern()
	c.Where = p.where()
	return c
}

// where parses WHERE and its condition, if present.
func (p *parser) where() Expr {
	if !p.accept("WHERE") {
		return nil
	}
	return p.expr()
}

// projection parses the common part of WITH and RETURN.
func (p *parser) projection(at Pos) *Projection {
	c := &Projection{At: at, Distinct: p.accept("DISTINCT")}
	c.Star = p.accept("*")
	if !c.Star || p.accept(",") {
		c.Items = append(c.Items, p.item())
		for p.accept(",") {
			c.Items = append(c.Items, p.item())
		}
	}
	p.ordering(c)
	return c
}

// ordering parses ORDER BY, SKIP and LIMIT, if present.
func (p *parser) ordering(c *Projection) {
	if p.accept("ORDER") {
		p.expect("BY")
		c.OrderBy = append(c.OrderBy, p.order())
		for p.accept(",") {
			c.OrderBy = append(c.OrderBy, p.order())
		}
	}
	if p.accept("SKIP") || p.accept("OFFSET") {
		c.Skip = p.expr()
	}
	if p.accept("LIMIT") {
		c.Limit = p.expr()
	}
}

// item parses one column of a projection.
func (p *parser) item() *Item {
	first := p.tok()
	item := &Item{At: first.at, Expr: p.expr()}
	item.Text = p.source(first)
	if p.accept("AS") {
		item.As = p.name(message.New("a name for the column"))
	}
	return item
}

// order parses one key of ORDER BY.
func (p *parser) order() *Order {
	o := &Order{Expr: p.expr()}
	if p.accept("DESC") || p.accept("DESCENDING") {
		o.Descending = true
	} else if !p.accept("ASC") {
		p.accept("ASCENDING")
	}
	return o
}

// innerQuery parses the query in braces, where a bare pattern may be a MATCH.
func (p *parser) innerQuery(bare bool) *Query {
	open := p.tok()
	p.expect("{")
	first := p.tok()
	var q *Query
	if bare && (first.key == "(" || first.isName() && p.peek(1).key == "=" || p.isShortest()) {
		c := &Match{At: first.at, Pattern: p.pattern(), Where: p.where()}
		q = &Query{Parts: []*Single{{Clauses: []Clause{c}}}}
	} else {
		q = p.query(true)
	}
	q.Text = strings.TrimSpace(p.source(first))
	p.close(open)
	return q
}
