package code

// CallUse is one call with its arguments as values.
type CallUse struct {
	In     string // the enclosing symbol; of a decorator, the decorated one
	To     string // the variable, parameter or field that the result is given to; "" for none
	Mark   bool   // a decorator or annotation
	Test   bool   // it is in a test in a file of code
	Each   bool   // it is made once for each element that a comprehension goes over
	Within int    // 1-based index in Calls of the innermost call around; 0 for none
	After  int    // 1-based index in Calls of the call on whose result this one is made: b() in b().c(); 0 for none
	Value  Value  // of kind [ValueCall]; in Go also [ValueObject] with the type as Text
	Line   int
}

// Binding is the value that a variable or field gets outside functions.
type Binding struct {
	In    string // the enclosing type; "" at top level
	Name  string
	Value Value
	Line  int
	// Guarded says that it depends on a statement around whether the variable gets the value.
	Guarded bool
}

// Local is a type that a function declares, or one of its variables with the type that is written for it.
type Local struct {
	In   string // the enclosing symbol
	Name string
	Type string // as written
	Line int    // of the type
}

// Arg returns the positional argument at index at (from 0); nil if there is none, or no value.
func (v *Value) Arg(at int) *Value {
	if v == nil {
		return nil
	}
	for i := range v.Args {
		if v.Args[i].Name != "" {
			continue
		}
		if at--; at < 0 {
			return &v.Args[i]
		}
	}
	return nil
}

// Named returns the first argument or field with one of the names, also { name } of an object; nil if there is none, or no value.
func (v *Value) Named(names ...string) *Value {
	if v == nil {
		return nil
	}
	for _, name := range names {
		for i := range v.Args {
			a := &v.Args[i]
			if a.Name == name || v.Kind == ValueObject && a.Name == "" && a.Kind == ValueName && a.Text == name {
				return a
			}
		}
	}
	return nil
}

// Rethrow is the Text of a [StmtReturn] that throws again what was caught.
const Rethrow = "rethrow"

// TypeArgument is the Name of an argument that is the type argument of a call; C# only.
const TypeArgument = "<>"

// BlockArgument is the Name of an argument that is the value of a block: fetch("X") { value }; Ruby only.
const BlockArgument = "&"

// CallOfCall is the Text of a call of the result of another call, which is the first of its Args.
const CallOfCall = "()"

// Texts of a [ValueOther] that chooses one of its parts.
const (
	CondFirst  = "?:"      // Args are the condition, the value if it holds, and the other
	CondSecond = "if else" // Args are the value if the condition holds, the condition, and the other
)
