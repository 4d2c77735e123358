package syntax

import "github.com/reverse-spec/reverse-spec/internal/message"

// list parses a list, a list comprehension or a pattern comprehension. The first separator in the brackets
// distinguishes them.
func (p *parser) list() Expr {
	part := p.parts[p.i]
	filtered := part == "|" || part == "WHERE"
	named := p.peek(1).isName()
	switch {
	case named && p.peek(2).key == "IN" && part != ",":
		return p.listComprehension()
	case filtered && (p.chainAt(p.i+1) || named && p.peek(2).key == "=" && p.chainAt(p.i+3)):
		return p.patternComprehension()
	}
	open := p.take()
	l := &List{At: open.at}
	if !p.is("]") {
		l.Items = append(l.Items, p.expr())
		for p.accept(",") {
			l.Items = append(l.Items, p.expr())
		}
	}
	p.close(open, message.New("%s", "','"))
	return l
}

// element parses "v IN list" and an optional WHERE.
func (p *parser) element() (v *Variable, in, where Expr) {
	v = p.variable()
	p.expect("IN")
	in = p.exprBeforeBar()
	if p.accept("WHERE") {
		where = p.exprBeforeBar()
	}
	return v, in, where
}

func (p *parser) listComprehension() Expr {
	open := p.take()
	c := &ListComprehension{At: open.at}
	c.Var, c.In, c.Where = p.element()
	if p.accept("|") {
		c.Map = p.expr()
	}
	p.close(open)
	return c
}

func (p *parser) patternComprehension() Expr {
	open := p.take()
	c := &PatternComprehension{At: open.at, Path: p.path()}
	if p.accept("WHERE") {
		c.Where = p.exprBeforeBar()
	}
	p.expect("|")
	c.Map = p.expr()
	p.close(open)
	return c
}

// quantifier parses all(v IN list WHERE p) and the like.
func (p *parser) quantifier(kind QuantifierKind) Expr {
	q := &Quantifier{At: p.take().at, Kind: kind}
	open := p.take()
	q.Var = p.variable()
	p.expect("IN")
	q.In = p.expr()
	if p.accept("WHERE") {
		q.Where = p.expr()
	}
	p.close(open)
	return q
}

// reduce parses reduce(acc = init, v IN list | x).
func (p *parser) reduce() Expr {
	r := &Reduce{At: p.take().at}
	open := p.take()
	r.Acc = p.variable()
	p.expect("=")
	r.Init = p.expr()
	p.expect(",")
	r.Var = p.variable()
	p.expect("IN")
	r.In = p.exprBeforeBar()
	p.expect("|")
	r.Map = p.expr()
	p.close(open)
	return r
}

// mapLiteral parses {key: value}.
func (p *parser) mapLiteral() Expr {
	open := p.take()
	m := &Map{At: open.at}
	if !p.is("}") {
		p.entry(m)
		for p.accept(",") {
			p.entry(m)
		}
	}
	p.close(open, message.New("%s", "','"))
	return m
}

// mapProjection parses {.key, .*, key: value, variable} after a variable.
func (p *parser) mapProjection(of Expr) Expr {
	open := p.take()
	m := &MapProjection{At: open.at, Of: of}
	if !p.is("}") {
		p.selector(m)
		for p.accept(",") {
			p.selector(m)
		}
	}
	p.close(open, message.New("%s", "','"))
	return m
}

// selector parses one entry of a map projection.
func (p *parser) selector(m *MapProjection) {
	at := p.tok().at
	dot := p.accept(".")
	switch {
	case dot && p.accept("*"):
		m.Keys = append(m.Keys, "")
		m.Values = append(m.Values, &Call{At: at, Name: "properties", Args: []Expr{m.Of}})
		return
	case dot:
		key := p.name(message.New("a property key or '*'"))
		m.Keys, m.Values = append(m.Keys, key), append(m.Values, &Property{At: at, Of: m.Of, Key: key})
		return
	}
	name := p.name(message.New("an entry such as .name, .*, key: value or a variable"))
	var v Expr = &Variable{At: at, Name: name}
	if p.accept(":") {
		v = p.expr()
	}
	m.Keys, m.Values = append(m.Keys, name), append(m.Values, v)
}

// entry parses a key and value of a map.
func (p *parser) entry(m *Map) {
	if p.tok().kind == str {
		p.expected(message.New("a key"))
		p.err.Advice = message.New("write keys without quotes, or in backticks: {`a key`: 1}")
		return
	}
	key := p.name(message.New("a key"))
	p.expect(":")
	value := p.expr()
	m.Keys = append(m.Keys, key)
	m.Values = append(m.Values, value)
}
