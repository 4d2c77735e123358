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
	key      string // key in "$defs"
	language string
	exported bool // including its enclosing declarations
	rule     *rule
}

// book is the types of a module, and the definitions made so far.
type book struct {
	types  []*decl
	byName map[string][]*decl        // by qualified name and by its last part
	consts map[string][]*code.Symbol // by type, as written
	defs   object
	asked  map[string]bool
	queue  []request
	typeOf func(language, text string) code.Type
}

// request is a type to define, with type arguments.
type request struct {
	decl *decl
	args []code.Type
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

// add records a type and its nested types.
func (b *book) add(s *code.Symbol, owner, language string, exported bool) {
	switch s.Kind {
	case code.Struct, code.Interface, code.TypeDef, code.Class, code.Enum:
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

// find returns the type that a name refers to in a file: in the file, or else in its folder,
// or else the only one in the module.
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

// ask ensures that a type will be defined and returns a reference to it.
func (b *book) ask(t *decl, args []code.Type) object {
	key := t.key
	if len(args) > 0 {
		key += "<" + strings.Join(texts(args), ", ") + ">"
	}
	key = strings.ToValidUTF8(strings.Join(strings.Fields(key), " "), "\ufffd") // as JSON will have it
	if !b.asked[key] {
		if len(b.asked) >= maxTypes || len(key) > maxKey {
			return unknown(key + ": left out, there are too many types")
		}
		b.asked[key] = true
		b.queue = append(b.queue, request{t, args, key})
	}
	return object{{"$ref", "#/$defs/" + pointer(key)}}
}

// maxKey limits the length of keys, so that a type whose argument grows with each use
// terminates.
const maxKey = 200

// pointer escapes a key for a JSON pointer in a URI fragment.
func pointer(key string) string {
	key = strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
	return strings.ReplaceAll(url.PathEscape(key), "%40", "@")
}

// work defines the requested types and those that they request.
func (b *book) work() {
	for len(b.queue) > 0 {
		r := b.queue[0]
		b.queue = b.queue[1:]
		s := scope{book: b, decl: r.decl, args: b.bind(r.decl, r.args)}
		n, ok := r.decl.rule.define(s)
		if !ok {
			n = unknown("its declaration does not fix its JSON form")
		}
		b.defs = append(b.defs, member{r.key, s.describe(n)})
	}
}

// describe adds the type's place and the first sentence of its documentation.
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

// firstSentence returns the first sentence of a doc comment on one line.
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

// scope is a type being defined, with its type arguments.
type scope struct {
	*book
	decl *decl
	args map[string]code.Type // by parameter; the zero Type if not given
}

// bind maps the type parameters of a type ("T extends X = D", "T any", "const N: usize") to
// arguments.
func (b *book) bind(t *decl, args []code.Type) map[string]code.Type {
	out := map[string]code.Type{}
	for i, p := range t.TypeParameters {
		name := identifier(strings.TrimPrefix(p, "const "))
		switch _, byDefault, ok := strings.Cut(p, " = "); {
		case i < len(args):
			out[name] = args[i]
		case ok && len(args) > 0:
			out[name] = b.typeOf(t.language, byDefault)
		default:
			out[name] = code.Type{}
		}
	}
	return out
}

// bound returns a type of the scope with its type arguments.
func (s scope) bound(t code.Type) code.Type {
	args := maps.Clone(s.args)
	maps.DeleteFunc(args, func(_ string, value code.Type) bool { return value.Text == "" })
	return t.Bind(args)
}

// of returns the schema of a type of the scope.
func (s scope) of(t code.Type) object {
	t = s.bound(t)
	s.args = maps.Clone(s.args) // bound only once, because an argument may contain its parameter's name
	maps.DeleteFunc(s.args, func(_ string, value code.Type) bool { return value.Text != "" })
	return s.decl.rule.typeOf(s, t)
}

// read returns the type that a text of the scope denotes.
func (s scope) read(text string) code.Type { return s.typeOf(s.decl.language, text) }

// ofText returns the schema of the type that a text of the scope denotes.
func (s scope) ofText(text string) object { return s.of(s.read(text)) }

// all returns the schemas of types.
func (s scope) all(types []code.Type) []object {
	var out []object
	for _, t := range types {
		out = append(out, s.of(t))
	}
	return out
}

// union returns a schema that accepts any of several types.
func (s scope) union(types []code.Type) object { return anyOf(s.all(types)) }

// texts returns the texts of types.
func texts(types []code.Type) []string {
	var out []string
	for _, t := range types {
		out = append(out, t.Text)
	}
	return out
}

// open reports whether arguments are the scope's own unbound parameters, as in a generic type
// that refers to itself.
func (s scope) open(args []code.Type) bool {
	return !slices.ContainsFunc(args, func(a code.Type) bool {
		value, ok := s.args[a.Text]
		return !ok || value.Text != ""
	})
}

// named returns a reference to a type of the module, or a schema that names the unknown type.
func (s scope) named(name string, t code.Type) object {
	if value, ok := s.args[name]; ok && value.Text == "" {
		return unknown(name + ": a type parameter")
	}
	if other := s.find(name, s.decl.language, s.decl.File); other != nil {
		if s.open(t.Args) {
			t.Args = nil
		}
		return s.ask(other, t.Args)
	}
	return unknown(t.Text)
}
