package cases

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// bindImports returns what a file's imports bind each name to: the module, a symbol of it, or
// something else.
func (s *surface) bindImports(f *code.File, elsewhere bool) map[string]meaning {
	out := map[string]meaning{}
	for _, imp := range f.Imports {
		of := meaning{is: isForeign}
		if imp.Resolved != "" || !elsewhere && s.isOwn(imp, f) {
			of.is = isModule
		}
		if f.Language == "go" && imp.Namespace == "" {
			out[path.Base(imp.Module)] = of
		}
		out[imp.Module] = of
		s.bindDefault(out, imp, of)
		for i, name := range imp.Named {
			local := name
			if i < len(imp.Aliases) && imp.Aliases[i] != "" {
				local = imp.Aliases[i]
			}
			if m := s.named(name, of.is == isModule, elsewhere); m.is != isUnknown {
				out[local] = m
			}
		}
	}
	delete(out, "")
	return out
}

// named returns the meaning of an imported name, from the module itself or another; the zero
// value for "*".
func (s *surface) named(name string, own, elsewhere bool) meaning {
	switch d := s.topLevel(lastPart(name)); {
	case own && d != nil:
		return meaningOf(d)
	case s.own[name] && (own || !elsewhere): // from package import module
		return meaning{is: isModule}
	case !slices.Contains([]string{"", "*"}, name):
		return meaning{is: isForeign}
	}
	return meaning{}
}

// bindDefault binds the name that an import gives to a module or its default export.
func (s *surface) bindDefault(out map[string]meaning, imp code.Import, of meaning) {
	for _, name := range []string{imp.Default, imp.Namespace} {
		if name == "" || name == "." {
			continue
		}
		out[name] = of
		if of.is != isModule {
			continue
		}
		if d := s.topLevel(name); d != nil && name != lastPart(imp.Module) {
			out[name] = meaningOf(d)
		} else if d := s.defaultExport(); d != nil && (name == imp.Default || imp.Kind == code.RequireImport) {
			out[name] = meaningOf(d)
		}
	}
}

// defaultExport returns the module's only default export, or nil.
func (s *surface) defaultExport() *declared {
	var found *declared
	for _, d := range s.top {
		if d.sym.Default && d.sym.Exported {
			if found != nil {
				return nil
			}
			found = d
		}
	}
	return found
}

// isOwn reports whether an import refers to the module itself.
func (s *surface) isOwn(imp code.Import, f *code.File) bool {
	if f.Language == "go" {
		return s.own[path.Base(imp.Module)]
	}
	return imp.Relative || s.own[lastPart(strings.TrimSuffix(imp.Module, path.Ext(imp.Module)))] || s.own[lastPart(imp.Module)]
}

// importsNames reports whether a language resolves a bare name of another file only through an
// import.
func importsNames(language string) bool {
	return slices.Contains([]string{"python", "javascript", "typescript"}, language)
}

// binds are keywords before a name that is being bound.
var binds = setOf("let", "const", "var", "val", "auto", "final", "my", "mut", "static", "lazy", "private", "public", "readonly", "using", "lateinit", "fileprivate", "internal")

func setOf(list ...string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

// assign records the types of the variables that a statement sets.
func (s *scope) assign(text string) {
	if rest, ok := strings.CutPrefix(text, "with "); ok {
		text = rest
	}
	if value, name, ok := strings.Cut(text, " as "); ok && nameAt(name) != "" && !strings.Contains(text, "=") { // Python's with
		s.vars[nameAt(name)] = s.eval(value)
		return
	}
	left, right, ok := cutAssign(text)
	if !ok {
		s.declareVar(text)
		return
	}
	if strings.HasPrefix(strings.TrimPrefix(right, "await "), "require(") || strings.HasPrefix(right, "await import(") {
		return // imports already define it
	}
	targets := splitArgs(left)
	value := s.read(s.eval(right))
	for i, target := range targets {
		name, typed := s.target(target)
		switch {
		case name == "":
		case typed.is != isUnknown:
			s.vars[name] = typed
		case i == 0:
			s.vars[name] = value
		default:
			s.vars[name] = s.result(right, i)
		}
	}
}

// result returns the i-th result of a call, if its signature lists results.
func (s *scope) result(call string, i int) meaning {
	callee, _, called := strings.Cut(call, "(")
	if !called {
		return meaning{}
	}
	f := s.eval(callee)
	if f.is != isFunction || !strings.HasPrefix(f.d.sym.Returns, "(") {
		return meaning{}
	}
	if parts := splitArgs(strings.Trim(f.d.sym.Returns, "()")); i < len(parts) {
		return s.typed(parts[i])
	}
	return meaning{}
}

// typed returns a value of the type named in text.
func (s *scope) typed(text string) meaning {
	if d := s.typeIn(text); d != nil {
		return meaning{isValue, d}
	}
	return meaning{is: isForeign}
}

// target returns the name that an assignment sets, and the value implied by its declared type.
func (s *scope) target(text string) (name string, m meaning) {
	if head, typ, ok := strings.Cut(text, ":"); ok { // let x: T
		name, text = s.targetName(head), typ
		return name, s.typed(text)
	}
	words := strings.Fields(text)
	words = slices.DeleteFunc(words, func(w string) bool { return binds[w] })
	switch len(words) {
	case 0:
		return "", m
	case 1:
		return s.targetName(words[0]), m
	}
	return s.targetName(words[len(words)-1]), s.typed(strings.Join(words[:len(words)-1], " ")) // T x
}

// targetName returns a variable's name, or "self.x" for a field of the test's object.
func (s *scope) targetName(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	text = strings.TrimLeft(words[len(words)-1], "*&$")
	for _, own := range []string{"self.", "this.", "this->", "@", "cls."} {
		if rest, ok := strings.CutPrefix(text, own); ok {
			if own == "@" {
				return rest
			}
			return "self." + rest
		}
	}
	if nameAt(text) != text {
		return ""
	}
	return text
}

// declareVar records a declaration without a value: var x T, T x;.
func (s *scope) declareVar(text string) {
	words := strings.Fields(text)
	switch {
	case len(words) >= 3 && words[0] == "var":
		s.vars[words[1]] = s.typed(strings.Join(words[2:], " "))
	case len(words) >= 2:
		if d := s.typeNamed(strings.TrimRight(nameAt(words[0]), "*&")); d != nil {
			if name := nameAt(strings.TrimLeft(words[1], "*&")); name != "" {
				s.vars[name] = meaning{isValue, d}
			}
		}
	}
}
