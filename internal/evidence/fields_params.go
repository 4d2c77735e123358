package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ofParameters finds the members of object parameters, and the parameters that may be left out or are given by name.
func (r *fieldReader) ofParameters(add func(Claim)) {
	exported, shaped := map[*code.Symbol]string{}, map[string]bool{}
	r.exports(func(name string, s *code.Symbol) { exported[s] = name })
	r.shapes(func(s *code.Symbol, shape pattern) {
		p := s.Params[shape.Param]
		if exported[s] == shape.In && (strings.HasPrefix(p.Type, "{") || p.Type == "" && (isPattern(p.Name) || isOptionName(p.Name))) {
			r.ofShape(shape.In, s, shape, add)
			shaped[shape.In+" "+p.Name] = true
		}
	})
	r.exports(func(name string, s *code.Symbol) {
		if r.own(s.File) && len(s.Params) > 0 && !r.built[name] && !r.repeats(name, s) {
			r.ofFunction(name, s, shaped, add)
		}
	})
}

// repeats reports whether a constructor is that of a class which has its parameters, as in Kotlin.
func (r *fieldReader) repeats(name string, s *code.Symbol) bool {
	owner, _ := cutLast(name)
	return s.Kind == code.Constructor && slices.ContainsFunc(r.namedSymbols(owner), func(class *code.Symbol) bool {
		return class.File == s.File && slices.Equal(class.Params, s.Params)
	})
}

// isPattern reports whether a parameter is taken apart where it is declared.
func isPattern(name string) bool { return strings.HasPrefix(name, "{") }

// ofShape claims the members of an object parameter.
func (r *fieldReader) ofShape(function string, s *code.Symbol, shape pattern, add func(Claim)) {
	documented := readDocs(s.Doc).params
	p := s.Params[shape.Param]
	typed := p.Type != ""
	for _, f := range shape.Fields {
		named := []holder{{function, s.File, p.Name + "." + f.Name}}
		if isPattern(p.Name) {
			named[0].variable = f.Name
		}
		o := Option{Type: typeText(f.Type), Required: typed && !f.Optional && f.Default == "", Default: f.Default}
		c := Claim{Subject: function, Name: f.Name, Option: &o, Exits: r.refusedBy(named), At: []Place{{s.File, f.Line, f.Name}}}
		if value, at := r.fallbackFor(named); value != "" && o.Default == "" {
			o.Default, c.At, o.Required = value, append(c.At, at), false
		}
		o.Default = strings.TrimSpace(o.Default)
		if o.Default == "" {
			o.Default = cmp.Or(docDefault(s.Doc, f.Name), saidDefault(f.Doc))
		}
		if o.Help, c.Values = meaning(f.Doc); o.Help == "" {
			o.Help = memberDoc(documented, f.Name)
		}
		c.Text, _, _ = deprecated(&code.Symbol{Doc: f.Doc})
		add(c)
	}
}

// memberDoc returns what documentation says of the member of a parameter: @param options.name x.
func memberDoc(list []documented, name string) string {
	for _, p := range list {
		if owner, last := cutLast(p.name); owner != "" && last == name && p.text != "" {
			return said(sentences(p.text)[0])
		}
	}
	return ""
}

// docDefault returns the default in a JSDoc tag: @param [options.name=1].
func docDefault(doc, name string) string {
	at := strings.Index(doc, "."+name+"=")
	if at < 0 {
		return ""
	}
	inside, _, ok := bracketed(doc[max(0, strings.LastIndexByte(doc[:at], '[')):])
	_, value, _ := strings.Cut(inside, "=")
	if !ok || len(value) > code.MaxDefault || strings.Contains(value, "\n") {
		return ""
	}
	return value
}

// ofFunction claims the parameters of a function that may be left out or are given by name only.
func (r *fieldReader) ofFunction(name string, s *code.Symbol, shaped map[string]bool, add func(Claim)) {
	var documented []documented
	function := name
	if s.Kind == code.Class || s.Kind == code.Struct {
		function = name + "." + lastName(name)
	}
	for i, p := range s.Params {
		param := strings.TrimLeft(p.Name, "$*&")
		if !r.isGiven(s, &p) || !isName(param) || strings.HasPrefix(param, "_") || shaped[name+" "+p.Name] {
			continue
		}
		if documented == nil {
			documented = r.docsOf(name, s)
		}
		o := Option{Type: typeText(p.Type), Default: strings.Join(strings.Fields(p.Default), " "), Required: p.Default == "" && !p.Optional}
		if o.Default == "..." { // of an overload in Python: the implementation has it
			o.Default = ""
		}
		c := Claim{Subject: name, Name: param, Option: &o, Exits: r.refusedBy([]holder{{function, s.File, p.Name}}), At: []Place{symbolPlace(s)}}
		if value, at := r.fallbackFor([]holder{{function, s.File, param}}); value != "" && slices.Contains(nothing, o.Default) {
			o.Default, c.At = value, append(c.At, at)
		}
		o.Help = cmp.Or(documentedAs(documented, param), sentenceOn(s.Doc, param, s.Params, i))
		add(c)
	}
}

// givenByFramework are the functions whose result as a default says where a framework takes the argument from: FastAPI and Typer.
var givenByFramework = []string{"Depends", "Security", "Query", "Path", "Body", "Header", "Cookie", "Form", "File", "Option", "Argument"}

// keywordLanguages are the languages in which a parameter that is given by name only is an option even if it has no
// default; in others every parameter has a label.
var keywordLanguages = []string{"python", "ruby"}

// isGiven reports whether a parameter may be left out, or is given by name only.
func (r *fieldReader) isGiven(s *code.Symbol, p *code.Param) bool {
	if head, _, call := strings.Cut(p.Default, "("); call && slices.Contains(givenByFramework, lastName(head)) {
		return false
	}
	keyword := p.Mode == "keyword" && slices.Contains(keywordLanguages, r.language[s.File])
	return !p.Variadic && (p.Default != "" || keyword) && len(p.Default) <= code.MaxDefault
}

// nothing are the defaults that stand for a missing value.
var nothing = []string{"None", "null", "undefined", "nil"}

// docsOf returns the documented parameters of a function; a constructor may be documented at its class.
func (r *fieldReader) docsOf(name string, s *code.Symbol) []documented {
	out := readDocs(s.Doc).params
	if owner, _ := cutLast(name); owner != "" && isConstructor(name) {
		for _, class := range r.namedSymbols(owner) {
			if class.File == s.File {
				out = append(out, readDocs(class.Doc).params...)
			}
		}
	}
	if out == nil {
		out = []documented{}
	}
	return out
}

// sentenceOn returns the first sentence of documentation that is about one parameter: the first that it names in quotes
// or stars.
func sentenceOn(doc, param string, params []code.Param, self int) string {
	for _, text := range docSentences(doc) {
		at := markedAt(text, param)
		if at < 0 || at > maxBefore && !strings.HasPrefix(text, "To ") || len(text) > maxFailureText {
			continue
		}
		first := true
		for i := range params {
			if other := markedAt(text, params[i].Name); i != self && other >= 0 && other < at {
				first = false
			}
		}
		if first {
			return said(text)
		}
	}
	return ""
}

// maxBefore is the maximum number of bytes before the name of a parameter that is the subject of a sentence: "If the
// optional flag ".
const maxBefore = 24

// markedAt returns where a text names a parameter as one; -1 if it does not.
func markedAt(text, name string) int {
	for _, mark := range []string{"``", "*", "`", "'", "\""} {
		if at := strings.Index(text, mark+name+mark); at >= 0 {
			return at
		}
	}
	return -1
}

// builders are the results of a method that returns its own object.
var builders = []string{"Self", "&mut Self", "&Self", "this", "self", "$this", "static", "typing.Self"}

// ofBuilders claims the methods of builders: those that take at most one value and return the builder.
func (r *fieldReader) ofBuilders(add func(Claim)) {
	r.symbols(func(name string, s *code.Symbol) {
		if !s.Exported || !s.Kind.HoldsMembers() || !strings.HasSuffix(s.Name, "Builder") && !isOptionName(s.Name) || !r.own(s.File) {
			return
		}
		for i := range s.Members {
			if f := &s.Members[i]; r.sets(s, f) {
				r.built[name+"."+f.Name] = true
				add(r.setter(name, f))
			}
		}
	})
}

// sets reports whether a method of a builder sets one value and returns the builder.
func (r *fieldReader) sets(s, f *code.Symbol) bool {
	if f.Kind != code.Method || !f.Exported || f.Static || len(f.Params) > 1 || isConstructor(f.Name) {
		return false
	}
	if len(f.Params) == 0 && (f.Receiver == "" && r.language[f.File] == "rust" || strings.EqualFold(f.Name, "clone") || f.Name == "copy") {
		return false
	}
	return slices.Contains(builders, f.Returns) || baseType(f.Returns) == s.Name
}

// setter returns the claim of a method of a builder.
func (r *fieldReader) setter(owner string, f *code.Symbol) Claim {
	o := Option{Default: saidDefault(f.Doc)}
	c := Claim{Subject: owner, Name: f.Name, Option: &o, Role: Method, At: []Place{symbolPlace(f)}}
	if len(f.Params) == 1 {
		o.Type, o.Default = typeText(f.Params[0].Type), cmp.Or(f.Params[0].Default, o.Default)
		c.Exits = r.refusedBy([]holder{{owner + "." + f.Name, f.File, f.Params[0].Name}})
	}
	o.Help, c.Values = meaning(f.Doc)
	c.Text, _, _ = deprecated(f)
	return c
}
