package syntax

// Positions of clauses.

// Start returns the place.
func (c *Match) Start() Pos { return c.At }

// Start returns the place.
func (c *Unwind) Start() Pos { return c.At }

// Start returns the place.
func (c *Projection) Start() Pos { return c.At }

// Start returns the place.
func (c *CallSubquery) Start() Pos { return c.At }

// Start returns the place.
func (c *CallProcedure) Start() Pos { return c.At }

func (*Match) clause()         {}
func (*Unwind) clause()        {}
func (*Projection) clause()    {}
func (*CallSubquery) clause()  {}
func (*CallProcedure) clause() {}

// Positions of expressions. For an infix operator it is that of the operator.

// Start returns the place.
func (e *Literal) Start() Pos { return e.At }

// Start returns the place.
func (e *Parameter) Start() Pos { return e.At }

// Start returns the place.
func (e *Variable) Start() Pos { return e.At }

// Start returns the place.
func (e *Property) Start() Pos { return e.At }

// Start returns the place.
func (e *Index) Start() Pos { return e.At }

// Start returns the place.
func (e *Slice) Start() Pos { return e.At }

// Start returns the place.
func (e *List) Start() Pos { return e.At }

// Start returns the place.
func (e *Map) Start() Pos { return e.At }

// Start returns the place.
func (e *Unary) Start() Pos { return e.At }

// Start returns the place.
func (e *Binary) Start() Pos { return e.At }

// Start returns the place.
func (e *Comparison) Start() Pos { return e.At }

// Start returns the place.
func (e *IsNull) Start() Pos { return e.At }

// Start returns the place.
func (e *HasLabels) Start() Pos { return e.At }

// Start returns the place.
func (e *Call) Start() Pos { return e.At }

// Start returns the place.
func (e *CountStar) Start() Pos { return e.At }

// Start returns the place.
func (e *Case) Start() Pos { return e.At }

// Start returns the place.
func (e *ListComprehension) Start() Pos { return e.At }

// Start returns the place.
func (e *PatternComprehension) Start() Pos { return e.At }

// Start returns the place.
func (e *Quantifier) Start() Pos { return e.At }

// Start returns the place.
func (e *Reduce) Start() Pos { return e.At }

// Start returns the place.
func (e *PatternPredicate) Start() Pos { return e.At }

// Start returns the place.
func (e *Subquery) Start() Pos { return e.At }

// Start returns the place.
func (e *MapProjection) Start() Pos { return e.At }

func (*Literal) expr()              {}
func (*Parameter) expr()            {}
func (*Variable) expr()             {}
func (*Property) expr()             {}
func (*Index) expr()                {}
func (*Slice) expr()                {}
func (*List) expr()                 {}
func (*Map) expr()                  {}
func (*Unary) expr()                {}
func (*Binary) expr()               {}
func (*Comparison) expr()           {}
func (*IsNull) expr()               {}
func (*HasLabels) expr()            {}
func (*Call) expr()                 {}
func (*CountStar) expr()            {}
func (*Case) expr()                 {}
func (*ListComprehension) expr()    {}
func (*PatternComprehension) expr() {}
func (*Quantifier) expr()           {}
func (*Reduce) expr()               {}
func (*PatternPredicate) expr()     {}
func (*Subquery) expr()             {}
func (*MapProjection) expr()        {}
