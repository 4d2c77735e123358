package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// callFacts reads a call with or without a receiver.
func callFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	method, receiver := n.Field("method"), n.Field("receiver")
	switch {
	case method.Is("super"):
		return superCall(b, method, argumentRefs(b, n))
	case typeMaker(n) != "":
		return madeTypeFacts(b, n)
	case !method.Ok(): // x.(1)
		x := b.Value(receiver)
		return b.Call(code.OpCall, b.Select(x, "call", receiver.End()), argumentRefs(b, n), receiver.Start())
	case receiver.Ok():
		return receiverCall(b, n, receiver, method)
	}
	return selfCall(b, n, method)
}

// receiverCall reads a call with a receiver.
func receiverCall(b *core.FactBuilder, n, receiver, method syntax.Node) code.Ref {
	word := method.Text()
	if reopens[word] && receiver.Is("constant", "scope_resolution") && n.Field("block").Ok() {
		return reopen(b, n, receiver)
	}
	x := b.Value(receiver)
	switch word {
	case "new":
		at := receiver
		if receiver.Is("scope_resolution") {
			at = receiver.Field("name")
		}
		return b.Call(code.OpNew, x, argumentRefs(b, n), at.Start())
	case "class":
		return b.Apply(code.OpTypeOf, x)
	case "freeze", "dup", "clone", "itself", "tap":
		if word != "tap" {
			return x
		}
	}
	if name, ok := sentMethod(n, word); ok {
		args := argumentRefs(b, n)
		return sendFacts(b, b.Select(x, name, method.Start()), word, args, method.Start())
	}
	if x == 0 && receiver.Is("self") {
		return b.Call(code.OpCall, b.Name(word, method.Start()), argumentRefs(b, n), method.Start())
	}
	ref := b.Call(code.OpCall, b.Select(x, word, method.Start()), argumentRefs(b, n), method.Start())
	if word == "tap" {
		return x
	}
	return ref
}

// sentMethod returns the method name in send(:name) or method(:name).
func sentMethod(n syntax.Node, word string) (string, bool) {
	switch word {
	case "send", "public_send", "__send__", "method", "public_method", "instance_method":
		if first := n.Field("arguments").First(); first.Is("simple_symbol") {
			return strings.TrimPrefix(first.Text(), ":"), true
		}
	}
	return "", false
}

// sendFacts reads a call of a method named by a symbol. method(:name) is a reference,
// not a call.
func sendFacts(b *core.FactBuilder, callee code.Ref, word string, args []code.Ref, pos int) code.Ref {
	if strings.HasSuffix(word, "method") {
		return callee
	}
	return b.Call(code.OpCall, callee, args[min(1, len(args)):], pos)
}

// selfCall reads a call without a receiver: a declaration, or a call on self.
func selfCall(b *core.FactBuilder, n, method syntax.Node) code.Ref {
	word := method.Text()
	if slices.Contains(requires, word) || word == "sig" || visibilityFacts(b, n, word) || declarationFacts(b, n, word) {
		return 0
	}
	switch word {
	case "lambda", "proc":
		if block := n.Field("block"); block.Ok() {
			return blockFacts(b, block)
		}
	case "raise":
		return raiseFacts(b, n, method)
	case "new":
		if self := selfRef(b, n); b.Exprs[self].Op == code.OpTypeOf {
			return b.Call(code.OpNew, self, argumentRefs(b, n), method.Start())
		}
	case "refine":
		if first := n.Field("arguments").First(); first.Ok() && n.Field("block").Ok() {
			return reopen(b, n, first)
		}
	}
	if name, ok := sentMethod(n, word); ok {
		callee := bare(b, name, method)
		return sendFacts(b, callee, word, argumentRefs(b, n), method.Start())
	}
	callee := b.Name(word, method.Start())
	if _, ok := localScope(b, word); !ok {
		callee = bare(b, word, method)
	}
	return b.Call(code.OpCall, callee, argumentRefs(b, n), method.Start())
}

// visibilityFacts reads private, module_function and similar words. It reports false for
// other calls.
func visibilityFacts(b *core.FactBuilder, n syntax.Node, word string) bool {
	if _, ok := visibilityWords[word]; !ok {
		return false
	}
	if word == "module_function" {
		ownModule(b, n)
	}
	argumentRefs(b, n)
	return true
}

// raiseFacts reads raise Error, "text" as a call of Error.new.
func raiseFacts(b *core.FactBuilder, n, method syntax.Node) code.Ref {
	args := syntax.NamedChildren(n.Field("arguments"))
	refs := argumentRefs(b, n)
	if len(refs) > 0 && args[0].Is("constant", "scope_resolution") {
		return b.Call(code.OpNew, refs[0], refs[1:], args[0].Start())
	}
	return b.Call(code.OpCall, bare(b, "raise", method), refs, method.Start())
}

// argumentRefs returns the values of a call's arguments. A block is the last one.
func argumentRefs(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var out []code.Ref
	for a := range n.Field("arguments").NamedSeq() {
		out = append(out, argumentRef(b, a))
	}
	if block := n.Field("block"); block.Ok() {
		out = append(out, blockFacts(b, block))
	}
	return out
}

func argumentRef(b *core.FactBuilder, a syntax.Node) code.Ref {
	if !a.Is("block_argument") {
		return b.Value(a)
	}
	value := a.First()
	if !value.Is("simple_symbol") {
		return b.Value(value)
	}
	name := strings.TrimPrefix(value.Text(), ":") // &:name is { |it| it.name }
	scope := b.OpenScope(code.FuncScope, "", a.Start(), a.End())
	b.Scopes[scope].Body = true
	b.Define(code.Def{Name: "it", Kind: code.DefParam, Line: int32(a.Line())})
	b.Returns(b.Call(code.OpCall, b.Select(b.Name("it", value.Start()), name, value.Start()), nil, value.Start()))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}

func blockFacts(b *core.FactBuilder, block syntax.Node) code.Ref {
	return closureFacts(b, block.Field("parameters"), block, block)
}

// closureFacts reads a block or lambda. If it declares no parameters, _1 and it refer to
// the first one.
func closureFacts(b *core.FactBuilder, params, body, n syntax.Node) code.Ref {
	scope := b.OpenScope(code.FuncScope, "", n.Start(), n.End())
	b.Scopes[scope].Body = true
	paramFacts(b, params)
	if text := body.Text(); !params.Ok() {
		for _, name := range []string{"_1", "it"} {
			if strings.Contains(text, name) {
				b.Define(code.Def{Name: name, Kind: code.DefParam, Line: int32(n.Line())})
			}
		}
	}
	if body.Is("block", "do_block") {
		body = body.Field("body")
	}
	b.Returns(lastValue(b, body))
	b.CloseScope()
	return b.ScopeExpr(code.OpFunc, scope)
}
