package ruby

import (
	"iter"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// visibilityWords are the methods of Module that set the visibility of the definitions
// that follow or that are named.
var visibilityWords = map[string]code.Visibility{
	"public": code.Public, "protected": code.Protected, "private": code.Private, "module_function": code.Public,
	"public_class_method": code.Public, "private_class_method": code.Private,
	"public_constant": code.Public, "private_constant": code.Private,
}

// mixins are the methods that add the methods of another module.
var mixins = []string{"include", "extend", "prepend"}

// bodies are methods whose block is part of the body of the enclosing class or module:
// those of Module and of ActiveSupport::Concern.
var bodies = []string{
	"included", "prepended", "concerning", "class_eval", "class_exec", "module_eval", "module_exec", "with_options", "enums",
	"class_methods",
}

// isDeclaringWord reports whether a call of word without a receiver is a declaration.
func isDeclaringWord(word string) bool {
	if _, ok := visibilityWords[word]; ok {
		return true
	}
	_, ok := macros[word]
	return ok || slices.Contains(mixins, word)
}

// section reads a visibility word without arguments, which applies to the rest of the
// body. It reports false for other words.
func (r *reader) section(word string, s symbolScope) bool {
	visibility, ok := visibilityWords[word]
	if !ok || strings.Contains(word, "_") && word != "module_function" {
		return false
	}
	s.mode.visibility, s.mode.module = visibility, word == "module_function"
	return true
}

// call reads a call statement.
func (r *reader) call(n syntax.Node, s symbolScope) {
	receiver, word, block := n.Field("receiver"), n.Field("method").Text(), n.Field("block")
	_, isVisibility := visibilityWords[word]
	switch {
	case receiver.Ok() && !receiver.Is("self"):
		r.callOn(n, receiver, word, s)
	case isVisibility:
		r.visibility(n, word, s)
	case r.macro(n, word, s):
	default:
		r.plainCall(n, block, word, s)
	}
}

// plainCall reads a call that does not define methods.
func (r *reader) plainCall(n, block syntax.Node, word string, s symbolScope) {
	first := n.Field("arguments").First()
	switch {
	case s.owner != nil && slices.Contains(mixins, word):
		r.mixin(n, word, s)
	case s.owner != nil && (word == "interface!" || word == "abstract!"):
		r.abstract(n, word, s)
	case !block.Ok():
		r.wrapped(n, word, s)
	case word == "sig": // part of the next definition
	case word == "refine" && first.Is("constant", "scope_resolution"):
		r.extension(n, first, s)
	case r.declares(block) || slices.Contains(bodies, word):
		r.block(n, word, s)
	default:
		r.wrapped(n, word, s)
	}
}

// abstract reads Sorbet's abstract! and interface!.
func (r *reader) abstract(n syntax.Node, word string, s symbolScope) {
	s.owner.sym.Abstract = true
	if word == "interface!" {
		s.owner.sym.Kind = code.Interface
	}
	r.rest(n, s)
}

// callOn reads a call with a receiver. Its block may be the body of another type, or a
// loop around definitions.
func (r *reader) callOn(n, receiver syntax.Node, word string, s symbolScope) {
	block := n.Field("block")
	evaluates := strings.HasPrefix(word, "class_") || strings.HasPrefix(word, "module_") || strings.HasPrefix(word, "instance_")
	switch {
	case typeMaker(n) != "" || !r.declares(block):
		r.rest(n, s)
	case evaluates && receiver.Is("constant", "scope_resolution"):
		r.extension(n, receiver, s)
	default:
		r.block(n, "", s)
	}
}

// block reads the statements of a call's block as part of the enclosing body.
func (r *reader) block(n syntax.Node, word string, s symbolScope) {
	block := n.Field("block")
	r.rest(n, s, block)
	s.mode, s.forced, s.around, s.words = newVisibilityMode(), "", syntax.Node{}, nil
	s.static = s.static || word == "class_methods"
	r.body(block.Field("body"), s)
}

// mixin reads include, extend and prepend.
func (r *reader) mixin(n syntax.Node, word string, s symbolScope) {
	for c := range n.Field("arguments").NamedSeq() {
		if c.Is("self") && word == "extend" {
			s.owner.singles = true
			continue
		}
		if text := core.ShortValue(c); text != "" {
			s.owner.base(text)
		}
	}
	r.rest(n, s)
}

// wrapped reads the definitions among the arguments of a call: memoize def x.
func (r *reader) wrapped(n syntax.Node, word string, s symbolScope) {
	arguments := n.Field("arguments")
	if !r.declares(arguments) {
		r.rest(n, s)
		return
	}
	if !s.around.Ok() {
		s.around = n
	}
	s.words = append(slices.Clone(s.words), word)
	for c := range arguments.NamedSeq() {
		r.statement(c, s)
	}
}

// visibility reads private and similar words with arguments.
func (r *reader) visibility(n syntax.Node, word string, s symbolScope) {
	arguments := n.Field("arguments")
	if !arguments.First().Ok() {
		r.section(word, s)
		return
	}
	if !s.around.Ok() {
		s.around = n
	}
	s.forced = visibilityWords[word]
	if word == "module_function" {
		s.mode = &visibilityMode{visibility: code.Public, module: true}
	}
	for c := range arguments.NamedSeq() {
		names := literalNames(c)
		for _, name := range names {
			r.setVisibility(name.text, word, s)
		}
		if len(names) > 0 {
			continue
		}
		if c.Is("splat_argument") {
			c = c.First()
		}
		if c.Is("call", "method", "singleton_method", "alias") {
			r.argument(c, s)
		}
	}
}

// argument reads an argument of private that is not a name: a definition, or a call
// that returns names.
func (r *reader) argument(n syntax.Node, s symbolScope) {
	if !n.Is("call") || n.Field("receiver").Ok() {
		r.statement(n, s)
		return
	}
	inside := n.Field("method").Text()
	if !r.macro(n, inside, s) {
		r.wrapped(n, inside, s)
	}
}

// setVisibility applies private :name to a method or constant that is already defined.
func (r *reader) setVisibility(name, word string, s symbolScope) {
	visibility := visibilityWords[word]
	constant := strings.HasSuffix(word, "_constant")
	if constant {
		if t := r.types[joinPath(s.path, name)]; t != nil {
			t.sym.Visibility, t.sym.Exported = visibility, visibility != code.Private
		}
	}
	static := s.static || strings.HasSuffix(word, "_class_method")
	for sym := range r.siblings(s) {
		switch {
		case sym.Name != name || (sym.Kind == code.Const || sym.Kind == code.TypeDef) != constant:
			if name != "new" || !static || sym.Kind != code.Constructor {
				continue
			}
		case !constant && sym.Static != static:
			continue
		}
		sym.Visibility, sym.Exported = visibility, visibility != code.Private
		if word == "module_function" {
			sym.Static = true
		}
		return
	}
}

// siblings yields the members of the enclosing body, or the top-level symbols, last
// first.
func (r *reader) siblings(s symbolScope) iter.Seq[*code.Symbol] {
	return func(yield func(*code.Symbol) bool) {
		if s.owner == nil {
			for _, t := range slices.Backward(r.order) {
				if !yield(&t.sym) {
					return
				}
			}
			return
		}
		for i := range slices.Backward(s.owner.sym.Members) {
			if !yield(&s.owner.sym.Members[i]) {
				return
			}
		}
	}
}
