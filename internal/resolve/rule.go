package resolve

import "github.com/reverse-spec/reverse-spec/internal/codegraph"

// Rule says how a target was found. If several steps were needed, it is the one with the lowest confidence. The zero Rule is none.
type Rule uint8

// The rules, highest confidence first.
const (
	Scip           Rule = iota + 1 // from a compiler's index; see [Oracle]
	Local                          // declared in an enclosing function or block
	SameFile                       // declared in the file
	This                           // a member of the enclosing type
	Imported                       // imported by name
	SamePackage                    // declared in another file of the package
	Declared                       // the receiver has a declared type
	Constructed                    // the receiver was constructed where it is bound
	Inherited                      // a member of a base
	Rendered                       // a component used as a markup element
	Returned                       // the receiver is the declared result of a call
	Star                           // from a wildcard import
	Element                        // the receiver is an element of a container
	Overload                       // one of several declarations that fit the call
	Context                        // a closure's parameter, by the function that the closure is passed to
	Inferred                       // the receiver is a call result inferred from the function's body
	Documented                     // the receiver's type is in a comment
	OneOf                          // the receiver has one of several types
	UniqueMethod                   // the only member of that name in the project, or of the only type that has all members used of a variable
	Held                           // the value of a variable or field that is called; a use, not a call
	Implementation                 // a possible implementation of an abstract member

	countOfRules
)

// ruleNames are the names of the rules, as in the graph.
var ruleNames = [countOfRules]string{
	Scip:           "scip",
	Local:          "local",
	SameFile:       "file",
	This:           "this",
	Imported:       "import",
	SamePackage:    "package",
	Declared:       "declared",
	Constructed:    "constructed",
	Inherited:      "inherited",
	Rendered:       "rendered",
	Returned:       "returned",
	Star:           "star",
	Element:        "element",
	Overload:       "overload",
	Context:        "context",
	Inferred:       "inferred",
	Documented:     "doc",
	OneOf:          "one-of",
	UniqueMethod:   "unique-method",
	Held:           "held",
	Implementation: codegraph.RuleDispatch,
}

// String returns the name of the rule, as in the graph.
func (r Rule) String() string { return ruleNames[r] }

// rules are the confidences, the order of the rules among them. Where [measured] has a figure for a language, that holds there.
var rules = [countOfRules]float32{
	Scip: 1, Local: 1, SameFile: 0.99, This: 0.99, Imported: 0.99, SamePackage: 0.98, Declared: 0.98, Constructed: 0.97,
	Inherited: 0.96, Rendered: 0.95, Returned: 0.95, Star: 0.95, Element: 0.94, Overload: 0.93, Context: 0.92, Inferred: 0.91, Documented: 0.85, OneOf: 0.8, UniqueMethod: 0.7, Held: 0.65, Implementation: 0.6,
}

// measured are the shares of pairs that compilers, or for Ruby code that ran, confirmed, by language and rule, rounded down and at most 0.99: more says only [Scip].
// They are of fifty pairs or more in at least five repositories, except "one-of" and "package" in C and C++, which had fewer;
// docs/accuracy.md has the numbers.
var measured = map[string]map[Rule]float32{
	"c":   {SameFile: 0.97, Imported: 0.96, SamePackage: 0.5, Overload: 0.58, OneOf: 0.5},
	"cpp": {SameFile: 0.96, Imported: 0.97, SamePackage: 0.99, Inherited: 0.98, Element: 0.99, Overload: 0.71, OneOf: 0.5},
	"csharp": {
		SamePackage: 0.99, Declared: 0.94, Constructed: 0.99, Inherited: 0.99, Returned: 0.96, Star: 0.98, Element: 0.99, Overload: 0.92, Context: 0.98,
	},
	"go": {SamePackage: 0.99, Declared: 0.99, Constructed: 0.99, Inherited: 0.99, Returned: 0.99, Element: 0.99},
	"java": {
		SamePackage: 0.99, Declared: 0.99, Constructed: 0.99, Inherited: 0.99, Returned: 0.99, Star: 0.98, Element: 0.99, Overload: 0.98, OneOf: 0.89,
	},
	"kotlin": {
		SameFile: 0.95, Imported: 0.94, SamePackage: 0.96, Declared: 0.92, Constructed: 0.99, Inherited: 0.97, Returned: 0.98, Star: 0.98, Overload: 0.76, Context: 0.9,
	},
	"python": {Local: 0.98, Declared: 0.99, Constructed: 0.95, Inherited: 0.95, Returned: 0.99, Element: 0.98, Overload: 0.89, Inferred: 0.98},
	"php":    {Constructed: 0.99, Inherited: 0.98, Returned: 0.99, Element: 0.98, Documented: 0.98},
	"ruby": {
		SamePackage: 0.99, Constructed: 0.99, Inherited: 0.96, Overload: 0.57, Inferred: 0.93, OneOf: 0.6, UniqueMethod: 0.98,
	},
	"rust": {SameFile: 0.98, Declared: 0.95, Returned: 0.97, Element: 0.99},
	"typescript": {
		Declared: 0.99, Constructed: 0.99, Inherited: 0.99, Returned: 0.99, Star: 0.99, Overload: 0.96, Context: 0.99, Documented: 0.99, OneOf: 0.98,
	},
}

// Confidence returns the precision of the rule in languages without a figure of their own, from 0 to 1; 0 for none.
func (r Rule) Confidence() float32 { return rules[r] }

// In returns the precision of the rule in a language.
func (r Rule) In(language string) float32 {
	if c, known := measured[language][r]; known {
		return c
	}
	return rules[r]
}

// weakest returns the rule with the lower confidence; none has the highest.
func weakest(a, b Rule) Rule {
	if a == 0 || b != 0 && rules[b] < rules[a] {
		return b
	}
	return a
}

// Reason says why a call site has no edge.
type Reason string

// The reasons.
const (
	External        Reason = "external"         // the target is external
	BuiltIn         Reason = "built-in"         // built into the language
	UnknownName     Reason = "unknown name"     // no visible declaration has the name
	UnknownReceiver Reason = "unknown receiver" // the type of the receiver is unknown
	UnknownMember   Reason = "unknown member"   // the receiver's type is known and has no such member
	Ambiguous       Reason = "ambiguous"        // several declarations fit equally
	Intricate       Reason = "intricate"        // finding the target takes more steps than a use may; see [maxSteps]
	Dynamic         Reason = "dynamic"          // the callee is a value: a parameter, an element, a result
)
