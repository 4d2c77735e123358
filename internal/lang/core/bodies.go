package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// BodyRules describe, by node kinds, how a language writes what [code.Bodies] records.
type BodyRules struct {
	Flow     map[string]Construct
	Switches map[string]SwitchRule // for each FlowSwitch
	Blocks   Set                   // closures in which return leaves the function around
	Handlers Set                   // catch clauses and their equivalents
	Branches Set                   // nodes that count towards the complexity of a function
	Texts    Set                   // string literals
	Calls    Set                   // nodes with an argument list
	Marks    Set                   // annotations that are not calls
	// Comprehensions are expressions whose parts but the first clause are evaluated once for each element of something.
	Comprehensions Set
	Takes          map[string]string // kinds of statements that acquire a resource -> the kind of resource
	// Special reads nodes of the construct FlowSpecial; ok is false for nodes to be read as
	// others are. Special and the functions below may be nil.
	Special func(f *FlowReader, n syntax.Node) (out []code.Stmt, ok bool)
	// Disables reports whether n is an attribute with which the next node is not part of the
	// program: a test, code for another platform.
	Disables func(n syntax.Node) bool
	// ForTests reports whether such an attribute is one of tests. It may be nil.
	ForTests func(n syntax.Node) bool
	// Variant returns the condition in an attribute under which the next node is compiled; the
	// zero Node for others.
	Variant func(n syntax.Node) syntax.Node
	// Cond reads conditions that are not made of and, or and not.
	Cond func(f *FlowReader, n syntax.Node) (c code.Cond, ok bool)
	// Refusal recognises early exits that are not throw statements: a macro, a result that is
	// an error.
	Refusal func(n syntax.Node) EarlyExit
	// Result returns the expression that is the result of a function or closure without a return; the zero Node for
	// none. If it is nil, the result is a body that is a call.
	Result func(n syntax.Node) syntax.Node
	// Tail reports whether an expression is what its function returns, where the last one of a body is; nil in other
	// languages.
	Tail func(n syntax.Node) bool
	// Answers are the functions that answer a request, by their last name or with their receiver.
	Answers map[string]AnswerRule
	// AnswerMembers are members of a request's context whose assignment answers it.
	AnswerMembers Set
	// CatchesAll reports whether a handler with this head catches every exception.
	CatchesAll func(head string) bool
	// Lookup recognises look-ups by a string key, such as process.env.HOME. Each name is a
	// string literal or an identifier that is the key.
	Lookup func(n syntax.Node) (of string, names []syntax.Node)
	// Fallbacks are the kinds of nodes with two values of which the second is used where the first is missing, with
	// their operators.
	Fallbacks map[string]Set
	// Literal reads a literal with the names of its fields; without In. Fallbacks are those that it shows.
	Literal func(n syntax.Node) (literals []code.Literal, fallbacks []code.Fallback)
	// Shapes reads the object parameters of a function; without In.
	Shapes func(n syntax.Node) []code.Shape
	Bare   bool // members of the receiver may be named without it
	// Lines are the kinds of nodes whose parts are statements, in a language without a node for an expression that is a
	// statement. The calls among them are kept on request, as all calls.
	Lines Set
	// Values are the kinds of expressions other than calls that are kept with them: the value of a block or a branch.
	Values Set
	Scope  string // the separator between a type and its members; "" means "."

	kinds syntax.KindMarks
}

// readBodies fills the file's Bodies and Whole.
func (r *Reader) readBodies() {
	if r.Lang.Bodies != nil {
		r.SetBodies(r.bodies)
	}
}

// SetBodies fills the file's Bodies and Whole with what read returns for the parts, as far as they are asked for.
func (r *Reader) SetBodies(read func() *code.Bodies) {
	f := r.File
	if !r.WantsBodies() {
		return
	}
	f.Bodies = read()
	if r.Parts&Whole == 0 || f.Test {
		return
	}
	asked := r.Parts
	r.Parts |= Calls
	f.Whole = read()
	r.Parts = asked
}

// WantsBodies reports whether the file's Bodies are asked for. No statement is made from generated code that is not a test;
// its bodies are read with all calls only, for what it adds to a service or a command.
func (r *Reader) WantsBodies() bool {
	tests := r.File.Test || len(r.File.Tests) > 0
	return r.Parts&Bodies != 0 && (tests || !r.File.Generated || r.Parts&Calls != 0)
}

// bodies reads the bodies with what r.Parts ask for.
func (r *Reader) bodies() *code.Bodies {
	rules := r.Lang.Bodies
	b := &BodyReader{Reader: r, Rules: rules, out: &code.Bodies{}, weights: map[int]int{}, roles: rules.rolesOf(r.Root())}
	f, after, tests := &FlowReader{BodyReader: b}, 0, 0
	for n := range r.Root().Descendants() {
		if n.Start() >= r.Length {
			break
		}
		b.inTest = n.Index() < tests
		b.visit(n)
		f.record(n, n.Index() < after)
		if n.Index() < after {
			continue
		}
		switch {
		case rules.Flow[n.Kind()] == FlowFunction:
			f.function(n)
			after = n.After()
		case rules.Disables != nil && rules.Disables(n):
			after = n.Next().After()
			b.known = n.Next().End()
			if rules.ForTests != nil && rules.ForTests(n) {
				tests = after
			}
		}
	}
	b.out.Functions = slices.DeleteFunc(b.out.Functions, code.Body.Empty)
	b.countBranches()
	return b.out
}

// BodyReader reads the bodies of one file.
type BodyReader struct {
	*Reader
	Rules   *BodyRules
	roles   syntax.Marks
	out     *code.Bodies
	weights map[int]int // index of a span -> number of branches; not keyed by name, which overloads share
	open    []OpenUse
	calls   []OpenUse              // of Calls
	inTest  bool                   // the current position is in what is for tests alone, in a file of code
	known   int                    // the offset where the last lookup ends: those in it are its rows
	lists   map[string]syntax.Node // see listNamed; nil until needed
}

func (b *BodyReader) visit(n syntax.Node) {
	kind, roles := n.Kind(), b.roles.Of(n)
	if roles&roleBranch != 0 && n.Named() || roles&roleOperator != 0 {
		b.weights[b.enclosingSpan(n.Start())]++
	}
	if roles&roleCall != 0 {
		b.call(n)
	}
	if b.Rules.Lookup != nil {
		if of, names := b.Rules.Lookup(n); len(names) > 0 {
			b.lookups(n, of, names)
		}
	}
	if roles&roleTakes != 0 && n.Named() {
		word := strings.TrimSuffix(kind, "_statement")
		b.out.Resources = append(b.out.Resources, code.ResourceUse{In: b.Enclosing(n.Start()), Kind: b.Rules.Takes[kind], Text: word, Line: n.Line()})
	}
	if roles&roleText != 0 {
		b.tables(n)
	}
	if b.File.Test {
		b.rowsOf(n)
		return
	}
	if roles&roleOption != 0 || b.Rules.Literal != nil {
		b.options(n)
	}
	if roles&(roleTable|roleCall) != 0 {
		b.lookup(n)
	}
}

// The roles that nodes of a kind have for [BodyReader]. Most kinds have none.
const (
	roleBranch uint8 = 1 << iota
	roleOperator
	roleCall
	roleTakes
	roleText
	roleOption // options reads it
	roleTable  // lookup reads it
)

// rolesOf returns the roles of the kinds of nodes in the tree of n.
func (rules *BodyRules) rolesOf(n syntax.Node) syntax.Marks {
	return rules.kinds.Of(n, func(kind string) []bool {
		_, takes := rules.Takes[kind]
		_, falls := rules.Fallbacks[kind]
		flow := rules.Flow[kind]
		return []bool{
			rules.Branches[kind], kind == "&&" || kind == "||", rules.Calls[kind], takes, rules.Texts[kind] || longTexts[kind],
			falls || flow == FlowIf || flow == FlowFunction, listNodes[kind] || mapNodes[kind] || patternNodes[kind],
		}
	})
}

// countBranches adds the branch counts of the functions to the result.
func (b *BodyReader) countBranches() {
	for i, s := range b.Spans {
		n := b.weights[i]
		if n == 0 {
			continue
		}
		first, last := b.Line(s.Start), b.Line(max(s.Start, s.End-1))
		b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.Name, Branches: n, Lines: last - first + 1, Line: first})
	}
}
