package syntax

// Walk calls f for an expression and its subexpressions in the order of the text, including properties in patterns
// and the clauses of a [Subquery]. If f returns false, the subexpressions are skipped. Declared names, such as the
// variable of a comprehension or pattern, are not expressions. Walk does nothing for nil.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range Children(e) {
		Walk(c, f)
	}
}

// Children returns the direct subexpressions in the order of the text, without nil.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Property:
		return add(nil, e.Of)
	case *Index:
		return add(nil, e.Of, e.Index)
	case *Slice:
		return add(nil, e.Of, e.From, e.To)
	case *List:
		return add(nil, e.Items...)
	case *Map:
		return add(nil, e.Values...)
	case *Unary:
		return add(nil, e.X)
	case *Binary:
		return add(nil, e.L, e.R)
	case *Comparison:
		return add(nil, e.Operands...)
	case *IsNull:
		return add(nil, e.X)
	case *HasLabels:
		return add(nil, e.X)
	case *Call:
		return add(nil, e.Args...)
	case *Case:
		return add(nil, e.parts()...)
	case *ListComprehension:
		return add(nil, e.In, e.Where, e.Map)
	case *Quantifier:
		return add(nil, e.In, e.Where)
	}
	return innerRows(e)
}

// innerRows returns the direct subexpressions of a map projection or a subquery expression.
func innerRows(e Expr) []Expr {
	switch e := e.(type) {
	case *MapProjection:
		return add([]Expr{e.Of}, e.Values...)
	case *Reduce:
		return add(nil, e.Init, e.In, e.Map)
	case *PatternComprehension:
		return add(e.Path.Exprs(), e.Where, e.Map)
	case *PatternPredicate:
		return e.Path.Exprs()
	case *Subquery:
		return e.Query.Exprs()
	}
	return nil
}

// parts returns the expressions of a CASE; the subject and the default may be nil.
func (e *Case) parts() []Expr {
	es := []Expr{e.Subject}
	for _, w := range e.Whens {
		es = append(es, w.When, w.Then)
	}
	return append(es, e.Else)
}

// Exprs returns the expressions in a path: the properties and conditions of its nodes and relationships, without nil.
func (p *Path) Exprs() []Expr {
	var es []Expr
	for i, n := range p.Nodes {
		es = add(es, n.Properties, n.Where)
		if i < len(p.Rels) {
			es = add(es, p.Rels[i].Properties, p.Rels[i].Where)
		}
	}
	return es
}

// Exprs returns the expressions in the clauses of a query, without nil.
func (q *Query) Exprs() []Expr {
	var es []Expr
	for _, s := range q.Parts {
		for _, c := range s.Clauses {
			es = append(es, Exprs(c)...)
		}
	}
	return es
}

// Exprs returns the expressions in a clause, without nil.
func Exprs(c Clause) []Expr {
	var es []Expr
	switch c := c.(type) {
	case *Match:
		for _, p := range c.Pattern {
			es = append(es, p.Exprs()...)
		}
		es = add(es, c.Where)
	case *Unwind:
		es = add(es, c.List)
	case *Projection:
		for _, i := range c.Items {
			es = add(es, i.Expr)
		}
		for _, o := range c.OrderBy {
			es = add(es, o.Expr)
		}
		es = add(es, c.Skip, c.Limit, c.Where)
	case *CallSubquery:
		es = c.Query.Exprs()
	case *CallProcedure:
		es = add(add(nil, c.Args...), c.Where)
	}
	return es
}

// add appends the expressions that are not nil.
func add(to []Expr, es ...Expr) []Expr {
	for _, e := range es {
		if e != nil {
			to = append(to, e)
		}
	}
	return to
}
