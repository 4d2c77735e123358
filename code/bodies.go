package code

// Bodies are what the bodies of a file's functions show to who describes them:
// where they give up, which texts they hand on, how they choose. Texts are source
// text as written, on one line where they are conditions or statements.
type Bodies struct {
	Refusals []Refusal
	Texts    []TextUse
	Choices  []Choice
	Moves    []Move
	Steps    []Step   // of test files alone
	Weights  []Weight // of functions that branch
}

// RefusalKind is how a function gives up.
type RefusalKind string

// The kinds of a refusal.
const (
	Throws RefusalKind = "throw"  // an exception
	Fails  RefusalKind = "return" // an error as a result
	Panics RefusalKind = "panic"
)

// Refusal is a place where a function gives up.
type Refusal struct {
	In   string // the enclosing symbol, "Type.method"; "" at top level
	Kind RefusalKind
	// Error is what is given: the type that is made, the variable, or the function
	// that makes it: "ValueError", "ErrFull", "fmt.Errorf".
	Error string
	// Message is the text in it as written between its quotes; parts that are joined
	// to it are "…". "" where it has none.
	Message string
	// When are the conditions around, the outermost first; one that has to be false
	// stands as "not (…)". What was decided by an earlier return is not in it.
	When []string
	Line int // of the message, or of the statement where there is none
}

// TextUse is a call or a look-up that is given a text: os.Getenv("HOME"),
// app.get("/users", …), process.env.HOME.
type TextUse struct {
	In   string
	Of   string   // what is called or looked into: "os.Getenv", "process.env"
	Args []string // the first arguments: texts as written between their quotes; "" for others
	Line int
}

// Choice is a switch or match on one value.
type Choice struct {
	In    string
	On    string   // what is looked at
	Cases []string // as written; the default is left out
	Line  int
}

// Move sets a value to a constant where the text around it says which constants it
// is: in a case of a switch on the same value, or below a comparison with it. It is
// how machines of states are written.
type Move struct {
	In   string   // the enclosing symbol
	Of   string   // the value, without "this." and the like before it
	From []string // as written; several for a case of several
	To   string   // as written
	When string   // the condition next around it, inside the case; "" without one
	Line int      // of the assignment
}

// Step is one statement of a test.
type Step struct {
	Text    string // on one line, cut where it is long
	FailsIf bool   // Text is a condition under which the test fails
	Line    int
}

// Weight is how much a function decides.
type Weight struct {
	Symbol   string
	Branches int // conditions, loops, cases, handlers, && and ||
	Lines    int
	Line     int
}
