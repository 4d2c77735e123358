package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// fields finds the values that users of a library give: the exported fields of types with a constructor and of option
// types, the members of object parameters, keyword arguments, and the methods of builders.
var fields = Rule{
	Kind: Field,
	find: func(m *Module, found func(Claim)) {
		r := newFieldReader(m)
		var list []Claim
		add := func(c Claim) { list = append(list, c) }
		r.ofTypes(add)
		r.ofBuilders(add)
		r.ofParameters(add)
		byPlace(list)
		for _, c := range list {
			found(c)
		}
	},
}

// fieldReader finds the fields of a module.
type fieldReader struct {
	*Module
	holders  map[string][]holder // of values of a type, by its name
	selected map[string]bool     // names of members in Go files
	built    map[string]bool     // the methods of builders, by qualified name
	byPath   map[string]*code.File
	// By file and function:
	fallbacks map[[2]string][]*code.Fallback
	exits     map[[2]string][]*Claim
}

func newFieldReader(m *Module) *fieldReader {
	r := &fieldReader{
		Module: m, holders: m.holders(), selected: map[string]bool{}, built: map[string]bool{},
		fallbacks: map[[2]string][]*code.Fallback{}, exits: map[[2]string][]*Claim{}, byPath: map[string]*code.File{},
	}
	m.bodies(func(f *code.File, b *code.Bodies) {
		r.byPath[f.Path] = f
		for _, name := range b.Selected {
			r.selected[name] = true
		}
		for i := range b.Fallbacks {
			in := [2]string{f.Path, b.Fallbacks[i].In}
			r.fallbacks[in] = append(r.fallbacks[in], &b.Fallbacks[i])
		}
	})
	for i := range m.claimed {
		if c := &m.claimed[i]; c.Kind == Exit {
			in := [2]string{c.At[0].File, c.Subject}
			r.exits[in] = append(r.exits[in], c)
		}
	}
	return r
}

// holder is a variable of a function.
type holder struct{ function, file, variable string }

// holders returns the receivers and parameters of the module's functions, by the names of their types.
func (m *Module) holders() map[string][]holder {
	out := map[string][]holder{}
	m.symbols(func(name string, s *code.Symbol) {
		add := func(typ, variable string) {
			if typ = baseType(typ); typ != "" && variable != "" {
				out[typ] = append(out[typ], holder{name, s.File, variable})
			}
		}
		if variable, typ, ok := strings.Cut(strings.Trim(s.Receiver, "()"), " "); ok {
			add(typ, variable)
		}
		for _, p := range s.Params {
			add(p.Type, strings.TrimLeft(p.Name, "$*&"))
		}
	})
	return out
}

// wrappers are types whose argument is the type that matters.
var wrappers = []string{"Partial", "Readonly", "Required", "Optional", "Option", "Final", "Annotated", "NoInfer"}

// baseType returns the name of a type without pointers, references, nullability and arguments; "" if it has no single
// name.
func baseType(text string) string {
	text = strings.TrimSpace(text)
	for _, more := range []string{"| undefined", "| null", "| None", "?", "= {}"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, more))
	}
	for _, more := range []string{"*", "&mut ", "&", "mut ", "readonly ", "const ", "?", "None |", "undefined |"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, more))
	}
	name, args, generic := strings.Cut(text, "<")
	if !generic {
		name, args, generic = strings.Cut(text, "[")
	}
	if generic && slices.Contains(wrappers, name) {
		return baseType(strings.TrimRight(args, ">]"))
	}
	if !isName(name) {
		return ""
	}
	return name
}

// isName reports whether a text is a name without qualifier.
func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && c < 0x80 && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9')
	})
}

// optionNames are the last words of the names of types and parameters whose members are options.
var optionNames = []string{"options", "option", "opts", "opt", "config", "configuration", "settings", "init", "props", "params"}

// isOptionName reports whether a type or parameter holds options, by its name.
func isOptionName(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && slices.Contains(optionNames, words[len(words)-1])
}

// refusedBy returns the ids of the exits whose own condition names one of the variables: a function and what it calls
// the value.
func (r *fieldReader) refusedBy(named []holder) []string {
	var out []string
	for _, h := range named {
		for _, c := range r.exits[[2]string{h.file, h.function}] {
			if id := c.ID(); decides(c.When, h.variable) && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// decides reports whether the last condition before an exit names a value.
func decides(when []Condition, name string) bool {
	return slices.ContainsFunc(when, func(c Condition) bool {
		last := len(c.All) - 1
		return last >= 0 && (code.MentionsTarget(c.All[last].Text, name) || code.MentionsTarget(c.All[last].Where, name))
	})
}

// fallbackFor returns the one value that functions use where a value is missing; "" if there is none or more.
func (r *fieldReader) fallbackFor(named []holder) (value string, at Place) {
	for _, h := range named {
		for _, b := range r.fallbacks[[2]string{h.file, h.function}] {
			f := r.byPath[h.file]
			text, line := fallback(f, b, h.variable)
			if text == "" || !r.isFixed(f, text) {
				continue
			}
			if value != "" && value != text {
				return "", Place{}
			}
			value, at = text, Place{h.file, line, ""}
		}
	}
	return value, at
}

// fallback returns the value of a fallback if it is that of a variable, and its line.
func fallback(f *code.File, b *code.Fallback, variable string) (value string, line int) {
	if variable == b.Of {
		return b.Value, b.Line
	}
	owner, member := cutLast(variable)
	if owner == "" || b.Of != owner+".*" {
		return "", 0
	}
	for i := range f.Bodies.Literals {
		if l := &f.Bodies.Literals[i]; l.Of == "" && l.In == b.Value {
			value, line, _ = fieldOf(l, member)
			return value, line
		}
	}
	return "", 0
}

// isFixed reports whether a value does not depend on the function around it: what it names are declarations of the module,
// imports of the file, and names that are capitalised.
func (m *Module) isFixed(f *code.File, value string) bool {
	for at := 0; at < len(value); {
		c := value[at]
		end := nameEnd(value, at)
		switch {
		case c == '"' || c == '\'' || c == '`':
			end = code.QuoteEnd(value, at) + 1
		case c >= '0' && c <= '9', c == '.': // a number, or a member
			end = max(end, nameEnd(value, at+1))
		case end == at:
			end++
		case !m.isFixedName(f, value[at:end]) && !strings.HasPrefix(value[end:], ":"):
			return false
		}
		at = end
	}
	return true
}

// nameEnd returns the end of the name that begins at an offset.
func nameEnd(text string, at int) int {
	for at < len(text) && isName(text[at:at+1]) {
		at++
	}
	return at
}

// isFixedName reports whether a name means the same in every function of a file.
func (m *Module) isFixedName(f *code.File, name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z' || slices.Contains(fixedWords, name) || bindsImport(f, name) || len(m.namedSymbols(name)) > 0
}

// bindsImport reports whether a name is bound by an import of a file.
func bindsImport(f *code.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(imp code.Import) bool {
		if imp.Namespace == name || imp.Default == name || slices.Contains(imp.Aliases, name) {
			return true
		}
		if f.Language == "go" {
			return imp.Namespace == "" && imp.Module[strings.LastIndexByte(imp.Module, '/')+1:] == name
		}
		head, _, _ := strings.Cut(imp.Module, ".")
		return slices.Contains(imp.Named, name) || head == name
	})
}

// fixedWords are words of values that are the same everywhere.
var fixedWords = []string{"true", "false", "nil", "null", "None", "undefined", "new", "void", "make", "map", "string", "int", "list", "dict", "set", "tuple", "process", "console", "globalThis", "window"}

// on returns what functions call the member of a value.
func on(list []holder, member string) []holder {
	var out []holder
	for _, h := range list {
		out = append(out, holder{h.function, h.file, h.variable + "." + member})
	}
	return out
}

// meaning returns the first sentence of documentation, and the sentences after it that say what certain values do.
func meaning(doc string) (first string, cases []string) {
	list := docSentences(doc)
	for i, text := range list {
		text = said(text)
		switch {
		case slices.ContainsFunc(deprecationMarks, func(m string) bool { return strings.HasPrefix(text, m) }):
		case i == 0:
			first = text
		case len(cases) < maxCases && slices.ContainsFunc(caseWords, func(w string) bool { return strings.HasPrefix(text, w) }):
			cases = append(cases, text)
		}
	}
	return first, cases
}

// maxCases is the maximum number of sentences about certain values of a field.
const maxCases = 4

// caseWords begin sentences about certain values.
var caseWords = []string{"If ", "When ", "Zero ", "A zero", "A nil", "Nil ", "An empty", "Empty ", "Default", "The default", "By default", "A value", "A negative"}
