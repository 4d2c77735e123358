package cfamily

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// A macro is bound as a function. Its replacement is tokens: a name before parentheses is treated
// as called from the macro, although it is called where the macro is used. What a macro does with
// its parameters is in their types: one that is called has a function's type, one that is handed
// on has the type that the other call expects. So the linker knows which arguments are called.

// functionMacro binds a macro that takes arguments.
func functionMacro(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	openMacro(b, n, code.Def{Name: name.Text(), Kind: code.DefFunc, Line: int32(name.Line()), Exported: true})
	for p := range n.Field("parameters").Children() {
		switch p.Kind() {
		case "identifier":
			b.Define(code.Def{Name: p.Text(), Kind: code.DefParam, Line: int32(p.Line())})
		case "...":
			b.Define(code.Def{Name: "...", Kind: code.DefParam, Line: int32(p.Line()), Variadic: true})
		}
	}
	readReplacement(b, n.Field("value"), name.Text()).facts()
	b.CloseScope()
}

// plainMacro binds a macro without parameters: as an alias, #define read my_read, or, if it calls
// something, as a function that is called without parentheses.
func plainMacro(b *core.FactBuilder, n syntax.Node) {
	name, value := n.Field("name"), n.Field("value")
	text := value.Text()
	if text == name.Text() {
		return
	}
	if isName(text) {
		if text != "" && !isConstantName(text) && !plainTypes[text] && !notCalled[text] {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefAlias, Value: b.Name(text, value.Start()), Line: int32(name.Line()), Exported: true})
		}
		return
	}
	if r := readReplacement(b, value, name.Text()); r.calls() {
		openMacro(b, n, code.Def{Name: name.Text(), Kind: code.DefFunc, Line: int32(name.Line()), Exported: true, Getter: true})
		r.facts()
		b.CloseScope()
	}
}

// openMacro binds a macro and opens its scope.
func openMacro(b *core.FactBuilder, n syntax.Node, d code.Def) {
	d.Macro = true
	f := b.Define(d)
	f.Scope = b.OpenScope(code.FuncScope, d.Name, n.Start(), n.End())
	b.Scopes[b.Scope].Body = true
	symbol(b, b.Scope, n.Field("name").Start())
}

// notCalled are the words that may precede parentheses in a macro without being called.
var notCalled = core.SetOf("if", "while", "for", "switch", "return", "sizeof", "typeof", "__typeof__", "__typeof", "alignof", "_Alignof", "__alignof__",
	"defined", "__attribute__", "__asm__", "asm", "__asm", "_Static_assert", "static_assert", "_Generic", "offsetof", "decltype", "catch", "noexcept",
	"int", "char", "void", "long", "short", "unsigned", "signed", "float", "double", "const", "volatile", "__volatile__", "else", "do", "case",
	"__extension__", "operator", "alignas", "template", "typename", "throw", "new", "delete", "and", "or", "not", "struct", "union", "enum", "static_cast",
	"__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_va_arg", "va_arg", "goto")

// typeWords are those of them after which a name before parentheses is declared.
var typeWords = core.SetOf("int", "char", "void", "long", "short", "unsigned", "signed", "float", "double", "const", "volatile", "struct", "union", "enum")

// allArguments is what a macro calls its variable arguments.
const allArguments = "__VA_ARGS__"

// replacement is the text that a macro stands for.
type replacement struct {
	b      *core.FactBuilder
	macro  string
	text   []byte
	start  int // its offset
	tokens []repair.Token
}

// readReplacement splits the value of a macro into tokens.
func readReplacement(b *core.FactBuilder, value syntax.Node, macro string) *replacement {
	r := &replacement{b: b, macro: macro}
	if !value.Ok() {
		return r
	}
	r.text, r.start = b.Source[value.Start():value.End()], value.Start()
	r.tokens = repair.Tokens(r.text, isCPP(b))
	return r
}

// at returns the token i; "" for none.
func (r *replacement) at(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return string(r.text[r.tokens[i].Start:r.tokens[i].End])
}

func (r *replacement) isWord(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].Kind == repair.Word && r.tokens[i].End > 0
}

// called reports whether the token i is a name that is called as it stands, or is a parameter.
func (r *replacement) called(i int) bool {
	return r.isWord(i) && r.at(i+1) == "(" && r.at(i) != r.macro && !notCalled[r.at(i)] && r.canBeCalled(i-1)
}

// canBeCalled reports whether a name after the token i is a free function: not a member, not
// pasted, not declared there.
func (r *replacement) canBeCalled(i int) bool {
	if r.isWord(i) {
		return notCalled[r.at(i)] && !typeWords[r.at(i)]
	}
	return !slices.Contains([]string{".", "->", "#", "::"}, r.at(i))
}

// calls reports whether something is called.
func (r *replacement) calls() bool {
	for i := range r.tokens {
		if r.called(i) {
			return true
		}
	}
	return false
}

// facts adds the calls in the replacement.
func (r *replacement) facts() {
	for i := range r.tokens {
		switch {
		case r.called(i) && bound(r.b, r.at(i)):
			r.applies(r.at(i), r.b.Add(code.Expr{Op: code.OpFuncType}))
		case r.called(i):
			r.call(i)
		case r.at(i) == "#" && r.at(i+1) == "#" && r.at(i-2) != "#" && r.isWord(i-1) && r.isWord(i+2) && r.at(i+3) == "(":
			r.pasted(r.at(i-1), r.at(i+2))
		}
	}
}

// applies records what a parameter must be; a value that is called or handed on in several places
// must be one of them.
func (r *replacement) applies(param string, typ code.Ref) {
	list := r.b.Scopes[r.b.Scope].Defs
	for i := range list {
		if list[i].Kind == code.DefParam && list[i].Name == param {
			list[i].Type = r.b.Either(list[i].Type, typ)
			return
		}
	}
}

// pasted reads before##after(…), one half of which is a parameter: what is called has the argument's
// name with the other half.
func (r *replacement) pasted(before, after string) {
	switch {
	case bound(r.b, before) == bound(r.b, after):
	case bound(r.b, after):
		r.applies(after, r.b.Add(code.Expr{Op: code.OpFuncType, Name: before + "*"}))
	default:
		r.applies(before, r.b.Add(code.Expr{Op: code.OpFuncType, Name: "*" + after}))
	}
}

// call adds the call of the name i.
func (r *replacement) call(i int) {
	args, end := r.arguments(i + 1)
	var refs []code.Ref
	for _, a := range args {
		if name := r.at(a); a > 0 && !notCalled[name] && !nothing[name] && !bound(r.b, name) && name != allArguments {
			refs = append(refs, r.b.Name(name, r.start+r.tokens[a].Start))
			continue
		}
		refs = append(refs, 0)
	}
	at := r.start + r.tokens[i].Start
	call := r.b.Call(code.OpCall, r.b.Name(r.at(i), at), refs, at)
	for k, a := range args {
		if a > 0 && bound(r.b, r.at(a)) {
			r.applies(r.at(a), r.b.Add(code.Expr{Op: code.OpExpected, X: call, N: int32(k)}))
		}
	}
	if r.at(end+1) == "(" && slices.ContainsFunc(args, func(a int) bool { return r.at(a) == allArguments }) {
		// One of the names, by the number of arguments: PICK(__VA_ARGS__, TWO, ONE)(__VA_ARGS__).
		if picked := r.b.Either(refs...); picked != 0 {
			r.b.Call(code.OpCall, picked, nil, at)
		}
	}
}

// arguments returns the arguments in the brackets at i: of those that are one name the token, of
// others -1; end is the closing bracket.
func (r *replacement) arguments(i int) (args []int, end int) {
	depth, from := 0, i+1
	for end = i; end < len(r.tokens); end++ {
		switch r.at(end) {
		case "(", "[", "{":
			depth++
			continue
		case ")", "]", "}":
			depth--
		}
		if depth > 1 || depth == 1 && r.at(end) != "," {
			continue
		}
		args = append(args, r.soleName(from, end))
		if from = end + 1; depth == 0 {
			break
		}
	}
	return args, end
}

// soleName returns the token in a range if it is one name, else -1. It may be in brackets.
func (r *replacement) soleName(from, to int) int {
	if to-from == 3 && r.at(from) == "(" && r.at(to-1) == ")" {
		from, to = from+1, to-1
	}
	if to-from == 1 && r.isWord(from) {
		return from
	}
	return -1
}

// functionOfMacro reads a function whose head is a macro call at an offset, SYSCALL_DEFINE3(read, …) {,
// under the name that [reader.madeByMacro] gives it, or that of a test.
func functionOfMacro(b *core.FactBuilder, n syntax.Node, at int) bool {
	body := n.Child("compound_statement")
	if isCPP(b) || !body.Ok() || b.Scope != 0 {
		return false
	}
	name := (&reader{Reader: b.Reader}).nameInHead(at, body.Start(), true)
	if name == "" {
		return false
	}
	f := b.Define(code.Def{Name: name, Kind: code.DefFunc, Line: int32(b.Line(at)), Exported: true})
	f.Scope = b.OpenScope(code.FuncScope, name, n.Start(), n.End())
	b.Scopes[b.Scope].Body = true
	symbol(b, b.Scope, at)
	if macro, ok := writtenCall(b, at); ok && macro != name {
		b.Call(code.OpCall, b.Name(macro, at), nil, at)
	}
	b.WalkChildren(body)
	hiddenUses(b, body)
	dropUntyped(b)
	b.CloseScope()
	return true
}

// hiddenUses adds the uses of macros in the body of a function that were hidden from the parser: those
// that stand for parts of statements, such as BEGIN_ALLOW_THREADS.
func hiddenUses(b *core.FactBuilder, body syntax.Node) {
	for at := body.Start(); at < body.End(); at++ {
		if b.Rewritten[at] != ' ' || !srctext.NameByte(b.Source[at]) {
			continue
		}
		end := at
		for end < body.End() && srctext.NameByte(b.Source[end]) && b.Rewritten[end] == ' ' {
			end++
		}
		name := string(b.Source[at:end])
		whole := !srctext.NameByte(b.Source[at-1]) && (end == len(b.Source) || !srctext.NameByte(b.Source[end]))
		if whole && repair.Capitals(name) {
			ref := b.Name(name, at)
			if _, ok := writtenCall(b, at); ok {
				b.Call(code.OpCall, ref, nil, at)
			}
		}
		at = end
	}
}

// macroHead reads a macro before a statement that the parser was shown as a loop: each(x, list) {.
func macroHead(b *core.FactBuilder, n syntax.Node) bool {
	name, ok := writtenCall(b, n.Start())
	if !ok || notCalled[name] || notCalls[name] {
		return false
	}
	condition := n.Field("condition")
	var args []code.Ref
	list := condition.First()
	for list.Is("condition_clause", "parenthesized_expression") {
		list = list.First()
	}
	for list.Is("comma_expression") {
		args = append(args, argument(b, list.Field("left")))
		list = list.Field("right")
	}
	args = append(args, argument(b, list))
	b.Call(code.OpCall, b.Name(name, n.Start()), args, n.Start())
	for c := range n.NamedSeq() {
		if c != condition {
			b.Walk(c)
		}
	}
	return true
}

// macroStatement reads a macro of which the parser was shown the name alone.
func macroStatement(b *core.FactBuilder, n syntax.Node) bool {
	x := n.First()
	if !x.Is("identifier") {
		return false
	}
	name, ok := writtenCall(b, x.Start())
	if !ok || name != x.Text() || notCalled[name] || notCalls[name] {
		return false
	}
	b.Call(code.OpCall, b.Name(name, x.Start()), nil, x.Start())
	return true
}

// writtenCall returns the name in the source at an offset if brackets follow.
func writtenCall(b *core.FactBuilder, at int) (name string, ok bool) {
	to := at
	for to < len(b.Source) && srctext.NameByte(b.Source[to]) {
		to++
	}
	next := to
	for next < len(b.Source) && (b.Source[next] == ' ' || b.Source[next] == '\t') {
		next++
	}
	return string(b.Source[at:to]), to > at && next < len(b.Source) && b.Source[next] == '('
}
