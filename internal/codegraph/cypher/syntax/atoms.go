package syntax

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// atom parses an operand without operators.
func (p *parser) atom() Expr {
	t := p.tok()
	switch {
	case t.kind == number && t.fault != nil:
		p.report(t.fault)
		return nil
	case t.kind == number, t.kind == str:
		p.take()
		return &Literal{At: t.at, Value: t.value}
	case t.kind == param:
		p.take()
		return &Parameter{At: t.at, Name: t.name()}
	case t.isName():
		return p.named()
	case t.key == "(":
		return p.parenthesis()
	case t.key == "[":
		return p.list()
	case t.key == "{":
		return p.mapLiteral()
	}
	p.expected(message.New("an expression"))
	return nil
}

// parenthesis parses an expression in parentheses, or a pattern that begins with a node.
func (p *parser) parenthesis() Expr {
	open := p.tok()
	if p.chainAt(p.i) {
		return &PatternPredicate{At: open.at, Path: p.chain()}
	}
	p.take()
	e := p.expr()
	p.close(open, message.New("an operator"))
	return e
}

// named parses an operand that begins with a name or keyword.
func (p *parser) named() Expr {
	t := p.tok()
	switch t.key {
	case "NULL":
		p.take()
		return &Literal{At: t.at}
	case "TRUE", "FALSE":
		p.take()
		return &Literal{At: t.at, Value: t.key == "TRUE"}
	case "CASE":
		return p.caseOf()
	case "NOT":
		p.expected(message.New("an expression"))
		p.err.Advice = message.New("put NOT and what follows it in brackets")
		return nil
	}
	if p.operandMissing() {
		if !p.rejectUnsupported(t, false) {
			p.expected(message.New("an expression"))
		}
		return nil
	}
	if e := p.special(); e != nil {
		return e
	}
	if p.callAt() {
		return p.functionCall()
	}
	return p.reference()
}

// reference parses a variable.
func (p *parser) reference() Expr {
	v := p.variable()
	if p.is("{") {
		return p.mapProjection(v)
	}
	return v
}

// special parses a function with a syntax of its own; it returns nil if none is next.
func (p *parser) special() Expr {
	t := p.tok()
	switch bracket := p.peek(1).key; {
	case bracket == "{" && p.isOneOf(string(ExistsKind), string(CountKind), string(CollectKind)):
		return p.subquery()
	case bracket != "(":
		return nil
	case t.key == "EXISTS" && p.chainAt(p.i+2):
		return p.existsPattern()
	case t.key == "COUNT" && p.peek(2).key == "*":
		p.take()
		open := p.take()
		p.take()
		p.close(open)
		return &CountStar{At: t.at}
	case t.key == "REDUCE":
		return p.reduce()
	}
	switch kind := QuantifierKind(strings.ToLower(t.key)); kind {
	case All, Any, None, One:
		return p.quantifier(kind)
	}
	if p.isShortest() {
		return p.shortestAsValue()
	}
	return nil
}

// subquery parses EXISTS { }, COUNT { } and COLLECT { }.
func (p *parser) subquery() Expr {
	defer p.leave()
	word := p.take()
	s := &Subquery{At: word.at, Kind: SubqueryKind(word.key)}
	if p.enter() {
		s.Query = p.innerQuery(s.Kind != CollectKind)
	}
	return s
}

// existsPattern parses exists((a)-->(b)), which is EXISTS { (a)-->(b) }.
func (p *parser) existsPattern() Expr {
	at := p.take().at
	open := p.take()
	first := p.tok()
	c := &Match{At: first.at, Pattern: []*Path{p.chain()}}
	q := &Query{Text: p.source(first), Parts: []*Single{{Clauses: []Clause{c}}}}
	p.close(open)
	return &Subquery{At: at, Kind: ExistsKind, Query: q}
}

// shortestAsValue parses shortestPath(...) as a value: the first such path. allShortestPaths(...) is the list of
// them.
func (p *parser) shortestAsValue() Expr {
	path := p.shortest()
	// No name in a query contains this character unescaped.
	path.Var = &Variable{At: path.At, Name: "\x00path"}
	all := &PatternComprehension{At: path.At, Path: path, Map: &Variable{At: path.At, Name: path.Var.Name}}
	if path.Shortest == ShortestAll {
		return all
	}
	return &Call{At: path.At, Name: "head", Args: []Expr{all}}
}

// callAt reports whether a function call is next, possibly with a dotted name.
func (p *parser) callAt() bool {
	i := p.i + 1
	for p.key(i) == "." && p.namedAt(i+1) {
		i += 2
	}
	return p.key(i) == "("
}

// functionCall parses a function call.
func (p *parser) functionCall() Expr {
	c := &Call{At: p.tok().at, Name: p.name(message.New("a function"))}
	for p.accept(".") {
		c.Name += "." + p.name(message.New("a function"))
	}
	open := p.take()
	c.Distinct = p.accept("DISTINCT")
	if c.Distinct || !p.is(")") {
		c.Args = append(c.Args, p.expr())
		for p.accept(",") {
			c.Args = append(c.Args, p.expr())
		}
	}
	p.close(open, message.New("%s", "','"))
	return c
}

// caseOf parses CASE in both forms. Each of several values after a WHEN is a branch.
func (p *parser) caseOf() Expr {
	c := &Case{At: p.take().at}
	if !p.is("WHEN") {
		c.Subject = p.disjunction()
	}
	if !p.is("WHEN") {
		p.expected(message.New("%s", "WHEN"))
	}
	for p.accept("WHEN") {
		values := []Expr{p.disjunction()}
		for c.Subject != nil && p.accept(",") {
			values = append(values, p.disjunction())
		}
		p.expect("THEN")
		then := p.disjunction()
		for _, value := range values {
			c.Whens = append(c.Whens, When{When: value, Then: then})
		}
	}
	if p.accept("ELSE") {
		c.Else = p.disjunction()
	}
	if !p.accept("END") {
		p.expected(message.New("WHEN, ELSE or END"))
	}
	return c
}
