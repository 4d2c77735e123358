package syntax

// Query is a query: single queries joined by UNION.
type Query struct {
	Text string // the source text
	// Mode says whether the plan is wanted in place of the result, or with it; "" for the result alone.
	Mode  Mode
	Parts []*Single
	// Unions are the operators between the parts: one fewer than Parts.
	Unions []Union
}

// Mode is a word before a query.
type Mode string

// The modes.
const (
	Explain Mode = "EXPLAIN" // the plan, without running the query
	Profile Mode = "PROFILE" // the plan, with the number of rows of each step
)

// Union is UNION or UNION ALL.
type Union struct {
	At  Pos
	All bool
}

// Single is a query without UNION. Its last clause is the Projection with Return set, which may be missing in a
// [Subquery], and after a [CallProcedure] that is the only clause.
type Single struct {
	// Imports is the WITH at the beginning of a query in CALL { } that names what the query sees of the outer one; nil
	// if there is none. It is not among the clauses.
	Imports *Projection
	Clauses []Clause
}

// Clause is one of *Match, *Unwind, *Projection, *CallSubquery, *CallProcedure.
type Clause interface {
	Start() Pos
	clause()
}

// Match is MATCH or OPTIONAL MATCH.
type Match struct {
	At       Pos
	Optional bool
	Pattern  []*Path // at least one
	Where    Expr    // nil if absent
}

// Unwind is UNWIND list AS name.
type Unwind struct {
	At   Pos
	List Expr
	As   *Variable
}

// CallSubquery is CALL { } or CALL (x) { }: the query runs once for each row.
type CallSubquery struct {
	At       Pos
	Optional bool // a row without results is kept, with null
	// Scoped is set if there are parentheses, which name the variables that the query sees; Star if they name all.
	// Without them, the query sees what its Imports name.
	Scoped bool
	Star   bool
	Scope  []*Variable
	Query  *Query
}

// CallProcedure is CALL name(args) YIELD columns, or SHOW.
type CallProcedure struct {
	At   Pos
	Name string // dotted; of SHOW, all its words in upper case
	Args []Expr // nil if absent
	// Yield are the columns that are bound; nil for none, or for all if All is set.
	Yield []*Yield
	All   bool
	Where Expr // nil if absent
	// Alone is set if the procedure is the only clause, so that its columns are the result.
	Alone bool
}

// Yield is one column of a procedure.
type Yield struct {
	Column string
	As     *Variable
}

// Projection is WITH or RETURN.
type Projection struct {
	At       Pos
	Return   bool
	Distinct bool
	Star     bool // "*", possibly followed by items
	Items    []*Item
	OrderBy  []*Order
	Skip     Expr // nil if absent
	Limit    Expr // nil if absent
	Where    Expr // of WITH; nil if absent
}

// Item is one column of a projection.
type Item struct {
	At   Pos
	Expr Expr
	// As is the name after AS; "" if absent.
	As string
	// Text is the source text of the expression, which is the column's name if As is "".
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
	Var      *Variable // names the whole path; nil if absent
	Shortest Shortest
	Nodes    []*NodePattern
	Rels     []*RelPattern // Rels[i] connects Nodes[i] and Nodes[i+1]
}

// Shortest selects among the matching paths.
type Shortest int8

// The values of Shortest.
const (
	AnyLength   Shortest = iota // all
	ShortestOne                 // shortestPath(...)
	ShortestAll                 // allShortestPaths(...)
)

// NodePattern is (v:Label {key: value}).
type NodePattern struct {
	At     Pos
	Var    *Variable // nil if absent
	Labels Labels
	// Properties is a *Map or a *Parameter; nil if absent.
	Properties Expr
	Where      Expr // nil if absent
}

// Labels is a condition on labels: a node must have one label of each group. :A:B is {{A}, {B}} and :A|B is {{A,
// B}}.
type Labels [][]string

// RelPattern is -[v:TYPE*1..3 {key: value}]->.
type RelPattern struct {
	At        Pos
	Var       *Variable // nil if absent
	Types     []string  // any of them; nil for all types
	Direction Direction
	Length    *Length // nil for exactly one relationship
	// Properties is a *Map or a *Parameter; nil if absent.
	Properties Expr
	Where      Expr // only without Length; nil if absent
}

// Direction is the direction of a relationship in the text.
type Direction int8

// The directions.
const (
	Right  Direction = iota // -->
	Left                    // <--
	Either                  // -- and <-->
)

// Length is the length range of a variable-length relationship.
type Length struct {
	At  Pos
	Min int // 1 if omitted
	Max int // Unbounded if omitted
}

// Unbounded is the Max of a Length without an upper bound.
const Unbounded = -1

// Expr is an expression.
type Expr interface {
	Start() Pos
	expr()
}

// The expressions.
type (
	// Literal is null, a boolean, a number or a string: nil, bool, int64, float64 or string.
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
	// MapProjection is n {.key, .*, key: value}: a map, or null if n is null. The value of an entry without a key
	// is a map whose entries are all taken over.
	MapProjection struct {
		At     Pos
		Of     Expr // a variable
		Keys   []string
		Values []Expr
	}
	// Unary is a prefix operator with its operand.
	Unary struct {
		At Pos
		Op Op // Not, Negate or Plus
		X  Expr
	}
	// Binary is an infix operator with its operands.
	Binary struct {
		At   Pos // of the operator
		Op   Op
		L, R Expr
	}
	// Comparison is a chain: a < b <= c means a < b AND b <= c. There is one more operand than operators.
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
	// HasLabels is x:A:B or x:A|B. For a relationship it tests the type.
	HasLabels struct {
		At     Pos
		X      Expr
		Labels Labels
	}
	// Call is a function call, possibly of an aggregate.
	Call struct {
		At       Pos
		Name     string // as written, possibly dotted
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
		Subject Expr // nil if absent
		Whens   []When
		Else    Expr // nil if absent
	}
	// ListComprehension is [v IN list WHERE p | x].
	ListComprehension struct {
		At    Pos
		Var   *Variable
		In    Expr
		Where Expr // nil if absent
		Map   Expr // nil for the variable itself
	}
	// PatternComprehension is [path WHERE p | x].
	PatternComprehension struct {
		At    Pos
		Path  *Path
		Where Expr // nil if absent
		Map   Expr
	}
	// Quantifier is all(v IN list WHERE p) or the like.
	Quantifier struct {
		At    Pos
		Kind  QuantifierKind
		Var   *Variable
		In    Expr
		Where Expr // nil if absent: the elements themselves
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
	// PatternPredicate is a pattern as a boolean: whether there is such a path.
	PatternPredicate struct {
		At   Pos
		Path *Path
	}
	// Subquery is EXISTS { ... }, COUNT { ... } or COLLECT { ... }. A bare pattern in it is parsed as a MATCH.
	Subquery struct {
		At    Pos
		Kind  SubqueryKind
		Query *Query
	}
)

// SubqueryKind says what is asked of the rows of a [Subquery].
type SubqueryKind string

// The kinds of subqueries.
const (
	ExistsKind  SubqueryKind = "EXISTS"  // whether there are any
	CountKind   SubqueryKind = "COUNT"   // how many
	CollectKind SubqueryKind = "COLLECT" // the list of their only column
)

// When is one branch of a CASE.
type When struct {
	When, Then Expr
}

// QuantifierKind is the function of a [Quantifier].
type QuantifierKind string

// The quantifiers.
const (
	All  QuantifierKind = "all"
	Any  QuantifierKind = "any"
	None QuantifierKind = "none"
	One  QuantifierKind = "single"
)

// Op is an operator: its text in upper case.
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
	Negate       Op = "NEGATE" // prefix -
	Plus         Op = "PLUS"   // prefix +
)
