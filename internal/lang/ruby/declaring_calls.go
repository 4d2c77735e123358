package ruby

import (
	"iter"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// rubyWords are the methods of Module that say who may use what follows or what
// they name.
var rubyWords = map[string]code.Visibility{
	"public": code.Public, "protected": code.Protected, "private": code.Private, "module_function": code.Public,
	"public_class_method": code.Public, "private_class_method": code.Private,
	"public_constant": code.Public, "private_constant": code.Private,
}

// mixins make a type have another's methods.
var mixins = []string{"include", "extend", "prepend"}

// bodies are the methods whose block is the body of the class or module around:
// Module's own and those of ActiveSupport::Concern.
var bodies = []string{
	"included", "prepended", "concerning", "class_eval", "class_exec", "module_eval", "module_exec", "with_options", "enums",
	"class_methods",
}

// isRubyWord tells the calls without receiver that declare.
func isRubyWord(word string) bool {
	if _, ok := rubyWords[word]; ok {
		return true
	}
	_, ok := rubyMacros[word]
	return ok || slices.Contains(mixins, word)
}

// section takes a word that stands alone and holds for the rest of a body.
func (r *rubyReader) section(word string, s rubyScope) bool {
	visibility, ok := rubyWords[word]
	if !ok || strings.Contains(word, "_") && word != "module_function" {
		return false
	}
	s.mode.visibility, s.mode.module = visibility, word == "module_function"
	return true
}

// call reads a call that stands as a statement.
func (r *rubyReader) call(n syntax.Node, s rubyScope) {
	receiver, word, block := n.Field("receiver"), n.Field("method").Text(), n.Field("block")
	_, isVisibility := rubyWords[word]
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

// plainCall reads a call that defines nothing itself.
func (r *rubyReader) plainCall(n, block syntax.Node, word string, s rubyScope) {
	first := n.Field("arguments").First()
	switch {
	case s.owner != nil && slices.Contains(mixins, word):
		r.mixin(n, word, s)
	case s.owner != nil && (word == "interface!" || word == "abstract!"):
		r.abstract(n, word, s)
	case !block.Ok():
		r.wrapped(n, word, s)
	case word == "sig": // belongs to the next definition
	case word == "refine" && first.Is("constant", "scope_resolution"):
		r.extension(n, first, s)
	case r.declares(block) || slices.Contains(bodies, word):
		r.block(n, word, s)
	default:
		r.wrapped(n, word, s)
	}
}

// abstract takes what Sorbet says of a type.
func (r *rubyReader) abstract(n syntax.Node, word string, s rubyScope) {
	s.owner.sym.Abstract = true
	if word == "interface!" {
		s.owner.sym.Kind = code.Interface
	}
	r.rest(n, s)
}

// callOn reads a call with a receiver, whose block may be the body of another
// type or a loop around definitions.
func (r *rubyReader) callOn(n, receiver syntax.Node, word string, s rubyScope) {
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

// block reads the statements of a call's block as those of the body around.
func (r *rubyReader) block(n syntax.Node, word string, s rubyScope) {
	block := n.Field("block")
	r.rest(n, s, block)
	s.mode, s.forced, s.around, s.words = newRubyMode(), "", syntax.Node{}, nil
	s.static = s.static || word == "class_methods"
	r.body(block.Field("body"), s)
}

// mixin reads include, extend and prepend.
func (r *rubyReader) mixin(n syntax.Node, word string, s rubyScope) {
	for c := range n.Field("arguments").Inner() {
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
func (r *rubyReader) wrapped(n syntax.Node, word string, s rubyScope) {
	arguments := n.Field("arguments")
	if !r.declares(arguments) {
		r.rest(n, s)
		return
	}
	if !s.around.Ok() {
		s.around = n
	}
	s.words = append(slices.Clone(s.words), word)
	for c := range arguments.Inner() {
		r.statement(c, s)
	}
}

// visibility reads private with arguments and the like.
func (r *rubyReader) visibility(n syntax.Node, word string, s rubyScope) {
	arguments := n.Field("arguments")
	if !arguments.First().Ok() {
		r.section(word, s)
		return
	}
	if !s.around.Ok() {
		s.around = n
	}
	s.forced = rubyWords[word]
	if word == "module_function" {
		s.mode = &rubyMode{visibility: code.Public, module: true}
	}
	for c := range arguments.Inner() {
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

// argument reads what private and the like have as an argument that is no name:
// a definition, or a call that returns names.
func (r *rubyReader) argument(n syntax.Node, s rubyScope) {
	if !n.Is("call") || n.Field("receiver").Ok() {
		r.statement(n, s)
		return
	}
	inside := n.Field("method").Text()
	if !r.macro(n, inside, s) {
		r.wrapped(n, inside, s)
	}
}

// setVisibility takes private :name for a method or constant that is defined
// already.
func (r *rubyReader) setVisibility(name, word string, s rubyScope) {
	visibility := rubyWords[word]
	constant := strings.HasSuffix(word, "_constant")
	if constant {
		if t := r.types[joinPath(s.path, name)]; t != nil {
			t.sym.Visibility, t.sym.Exported = visibility, visibility != code.Private
		}
	}
	static := s.static || strings.HasSuffix(word, "_class_method")
	for sym := range r.siblings(s) {
		switch {
		case sym.Name != name || (sym.Kind == code.Const || sym.Kind == code.Type) != constant:
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

// siblings yields the members of the body around, or what stands at the top
// level, the last first.
func (r *rubyReader) siblings(s rubyScope) iter.Seq[*code.Symbol] {
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
