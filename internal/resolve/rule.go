package resolve

// Rule says how a target was found. Where several steps led to it, it is the one
// that is least sure.
type Rule string

// The rules, surest first.
const (
	Scip           Rule = "scip"           // a compiler's index says so; see [Oracle]
	Local          Rule = "local"          // declared in the function or block around
	SameFile       Rule = "file"           // declared in the file
	This           Rule = "this"           // a member of the type around
	Imported       Rule = "import"         // by an import that names it
	SamePackage    Rule = "package"        // declared by another file of the package
	Declared       Rule = "declared"       // the receiver's type is written
	Constructed    Rule = "constructed"    // the receiver is made where it is bound
	Inherited      Rule = "inherited"      // a member of a base
	Rendered       Rule = "rendered"       // a component, used as an element of markup
	Returned       Rule = "returned"       // the receiver is the declared result of a call
	Star           Rule = "star"           // by an import of everything
	Element        Rule = "element"        // the receiver is an element of a container
	Overload       Rule = "overload"       // one of several declarations that fit the call
	Context        Rule = "context"        // a closure's parameter, by what the closure is passed to
	Inferred       Rule = "inferred"       // the receiver is what a call returns by its body
	Documented     Rule = "doc"            // the receiver's type stands in a comment
	OneOf          Rule = "one-of"         // the receiver is of one of several types
	UniqueMethod   Rule = "unique-method"  // nothing else in the project has a member of the name
	Held           Rule = "held"           // what a variable or field holds that is called: used, rather than called
	Implementation Rule = "implementation" // what an abstract member that is called may be
)

// rules are the confidences: the share of edges that were right where compilers
// could tell; see docs/accuracy.md.
var rules = map[Rule]float32{ //nolint:gochecknoglobals // a table
	Scip: 1, Local: 1, SameFile: 0.99, This: 0.99, Imported: 0.99, SamePackage: 0.98, Declared: 0.98, Constructed: 0.97,
	Inherited: 0.96, Rendered: 0.95, Returned: 0.95, Star: 0.95, Element: 0.94, Overload: 0.93, Context: 0.92, Inferred: 0.91, Documented: 0.85, OneOf: 0.8, UniqueMethod: 0.7, Held: 0.65, Implementation: 0.6,
}

// Confidence returns how often a target that was found by the rule is right, from
// 0 to 1; 0 for what is no rule.
func (r Rule) Confidence() float32 { return rules[r] }

// weakest returns the rule that is less sure; "" counts as sure.
func weakest(a, b Rule) Rule {
	if a == "" || b != "" && rules[b] < rules[a] {
		return b
	}
	return a
}

// Reason says why a call site has no edge.
type Reason string

// The reasons.
const (
	External        Reason = "external"         // the target is not of this project
	BuiltIn         Reason = "built-in"         // the language's own
	UnknownName     Reason = "unknown name"     // nothing in sight has the name
	UnknownReceiver Reason = "unknown receiver" // the type before the dot is not known
	UnknownMember   Reason = "unknown member"   // the type is known, and has no such member
	Ambiguous       Reason = "ambiguous"        // several declarations fit, none better
	Dynamic         Reason = "dynamic"          // a value is called: a parameter, an element, a result
)
