package program

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// derived reads the attributes of the Rust crate clap: types that derive Parser, Args, Subcommand and ValueEnum.
type derived struct {
	*parser
	file *code.File
}

func readClapDerive(p *parser, f *code.File) {
	d := &derived{p, f}
	d.walk(f.Symbols)
}

// walk reads the types that are programs of their own.
func (d *derived) walk(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		if derives(s, "Parser", "StructOpt", "Clap") && (s.Kind == code.Struct || s.Kind == code.Enum) {
			d.program(s)
		}
		if s.Kind == code.Module {
			d.walk(s.Members)
		}
	}
}

// derives reports whether a type derives one of some traits.
func derives(s *code.Symbol, traits ...string) bool {
	for _, dec := range s.Decorators {
		inner, ok := strings.CutPrefix(strings.Trim(dec, "#[]"), "derive(")
		if !ok {
			continue
		}
		for _, word := range strings.FieldsFunc(inner, func(c rune) bool { return strings.ContainsRune(" ,()\n", c) }) {
			_, word = split(word)
			if slices.Contains(traits, word) {
				return true
			}
		}
	}
	return false
}

// program reads a type that derives Parser.
func (d *derived) program(s *code.Symbol) {
	attrs := attributesOf(s.Decorators, "command", "clap", "structopt", "arg")
	n := d.add(d.file, s.Name, attrs.text("name"), s.StartLine, s.Name)
	n.Help = attrs.text("about")
	if n.Help == "" {
		n.Help = oneLine(firstParagraph(s.Doc))
	}
	version := attrs.has("version")
	n.implied = func(*node) []Param { return clapImplied(version) }
	d.fill(n, s, 0)
}

// fill reads the fields of a struct, or the variants of an enum, into a command.
func (d *derived) fill(n *node, s *code.Symbol, level int) {
	if level > maxDepth {
		return
	}
	for i := range s.Members {
		m := &s.Members[i]
		switch m.Kind {
		case code.Property:
			d.field(n, m.Name, m.Returns, m.Doc, m.Decorators, m.StartLine, level)
		case code.EnumMember:
			d.variant(n, m, level)
		default:
		}
	}
}

// field reads a field: a flag, an argument, or the fields of another type.
func (d *derived) field(n *node, name, kind, doc string, decorators []string, line, level int) {
	attrs := attributesOf(decorators, "arg", "clap", "structopt", "command")
	inner := innerType(kind)
	switch {
	case attrs.has("skip"):
		return
	case attrs.has("flatten"), attrs.has("subcommand"):
		if t := d.typeNamed(inner); t != nil {
			d.fill(n, t, level+1)
			d.augmented(n, inner)
		}
		return
	}
	f := d.param(attrs, name, kind, doc)
	f.In, f.At = n.In, Place{d.file.Path, line, name}
	d.declare(n, ctx{p: d.parser, file: d.file}, func(ctx) []Param { return []Param{f} })
}

// augmented adds what a type that implements clap's trait Args by hand adds to a command.
func (d *derived) augmented(n *node, name string) {
	for _, f := range append([]*code.File{d.file}, d.source.Files...) {
		in := name + ".augment_args"
		params := d.paramsOf(f, in)
		if len(params) == 0 {
			continue
		}
		d.late = append(d.late, func() {
			if t := d.held[holder{f.Path, in, params[0].Name}]; t != nil {
				n.applied = append(n.applied, application{template: t, at: ctx{p: d.parser, file: f}, call: &code.CallUse{}})
			}
		})
		return
	}
}

// param returns the flag or argument that the attributes of a field describe.
func (d *derived) param(attrs attributes, name, kind, doc string) Param {
	f := Param{Help: oneLine(firstParagraph(doc)), Type: innerType(kind)}
	kebab := strings.ReplaceAll(strings.TrimPrefix(name, "r#"), "_", "-")
	takes := clapTakes{not: kind == "bool" || kind == "()"}
	for _, a := range attrs {
		v := &code.Value{}
		if a.value != "" {
			v.Args = []code.Value{literalOf(a.value)}
		}
		switch a.key {
		case "long":
			f.Name = "--" + either(unquote(a.value), kebab)
		case "short":
			f.Short = "-" + either(unquote(a.value), kebab[:1])
		default:
			f.clapTrait(ctx{p: d.parser, file: d.file}, v, a.key, unquote(a.value), &takes)
		}
	}
	if attrs.has("value_enum") || attrs.has("arg_enum") {
		f.Choices = d.choices(innerType(kind))
		if of, value := split(f.Default); of != "" {
			f.Default = kebabCase(value)
		}
	}
	f.settleDerived(kebab, kind, takes)
	return f
}

// settleDerived sets what the names, the type and the other attributes of a field leave open.
func (f *Param) settleDerived(kebab, kind string, takes clapTakes) {
	positional := f.Name == "" && f.Short == ""
	switch {
	case positional:
		f.Name = either(f.Value, strings.ToUpper(strings.ReplaceAll(kebab, "-", "_")))
	case f.Name == "":
		f.Name, f.Short = f.Short, ""
	}
	takes.not = takes.not && f.Value == "" && f.Default == ""
	if f.Type == "bool" && !takes.not {
		f.Type = "string"
	}
	takes.settle(f, positional)
	f.Many = f.Many || strings.Contains(kind, "Vec<")
	optional := f.Type == "bool" || f.Type == "count" || f.Default != "" || strings.Contains(kind, "Option<") || strings.Contains(kind, "Vec<")
	f.Required = f.Required || !optional
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// literalOf returns the value of an attribute's text.
func literalOf(text string) code.Value {
	if strings.HasPrefix(text, "[") {
		v := code.Value{}
		for _, part := range splitList(strings.Trim(text, "[]")) {
			v.Args = append(v.Args, literalOf(part))
		}
		return v
	}
	if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "r") && strings.Contains(text, `"`) || strings.HasPrefix(text, "concat!") {
		return code.Value{Kind: code.ValueString, Text: unquote(text)}
	}
	return code.Value{Kind: code.ValueName, Text: text}
}

// variant reads a variant of an enum that derives Subcommand.
func (d *derived) variant(n *node, m *code.Symbol, level int) {
	attrs := attributesOf(m.Decorators, "command", "clap", "structopt")
	if attrs.has("external_subcommand") { // any other word
		return
	}
	if attrs.has("flatten") {
		if t := d.typeNamed(innerType(tupleOf(m.Signature))); t != nil {
			d.fill(n, t, level+1)
		}
		return
	}
	name := either(attrs.text("name"), kebabCase(m.Name))
	child := d.add(d.file, n.In, name, m.StartLine, m.Name)
	child.Help = either(attrs.text("about"), oneLine(firstParagraph(m.Doc)))
	child.Hidden = attrs.value("hide") == "true"
	child.Aliases = attrs.texts("visible_alias")
	child.implied = func(*node) []Param { return clapImplied(false) }
	d.below(n, child)
	if inner := tupleOf(m.Signature); inner != "" {
		if t := d.typeNamed(innerType(inner)); t != nil {
			child.Help = either(child.Help, either(attributesOf(t.Decorators, "command", "clap").text("about"), oneLine(firstParagraph(t.Doc))))
			d.fill(child, t, level+1)
		}
		return
	}
	if _, fields, ok := strings.Cut(m.Signature, "{"); ok {
		for _, part := range splitList(strings.TrimRight(strings.TrimSpace(fields), "}")) {
			d.inline(child, part, m.StartLine, level)
		}
	}
}

// inline reads a field of a variant from its text.
func (d *derived) inline(n *node, text string, line, level int) {
	var decorators, docs []string
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "#[") || strings.HasPrefix(text, "///") {
		if strings.HasPrefix(text, "///") {
			doc, rest, _ := strings.Cut(text, "\n")
			docs, text = append(docs, strings.TrimSpace(strings.TrimPrefix(doc, "///"))), strings.TrimSpace(rest)
			continue
		}
		end := closing(text, 1)
		if end < 0 {
			return
		}
		decorators, text = append(decorators, text[:end+1]), strings.TrimSpace(text[end+1:])
	}
	name, kind, ok := strings.Cut(text, ":")
	if name = strings.TrimSpace(strings.TrimPrefix(name, "pub ")); ok && isName(name) {
		d.field(n, name, strings.TrimSpace(kind), strings.Join(docs, "\n"), decorators, line, level)
	}
}

// tupleOf returns the type in a variant with one: RmArgs of Rm(RmArgs).
func tupleOf(signature string) string {
	open := strings.IndexByte(signature, '(')
	if brace := strings.IndexByte(signature, '{'); open < 0 || brace >= 0 && brace < open {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(signature[open+1:]), ")"))
}

// typeNamed returns a type of the module by its name.
func (d *derived) typeNamed(name string) *code.Symbol {
	_, name = split(name)
	for _, f := range append([]*code.File{d.file}, d.source.Files...) {
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Name == name && (s.Kind == code.Struct || s.Kind == code.Enum) {
				return s
			}
		}
	}
	return nil
}

// choices returns the values of an enum that derives ValueEnum.
func (d *derived) choices(name string) []string {
	t := d.typeNamed(name)
	if t == nil {
		return nil
	}
	var out []string
	for _, m := range t.Members {
		attrs := attributesOf(m.Decorators, "value", "clap")
		if m.Kind == code.EnumMember && !attrs.has("skip") && attrs.value("hide") != "true" {
			out = append(out, either(attrs.text("name"), kebabCase(m.Name)))
		}
	}
	return out
}

// innerType returns the type of one value: T of Option<Vec<T>>.
func innerType(kind string) string {
	kind = strings.TrimSpace(kind)
	for _, outer := range []string{"Option<", "Vec<", "Box<", "Arc<"} {
		if i := strings.Index(kind, outer); i >= 0 && strings.HasSuffix(kind, ">") && (i == 0 || strings.HasSuffix(kind[:i], "::")) {
			return innerType(kind[i+len(outer) : len(kind)-1])
		}
	}
	switch kind {
	case "String", "OsString", "&str":
		return "string"
	}
	_, name := split(kind)
	return name
}

// kebabCase returns the name of a command for that of a variant: DumpAll is dump-all.
func kebabCase(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
