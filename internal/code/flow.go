package code

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Body is the control flow of one function or closure: the statements that decide how it ends. Statements that do
// not are left out.
type Body struct {
	In    string // the enclosing symbol, "Type.method"; "" at top level
	Name  string // of a function declared or assigned inside another one; else ""
	Use   Use
	Open  bool // declared to be overridden: a call may run another body
	Bare  bool // members of the receiver may be named without it
	Stmts []Stmt
	Line  int
	// Set only where all statements were asked for: the names and types of the parameters, the last line, and the first byte.
	Params []string
	Types  []string // of the parameters as written, "" for none, if the language declares them
	End    int
	At     int
	// Outline is what the function does in the order of the source, set only where all statements were asked for of a file whose spec is
	// written: a StmtCall, StmtReturn or StmtError has its Source as written, and in its Body the functions and choices in its expressions, for which
	// Source has "…". Nil if it cannot be told whole.
	Outline []Stmt
}

// Use says what becomes of a closure.
type Use struct {
	Kind UseKind
	Of   string // the called function or the variable, as written
}

// UseKind is the kind of a [Use].
type UseKind string

// What becomes of a closure. The zero value is that of a function of its own.
const (
	UseReturned UseKind = "returned"
	UseAssigned UseKind = "assigned"
	UseArgument UseKind = "argument"
	UseOther    UseKind = "other" // called on the spot, stored in a structure
)

// StmtOp is the kind of a [Stmt].
type StmtOp uint8

// The kinds of statements.
const (
	StmtBlock   StmtOp = iota
	StmtIf             // Cond, Body, Else
	StmtLoop           // Text or Cond, Body, Else
	StmtSwitch         // Text, Arms
	StmtSelect         // Arms, of which any may run
	StmtTry            // Body, Arms, Else
	StmtReturn         // Value
	StmtError          // Exit: throws, or returns an error
	StmtBreak          // Text is the label
	StmtNext           // continue; Text is the label
	StmtAssign         // Text: the variables; Value; Exit, if a new error is assigned that the function may return
	StmtCall           // Value: a call whose result is not used
	StmtClosure        // Body: a closure; Text is the function that it is given to; Label, if it may end the function around, is the call
	StmtUnknown        // what cannot be read
	StmtAnswer         // Answer: answers a request, or sets the status of the answer; control goes on
	// StmtResult says what a function returns if it ends after this statement, or what the return or assignment after it
	// returns or sets where the conditions around hold. Text is the variable of that assignment; Value and Source. Control
	// goes on. It is found only where all statements were asked for.
	StmtResult
)

// Stmt is one statement.
type Stmt struct {
	Op    StmtOp
	Line  int
	Text  string
	Label string // of a loop; of an if, the assignment right before it of the variables in Text, if the condition names them
	Cond  *Cond
	Body  []Stmt
	Else  []Stmt
	Arms  []Arm
	Value *Value
	Exit  *Exit
	// Adds says that a StmtAssign adds the value to what the variable holds: x += v.
	Adds bool
	// Beside are the results before the last one, of a return as written; Go only.
	Beside []string
	// Source is what a StmtReturn or StmtResult returns, a StmtAssign sets, or a StmtCall calls, as written on one line; set only where all
	// statements were asked for. "" if it is long, or if StmtResults before a return say it.
	Source string
	// Answer is that of a StmtAnswer.
	Answer *Answer
	// Params are the names of the parameters of a StmtClosure; set only where all statements were asked for.
	Params []string
}

// Answer is what a statement answers a request with. Which calls are answers is a table of the language.
type Answer struct {
	On     string // what it is sent with, without the calls of a chain: "res", "c", "w"; "" for a new response
	By     string // the called function, with the calls before it in a chain: "status.json"
	Status *Value // the status as written; nil if it is not given here
	Sets   bool   // it is not sent yet: the status of the answers after it
	Passes bool   // an error is handed to the framework's handler of errors: next(err)
	Value  Value  // the call
}

// Arm is one case of a switch or match, or one handler.
type Arm struct {
	Labels  []string // the values, patterns or caught types; none for the default case
	Conds   []Cond   // the labels of a switch without a subject
	Guard   *Cond
	Falls   bool // falls through to the next one
	Default bool
	Body    []Stmt
}

// CondOp is the kind of a [Cond].
type CondOp uint8

// The kinds of conditions. An empty conjunction is true, an empty disjunction is false.
const (
	CondUnknown CondOp = iota
	CondAtom           // Text
	CondIs             // Of is Text
	CondNot
	CondAnd
	CondOr
)

// Cond is a condition. Texts are source text on one line.
type Cond struct {
	Op   CondOp
	Text string
	Of   string
	Args []Cond
}

// ExitKind says how a function reports an error.
type ExitKind string

// The kinds of error exit.
const (
	Throws ExitKind = "throw"  // throws an exception
	Fails  ExitKind = "return" // returns an error value
	Panics ExitKind = "panic"
)

// Exit is the error that a statement ends its function with.
type Exit struct {
	Kind ExitKind
	// Error is the error value: the type constructed, the variable returned, or the function that builds it, such
	// as "ValueError", "ErrFull" or "fmt.Errorf".
	Error string
	// By is the call or macro that raises the error when Error does not name it, such as "require"; else "".
	By    string
	Value Value
}

// ValueKind is the kind of a [Value].
type ValueKind uint8

// The kinds of values.
const (
	ValueOther  ValueKind = iota // Args are the parts
	ValueString                  // Text between the quotes
	ValueNumber
	ValueName
	ValueCall   // Text is the callee
	ValueObject // Args are the fields
	// ValueFunction is a function literal: Text is the number of its first byte, as in [Body.At]. It is told from
	// ValueOther only where all statements were asked for.
	ValueFunction
)

// Value is an expression as far as it shows what an exit says.
type Value struct {
	Kind ValueKind
	Name string // of a named argument or field
	Text string
	Part string // of a text that is concatenated, the first literal; it is on Line. "…" if no literal is between it and the part before
	Args []Value
	Line int
}

// Size limits the nesting and length of values.
const (
	MaxValueDepth = 12
	MaxValueArgs  = 12
	MaxWholeArgs  = 400 // if all calls are asked for
)

// All calls see for the value and its parts, in the order of the source, until see returns false.
func (v *Value) All(see func(v *Value) bool) bool {
	if !see(v) {
		return false
	}
	for i := range v.Args {
		if !v.Args[i].All(see) {
			return false
		}
	}
	return true
}

// AllStmts calls see for every statement of a list, outer ones first.
func AllStmts(list []Stmt, see func(s *Stmt)) {
	for i := range list {
		s := &list[i]
		see(s)
		AllStmts(s.Body, see)
		AllStmts(s.Else, see)
		for j := range s.Arms {
			AllStmts(s.Arms[j].Body, see)
		}
	}
}

// Prune removes the statements that do not matter for how the body ends: assignments of variables that no
// condition and no error names, and empty branches. A body that cannot end with an error, and decides nothing, is
// emptied.
func (b *Body) Prune() {
	used := words{}
	matters := false
	AllStmts(b.Stmts, func(s *Stmt) {
		s.read(used)
		switch s.Op {
		case StmtError, StmtSwitch, StmtAnswer:
			matters = true
		case StmtCall:
			matters = matters || MayFail(s.Text)
		case StmtReturn:
			matters = matters || s.Value != nil && s.Value.Kind == ValueCall && (len(b.Stmts) == 1 || MayFail(s.Value.Text))
		default:
		}
	})
	AllStmts(b.Stmts, func(s *Stmt) { // of a state machine
		if s.Op == StmtAssign {
			matters = matters || s.writesMember() || s.Value != nil && s.Value.Kind == ValueName && used.name(s.Text)
		}
	})
	if !matters {
		b.Stmts = nil
		return
	}
	b.Stmts = pruned(b.Stmts, used)
}

// MayFail reports whether a called function may be one that always ends with an error, by its name. It is asked
// about functions without errors of their own.
func MayFail(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(failing, func(word string) bool { return strings.Contains(name, word) })
}

var failing = []string{
	"abort", "assert", "bad", "bail", "broken", "crash", "deny", "die", "ensure", "err", "except", "exit", "expect", "fail", "fatal",
	"forbid", "illegal", "invalid", "missing", "must", "never", "not", "panic", "quit", "raise", "refuse", "reject", "stop", "terminate",
	"throw", "unexpected", "unreachable", "unsupported", "usage", "wrong",
}

// words are the words of texts.
type words map[string]bool

func (w words) add(text string) {
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 0x80 && !inName(byte(c)) }) {
		w[word] = true
	}
}

// name reports whether one of the variables of an assignment is among the words, by the last part of its name.
func (w words) name(variables string) bool {
	for v := range strings.SplitSeq(variables, ",") {
		v = AssignedName(v)
		if v = v[strings.LastIndexAny(v, ".>:")+1:]; v != "" && v != "_" && w[v] {
			return true
		}
	}
	return false
}

// read adds the words of a statement's conditions and error.
func (s *Stmt) read(w words) {
	s.Cond.read(w)
	if s.Op == StmtSwitch || s.Op == StmtAssign && s.writesMember() { // of a variable that may be assigned above
		w.add(s.Text)
	}
	if s.Exit != nil {
		s.Exit.Value.read(w)
	}
	if s.Op != StmtAssign && s.Value != nil {
		s.Value.read(w)
	}
	if s.Answer != nil {
		s.Answer.Value.read(w)
		w["status"], w["statusCode"] = true, true // members that the answer is sent with
	}
	for i := range s.Arms {
		s.Arms[i].Guard.read(w)
		for j := range s.Arms[i].Conds {
			s.Arms[i].Conds[j].read(w)
		}
	}
}

func (c *Cond) read(w words) {
	if c == nil {
		return
	}
	w.add(c.Text)
	w.add(c.Of)
	for i := range c.Args {
		c.Args[i].read(w)
	}
}

func (v *Value) read(w words) {
	v.All(func(v *Value) bool {
		if v.Kind == ValueName {
			w.add(v.Text)
		}
		return true
	})
}

// Empty reports whether nothing is left of a body.
func (b Body) Empty() bool { return len(b.Stmts) == 0 }

// Mentions reports whether a variable is named in a condition.
func (c *Cond) Mentions(name string) bool {
	if Mentions(c.Text, name) || Mentions(c.Of, name) {
		return true
	}
	for i := range c.Args {
		if c.Args[i].Mentions(name) {
			return true
		}
	}
	return false
}

// trim removes the parts of a result that are not the error of another call.
func (v *Value) trim() {
	if v == nil || v.Kind == ValueCall && MayFail(v.Text) {
		return
	}
	var list []Value
	v.All(func(part *Value) bool {
		if part != v && part.Kind == ValueName && IsErrorName(part.Text) {
			list = append(list, *part)
		}
		return true
	})
	v.Args = list
}

// IsErrorName reports whether a variable holds an error, by its name.
func IsErrorName(name string) bool {
	name = name[strings.LastIndexAny(name, ".>$@:\\")+1:]
	if name == "" || name[0] >= 'A' && name[0] <= 'Z' {
		return false
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "err") || name == "e" || name == "ex" || name == "exc"
}

// writesMember reports whether an assignment changes a member or an element of something: what others may see.
func (s *Stmt) writesMember() bool {
	return strings.ContainsAny(s.Text, ".@") || strings.Contains(s.Text, "->")
}

func pruned(list []Stmt, used words) []Stmt {
	out := list[:0]
	for _, s := range list {
		s.Body, s.Else = pruned(s.Body, used), pruned(s.Else, used)
		empty := len(s.Body)+len(s.Else) == 0
		for i := range s.Arms {
			s.Arms[i].Body = pruned(s.Arms[i].Body, used)
			empty = empty && len(s.Arms[i].Body) == 0
		}
		if s.Op == StmtReturn {
			s.Value.trim()
		}
		switch s.Op {
		case StmtBlock, StmtIf, StmtLoop, StmtTry, StmtSelect, StmtClosure:
			if empty {
				continue
			}
		case StmtAssign:
			if !used.name(s.Text) {
				if !s.writesMember() {
					continue
				}
				s.Value, s.Label = nil, ""
			}
		default:
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil
	}
	return append(make([]Stmt, 0, len(out)), out...) // without the memory of what was removed
}

// AssignedName returns the variable or member that an assignment to target changes: "m" for "m[k]", "state" for
// "this.state".
func AssignedName(target string) string {
	target = AssignedTarget(target)
	for _, self := range []string{"this.", "self.", "this->", "$this->", "@"} {
		target = strings.TrimPrefix(target, self)
	}
	return target
}

// AssignedTarget is like AssignedName, with the receiver: "this.state".
func AssignedTarget(target string) string {
	target, _, _ = strings.Cut(strings.TrimLeft(target, " *([{"), "[")
	return strings.TrimRight(target, " )}]")
}

// Mentions reports whether a text names a variable, or a member of the receiver with that name.
func Mentions(text, name string) bool { return mentions(text, name, isOwn) }

// MentionsTarget reports whether a text names a variable, or a member that is written with its receiver.
func MentionsTarget(text, target string) bool {
	return mentions(text, target, func(string) bool { return false })
}

// MentionsMember reports whether a text names something, by itself or after its owner.
func MentionsMember(text, name string) bool {
	return mentions(text, name, func(before string) bool { return strings.HasSuffix(before, ".") })
}

// mentions looks for a name by itself, or after its owner.
func mentions(text, name string, isOwner func(before string) bool) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(name)
		if (at == 0 || !inName(text[at-1]) && text[at-1] != '.' && text[at-1] != '@' || isOwner(text[:at])) && (end == len(text) || !inName(text[end])) {
			return true
		}
		from = end
	}
}

// isOwn reports whether a text ends with the receiver of the function.
func isOwn(text string) bool {
	return strings.HasSuffix(text, "this.") || strings.HasSuffix(text, "self.") || strings.HasSuffix(text, "this->") || strings.HasSuffix(text, "@")
}

func inName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// ReplaceName replaces a name that stands by itself in a text, outside quotes.
func ReplaceName(text, name, by string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			end := QuoteEnd(text, i)
			b.WriteString(text[i : end+1])
			i = end
		case strings.HasPrefix(text[i:], name) && (i == 0 || !inName(text[i-1]) && text[i-1] != '.') && (i+len(name) == len(text) || !inName(text[i+len(name)])):
			b.WriteString(by)
			i += len(name) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Squeezed returns a line of source with one space for each run of white space outside quotes: what is in a string counts.
func Squeezed(line string) string {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "  ") && strings.IndexFunc(line, func(c rune) bool { return c != ' ' && unicode.IsSpace(c) }) < 0 {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		if end := QuoteEnd(line, i); strings.IndexByte("\"'`", line[i]) >= 0 && end > i {
			b.WriteString(line[i : end+1])
			i = end + 1
			continue
		}
		c, size := utf8.DecodeRuneInString(line[i:])
		if !unicode.IsSpace(c) {
			b.WriteString(line[i : i+size])
		} else if !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(' ')
		}
		i += size
	}
	return b.String()
}

// QuoteEnd returns the index of the quote that ends the string that begins at i. A quote without an end, such as that of a
// lifetime, is itself.
func QuoteEnd(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case text[i]:
			return j
		}
	}
	return i
}

// BracketEnd returns the index of the bracket that closes the one at open, outside quotes; -1 for none.
func BracketEnd(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			i = QuoteEnd(text, i)
		}
	}
	return -1
}

// CutOutside cuts a text at the first place of a word outside brackets and quotes.
func CutOutside(text, word string) (left, right string, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case depth == 0 && strings.HasPrefix(text[i:], word):
			return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(word):]), true
		case c == '"' || c == '\'' || c == '`':
			i = QuoteEnd(text, i)
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return "", "", false
}
