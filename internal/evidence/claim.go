package evidence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// Kind is the kind of a claim.
type Kind string

// The kinds of claims.
const (
	Route         Kind = "route"          // an HTTP route is served: Name, Served
	Refusal       Kind = "refusal"        // requests are refused: Outcome, When; Values are the routes
	Input         Kind = "input"          // a request carries Name: Option, Role is where; Values are the limits, Of is the route
	Stored        Kind = "stored"         // a request at the route Of does what Role says to the table Name; Values are [InLoop], [Cascaded], [Kept] and, if At[1] begins the transaction that it is in, [Together]
	AnswerBody    Kind = "answer-body"    // the body Name of answers, or that of the route Of, has the fields Values: "article.slug: str"
	Hazard        Kind = "hazard"         // a request at the route Of may fail or lose rows of the table Name as Role says; Values are the columns or the writes, Outcome the answer
	TableKey      Kind = "table-key"      // the columns Values of the table Name are a key or, if Of names a table, refer to that; Role is what becomes of the rows when those are deleted
	Request       Kind = "request"        // the test Of, in the file Text, sends a request to the route Name: Sends is what it carries, or, if Role is Any, what one of its rows does, Values the statuses that it asserts of the answer
	Service       Kind = "grpc-service"   // a gRPC service is served: Name
	Topic         Kind = "topic"          // messages of a topic are sent or received: Name, Role; Values are what they carry
	CacheKey      Kind = "cache-key"      // the subject does what Role says to the key Name of a cache: Option.Default is its lifetime
	Command       Kind = "command"        // a command of a command-line program: Name, Option.Help; Of is the one above, Values are aliases
	Environment   Kind = "environment"    // an environment variable is read: Name, Option, and Values as of a [Setting]
	Setting       Kind = "setting"        // a configuration key is read: Name, Option; if the class Of declares it, Name is its variable; Values are what other classes, places and files make of it, "class: default", or "class" if they require it; if Role is [SettingsKey], it is a key of configuration files; if Role is [SettingsFile], the classes Values read the file Name; if it is [ServiceSetting], another module of the service declares it
	ExitStatus    Kind = "exit-status"    // the subject ends the process with the status Name: When; Text is what is printed, Role is [BadUsage], [CommandFails], [MainFails] or "", Of the command that alone reaches the subject
	Signal        Kind = "signal"         // the subject handles the signal Name by the function Text, or by the calls Values; Of as of an [ExitStatus]
	StandardInput Kind = "standard-input" // the subject reads the standard input, by Name; Of as of an [ExitStatus]
	Flag          Kind = "flag"           // a command-line option: Name, Option; Of is its command, if known, and Values the choices
	Argument      Kind = "argument"       // a positional argument of the command Of: Name, Option; Values are the choices
	Field         Kind = "field"          // users give the value Name of the subject, a type or function: Option; Exits refuse values, Values are sentences about some, Text says why it is deprecated
	Sentinel      Kind = "sentinel"       // the subject is an error that callers can tell: Text is its message, Of its base, Values how it reaches them, Exits those that have it; Role is Hidden if it is not exported
	ErrorField    Kind = "error-field"    // the error type that is the subject has the field Name: Option
	ErrorText     Kind = "error-text"     // the text of the error type that is the subject: Values[0] is a format, the others are its arguments; When
	ErrorMade     Kind = "error-made"     // the function Of makes an error of the type that is the subject with the fields Values, "name = value"; When, Exits
	CallOrder     Kind = "call-order"     // documentation of the subject, Text, demands a call of Name; Values are the calls of an example, in order
	Usage         Kind = "usage"          // the example Name of the subject makes the calls Values, in order, and prints Text
	ZeroValue     Kind = "zero-value"     // the zero value of the subject lacks the members Values, which only the function Of sets and its methods call
	PropertyOf    Kind = "property"       // the test Of shows for generated inputs that the subject is the inverse of Name, or idempotent, as Role says; Values are the cases, Text the comments in it
	Predicate     Kind = "predicate"      // the subject reports whether Values hold, all or, as Role says, any; Exits are guarded by it
	DocGap        Kind = "doc-gap"        // documentation of the subject, Text, differs from the code: Role says how, Values are what it leaves out, Name what it calls the error
	Exit          Kind = "exit"           // the subject ends with an error: Outcome, When
	Choice        Kind = "choice"         // the subject branches on Name: Values are the cases; if Role is Picked, the variable Name, or the result if that is "", is Values[i] where When[i] holds
	Effect        Kind = "effect"         // the subject sets the fields Values, of what Role says; if Role is Called, it calls Name for its effect on what it was given: Values[0] as written, When; if Answered, it answers a request with the status Name, "" if that is not constant, and the message Text
	Result        Kind = "result"         // the subject returns Values[i] where When[i] holds and it does not fail; if Role is [Given], what its constructor Of was given as Name
	Built         Kind = "built"          // the subject builds the text in the variable Name, which it returns, of the parts Values[i], in order, each where When[i] holds
	Smell         Kind = "smell"          // what surprises readers of the subject, as Role says: Name, Values
	Call          Kind = "call"           // the subject calls Values, of other modules of the project
	Lookup        Kind = "lookup"         // the subject decides by the table or pattern Name, of the kind in Role: Values are its rows, "keys → value"
	Limit         Kind = "limit"          // a constant limits the module: Values[0]
	Enum          Kind = "enum"           // the subject is one of Values
	ConstGroup    Kind = "const-group"    // the subject has the named values Values
	Default       Kind = "default"        // parameters have defaults: Values, "name = value"
	Table         Kind = "table"          // a database table: Name, Of; Values are the columns
	Resource      Kind = "resource"       // the subject uses Name, a resource of the type in Role
	// Statements of documentation; Text is what it says.
	DocumentedParameter Kind = "documented-parameter" // a condition on the parameter Name
	DocumentedError     Kind = "documented-error"     // the subject fails with Name
	DocumentedFailure   Kind = "documented-failure"   // when the subject returns an error
	DocumentedPanic     Kind = "documented-panic"     // when the subject panics
	DocumentedSafety    Kind = "documented-safety"    // what callers of the subject must keep
	FailureNote         Kind = "failure-note"         // a sentence about failures
	DeclaredErrors      Kind = "declared-errors"      // Text is the throws clause of the subject's signature
	ErrorValue          Kind = "error-value"          // the subject is an error that users can recognise; Role is its kind
	Deprecation         Kind = "deprecation"          // the subject is deprecated; Text says why, else Name is the mark
	DeprecatedUse       Kind = "deprecated-use"       // the subject uses Name, which is deprecated
	Complex             Kind = "complex-function"     // the subject has Values[0] branches in Values[1] lines
	Note                Kind = "note"                 // a TODO or the like: Role is the marker, Text the note
	Entry               Kind = "entry"                // programs start at the subject, or at the file's own statements
	Constant            Kind = "constant"             // the subject is a constant with the value Values[0]
	Platform            Kind = "platform"             // the file Name is built only where Text holds
)

// Claim is a statement about the behaviour of a module, as data: what it is about, under which
// conditions it applies, what happens, and where the code shows it. All texts are those of the
// source, without markup and in no language of a spec.
type Claim struct {
	Kind    Kind        `json:"kind"`
	Subject string      `json:"subject,omitempty"` // qualified name of the symbol; "" for a file's own statements
	Name    string      `json:"name,omitempty"`    // what else is named: a route, an option, a parameter
	Values  []string    `json:"values,omitempty"`
	Outcome *Outcome    `json:"outcome,omitempty"` // of an [Exit]
	Option  *Option     `json:"option,omitempty"`
	Served  *Served     `json:"served,omitempty"` // of a [Route] whose framework is known
	Of      string      `json:"of,omitempty"`     // the symbol that declares Name: a model class, a service class
	Role    string      `json:"role,omitempty"`   // one of the roles below; the type of a resource
	Text    string      `json:"text,omitempty"`   // documentation
	When    []Condition `json:"when,omitempty"`   // of an [Exit], one for each place
	Sends   []string    `json:"sends,omitempty"`  // of a [Request]: "name = value"; without " = " if the value is not constant
	From    []string    `json:"from,omitempty"`   // exported callers; nil if Subject is exported
	Exits   []string    `json:"exits,omitempty"`  // ids of the exits that a [Field] decides
	At      []Place     `json:"-"`                // empty for [Platform]
}

// Condition says when an exit is reached.
type Condition struct {
	All     []paths.Term `json:"all,omitempty"`     // must all hold; none if the exit is unconditional
	Partial bool         `json:"partial,omitempty"` // they are necessary, not sufficient
	Later   bool         `json:"later,omitempty"`   // it is in the function that the subject returns, not in the subject itself
}

// String returns the terms on one line.
func (c Condition) String() string {
	var out []string
	for _, t := range c.All {
		out = append(out, t.String())
	}
	return strings.Join(out, " && ")
}

// After returns the terms that decide where earlier exits of the function were not taken, as text. It reads the trees of all terms
// from their texts, since a lock does not have them.
func (c Condition) After(earlier []Condition) []string {
	read := func(list []paths.Term) []paths.Term {
		list = slices.Clone(list)
		for i := range list {
			tree := paths.Read(list[i].Text)
			list[i].Cond = &tree
		}
		return list
	}
	var before [][]paths.Term
	for _, e := range earlier {
		before = append(before, read(e.All))
	}
	var out []string
	for _, t := range paths.Otherwise(before, read(c.All)) {
		out = append(out, t.String())
	}
	return out
}

// Excludes reports whether a condition says that another one does not hold, as one after an exit does.
func (c Condition) Excludes(other Condition) bool { return paths.Excludes(c.All, other.All) }

// Roles of claims.
const (
	Sent     = "sent"     // a topic that the module sends to
	Included = "included" // a route below the path at which its file is included
	Hidden   = "hidden"   // a command or flag that the help does not show; an error that is not exported
	Implied  = "implied"  // a flag that the library adds

	Before = "before" // a request that a hook sends before the test

	Unhandled = "unhandled" // a refusal: no handler catches the error, whose message callers do not get

	Unread = "unread" // a field that no code of the module reads
	Method = "method" // a field that is set by the method of that name

	Inverse    = "inverse"    // f(Name(x)) is x
	Idempotent = "idempotent" // f(f(x)) is f(x)

	All = "all"
	Any = "any"

	RefusesMore = "refuses-more" // the code refuses more values than the documentation names
	Wraps       = "wraps"        // the error is wrapped, not returned as it is

	// Ways in which an error reaches callers.
	Returned = "returned" // as it is
	Thrown   = "thrown"
	Wrapped  = "wrapped" // followed by what unwraps to it: a field, or %w
	Held     = "held"    // followed by the field that has it, which nothing unwraps
	Unused   = "unused"  // no code of the module names it

	InLoop   = "loop"     // once for each element of a loop
	Cascaded = "cascade"  // because others are deleted
	Kept     = "kept"     // rows with a key that exists are left as they are
	Together = "together" // in a transaction

	// What a [Hazard] is.
	Conflict  = "conflict"  // rows are inserted that may have a key of others, and nothing handles the error
	Separate  = "separate"  // writes that are in no transaction together
	Repeated  = "repeated"  // a query for each element of a loop
	Unordered = "unordered" // a part of the rows is read, of which no order is given

	PrimaryKey = "primary"   // a [TableKey]
	UniqueKey  = "unique"    // a [TableKey]
	NoAction   = "no action" // nothing is said of the rows that refer to a deleted one

	BadUsage = "usage" // the library ends the process because the command line does not fit

	CommandFails = "command-fails" // a command returns an error to the library
	MainFails    = "main-fails"    // main returns an error

	OfReceiver = "receiver" // an effect on the subject's own object
	OfArgument = "argument" // an effect on an argument
	Called     = "called"   // an effect by a call of an argument or of its method
	Answered   = "answered" // a request is answered

	Picked = "picked" // a choice of one of several values

	LateGuard  = "late-guard" // Name is read (Values[0]) before the guard on it
	Overridden = "overridden" // the member Name, given as Values[0], may be replaced by the spread Values[1] after it
)

// Outcome is the error with which a function ends.
type Outcome struct {
	Error   string `json:"error,omitempty"`   // its name; "" if only the message identifies it
	Message string `json:"message,omitempty"` // as written, with format verbs and interpolations; "" for none
	Status  string `json:"status,omitempty"`  // the HTTP status or code, if it is a literal
	// Member is the member of an enumeration that the error is made with, "ErrorKind::Closed"; "" if it has a message or a status.
	Member string `json:"member,omitempty"`
	// How says how the function reports it; "" if that is not known.
	How code.ExitKind `json:"how,omitempty"`
	By  string        `json:"by,omitempty"` // the function that is called to raise it; "" if the statement itself does
	// Wraps are the module's own errors in the fields of the error, or in its text with %w.
	Wraps []string `json:"wraps,omitempty"`
	// Beside are the results beside the error, as written; of the first place.
	Beside []string `json:"beside,omitempty"`
	// Details are the other texts that the error is made with.
	Details []string `json:"details,omitempty"`
}

// Option describes a value that users give.
type Option struct {
	Type    string `json:"type,omitempty"`
	Default string `json:"default,omitempty"` // as written
	Help    string `json:"help,omitempty"`
	// Of flags and arguments:
	Short    string `json:"short,omitempty"` // "-p"
	Also     string `json:"also,omitempty"`  // other names, separated by commas
	Value    string `json:"value,omitempty"` // the placeholder of the value in the help
	Env      string `json:"env,omitempty"`   // the environment variable that sets it
	Required bool   `json:"required,omitempty"`
	Many     bool   `json:"many,omitempty"`   // may be repeated
	Global   bool   `json:"global,omitempty"` // also of the commands below
}

// Served is what a service answers at a route.
type Served struct {
	Guards   []string `json:"guards,omitempty"`   // the steps that refuse callers: with 401 or 403
	Inputs   []string `json:"inputs,omitempty"`   // "query limit"
	Success  []string `json:"success,omitempty"`  // "201 ArticleInResponse"
	Refusals []string `json:"refusals,omitempty"` // "404 article does not exist", in the order in which they are checked
	Shadowed bool     `json:"shadowed,omitempty"` // an earlier route takes its requests
}

// Place is a line and some text on it.
type Place struct {
	File string
	Line int
	Text string
}

// idBytes is the number of bytes of a hash in an ID.
const idBytes = 6

// ID identifies the claim within its module. It depends on what the claim is about: not on its
// lines, conditions, values, or the language of a spec.
func (c *Claim) ID() string {
	parts := append(c.about(), c.Outcome.parts()...)
	if c.Kind == Refusal && c.Subject == "" && c.Outcome != nil {
		parts = append(parts, c.Outcome.By)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return string(c.Kind) + "-" + hex.EncodeToString(sum[:idBytes])
}

// about returns what identifies a claim of its kind, without an outcome.
func (c *Claim) about() []string {
	parts := []string{c.Subject, c.Name}
	switch c.Kind {
	case Input, AnswerBody:
		parts[0] = c.Of
	case Stored, Topic: // of a topic, what is sent is not what is handled
		parts = []string{c.Of, c.Name, c.Role}
	case Hazard, TableKey:
		parts = append([]string{c.Of, c.Name, c.Role}, c.Values...)
	case Request:
		parts = []string{c.Of, c.Name, c.Text}
	case Flag, Argument:
		if parts[0] = ""; c.Of != "" {
			parts = append(parts, c.Of)
		}
	case Route, Service, Command, Environment, Setting, Table: // claimed of the module
		parts[0] = ""
	case Note, FailureNote, ExitStatus, CacheKey:
		parts = append(parts, c.Role, c.Text)
	case Effect, Smell, Choice:
		parts = append(parts, c.roleParts()...)
	case Lookup:
		parts = append(append(parts, c.Role), c.firstRow()...)
	case PropertyOf:
		parts = append(parts, c.Of, c.Role)
	case CallOrder, DocGap:
		parts = append(parts, c.Text)
	case ErrorMade:
		parts = append(append(parts, c.Of), c.Values...)
	case ErrorText:
		parts = append(parts, c.Values...)
	default:
	}
	return parts
}

// roleParts returns what a role adds to what identifies a claim.
func (c *Claim) roleParts() []string {
	switch {
	case c.Kind == Smell || c.Role == Called || c.Role == Answered:
		return append([]string{c.Role}, c.Values...)
	case c.Kind == Choice && c.Role == "":
		return nil
	}
	return []string{c.Role}
}

// parts returns what tells an outcome from others.
func (o *Outcome) parts() []string {
	if o == nil {
		return nil
	}
	out := append([]string{o.Error, o.Message, o.Status}, o.Details...)
	if o.Member != "" {
		out = append(out, o.Member)
	}
	if o.Message == "" {
		out = append(out, o.Wraps...)
	}
	return out
}

// firstRow returns what tells a table without a name from others of its subject.
func (c *Claim) firstRow() []string {
	if c.Name != "" {
		return nil
	}
	return c.Values[:min(1, len(c.Values))]
}

// Evidence returns the kind of evidence that the claim has: "route", "config", "guard",
// "doc-tag" or "inferred".
func (c *Claim) Evidence() string {
	switch c.Kind {
	case Route, Service, Topic, Command, Input, AnswerBody:
		return "route"
	case Environment, Setting, Flag, Argument:
		return "config"
	case Exit, Refusal:
		return "guard"
	case DocumentedParameter, DocumentedError, DocumentedFailure, DocumentedPanic, DocumentedSafety, FailureNote, Deprecation, Note:
		return "doc-tag"
	default:
		return "inferred"
	}
}

// maxTexts limits the documentation that a claim joins, in bytes.
const maxTexts = 400

// add merges a claim with the same ID: of an overload, of another place, or of another symbol
// with that name.
func (c *Claim) add(more *Claim) {
	for _, p := range more.At {
		if !slices.Contains(c.At, p) {
			c.At = append(c.At, p)
		}
	}
	c.When = append(c.When, more.When...)
	for _, v := range more.Values {
		if !slices.Contains(c.Values, v) {
			c.Values = append(c.Values, v)
		}
	}
	if more.Text != "" && !strings.Contains(c.Text, more.Text) && len(c.Text) < maxTexts {
		c.Text = strings.TrimPrefix(c.Text+" / "+more.Text, " / ")
	}
	c.Of, c.Role = cmp.Or(c.Of, more.Of), cmp.Or(c.Role, more.Role)
	if c.Option == nil || *c.Option == (Option{}) {
		c.Option = more.Option
	}
}
