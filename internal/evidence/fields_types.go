package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ofTypes finds the fields of types that users fill.
func (r *fieldReader) ofTypes(add func(Claim)) {
	makers, taken := r.makers(), r.taken()
	r.symbols(func(name string, s *code.Symbol) {
		if !s.Exported && !taken[s.Name] || !r.own(s.File) || strings.Contains(name, ".") {
			return
		}
		maker := makers[s.File+" "+s.Name]
		switch s.Kind {
		case code.Struct:
			if r.isFilled(s, maker) {
				r.ofStruct(s, maker, add)
			}
		case code.Interface, code.TypeDef:
			if strings.HasPrefix(r.language[s.File], "t") && (isOptionName(s.Name) || taken[s.Name]) { // typescript, tsx
				r.ofObjectType(s, add)
			}
		case code.Class:
			if r.language[s.File] == "python" && isDataClass(s) {
				r.ofDataClass(s, add)
			}
		default:
		}
	})
}

// isFilled reports whether users fill the fields of a struct.
func (r *fieldReader) isFilled(s *code.Symbol, maker *code.Literal) bool {
	switch r.language[s.File] {
	case "go":
		return (maker != nil || isOptionName(s.Name) || strings.Contains(strings.ToLower(s.Doc), "zero value")) && !isGoErrorType(s)
	case "rust":
		return maker != nil && isOptionName(s.Name)
	default:
		return false
	}
}

// isGoErrorType reports whether a type has Go's method of errors.
func isGoErrorType(s *code.Symbol) bool {
	return slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Name == "Error" && len(m.Params) == 0 && m.Returns == "string" })
}

// makers returns the literals with which constructors make the types of the module, by the file and name of the type: Go's
// NewT, or New of the only type that it can mean, and Rust's default and new. It is an empty literal if the constructor
// has none, or several.
func (r *fieldReader) makers() map[string]*code.Literal {
	out := map[string]*code.Literal{}
	r.symbols(func(name string, s *code.Symbol) {
		owner, last := cutLast(name)
		made := ""
		switch r.language[s.File] {
		case "go":
			result, _, _ := strings.Cut(strings.Trim(s.Returns, "()"), ",")
			if made = baseType(result); s.Kind != code.Function || !s.Exported || last != "New"+made && last != "New" {
				return
			}
		case "rust":
			if made = owner; last != "default" && last != "new" || made == "" {
				return
			}
		default:
			return
		}
		for _, t := range r.namedSymbols(made) {
			key := t.File + " " + t.Name
			if t.Kind != code.Struct || out[key] != nil && (last == "New" || last == "new") {
				continue
			}
			out[key] = r.literalIn(name, s.File, made)
		}
	})
	return out
}

// literalIn returns the only literal of a type in a function.
func (r *fieldReader) literalIn(function, file, typ string) *code.Literal {
	var only *code.Literal
	for _, f := range r.Files {
		if f.Path != file || f.Bodies == nil {
			continue
		}
		for i := range f.Bodies.Literals {
			l := &f.Bodies.Literals[i]
			if of := baseType(l.Of); l.In != function || of != typ && of != "Self" {
				continue
			}
			if only != nil {
				return &code.Literal{}
			}
			only = l
		}
	}
	if only == nil {
		return &code.Literal{}
	}
	return only
}

// ofStruct claims the exported fields of a struct.
func (r *fieldReader) ofStruct(s *code.Symbol, maker *code.Literal, add func(Claim)) {
	used := slices.ContainsFunc(s.Members, func(f code.Symbol) bool { return f.Kind == code.Property && r.selected[f.Name] })
	for i := range s.Members {
		f := &s.Members[i]
		if f.Kind != code.Property || !f.Exported {
			continue
		}
		c, ok := r.structField(s, f, maker)
		if !ok {
			continue
		}
		if used && !r.selected[f.Name] && len(f.Decorators) == 0 {
			c.Role = Unread
		}
		add(c)
	}
}

// structField returns the claim of a field; ok is false if users do not set it: it holds an argument of the constructor, or
// nothing is known of it.
func (r *fieldReader) structField(s, f *code.Symbol, maker *code.Literal) (c Claim, ok bool) {
	named := on(r.holders[s.Name], f.Name)
	o := Option{Type: typeText(f.Returns)}
	c = Claim{Subject: s.Name, Name: f.Name, Option: &o, Exits: r.refusedBy(named), At: []Place{symbolPlace(f)}}
	o.Help, c.Values = meaning(f.Doc)
	c.Text, _, _ = deprecated(f)
	value, at := r.fallbackFor(named)
	set := false
	if value == "" {
		var line int
		if value, line, set = fieldOf(maker, f.Name); value != "" {
			at = Place{r.fileOf(maker), line, ""}
		}
	}
	isGo, isOption := r.language[s.File] == "go", isOptionName(s.Name)
	switch {
	case value != "":
		o.Default, c.At = value, append(c.At, at)
	case set:
		return c, isOption
	case isGo && (saysZero(f.Doc) || f.Returns == "bool" && f.Doc != ""):
		o.Default = zeroOf(f.Returns)
	}
	return c, !isGo || isOption || f.Doc != "" || o.Default != "" || len(c.Exits) > 0
}

// fileOf returns the file of a literal.
func (r *fieldReader) fileOf(l *code.Literal) string {
	for _, f := range r.Files {
		if f.Bodies != nil && slices.ContainsFunc(f.Bodies.Literals, func(o code.Literal) bool { return o.Line == l.Line && o.In == l.In }) {
			return f.Path
		}
	}
	return ""
}

// fieldOf returns the value of a field in a constructor's literal; set reports whether it has one, and the value is "" if
// it is not a constant.
func fieldOf(l *code.Literal, name string) (value string, line int, set bool) {
	if l == nil {
		return "", 0, false
	}
	for _, f := range l.Fields {
		if f.Name == name {
			if f.Plain || isFixed(f.Text) {
				return f.Text, f.Line, true
			}
			return "", 0, true
		}
	}
	return "", 0, false
}

// isFixed reports whether a text is a value that does not depend on the arguments of the function around it.
func isFixed(text string) bool {
	if text == "" {
		return false
	}
	switch text {
	case "true", "false", "nil", "None", "null":
		return true
	}
	c := text[0]
	return c >= '0' && c <= '9' || strings.IndexByte("\"'`-", c) >= 0 && len(text) > 1 || c == '[' && !strings.ContainsAny(text, "({.") || isConstantName(text)
}

// isConstantName reports whether a text names a constant by its case or qualifier: DefaultSize, time.Second, MAX.
func isConstantName(text string) bool {
	last := text[strings.LastIndexAny(text, ".:")+1:]
	if last == "" || !isName(last) || strings.ContainsAny(text, "([{ ") {
		return false
	}
	return strings.HasPrefix(last, "default") && len(last) > len("default") || last[0] >= 'A' && last[0] <= 'Z'
}

// zeroPhrases are the words with which documentation says what the zero value of a field means.
var zeroPhrases = []string{
	"is zero", "is 0", "is nil", "is empty", "is false", "if zero", "if 0", "if nil", "if empty", "if false", "if unset", "is unset", "is not set", "not 0", "not zero",
	"not empty", "zero means", "0 means", "nil means", "empty means", "zero value", "to zero", "to 0", "by default", "a nil", "a zero", "an empty", "0 for", "nil for",
}

// saysZero reports whether documentation says what the zero value of a field means.
func saysZero(doc string) bool {
	low := " " + strings.ToLower(strings.Join(strings.Fields(doc), " ")) + " "
	return slices.ContainsFunc(zeroPhrases, func(p string) bool {
		_, rest, ok := strings.Cut(low, " "+p)
		return ok && strings.IndexByte(" ,.;:)", rest[0]) >= 0
	})
}

// zeroOf returns the zero value of a Go type; "" if its name does not show it.
func zeroOf(typ string) string {
	switch {
	case typ == "bool":
		return "false"
	case typ == "string":
		return `""`
	case slices.Contains(goNumbers, typ):
		return "0"
	case strings.HasPrefix(typ, "*"), strings.HasPrefix(typ, "[]"), strings.HasPrefix(typ, "map["), strings.HasPrefix(typ, "func("), strings.HasPrefix(typ, "chan "):
		return "nil"
	}
	return ""
}

var goNumbers = []string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune", "float32", "float64", "time.Duration",
}

// taken returns the types that exported functions take as options, by the name of the parameter or type.
func (r *fieldReader) taken() map[string]bool {
	out := map[string]bool{}
	r.exports(func(_ string, s *code.Symbol) {
		for _, p := range s.Params {
			if typ := baseType(p.Type); isOptionName(p.Name) || isPattern(p.Name) || isOptionName(typ) {
				out[typ] = true
			}
		}
	})
	return out
}

// ofObjectType claims the properties of an interface or object type.
func (r *fieldReader) ofObjectType(s *code.Symbol, add func(Claim)) {
	patterns := r.patternsOf(s.Name)
	for i := range s.Members {
		f := &s.Members[i]
		if f.Kind != code.Property && f.Kind != code.Method || f.Name == "" || strings.HasPrefix(f.Name, "[") || f.Name == "()" || f.Name == "new" {
			continue
		}
		named := on(r.holders[s.Name], f.Name)
		o := Option{Type: typeText(f.Returns), Required: !f.Optional}
		c := Claim{Subject: s.Name, Name: f.Name, Option: &o, Exits: r.refusedBy(named), At: []Place{symbolPlace(f)}}
		if o.Help, c.Values = meaning(f.Doc); o.Help == "" {
			o.Help = r.documentedMember(s.Name, f.Name)
		}
		value, at := r.fallbackFor(named)
		if value == "" {
			value, at = defaultIn(patterns, f.Name)
		}
		if value != "" {
			o.Default, c.At, o.Required = value, append(c.At, at), false
		} else {
			o.Default = cmp.Or(tagged(f.Doc, "@default", "@defaultValue"), saidDefault(f.Doc))
		}
		c.Text, _, _ = deprecated(f)
		add(c)
	}
}

// documentedMember returns what the documentation of the functions that take a type says of a member.
func (r *fieldReader) documentedMember(typ, name string) string {
	for _, h := range r.holders[typ] {
		for _, s := range r.namedSymbols(h.function) {
			if text := memberDoc(readDocs(s.Doc).params, name); s.File == h.file && text != "" {
				return text
			}
		}
	}
	return ""
}

// saidDefault returns the value in code quotes that documentation calls the default; "" for none, or several.
func saidDefault(doc string) string {
	low := strings.ToLower(doc)
	value := ""
	for _, phrase := range []string{"defaults to `", "defaults to: `", "default is `", "default: `", "default value is `"} {
		i := strings.Index(low, phrase)
		if i < 0 {
			continue
		}
		found, _, ok := strings.Cut(doc[i+len(phrase):], "`")
		if !ok || len(found) > code.MaxDefault || value != "" && value != found || strings.Count(low, phrase) > 1 {
			return ""
		}
		value = found
	}
	return value
}

// typeText returns a type on one line, without the sign before the first of its alternatives; of an anonymous struct only
// that it is one.
func typeText(text string) string {
	if strings.HasPrefix(text, "struct {") || strings.HasPrefix(text, "struct{") {
		return "struct"
	}
	return strings.TrimPrefix(strings.Join(strings.Fields(text), " "), "| ")
}

// pattern is a shape with its file.
type pattern struct {
	*code.Shape
	file string
}

// patternsOf returns the patterns of the parameters that have a type.
func (r *fieldReader) patternsOf(typ string) []pattern {
	var out []pattern
	r.shapes(func(s *code.Symbol, shape pattern) {
		if p := s.Params[shape.Param]; baseType(p.Type) == typ {
			out = append(out, shape)
		}
	})
	return out
}

// shapes calls see for the shapes of the parameters of functions, not those of closures inside them.
func (r *fieldReader) shapes(see func(s *code.Symbol, shape pattern)) {
	for _, f := range r.Files {
		if f.Bodies == nil {
			continue
		}
		for i := range f.Bodies.Shapes {
			shape := &f.Bodies.Shapes[i]
			s := r.symbol(f.Path, shape.In, shape.Line)
			if s == nil || shape.Param >= len(s.Params) {
				continue
			}
			if s.Params[shape.Param].Name == shape.Name {
				see(s, pattern{shape, f.Path})
			}
		}
	}
}

// defaultIn returns the one default that patterns give a field.
func defaultIn(list []pattern, name string) (value string, at Place) {
	for _, p := range list {
		for _, f := range p.Fields {
			if f.Name != name || f.Default == "" {
				continue
			}
			if value != "" && value != f.Default {
				return "", Place{}
			}
			value, at = f.Default, Place{p.file, f.Line, ""}
		}
	}
	return value, at
}

// tagged returns the text of a tag of documentation.
func tagged(doc string, tags ...string) string {
	for row := range strings.Lines(doc) {
		word, rest, _ := strings.Cut(strings.TrimSpace(row), " ")
		if slices.Contains(tags, word) && len(rest) <= code.MaxDefault {
			return strings.Trim(strings.TrimSpace(rest), "`")
		}
	}
	return ""
}

// dataClasses are the decorators and bases that make the annotated members of a class the parameters of its constructor.
var dataClasses = []string{"dataclass", "define", "frozen", "attrs", "s", "NamedTuple", "BaseModel", "Struct"}

// isDataClass reports whether the members of a Python class are the parameters of its constructor.
func isDataClass(s *code.Symbol) bool {
	for _, d := range slices.Concat(s.Decorators, s.Bases) {
		head, _, _ := strings.Cut(strings.TrimLeft(d, "@"), "(")
		if slices.Contains(dataClasses, lastName(head)) && (lastName(head) != "s" || strings.HasPrefix(head, "attr.")) {
			return true
		}
	}
	return false
}

// ofDataClass claims the members of a data class.
func (r *fieldReader) ofDataClass(s *code.Symbol, add func(Claim)) {
	documented := readDocs(s.Doc).params
	for i := range s.Members {
		f := &s.Members[i]
		if f.Kind != code.Property || !f.Exported || f.Returns == "" || strings.HasPrefix(f.Returns, "ClassVar") || strings.Contains(f.Value, "init=False") {
			continue
		}
		value, required := dataDefault(f.Value)
		o := Option{Type: typeText(f.Returns), Default: value, Required: required}
		c := Claim{Subject: s.Name, Name: f.Name, Option: &o, At: []Place{symbolPlace(f)}}
		c.Exits = r.refusedBy([]holder{{s.Name + ".__post_init__", s.File, "self." + f.Name}})
		if o.Help, c.Values = meaning(f.Doc); o.Help == "" {
			o.Help = documentedAs(documented, f.Name)
		}
		add(c)
	}
}

// dataDefault returns the default of a member: field(default=1) is 1, field(default_factory=list) is list().
func dataDefault(value string) (text string, required bool) {
	head, args, call := strings.Cut(value, "(")
	if !call || !slices.Contains([]string{"field", "Field", "ib", "attrib"}, lastName(head)) {
		return value, value == ""
	}
	args = strings.TrimSuffix(args, ")")
	for _, key := range []string{"default_factory", "factory", "default"} {
		_, rest, ok := strings.Cut(args, key+"=")
		if !ok {
			continue
		}
		if end := strings.IndexByte(rest, ','); end >= 0 && !strings.ContainsAny(rest[:end], "([{\"'") {
			rest = rest[:end]
		}
		if strings.HasSuffix(key, "factory") && isName(rest) {
			rest += "()"
		}
		return rest, rest == "..."
	}
	if head == "Field" && args != "" && !strings.HasPrefix(args, "...") {
		first, _, _ := strings.Cut(args, ",")
		if !strings.Contains(first, "=") {
			return first, false
		}
	}
	return "", true
}

// documentedAs returns what documentation says of a parameter, its first sentence.
func documentedAs(list []documented, name string) string {
	for _, p := range list {
		if p.name == name && p.text != "" {
			return said(sentences(p.text)[0])
		}
	}
	return ""
}
