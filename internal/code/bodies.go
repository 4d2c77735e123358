package code

// Bodies describe the bodies of a file's functions: their control flow, string literals passed to calls, branches, and,
// in test files, statements. On request they have all calls with their arguments, and all statements. Texts are source text as written; conditions and statements are joined to one line.
type Bodies struct {
	Functions  []Body
	Texts      []TextUse
	Tables     []Table
	Resources  []ResourceUse
	Steps      []Step       // in test files only
	Complexity []Complexity // of functions with at least one branch
	Calls      []CallUse    // all calls; only on request, and then Functions have all statements
	Bindings   []Binding    // all values of variables and fields outside functions; only on request
	Locals     []Local      // types and typed variables inside functions; only on request; Go only
	// What users may give: of files other than tests.
	Literals   []Literal   // Go and Rust
	Fallbacks  []Fallback  // only where what may be missing is a name or a member
	Shapes     []Shape     // ECMAScript and TypeScript
	Selected   []string    // the names of members that the file reads or writes, sorted; Go only
	Checked    []string    // the names of members that the file compares with nil, sorted; Go only
	Predicates []Predicate // Go only
	Lookups    []Lookup
	Remarks    []Remark // the comments in fuzz tests
	Deferred   []int    // the lines of deferred calls, in tests; Go only
	Named      []string // the names of errors that the file uses, sorted: those that begin with err; Go only
}

// TextUse is a call, index expression or struct literal with a string literal among its arguments:
// os.Getenv("HOME"), app.get("/users", …), process.env.HOME, cobra.Command{Use: "x"}.
type TextUse struct {
	In   string
	Of   string     // the callee, the indexed value or the type: "os.Getenv", "process.env"
	Args []Argument // the leading positional arguments and all named ones; at least one is a string literal
	To   string     // the variable that the result is assigned to; "" if none
	// Mark is set for an annotation of a declaration: a decorator.
	Mark bool
	// Within is the 1-based index in Texts of the use whose argument this one is; 0 if it is not nested.
	Within int
	Line   int
}

// Argument is one argument of a [TextUse].
type Argument struct {
	Name  string // the name of a keyword argument or object key; "" if positional
	Text  string // as written; for a string literal, the text between its quotes
	Plain bool   // it is a string literal
	Line  int
}

// Plain returns the text of the positional argument at index at (from 0), or "" if that is not a string literal.
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

// Named returns the first argument with one of the names, in the order of names.
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

// Table is a table created by an SQL statement in a string literal.
type Table struct {
	In   string
	Name string // as written, without quotes
	Line int
}

// ResourceUse is a resource that a statement acquires without a call: a goroutine, a lock, a channel.
type ResourceUse struct {
	In   string
	Kind string // "goroutine", "channel", "lock", "task"
	Text string // the keyword or operator
	Line int
}

// Step is one statement of a test.
type Step struct {
	Text    string // on one line without comments, cut where it is long
	FailsIf bool   // FailsIf is set if Text is a condition under which the test fails.
	Nested  bool   // it is in a function inside the test: a handler, a callback
	Line    int
	End     int // its last line, with that of its block
	Until   int // the last line of the group of tests that it is in, such as describe; 0 for none
}

// Complexity is the cyclomatic complexity of a function, less one.
type Complexity struct {
	Symbol   string
	Branches int // conditions, loops, cases, handlers, && and ||
	Lines    int
	Line     int
}
