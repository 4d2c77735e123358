package syntax

// Query is one query: single queries joined by UNION.
type Query struct {
	Text  string // as it was given
	Parts []*Single
	// Unions stand between the parts: one less than these.
	Unions []Union
}

// Union is UNION or UNION ALL.
type Union struct {
	At  Pos
	All bool
}

// Single is a query without UNION. Its last clause is the Projection with Return
// set; in the query of an [Exists] that may be missing.
type Single struct {
	Clauses []Clause
}

// Clause is one of *Match, *Unwind, *Projection.
type Clause interface {
	Start() Pos
	clause()
}

// Match is MATCH or OPTIONAL MATCH.
type Match struct {
	At       Pos
	Optional bool
	Pattern  []*Path // at least one
	Where    Expr    // nil for none
}

// Unwind is UNWIND list AS name.
type Unwind struct {
	At   Pos
	List Expr
	As   *Variable
}

// Projection is WITH or RETURN.
type Projection struct {
	At       Pos
	Return   bool
	Distinct bool
	Star     bool // "*", which may be followed by items
	Items    []*Item
	OrderBy  []*Order
	Skip     Expr // nil for none
	Limit    Expr // nil for none
	Where    Expr // of a WITH; nil for none
}

// Item is one column of a projection.
type Item struct {
	At   Pos
	Expr Expr
	// As is the name behind AS; "" for none.
	As string
	// Text is the expression as it is written, which is the column's name without AS.
	Text string
}

// Name returns the column's name.
func (i *Item) Name() string {
	if i.As != "" {
		return i.As
	}
	return i.Text
}

// Order is one key of ORDER BY.
type Order struct {
	Expr       Expr
	Descending bool
}

// Path is a chain of nodes and relationships in a pattern.
type Path struct {
	At       Pos
	Var      *Variable // of the whole path; nil for none
	Shortest Shortest
	Nodes    []*NodePattern
	Rels     []*RelPattern // Rels[i] is between Nodes[i] and Nodes[i+1]
}

// Shortest says which of the paths that fit are wanted.
type Shortest int8

// The kinds of Shortest.
const (
	AnyLength   Shortest = iota // all
	ShortestOne                 // shortestPath(...)
	ShortestAll                 // allShortestPaths(...)
)

// NodePattern is (v:Label {key: value}).
type NodePattern struct {
	At     Pos
	Var    *Variable // nil for none
	Labels Labels
	// Properties is a *Map or a *Parameter; nil for none.
	Properties Expr
}

// Labels is a condition on labels: of each group the node must have one. :A:B is
// {{A}, {B}} and :A|B is {{A, B}}.
type Labels [][]string

// RelPattern is -[v:TYPE*1..3 {key: value}]->.
type RelPattern struct {
	At        Pos
	Var       *Variable // nil for none
	Types     []string  // any of them; none for all
	Direction Direction
	Length    *Length // nil for exactly one
	// Properties is a *Map or a *Parameter; nil for none.
	Properties Expr
}

// Direction is which way a relationship is drawn.
type Direction int8

// The directions.
const (
	Right  Direction = iota // -->
	Left                    // <--
	Either                  // -- and <-->
)

// Length is how many relationships a pattern stands for.
type Length struct {
	At  Pos
	Min int // 1 when it is left out
	Max int // Unbounded when it is left out
}

// Unbounded is the Max of a Length that has none.
const Unbounded = -1

// Expr is an expression.
type Expr interface {
	Start() Pos
	expr()
}

// The expressions.
type (
	// Literal is null, a boolean, a number or a string: nil, bool, int64, float64,
	// string.
	Literal struct {
		At    Pos
		Value any
	}
	// Parameter is $name.
	Parameter struct {
		At   Pos
		Name string
	}
	// Variable is a name.
	Variable struct {
		At   Pos
		Name string
	}
	// Property is x.key.
	Property struct {
		At  Pos // of the dot
		Of  Expr
		Key string
	}
	// Index is x[i].
	Index struct {
		At    Pos
		Of    Expr
		Index Expr
	}
	// Slice is x[from..to]; From and To may be nil.
	Slice struct {
		At       Pos
		Of       Expr
		From, To Expr
	}
	// List is [a, b].
	List struct {
		At    Pos
		Items []Expr
	}
	// Map is {key: value}, in the order of the text.
	Map struct {
		At     Pos
		Keys   []string
		Values []Expr
	}
	// Unary is an operator before its operand.
	Unary struct {
		At Pos
		Op Op // Not, Negate or Plus
		X  Expr
	}
	// Binary is an operator between its operands.
	Binary struct {
		At   Pos // of the operator
		Op   Op
		L, R Expr
	}
	// Comparison is a chain: a < b <= c means a < b AND b <= c. Operands has one more
	// than Ops.
	Comparison struct {
		At       Pos  // of the first operator
		Ops      []Op // Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual
		Operands []Expr
	}
	// IsNull is x IS NULL or x IS NOT NULL.
	IsNull struct {
		At  Pos
		X   Expr
		Not bool
	}
	// HasLabels is x:A:B or x:A|B; of a relationship it asks for its type.
	HasLabels struct {
		At     Pos
		X      Expr
		Labels Labels
	}
	// Call is a function, also one that aggregates.
	Call struct {
		At       Pos
		Name     string // as it is written, with its dots
		Distinct bool
		Args     []Expr
	}
	// CountStar is count(*).
	CountStar struct {
		At Pos
	}
	// Case is CASE, with or without a subject.
	Case struct {
		At      Pos
		Subject Expr // nil for none
		Whens   []When
		Else    Expr // nil for none
	}
	// ListComprehension is [v IN list WHERE p | x].
	ListComprehension struct {
		At    Pos
		Var   *Variable
		In    Expr
		Where Expr // nil for none
		Map   Expr // nil for the variable itself
	}
	// PatternComprehension is [path WHERE p | x].
	PatternComprehension struct {
		At    Pos
		Path  *Path
		Where Expr // nil for none
		Map   Expr
	}
	// Quantifier is all(v IN list WHERE p) and its like.
	Quantifier struct {
		At    Pos
		Kind  QuantifierKind
		Var   *Variable
		In    Expr
		Where Expr // nil when it is left out: the elements themselves
	}
	// Reduce is reduce(acc = init, v IN list | x).
	Reduce struct {
		At   Pos
		Acc  *Variable
		Init Expr
		Var  *Variable
		In   Expr
		Map  Expr
	}
	// PatternPredicate is a pattern where a boolean is wanted: there is such a path.
	PatternPredicate struct {
		At   Pos
		Path *Path
	}
	// Exists is EXISTS { ... }; a bare pattern in it is read as a MATCH.
	Exists struct {
		At    Pos
		Query *Query
	}
)

// When is one branch of a CASE.
type When struct {
	When, Then Expr
}

// QuantifierKind is which quantifier a [Quantifier] is.
type QuantifierKind string

// The quantifiers.
const (
	All  QuantifierKind = "all"
	Any  QuantifierKind = "any"
	None QuantifierKind = "none"
	One  QuantifierKind = "single"
)

// Op is an operator, by its text in capitals.
type Op string

// The operators.
const (
	Or           Op = "OR"
	Xor          Op = "XOR"
	And          Op = "AND"
	Not          Op = "NOT"
	Equal        Op = "="
	NotEqual     Op = "<>"
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
	Add          Op = "+"
	Subtract     Op = "-"
	Multiply     Op = "*"
	Divide       Op = "/"
	Modulo       Op = "%"
	Power        Op = "^"
	In           Op = "IN"
	StartsWith   Op = "STARTS WITH"
	EndsWith     Op = "ENDS WITH"
	Contains     Op = "CONTAINS"
	Matches      Op = "=~"
	Negate       Op = "NEGATE" // - before its operand
	Plus         Op = "PLUS"   // + before its operand
)
