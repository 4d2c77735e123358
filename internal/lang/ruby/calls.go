package ruby

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// requires are the methods of Kernel that load another file.
var requires = []string{"require", "require_relative", "load", "autoload"}

// declaring are calls that are read as declarations, not as call sites.
var declaring = []string{
	"attr", "attr_reader", "attr_writer", "attr_accessor", "alias_method", "include", "extend", "prepend", "sig",
	"require", "require_relative", "load", "autoload",
}

// callOf returns the method call that n is. A bare name may be a variable, so it is
// not a call.
func callOf(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "super":
		return code.Call{Name: "super"}, n.Named() && n.FieldName() != "method"
	case "scope_resolution": // Foo::bar
		name := n.Field("name")
		return code.Call{Name: name.Text(), Receiver: core.Receiver(n.Field("scope")), Line: name.Line()}, name.Is("identifier")
	case "call":
		call := methodCall(n)
		return call, call.Name != "" && !inSig(n)
	}
	return code.Call{}, false
}

// methodCall returns a call of a method, without a name if the call is a declaration.
func methodCall(n syntax.Node) code.Call {
	name, on := n.Field("method"), n.Field("receiver")
	if !name.Ok() { // x.(1)
		return code.Call{Name: "call", Receiver: core.Receiver(on)}
	}
	call := code.Call{Name: name.Text(), Receiver: core.Receiver(on), Line: name.Line()}
	_, visibility := visibilityWords[call.Name]
	switch {
	case !on.Ok() && (visibility || slices.Contains(declaring, call.Name)):
		return code.Call{}
	case call.Name == "new" && on.Is("constant"):
		return code.Call{Name: on.Text(), New: true, Line: on.Line()}
	case call.Name == "new" && on.Is("scope_resolution"):
		return code.Call{Name: on.Field("name").Text(), Receiver: core.Receiver(on.Field("scope")), New: true, Line: on.Line()}
	case n.FieldName() == "left" && n.Parent().Is("assignment"), n.Parent().Is("left_assignment_list", "rest_assignment"):
		call.Name += "=" // a.b = c calls b=
	}
	return call
}

// maxSig is the maximum nesting of calls inside a sig.
const maxSig = 16

// inSig reports whether the call n is part of a Sorbet signature.
func inSig(n syntax.Node) bool {
	p := n.Parent()
	for range maxSig {
		switch {
		case p.Is("block", "do_block"):
			call := p.Parent()
			return call.Is("call") && call.Field("method").TextIs("sig") && !call.Field("receiver").Ok()
		case !p.Ok() || p.Is("method", "class", "module", "program"):
			return false
		}
		p = p.Parent()
	}
	return false
}

// importCall adds an import for a call that loads another file named by a literal.
func (r *reader) importCall(n syntax.Node) {
	word := n.Field("method").Text()
	if !slices.Contains(requires, word) || n.Field("receiver").Ok() && !n.Field("receiver").TextIs("Kernel") {
		return
	}
	arguments := syntax.NamedChildren(n.Field("arguments"))
	imp := code.Import{Kind: code.RequireImport, Line: n.Line()}
	if word == "autoload" {
		if len(arguments) != 2 {
			return
		}
		names := literalNames(arguments[0])
		if len(names) != 1 {
			return
		}
		imp.Kind, imp.Named = code.DynamicImport, []string{names[0].text}
		arguments = arguments[1:]
	}
	if len(arguments) == 0 || !arguments[0].Is("string") {
		return
	}
	text, ok := plainString(arguments[0])
	if !ok || text == "" {
		return
	}
	imp.Module = text
	imp.Relative = word == "require_relative" || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
	r.File.Imports = append(r.File.Imports, imp)
}

// guard records if __FILE__ == $0 as an entry point.
func (r *reader) guard(n syntax.Node) {
	if n.FieldName() != "condition" || !n.Field("operator").TextIs("==") {
		return
	}
	sides := []string{n.Field("left").Text(), n.Field("right").Text()}
	slices.Sort(sides)
	if slices.Equal(sides, []string{"$0", "__FILE__"}) || slices.Equal(sides, []string{"$PROGRAM_NAME", "__FILE__"}) {
		r.File.Entries = append(r.File.Entries, code.Entry{Line: n.Parent().Line()})
	}
}

// entry marks a program without such a guard as an entry point by its first line,
// folder or name. A web server starts at config.ru.
func (r *reader) entry() {
	first := r.Root().First()
	if len(r.File.Entries) > 0 || !first.Ok() {
		return
	}
	line, _, _ := strings.Cut(string(r.Source[:min(len(r.Source), srctext.HeadBytes)]), "\n")
	folder := path.Base(path.Dir(r.File.Path))
	if strings.HasPrefix(line, "#!") || folder == "bin" || folder == "exe" || strings.HasSuffix(r.File.Path, ".ru") {
		r.File.Entries = []code.Entry{{Line: first.Line()}}
	}
}
