package syntax

import (
	"math"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The rules for expressions, in order of increasing precedence. A nested expression inherits whether a | ends it,
// except in brackets.

// expr parses an expression that a | does not end.
func (p *parser) expr() Expr { return p.exprUntil(false) }

// exprBeforeBar parses an expression that a | may end.
func (p *parser) exprBeforeBar() Expr { return p.exprUntil(true) }

func (p *parser) exprUntil(bar bool) Expr {
	outer := p.bar
	p.bar = bar
	e := p.disjunction()
	p.bar = outer
	return e
}

func (p *parser) disjunction() Expr {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	return p.binary(p.exclusive, Or)
}

func (p *parser) exclusive() Expr   { return p.binary(p.conjunction, Xor) }
func (p *parser) conjunction() Expr { return p.binary(p.negation, And) }

// binary parses left-associative operators of equal precedence.
func (p *parser) binary(operand func() Expr, ops ...Op) Expr {
	e := operand()
	for {
		at := p.tok().at
		op, ok := p.operator(ops)
		if !ok {
			return e
		}
		e = &Binary{At: at, Op: op, L: e, R: operand()}
	}
}

// operator consumes one of the operators, if it is next.
func (p *parser) operator(ops []Op) (Op, bool) {
	for _, op := range ops {
		if p.accept(string(op)) {
			return op, true
		}
	}
	return "", false
}

func (p *parser) negation() Expr {
	at := p.tok().at
	if !p.accept(string(Not)) {
		return p.comparison()
	}
	return p.prefixed(Not, at, p.negation)
}

// prefixed parses the operand of a prefix operator.
func (p *parser) prefixed(op Op, at Pos, operand func() Expr) Expr {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	return &Unary{At: at, Op: op, X: operand()}
}

// comparison parses a chain such as a < b <= c.
func (p *parser) comparison() Expr {
	first := p.predicate()
	c := &Comparison{At: p.tok().at, Operands: []Expr{first}}
	for {
		op, ok := p.operator([]Op{Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual})
		if !ok {
			break
		}
		c.Ops = append(c.Ops, op)
		c.Operands = append(c.Operands, p.predicate())
	}
	if len(c.Ops) == 0 {
		return first
	}
	return c
}

// predicate parses operators with a precedence between comparison and arithmetic.
func (p *parser) predicate() Expr {
	e := p.sum()
	for {
		at := p.tok().at
		switch {
		case p.accept("IS"):
			not := p.accept("NOT")
			if !p.accept("NULL") {
				p.expected(message.New("NULL or NOT NULL"))
			}
			e = &IsNull{At: at, X: e, Not: not}
		case p.is(":"):
			e = &HasLabels{At: at, X: e, Labels: p.labels(message.New("a label"))}
		default:
			op, ok := p.predicateOperator()
			if !ok {
				return e
			}
			e = &Binary{At: at, Op: op, L: e, R: p.sum()}
		}
	}
}

// predicateOperator consumes an operator on lists or strings.
func (p *parser) predicateOperator() (Op, bool) {
	switch {
	case p.accept("STARTS"):
		p.expect("WITH")
		return StartsWith, true
	case p.accept("ENDS"):
		p.expect("WITH")
		return EndsWith, true
	}
	return p.operator([]Op{In, Contains, Matches})
}

func (p *parser) sum() Expr     { return p.binary(p.product, Add, Subtract) }
func (p *parser) product() Expr { return p.binary(p.power, Multiply, Divide, Modulo) }
func (p *parser) power() Expr   { return p.binary(p.signed, Power) }

// signed parses an operand with its sign. The minimum integer is a literal with its sign, because without it the
// number is too large.
func (p *parser) signed() Expr {
	at := p.tok().at
	switch {
	case p.is("-") && p.peek(1).value == minInt64Digits:
		p.take()
		p.take()
		return &Literal{At: at, Value: int64(math.MinInt64)}
	case p.accept("-"):
		return p.prefixed(Negate, at, p.signed)
	case p.accept("+"):
		return p.prefixed(Plus, at, p.signed)
	}
	return p.postfix()
}

// postfix parses an operand followed by properties and indexes.
func (p *parser) postfix() Expr {
	e := p.atom()
	for {
		at := p.tok().at
		switch {
		case p.is("["):
			e = p.index(e)
		case p.accept("."):
			e = &Property{At: at, Of: e, Key: p.name(message.New("a property key"))}
		default:
			return e
		}
	}
}

// index parses [i] or [from..to].
func (p *parser) index(of Expr) Expr {
	open := p.take()
	var from, to Expr
	if !p.is("..") {
		from = p.expr()
	}
	if !p.accept("..") {
		p.close(open, message.New("%s", "'..'"))
		return &Index{At: open.at, Of: of, Index: from}
	}
	if !p.is("]") {
		to = p.expr()
	}
	p.close(open)
	return &Slice{At: open.at, Of: of, From: from, To: to}
}
