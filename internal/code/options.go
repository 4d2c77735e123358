package code

// Literal is a value that is made with the names of its fields: Go's T{A: 1}, Rust's T { a: 1 }, and in ECMAScript the
// object that a constant of the file is.
type Literal struct {
	In     string
	Of     string // the type as written; "" in ECMAScript, where In is the constant
	Fields []Argument
	Line   int
}

// Fallback is the value that is used where another is missing: options.name || "x".
type Fallback struct {
	In    string
	Of    string // what may be missing, as written: "options.name"; "options.*" is every member
	Value string // as written, on one line; of every member, the object that has the values
	Line  int
}

// Shape is the object type, or the pattern, of a parameter that is written in the parameter list.
type Shape struct {
	In     string
	Param  int    // index of the parameter, from 0
	Name   string // of the parameter, as [Param.Name]
	Fields []ShapeField
	Line   int
}

// ShapeField is a member of the object that a parameter takes.
type ShapeField struct {
	Name, Type, Default, Doc string // as written; "" for none
	Optional                 bool   // may be missing
	Line                     int
}

// MaxDefault is the maximum length of a default value that is kept, in bytes; of a longer one nothing is.
const MaxDefault = 120

// Predicate is a function that does nothing but return a condition.
type Predicate struct {
	In   string
	Cond Cond
	Line int
}

// Remark is a comment in a function body.
type Remark struct {
	Text string // on one line
	Line int    // the last one
}
