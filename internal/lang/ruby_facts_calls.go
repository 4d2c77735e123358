package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyCallFacts reads a call, with or without a receiver.
func rubyCallFacts(b *facts, n syntax.Node) code.Ref {
	method, receiver := n.Field("method"), n.Field("receiver")
	switch {
	case method.Is("super"):
		return rubySuper(b, method, rubyArguments(b, n))
	case typeMaker(n) != "":
		return rubyMadeType(b, n)
	case !method.Ok(): // x.(1)
		x := b.value(receiver)
		return b.call(code.OpCall, b.selected(x, "call", receiver.End()), rubyArguments(b, n), receiver.Start())
	case receiver.Ok():
		return rubyCallOn(b, n, receiver, method)
	}
	return rubyPlainCall(b, n, method)
}

// rubyCallOn is a call with a receiver.
func rubyCallOn(b *facts, n, receiver, method syntax.Node) code.Ref {
	word := method.Text()
	if rubyReopens[word] && receiver.Is("constant", "scope_resolution") && n.Field("block").Ok() {
		return rubyReopen(b, n, receiver)
	}
	x := b.value(receiver)
	switch word {
	case "new":
		at := receiver
		if receiver.Is("scope_resolution") {
			at = receiver.Field("name")
		}
		return b.call(code.OpNew, x, rubyArguments(b, n), at.Start())
	case "class":
		return b.of(code.OpTypeOf, x)
	case "freeze", "dup", "clone", "itself", "tap":
		if word != "tap" {
			return x
		}
	}
	if name, ok := rubySent(n, word); ok {
		args := rubyArguments(b, n)
		return rubySend(b, b.selected(x, name, method.Start()), word, args, method.Start())
	}
	if x == 0 && receiver.Is("self") {
		return b.call(code.OpCall, b.name(word, method.Start()), rubyArguments(b, n), method.Start())
	}
	ref := b.call(code.OpCall, b.selected(x, word, method.Start()), rubyArguments(b, n), method.Start())
	if word == "tap" {
		return x
	}
	return ref
}

// rubySent returns the method that send(:name) or method(:name) names.
func rubySent(n syntax.Node, word string) (string, bool) {
	switch word {
	case "send", "public_send", "__send__", "method", "public_method", "instance_method":
		if first := n.Field("arguments").First(); first.Is("simple_symbol") {
			return strings.TrimPrefix(first.Text(), ":"), true
		}
	}
	return "", false
}

// rubySend is a call of a method that is named by a symbol; method(:name) only mentions it.
func rubySend(b *facts, callee code.Ref, word string, args []code.Ref, pos int) code.Ref {
	if strings.HasSuffix(word, "method") {
		return callee
	}
	return b.call(code.OpCall, callee, args[min(1, len(args)):], pos)
}

// rubyPlainCall is a call without a receiver: a declaration, or a method of self.
func rubyPlainCall(b *facts, n, method syntax.Node) code.Ref {
	word := method.Text()
	if slices.Contains(requires, word) || word == "sig" || rubyMarks(b, n, word) || rubyDeclares(b, n, word) {
		return 0
	}
	switch word {
	case "lambda", "proc":
		if block := n.Field("block"); block.Ok() {
			return rubyBlock(b, block)
		}
	case "raise":
		return rubyRaise(b, n, method)
	case "new":
		if self := rubySelf(b, n); b.Exprs[self].Op == code.OpTypeOf {
			return b.call(code.OpNew, self, rubyArguments(b, n), method.Start())
		}
	case "refine":
		if first := n.Field("arguments").First(); first.Ok() && n.Field("block").Ok() {
			return rubyReopen(b, n, first)
		}
	}
	if name, ok := rubySent(n, word); ok {
		callee := rubyBare(b, name, method)
		return rubySend(b, callee, word, rubyArguments(b, n), method.Start())
	}
	callee := b.name(word, method.Start())
	if _, ok := rubyLocal(b, word); !ok {
		callee = rubyBare(b, word, method)
	}
	return b.call(code.OpCall, callee, rubyArguments(b, n), method.Start())
}

// rubyMarks reads private, module_function and their like, and tells whether n is one.
func rubyMarks(b *facts, n syntax.Node, word string) bool {
	if _, ok := rubyWords[word]; !ok {
		return false
	}
	if word == "module_function" {
		rubyOwnModule(b, n)
	}
	rubyArguments(b, n)
	return true
}

// rubyRaise is raise Error, "text": Error's new is called.
func rubyRaise(b *facts, n, method syntax.Node) code.Ref {
	args := inner(n.Field("arguments"))
	refs := rubyArguments(b, n)
	if len(refs) > 0 && args[0].Is("constant", "scope_resolution") {
		return b.call(code.OpNew, refs[0], refs[1:], args[0].Start())
	}
	return b.call(code.OpCall, rubyBare(b, "raise", method), refs, method.Start())
}

// rubyArguments are the values of a call's arguments, its block last.
func rubyArguments(b *facts, n syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range n.Field("arguments").Inner() {
		out = append(out, rubyArgument(b, a))
	}
	if block := n.Field("block"); block.Ok() {
		out = append(out, rubyBlock(b, block))
	}
	return out
}

func rubyArgument(b *facts, a syntax.Node) code.Ref {
	if !a.Is("block_argument") {
		return b.value(a)
	}
	value := a.First()
	if !value.Is("simple_symbol") {
		return b.value(value)
	}
	name := strings.TrimPrefix(value.Text(), ":") // &:name is { |it| it.name }
	scope := b.open(code.FuncScope, "", a.Start(), a.End())
	b.Scopes[scope].Body = true
	b.def(code.Def{Name: "it", Kind: code.DefParam, Line: int32(a.Line())})
	b.returns(b.call(code.OpCall, b.selected(b.name("it", value.Start()), name, value.Start()), nil, value.Start()))
	b.shut()
	return b.scoped(code.OpFunc, scope)
}

func rubyBlock(b *facts, block syntax.Node) code.Ref {
	return rubyClosure(b, block.Field("parameters"), block, block)
}

// rubyClosure is a block or lambda. _1 and it are its parameter where it names none.
func rubyClosure(b *facts, params, body, n syntax.Node) code.Ref {
	scope := b.open(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	rubyParamFacts(b, params)
	if text := body.Text(); !params.Ok() {
		for _, name := range []string{"_1", "it"} {
			if strings.Contains(text, name) {
				b.def(code.Def{Name: name, Kind: code.DefParam, Line: int32(n.Line())})
			}
		}
	}
	if body.Is("block", "do_block") {
		body = body.Field("body")
	}
	b.returns(rubyLast(b, body))
	b.shut()
	return b.scoped(code.OpFunc, scope)
}
