package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// cOpinion compares C with universal-ctags.
func cOpinion() opinion {
	return opinion{
		language: "c", grammar: syntax.C, options: []string{"--kinds-C=+p"}, rename: cName, reasons: cReasons(),
		kinds: []string{"function", "prototype", "struct", "union", "enum"},
	}
}

// cppOpinion compares C++ with universal-ctags.
func cppOpinion() opinion {
	return opinion{
		language: "cpp", grammar: syntax.CPP, options: []string{"--kinds-C++=+p"}, rename: cName, reasons: cReasons(),
		kinds: []string{"function", "prototype", "struct", "union", "enum", "class"},
	}
}

// cName removes the parts of a name in which ctags differs: unnamed namespaces and types,
// template arguments of specialisations, spaces in operator names, and the word that
// distinguishes a tag from an ordinary name.
func cName(d definition) string {
	name := d.name
	for _, tag := range []string{"struct ", "union ", "enum "} {
		name = strings.TrimPrefix(strings.ReplaceAll(name, "."+tag, "."), tag)
	}
	before, operator, isOperator := strings.Cut(name, "operator")
	if !isOperator {
		before, operator = name, ""
	}
	depth := 0
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth--
		case depth == 0:
			return r
		}
		return -1
	}, before)
	var parts []string
	if strings.HasPrefix(d.last(), "__anon") {
		return ""
	}
	for part := range strings.SplitSeq(plain, ".") {
		if !strings.HasPrefix(part, "__anon") {
			parts = append(parts, strings.TrimSpace(part))
		}
	}
	name = strings.Join(parts, ".")
	if isOperator {
		name += "operator" + strings.Join(strings.Fields(operator), "")
	}
	return name
}

// cReasons are the reasons for differences from universal-ctags in C and C++.
func cReasons() []reason {
	return []reason{
		{"ctags takes the call of a macro for a declaration", func(d difference) bool {
			return !d.ours && d.call && isCapitals(d.last())
		}},
		{"declared in the body of a function or of a test", func(d difference) bool {
			return !d.ours && (insideBody(d) || insideNamed(d) || insideMacro(d))
		}},
		{"a call in static_assert, which ctags takes for a declaration", func(d difference) bool {
			return !d.ours && d.call && strings.Contains(d.row(d.line), "static_assert(")
		}},
		{"a module of C++20, which ctags does not list", func(d difference) bool {
			return d.ours && d.kind == string(code.Module)
		}},
		{"named by its typedef; ctags gives it a number", func(d difference) bool {
			s := symbolOf(d)
			return d.ours && s != nil && strings.HasPrefix(s.Signature, "typedef")
		}},
		{"inside a type that only a variable or a typedef names; ctags leaves that out", func(d difference) bool {
			return inUnnamed(d)
		}},
		{"an explicit instantiation, which ctags takes for a declaration", func(d difference) bool {
			row := strings.TrimSpace(d.row(d.line))
			return !d.ours && strings.HasPrefix(row, "template ") && !strings.HasPrefix(row, "template <")
		}},
		{"in an inline namespace, which adds nothing to our names", func(d difference) bool {
			return d.ours && inlineNamespace(d)
		}},
		{"a friend that a class defines is of the namespace; ctags makes it a member", func(d difference) bool {
			s := symbolOf(d)
			return d.ours && s != nil && strings.HasPrefix(s.Signature, "friend ")
		}},
		{"ctags does not read a head with such a macro", func(d difference) bool {
			s := symbolOf(d)
			return d.ours && s != nil && (hasMacro(s.Signature) || hasMacro(d.row(d.line-1)))
		}},
		{"ctags does not read these parameters of a template", func(d difference) bool {
			s := symbolOf(d)
			return d.ours && s != nil && strings.ContainsAny(strings.Join(s.TypeParameters, ","), "<(")
		}},
		{"ctags leaves out a destructor with override", func(d difference) bool {
			return d.ours && strings.HasPrefix(d.last(), "~") && strings.Contains(d.row(d.line), "override")
		}},
	}
}

// inlineNamespace reports whether the last namespace that begins before a definition is
// inline.
func inlineNamespace(d difference) bool {
	for line := d.line; line > 0; line-- {
		row := strings.TrimSpace(d.row(line))
		if strings.HasPrefix(row, "namespace ") || strings.HasPrefix(row, "inline namespace ") {
			return strings.HasPrefix(row, "inline")
		}
	}
	return false
}

// hasMacro reports whether a signature contains a macro call.
func hasMacro(signature string) bool {
	for word := range strings.FieldsSeq(signature) {
		name, _, call := strings.Cut(word, "(")
		if call && len(name) > 2 && isCapitals(name) {
			return true
		}
	}
	return false
}

// isCapitals reports whether a name has the form of a macro's name.
func isCapitals(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// symbolsAround returns the symbols of the file that contain a line, outermost first.
func symbolsAround(list []code.Symbol, line int) []*code.Symbol {
	var out []*code.Symbol
	for i := range list {
		s := &list[i]
		if s.StartLine <= line && line <= s.EndLine {
			out = append(out, s)
		}
		out = append(out, symbolsAround(s.Members, line)...)
	}
	return out
}

// symbolOf returns our symbol for a definition.
func symbolOf(d difference) *code.Symbol {
	for _, s := range symbolsAround(d.read.Symbols, d.line) {
		if s.StartLine == d.line && strings.HasSuffix(dotted(s.Name), d.last()) {
			return s
		}
	}
	return nil
}

// insideBody reports whether a definition is in the body of a function.
func insideBody(d difference) bool {
	for _, s := range symbolsAround(d.read.Symbols, d.line) {
		holds := s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor || s.Kind == code.Variable
		if holds && s.BodyHash != "" && !s.Broken && dotted(s.Name) != d.name && !strings.HasSuffix(dotted(s.Name), "."+d.last()) {
			return true
		}
	}
	return false
}

// insideNamed reports whether ctags itself puts a definition inside a function that we found.
func insideNamed(d difference) bool {
	parts := strings.Split(d.name, ".")
	for _, p := range parts[:len(parts)-1] {
		if isFunction(d.read.Symbols, p) {
			return true
		}
	}
	return false
}

// isFunction reports whether symbols has a function of that name and no type of that name.
func isFunction(list []code.Symbol, name string) bool {
	found := false
	for _, s := range list {
		if cName(definition{name: s.Name}) == name || strings.HasSuffix(s.Name, "::"+name) {
			if s.Kind != code.Function && s.Kind != code.Method {
				return false
			}
			found = true
		}
		found = found || isFunction(s.Members, name)
	}
	return found
}

// insideMacro reports whether a definition is in a block after a macro.
func insideMacro(d difference) bool {
	parts := strings.Split(d.name, ".")
	for _, p := range parts[:len(parts)-1] {
		if isCapitals(p) && strings.Contains(string(d.src), p+"(") {
			return true
		}
	}
	return false
}

// inUnnamed reports whether a definition is in a type without a tag.
func inUnnamed(d difference) bool {
	for _, s := range symbolsAround(d.read.Symbols, d.line) {
		if len(s.Members) > 0 && (s.Kind == code.Property || s.Kind == code.Variable || s.Kind == code.TypeDef || strings.HasPrefix(s.Signature, "typedef")) {
			return true
		}
	}
	return false
}
