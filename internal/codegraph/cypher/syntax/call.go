package syntax

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// call parses CALL with a subquery or a procedure.
func (p *parser) call() Clause {
	at := p.tok().at
	optional := p.accept("OPTIONAL")
	p.expect("CALL")
	if p.isOneOf("{", "(") {
		return p.callSubquery(&CallSubquery{At: at, Optional: optional})
	}
	if optional {
		p.refuse(at, message.New("OPTIONAL CALL of a procedure is not supported"), message.New("leave out OPTIONAL, or put the CALL into OPTIONAL CALL { }"))
	}
	return p.callProcedure(&CallProcedure{At: at})
}

// callSubquery parses the variables in parentheses, if any, and the query in braces.
func (p *parser) callSubquery(c *CallSubquery) Clause {
	if open := p.tok(); p.accept("(") {
		c.Scoped = true
		c.Star = p.accept("*")
		for more := !c.Star && !p.is(")"); more; more = p.accept(",") {
			c.Scope = append(c.Scope, p.variable())
		}
		p.close(open, message.New("%s", "','"))
	}
	defer p.leave()
	if !p.enter() {
		return c
	}
	c.Query = p.innerQuery(false)
	if p.is("IN") {
		p.refuse(p.tok().at, message.New("CALL { } IN TRANSACTIONS is not allowed: queries only read"), message.New("leave out IN TRANSACTIONS"))
	}
	if !c.Scoped {
		for _, s := range c.Query.parts() {
			s.takeImports()
		}
	}
	return c
}

// parts returns the parts of a query; none for nil.
func (q *Query) parts() []*Single {
	if q == nil {
		return nil
	}
	return q.Parts
}

// takeImports moves a first WITH that only names variables from the clauses to the imports.
func (s *Single) takeImports() {
	if len(s.Clauses) == 0 {
		return
	}
	w, ok := s.Clauses[0].(*Projection)
	if !ok || w.Return || w.Distinct || w.OrderBy != nil || w.Skip != nil || w.Limit != nil || w.Where != nil {
		return
	}
	renames := slices.ContainsFunc(w.Items, func(i *Item) bool {
		_, variable := i.Expr.(*Variable)
		return !variable || i.As != ""
	})
	if !renames {
		s.Imports, s.Clauses = w, s.Clauses[1:]
	}
}

// callProcedure parses the name, arguments and columns of a procedure.
func (p *parser) callProcedure(c *CallProcedure) Clause {
	c.Name = p.name(message.New("a procedure, '{' or '('"))
	for p.accept(".") {
		c.Name += "." + p.name(message.New("a procedure"))
	}
	if open := p.tok(); p.accept("(") {
		c.Args = []Expr{}
		for more := !p.is(")"); more; more = p.accept(",") {
			c.Args = append(c.Args, p.expr())
		}
		p.close(open, message.New("%s", "','"))
	}
	if p.accept("YIELD") {
		p.yield(c)
	}
	c.Where = p.where()
	return c
}

// yield parses the columns after YIELD.
func (p *parser) yield(c *CallProcedure) {
	if p.accept("*") {
		c.All = true
		return
	}
	if p.accept("-") { // openCypher's YIELD - is for procedures without columns
		return
	}
	for more := true; more; more = p.accept(",") {
		column := p.variable()
		y := &Yield{Column: column.Name, As: column}
		if p.accept("AS") {
			y.As = p.variable()
		}
		c.Yield = append(c.Yield, y)
	}
}

// show parses SHOW with its words, as a procedure of that name, and the clauses that may follow.
func (p *parser) show() *Query {
	c := &CallProcedure{At: p.tok().at}
	var words []string
	for p.tok().kind == word && !p.isOneOf("YIELD", "WHERE", "RETURN") {
		words = append(words, p.take().key)
	}
	c.Name = strings.Join(words, " ")
	s := &Single{Clauses: []Clause{c}}
	q := &Query{Parts: []*Single{s}}
	if !p.accept("YIELD") {
		c.All, c.Alone, c.Where = true, true, p.where()
		return q
	}
	p.yield(c)
	last := &Projection{At: c.At, Star: true}
	p.ordering(last)
	last.Where = p.where()
	if at := p.tok().at; p.accept("RETURN") {
		s.Clauses = append(s.Clauses, last)
		last = p.projection(at)
	}
	last.Return = true
	s.Clauses = append(s.Clauses, last)
	return q
}
