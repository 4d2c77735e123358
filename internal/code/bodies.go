package code

// Bodies are what the bodies of a file's functions show to who describes them:
// where they give up, which texts they hand on, how they choose. Texts are source
// text as written, on one line where they are conditions or statements.
type Bodies struct {
	Refusals []Refusal
	Texts    []TextUse
	Tables   []Table
	Taken    []Taken
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
	// By is what gives up where Error does not stand there: "require"; else "".
	By string
	// Message is the text in it as written between its quotes; parts that are joined
	// to it are "…". "" where it has none.
	Message string
	// When are the conditions around, the outermost first; one that has to be false
	// stands as "not (…)". What was decided by an earlier return is not in it.
	When []string
	Line int // of the message, or of the statement where there is none
}

// TextUse is a call, a look-up or a literal of a struct that is given a text:
// os.Getenv("HOME"), app.get("/users", …), process.env.HOME, cobra.Command{Use: "x"}.
type TextUse struct {
	In   string
	Of   string     // what is called, looked into or made: "os.Getenv", "process.env"
	Args []Argument // the first ones and those with names; one of them is a text
	To   string     // the variable that takes the result; "" for none
	// Mark tells a call that marks a declaration: a decorator.
	Mark bool
	// Within is the use among whose arguments this one stands, as its number in Texts
	// from 1; 0 where there is none.
	Within int
	Line   int
}

// Argument is what a [TextUse] is given.
type Argument struct {
	Name  string // where it is given by name: a keyword, a key of an object
	Text  string // as written; of a text what stands between its quotes
	Plain bool   // it is a text
	Line  int
}

// Plain is the text of the argument at a place, from 0, among those without a name;
// "" where that is none.
func (u *TextUse) Plain(at int) string {
	for _, a := range u.Args {
		if a.Name != "" {
			continue
		}
		if at--; at < 0 {
			if a.Plain {
				return a.Text
			}
			break
		}
	}
	return ""
}

// Named is the argument given by the first of the names that is there.
func (u *TextUse) Named(names ...string) (Argument, bool) {
	for _, name := range names {
		for _, a := range u.Args {
			if a.Name == name {
				return a, true
			}
		}
	}
	return Argument{}, false
}

// Table is a table that a text makes in SQL.
type Table struct {
	In   string
	Name string // as written, without quotes
	Line int
}

// Taken is what a statement takes from the machine without a call: a thread of its
// own, a lock, a channel.
type Taken struct {
	In   string
	Kind string // "goroutine", "channel", "lock", "task"
	Text string // the word that does
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
