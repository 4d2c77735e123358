package schema

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// decl is a declaration of a type.
type decl struct {
	*code.Symbol
	name     string // qualified: "Outer.Inner"
	key      string // its name under "$defs"
	language string
	exported bool // and so is what it stands in
	rule     *rule
}

// book is a module's types and what has been defined of them.
type book struct {
	types  []*decl
	byName map[string][]*decl        // by qualified name and by its last part
	consts map[string][]*code.Symbol // by their type, as written
	defs   object
	asked  map[string]bool
	queue  []request
}

// request is a type to define, with the arguments of its parameters.
type request struct {
	decl *decl
	args []string
	key  string
}

func newBook(module *code.Skeleton, languageOf func(file string) string) *book {
	b := &book{byName: map[string][]*decl{}, consts: map[string][]*code.Symbol{}, asked: map[string]bool{}}
	for _, list := range [][]code.Symbol{module.Exports, module.Internals} {
		for i := range list {
			s := &list[i]
			if s.Kind == code.Const && s.Returns != "" {
				b.consts[s.Returns] = append(b.consts[s.Returns], s)
			}
			b.add(s, "", languageOf(s.File), true)
		}
	}
	for _, t := range b.types {
		t.key = t.name
		for _, other := range b.byName[t.name] {
			if other != t && other.name == t.name {
				t.key = t.name + "@" + t.File
			}
		}
	}
	return b
}

// add notes a type and those within it.
func (b *book) add(s *code.Symbol, owner, language string, exported bool) {
	switch s.Kind {
	case code.Struct, code.Interface, code.Type, code.Class, code.Enum:
	default:
		return
	}
	t := &decl{Symbol: s, name: s.Name, language: language, exported: exported && s.Exported, rule: ruleOf(language)}
	if owner != "" {
		t.name = owner + "." + s.Name
		b.byName[s.Name] = append(b.byName[s.Name], t)
	}
	b.types = append(b.types, t)
	b.byName[t.name] = append(b.byName[t.name], t)
	for i := range s.Members {
		b.add(&s.Members[i], t.name, language, t.exported)
	}
}

// find returns the type that a name means in a file: one of the file, else of its
// folder, else the only one there is.
func (b *book) find(name, language, file string) *decl {
	var here, near, far []*decl
	for _, t := range b.byName[name] {
		switch {
		case t.language != language:
		case t.File == file:
			here = append(here, t)
		case path.Dir(t.File) == path.Dir(file):
			near = append(near, t)
		default:
			far = append(far, t)
		}
	}
	for _, list := range [][]*decl{here, near, far} {
		if len(list) > 0 {
			if len(list) == 1 {
				return list[0]
			}
			return nil
		}
	}
	return nil
}

// ask sees to it that a type is defined and returns a reference to it.
func (b *book) ask(t *decl, args []string) object {
	key := t.key
	if len(args) > 0 {
		key += "<" + strings.Join(args, ", ") + ">"
	}
	key = strings.ToValidUTF8(strings.Join(strings.Fields(key), " "), "\ufffd") // as JSON has it
	if !b.asked[key] {
		if len(b.asked) >= maxTypes || len(key) > maxKey {
			return unknown(key + ": left out, there are too many types")
		}
		b.asked[key] = true
		b.queue = append(b.queue, request{t, args, key})
	}
	return object{{"$ref", "#/$defs/" + pointer(key)}}
}

// maxKey bounds the names of types, so that a type whose argument grows with each
// use comes to an end.
const maxKey = 200

// pointer writes a key as a part of a JSON pointer in a URI's fragment.
func pointer(key string) string {
	key = strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
	return strings.ReplaceAll(url.PathEscape(key), "%40", "@")
}

// work defines what has been asked for and what that asks for.
func (b *book) work() {
	for len(b.queue) > 0 {
		r := b.queue[0]
		b.queue = b.queue[1:]
		s := scope{book: b, decl: r.decl, args: bind(r.decl.TypeParameters, r.args)}
		n, ok := r.decl.rule.define(s)
		if !ok {
			n = unknown("its declaration does not fix its JSON form")
		}
		b.defs = append(b.defs, member{r.key, s.describe(n)})
	}
}

// describe adds where the type stands and what its documentation says first.
func (s scope) describe(n object) object {
	comment := fmt.Sprintf("%s:%d", s.decl.File, s.decl.StartLine)
	if c, ok := n.get("$comment").(string); ok {
		comment += ": " + c
	}
	out := object{{"$comment", comment}}.with("description", firstSentence(s.decl.Doc))
	for _, m := range n {
		if m.key != "$comment" {
			out = append(out, m)
		}
	}
	return out
}

// firstSentence returns a documentation's first sentence on one line.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	doc, _, _ = strings.Cut(doc, "\n@")
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i > 0 {
		doc = doc[:i+1]
	}
	if len(doc) > 200 || strings.HasPrefix(doc, "@") {
		return ""
	}
	return doc
}

// scope is a type that is being defined, with what its parameters stand for.
type scope struct {
	*book
	decl *decl
	args map[string]string // by parameter; "" where nothing was given
}

// bind gives parameters ("T extends X = D", "T any", "const N: usize") their
// arguments.
func bind(params, args []string) map[string]string {
	out := map[string]string{}
	for i, p := range params {
		name := identifier(strings.TrimPrefix(p, "const "))
		switch _, byDefault, ok := strings.Cut(p, " = "); {
		case i < len(args):
			out[name] = args[i]
		case ok && len(args) > 0:
			out[name] = byDefault
		default:
			out[name] = ""
		}
	}
	return out
}

// of returns the schema of a type as it is written in the scope.
func (s scope) of(text string) object {
	text = strings.TrimSpace(substitute(text, s.args))
	s.args = maps.Clone(s.args) // once is enough: an argument may hold its parameter's name
	maps.DeleteFunc(s.args, func(_, value string) bool { return value != "" })
	return s.decl.rule.typeOf(s, text)
}

// open reports whether arguments are the scope's own parameters, for which nothing
// was given: a generic type that refers to itself.
func (s scope) open(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool {
		value, ok := s.args[a]
		return !ok || value != ""
	})
}

// named returns a reference to a type of the module, or says what is not known.
func (s scope) named(name string, args []string, text string) object {
	if value, ok := s.args[name]; ok && value == "" {
		return unknown(name + ": a type parameter")
	}
	if t := s.find(name, s.decl.language, s.decl.File); t != nil {
		if s.open(args) {
			args = nil
		}
		return s.ask(t, args)
	}
	return unknown(text)
}
