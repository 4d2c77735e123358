package ruby

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// method reads def, in a type or at the top level.
func (r *reader) method(n syntax.Node, s symbolScope) {
	s, ok := r.singleton(n.Field("object"), s)
	if !ok {
		r.rest(n, s)
		return
	}
	sym := r.begin(n, srctext.OneLine(n.Field("name").Text()), s)
	if sym.Name == "" {
		return
	}
	list, body := n.Field("parameters"), n.Field("body")
	end := n.Field("name").End()
	if list.Ok() {
		end = list.End()
	}
	sym.Params = paramsOf(list)
	r.sig(&sym, n, s)
	r.put(s.owner, &sym, n)
	sym.EndLine = r.lastLine(n)
	sym.Signature = r.Head(n.Start(), end, "")
	sym.SignatureHash = r.Hash(n, body)
	sym.BodyHash = cmp.Or(r.BodyHash(body), srctext.ShortHash(nil))
	r.add(s.owner, sym)
	r.inside(body, s)
}

// singleton returns the scope of a method defined on an object: self or a constant.
// Other objects are ignored, because their methods have no stable name.
func (r *reader) singleton(object syntax.Node, s symbolScope) (symbolScope, bool) {
	if !object.Ok() {
		return s, true
	}
	visibility := s.forced
	s.mode = newVisibilityMode() // a bare private does not apply to it
	switch object.Kind() {
	case "self":
		s.static = true
	case "constant", "scope_resolution":
		name, _ := r.lookUp(strings.TrimPrefix(srctext.OneLine(object.Text()), "::"), s)
		if t := r.types[name]; t != nil {
			s.owner, s.path = t, name
		} else if s.owner == nil {
			s.path = name
		} else {
			return s, false
		}
		s.static = true
	default:
		return s, false
	}
	s.forced = visibility
	return s, true
}

// begin returns a method's symbol with its kind and visibility.
func (r *reader) begin(n syntax.Node, name string, s symbolScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: code.Method, Static: s.static || s.mode.module}
	switch {
	case s.owner == nil && s.path != "": // for def Other.name
		sym.Name = s.path + "." + name
	case s.owner == nil:
		sym.Kind, sym.Static = code.Function, false
	case name == "initialize" && !sym.Static:
		sym.Kind = code.Constructor
	case isSetter(name):
		sym.Kind = code.Setter
	}
	sym.Visibility = s.visibility(&sym)
	sym.Exported = sym.Visibility != code.Private
	around := n
	if s.around.Ok() {
		around = s.around
	}
	var rbs []string
	sym.Doc, rbs = r.doc(r.firstSig(around))
	sym.Decorators = slices.Concat(s.words, rbs)
	for _, text := range rbs {
		if at := strings.LastIndex(text, "->"); at >= 0 && sym.Returns == "" {
			sym.Returns = strings.TrimSpace(text[at+len("->"):])
		}
	}
	return sym
}

// visibility returns the visibility of a method defined in the scope.
func (s symbolScope) visibility(sym *code.Symbol) code.Visibility {
	switch {
	case s.forced != "":
		return s.forced
	case sym.Kind == code.Constructor, s.mode.module:
		return code.Public // initialize is called by new
	case slices.Contains(alwaysPrivate, sym.Name) && !sym.Static && s.owner != nil:
		return code.Private
	}
	return s.mode.visibility
}

// alwaysPrivate are the methods that Ruby always makes private. initialize is one as
// well, but is called through new.
var alwaysPrivate = []string{"initialize_copy", "initialize_clone", "initialize_dup", "respond_to_missing?"}

// isSetter reports whether name is a setter (name=), not an operator that ends in =.
func isSetter(name string) bool {
	stem, ok := strings.CutSuffix(name, "=")
	return ok && stem != "" && srctext.NameByte(stem[len(stem)-1])
}

// inside reads the definitions in a method's body, which are made when it runs.
// Definitions in blocks are skipped, because their owner is unknown.
func (r *reader) inside(body syntax.Node, s symbolScope) {
	if s.depth++; s.depth > core.MaxNesting || !r.declares(body) {
		return
	}
	for c := range body.NamedSeq() {
		switch c.Kind() {
		case "method", "singleton_method":
			r.method(c, symbolScope{path: s.path, owner: s.owner, static: s.static, mode: newVisibilityMode(), depth: s.depth})
		case "if", "unless", "then", "else", "elsif", "begin", "rescue", "ensure", "case", "when":
			r.inside(c, s)
		}
	}
}

// paramsOf reads the parameter list of a method or a block.
func paramsOf(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		name := n.Field("name").Text()
		switch n.Kind() {
		case "identifier", "destructured_parameter":
			out = append(out, code.Param{Name: srctext.OneLine(n.Text())})
		case "optional_parameter":
			out = append(out, code.Param{Name: name, Default: srctext.OneLine(n.Field("value").Text()), Optional: true})
		case "keyword_parameter":
			value := n.Field("value")
			out = append(out, code.Param{Name: name, Default: srctext.OneLine(value.Text()), Optional: value.Ok(), Mode: "keyword"})
		case "splat_parameter":
			out = append(out, code.Param{Name: orMark(name, "*"), Variadic: true})
		case "hash_splat_parameter":
			out = append(out, code.Param{Name: orMark(name, "**"), Variadic: true, Mode: "keyword"})
		case "forward_parameter":
			out = append(out, code.Param{Name: "...", Variadic: true})
		case "block_parameter":
			out = append(out, code.Param{Name: "&" + name, Optional: true})
		}
	}
	return out
}

// orMark returns a parameter's name, or its mark if it has no name.
func orMark(name, mark string) string {
	if name == "" {
		return mark
	}
	return name
}

// sigsBefore returns the Sorbet signatures before a definition, the nearest first.
func sigsBefore(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		switch {
		case p.Is("call") && p.Field("method").TextIs("sig") && !p.Field("receiver").Ok() && p.Field("block").Ok():
			out = append(out, p)
		case syntax.IsComment(p.Kind()) || !p.Named():
		default:
			return out
		}
	}
	return out
}

// firstSig returns the first signature before n, or n.
func (r *reader) firstSig(n syntax.Node) syntax.Node {
	if all := sigsBefore(n); len(all) > 0 {
		return all[len(all)-1]
	}
	return n
}

// sig applies Sorbet's sig to a method.
func (r *reader) sig(sym *code.Symbol, n syntax.Node, s symbolScope) {
	if s.around.Ok() {
		n = s.around
	}
	for _, sig := range slices.Backward(sigsBefore(n)) {
		sym.Decorators = append(sym.Decorators, r.Dedent(sig.Text(), sig.Start()))
		for c := range sig.Field("block").Descendants() {
			if c.Is("identifier") {
				r.sigWord(sym, c)
			}
		}
	}
}

// sigWord applies one word of a sig: params(…), returns(…), void, abstract.
func (r *reader) sigWord(sym *code.Symbol, word syntax.Node) {
	arguments := syntax.Node{}
	if word.FieldName() == "method" {
		arguments = word.Parent().Field("arguments")
	}
	switch word.Short() {
	case "abstract":
		sym.Abstract = true
	case "void":
		if sym.Returns == "" && !word.Ancestor("argument_list").Ok() {
			sym.Returns = "void"
		}
	case "returns":
		if sym.Returns == "" && !insideArguments(word) {
			sym.Returns = srctext.OneLine(arguments.First().Text())
		}
	case "params":
		for pair := range arguments.NamedSeq() {
			for i := range sym.Params {
				p := &sym.Params[i]
				if p.Type == "" && strings.TrimPrefix(p.Name, "&") == pair.Field("key").Text() && !insideArguments(word) {
					p.Type = srctext.OneLine(pair.Field("value").Text())
				}
			}
		}
	}
}

// insideArguments reports whether word is inside arguments, as in T.proc.params(…), and
// so not a word of the sig itself.
func insideArguments(word syntax.Node) bool {
	for p := word.Parent(); p.Ok() && !p.Is("block", "do_block"); p = p.Parent() {
		if p.Is("argument_list") {
			return true
		}
	}
	return false
}
