package cfamily

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// A function-like macro is bound as a function. Its replacement is tokens: a name before
// parentheses is treated as called from the macro, although it is called where the macro is
// used.

// functionMacro binds a macro that takes arguments.
func functionMacro(b *core.FactBuilder, n syntax.Node) {
	name, body := n.Field("name"), n.Field("value")
	f := b.Define(code.Def{Name: name.Text(), Kind: code.DefFunc, Line: int32(name.Line()), Exported: true})
	f.Scope = b.OpenScope(code.FuncScope, name.Text(), n.Start(), n.End())
	b.Scopes[b.Scope].Body = true
	symbol(b, b.Scope, name.Start())
	for p := range n.Field("parameters").Children() {
		switch p.Kind() {
		case "identifier":
			b.Define(code.Def{Name: p.Text(), Kind: code.DefParam, Line: int32(p.Line())})
		case "...":
			b.Define(code.Def{Name: "...", Kind: code.DefParam, Line: int32(p.Line()), Variadic: true})
		}
	}
	expansion(b, body, name.Text())
	b.CloseScope()
}

// notCalled are the words that may precede parentheses in a macro without being called.
var notCalled = core.SetOf("if", "while", "for", "switch", "return", "sizeof", "typeof", "__typeof__", "__typeof", "alignof", "_Alignof", "__alignof__",
	"defined", "__attribute__", "__asm__", "asm", "__asm", "_Static_assert", "static_assert", "_Generic", "offsetof", "decltype", "catch", "noexcept",
	"int", "char", "void", "long", "short", "unsigned", "signed", "float", "double", "const", "volatile", "__volatile__", "else", "do", "case",
	"__extension__", "operator", "alignas", "template", "typename", "throw", "new", "delete", "and", "or", "not", "struct", "union", "enum", "static_cast",
	"__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_va_arg", "va_arg", "goto")

// expansion reads the calls in a macro's replacement.
func expansion(b *core.FactBuilder, body syntax.Node, macro string) {
	if !body.Ok() {
		return
	}
	text := b.Source[body.Start():body.End()]
	word := func(t repair.Token) string { return string(text[t.Start:t.End]) }
	var last, before repair.Token // the two previous tokens
	repair.EachToken(text, isCPP(b), func(t repair.Token) {
		if t.Kind == repair.Punct && word(t) == "(" && last.Kind == repair.Word && last.End > 0 {
			name := word(last)
			if name != macro && !notCalled[name] && !bound(b, name) && canBeCalled(before, word(before)) {
				at := body.Start() + last.Start
				b.Call(code.OpCall, b.Name(name, at), nil, at)
			}
		}
		before, last = last, t
	})
}

// canBeCalled reports whether a name after the token before is a free function: not a member,
// not pasted, not declared there.
func canBeCalled(before repair.Token, text string) bool {
	if before.End == 0 {
		return true
	}
	if before.Kind == repair.Word {
		return notCalled[text]
	}
	return text != "." && text != "->" && text != "##" && text != "::"
}

// aliasMacro binds a macro that is an alias: #define read my_read.
func aliasMacro(b *core.FactBuilder, n syntax.Node) {
	name, value := n.Field("name"), n.Field("value")
	text := value.Text()
	if !isName(text) || text == "" || isConstantName(text) || text == name.Text() || plainTypes[text] || notCalled[text] {
		return
	}
	b.Define(code.Def{Name: name.Text(), Kind: code.DefAlias, Value: b.Name(text, value.Start()), Line: int32(name.Line()), Exported: true})
}
