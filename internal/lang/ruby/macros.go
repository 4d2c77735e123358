package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// macroRule describes what a call in a class body defines for the literal names among
// its arguments.
type macroRule struct {
	kind     code.Kind
	static   bool
	readonly bool
	suffix   string // appended to the method's name
	from     int    // index of the first argument that is a name
	one      bool   // only that argument is a name
	scoped   bool   // a preceding bare private applies to it, as to def
}

// macros are the macros of Ruby, of its library's Forwardable, and those of Rails
// that define a method with a name that is written out.
var macros = map[string]macroRule{
	"attr":                    {kind: code.Getter, scoped: true},
	"attr_reader":             {kind: code.Getter, scoped: true},
	"attr_writer":             {kind: code.Setter, scoped: true, suffix: "="},
	"attr_accessor":           {kind: code.Property, scoped: true},
	"define_method":           {kind: code.Method, scoped: true, one: true},
	"define_singleton_method": {kind: code.Method, static: true, one: true},
	"alias_method":            {kind: code.Method, one: true},
	"def_delegator":           {kind: code.Method, from: 1, one: true},
	"def_instance_delegator":  {kind: code.Method, from: 1, one: true},
	"def_delegators":          {kind: code.Method, from: 1},
	"def_instance_delegators": {kind: code.Method, from: 1},
	"def_single_delegator":    {kind: code.Method, static: true, from: 1, one: true},
	"def_single_delegators":   {kind: code.Method, static: true, from: 1},
	"delegate":                {kind: code.Method},
	"cattr_reader":            {kind: code.Getter, static: true},
	"cattr_writer":            {kind: code.Setter, static: true, suffix: "="},
	"cattr_accessor":          {kind: code.Property, static: true},
	"mattr_reader":            {kind: code.Getter, static: true},
	"mattr_writer":            {kind: code.Setter, static: true, suffix: "="},
	"mattr_accessor":          {kind: code.Property, static: true},
	"thread_cattr_accessor":   {kind: code.Property, static: true},
	"thread_mattr_accessor":   {kind: code.Property, static: true},
	"class_attribute":         {kind: code.Property, static: true},
	"attr_internal":           {kind: code.Property},
	"attr_internal_reader":    {kind: code.Getter},
	"attr_internal_writer":    {kind: code.Setter, suffix: "="},
	"attr_internal_accessor":  {kind: code.Property},
	"alias_attribute":         {kind: code.Property, one: true},
	"attribute":               {kind: code.Property, one: true},
	"store_accessor":          {kind: code.Property, from: 1},
	"scope":                   {kind: code.Method, static: true, one: true},
	"has_many":                {kind: code.Property, one: true},
	"has_one":                 {kind: code.Property, one: true},
	"belongs_to":              {kind: code.Property, one: true},
	"has_and_belongs_to_many": {kind: code.Property, one: true},
	"has_one_attached":        {kind: code.Property, one: true},
	"has_many_attached":       {kind: code.Property, one: true},
	"has_rich_text":           {kind: code.Property, one: true},
	"const":                   {kind: code.Getter, one: true},
	"prop":                    {kind: code.Property, one: true},
}

// literalName is a name given as a symbol or string.
type literalName struct {
	text  string
	node  syntax.Node
	alone bool // an argument of its own, not an element of a list such as %i[a b]
}

// literalNames returns the names in an argument: :a, "a", [:a, :b], *%i[a b].
func literalNames(n syntax.Node) []literalName {
	switch n.Kind() {
	case "simple_symbol":
		return []literalName{{strings.TrimPrefix(n.Text(), ":"), n, true}}
	case "string", "delimited_symbol", "bare_symbol", "bare_string":
		if text, ok := plainString(n); ok && text != "" {
			return []literalName{{text, n, !strings.HasPrefix(n.Kind(), "bare")}}
		}
	case "array", "symbol_array", "string_array", "splat_argument":
		var out []literalName
		for c := range n.NamedSeq() {
			for _, name := range literalNames(c) {
				name.alone = false
				out = append(out, name)
			}
		}
		return out
	}
	return nil
}

// plainString returns the content of a string or symbol without interpolation and
// escapes.
func plainString(n syntax.Node) (string, bool) {
	var b strings.Builder
	for c := range n.NamedSeq() {
		if !c.Is("string_content") {
			return "", false
		}
		b.WriteString(c.Text())
	}
	return b.String(), true
}

// macro reads a call that defines methods named by its arguments. It reports false for
// other calls.
func (r *reader) macro(n syntax.Node, word string, s symbolScope) bool {
	m, known := macros[word]
	if !known || s.owner == nil || !s.owner.defines(word, n) {
		return false
	}
	var list []literalName
	for c := range n.Field("arguments").NamedSeq() {
		list = append(list, literalNames(c)...)
	}
	if len(list) <= m.from {
		return false
	}
	list, value := m.names(word, list)
	s.static = s.static || m.static
	for _, name := range list {
		sym := r.defined(n, name, word, m, s, len(list) > 1)
		sym.Value = value
		if value != "" {
			sym.Visibility = r.visibilityOf(value, s)
			sym.Exported = sym.Visibility != code.Private
		}
		r.add(s.owner, sym)
	}
	return true
}

// names selects the names that a macro defines from those in its arguments. value is
// the original name of an alias.
func (m macroRule) names(word string, list []literalName) (names []literalName, value string) {
	switch {
	case !m.one:
		return list[m.from:], ""
	case m.from == 1 && len(list) > 2: // def_delegator :@list, :size, :count
		return list[2:3], list[1].text
	case strings.HasPrefix(word, "alias") && len(list) > 1:
		return list[:1], list[1].text
	}
	return list[m.from : m.from+1], ""
}

// defines reports whether word is a macro in t. Some are macros only in certain
// classes.
func (t *typeSymbol) defines(word string, n syntax.Node) bool {
	switch word {
	case "const", "prop":
		return slices.ContainsFunc(t.sym.Bases, func(b string) bool {
			return strings.HasPrefix(b, "T::") && strings.HasSuffix(b, "Struct")
		})
	case "delegate":
		return option(n, "to").Ok()
	}
	return true
}

// option returns the value of a keyword argument of a call.
func option(n syntax.Node, name string) syntax.Node {
	for c := range n.Field("arguments").NamedSeq() {
		if c.Is("pair") && strings.Trim(c.Field("key").Text(), ":") == name {
			return c.Field("value")
		}
	}
	return syntax.Node{}
}

// defined returns the symbol of one name of a macro.
func (r *reader) defined(n syntax.Node, name literalName, word string, m macroRule, s symbolScope, several bool) code.Symbol {
	if !m.scoped {
		s.mode = newVisibilityMode()
	}
	text := name.text + m.suffix
	if word == "delegate" {
		text = delegated(n, text)
		if option(n, "private").Is("true") {
			s.forced = code.Private
		}
	}
	sym := r.begin(n, text, s)
	sym.Kind, sym.Readonly = m.kind, m.readonly
	block, code := macroBody(n)
	sym.Params = paramsOf(block)
	r.sig(&sym, n, s)
	place := n
	if several {
		place = name.node
	}
	r.put(s.owner, &sym, place)
	sym.Signature = r.macroText(n, name, word, code, several)
	skip := []syntax.Node{code}
	for c := range n.Field("arguments").NamedSeq() {
		if c.Is("pair") || several && c != name.node {
			skip = append(skip, c)
		}
	}
	sym.SignatureHash = srctext.ShortHash([]byte(r.Hash(n, skip...) + text))
	sym.BodyHash = r.macroHash(n, code)
	if word == "const" || word == "prop" {
		for i, c := range syntax.NamedChildren(n.Field("arguments")) {
			if i == 1 {
				sym.Returns = srctext.OneLine(c.Text())
			}
		}
	}
	return sym
}

// delegated returns the name of a method defined by delegate, including its prefix.
func delegated(n syntax.Node, name string) string {
	prefix := option(n, "prefix")
	if prefix.Is("true") {
		prefix = option(n, "to")
	}
	for _, p := range literalNames(prefix) {
		return p.text + "_" + name
	}
	return name
}

// macroBody returns the parameters and the body of the block or lambda of a call such
// as define_method. The body is not part of the signature.
func macroBody(n syntax.Node) (parameters, body syntax.Node) {
	block := n.Field("block")
	if block.Ok() {
		return block.Field("parameters"), block
	}
	for c := range n.Field("arguments").NamedSeq() {
		if c.Is("lambda") {
			return c.Field("parameters"), c.Field("body")
		}
		if word := c.Field("method").Text(); c.Is("call") && (word == "lambda" || word == "proc") {
			return c.Field("block").Field("parameters"), c.Field("block")
		}
	}
	return syntax.Node{}, syntax.Node{}
}

// macroText returns the signature of one name of a macro: the whole call if there is
// only one name, else the macro, the name and the shared options.
func (r *reader) macroText(n syntax.Node, name literalName, word string, body syntax.Node, several bool) string {
	if !several || !name.alone {
		end := n.End()
		if body.Ok() {
			end = body.Start()
		}
		return r.Head(n.Start(), end, "-> lambda proc ,")
	}
	var parts []string
	for i, c := range syntax.NamedChildren(n.Field("arguments")) {
		if i < macros[word].from || c == name.node || c.Is("pair") {
			parts = append(parts, srctext.OneLine(c.Text()))
		}
	}
	return word + " " + strings.Join(parts, ", ")
}

// macroHash returns the hash of the options and the block of a macro.
func (r *reader) macroHash(n, body syntax.Node) string {
	var out []byte
	for c := range n.Field("arguments").NamedSeq() {
		if c.Is("pair", "lambda") {
			out = append(out, r.BodyHash(c)...)
		}
	}
	if n.Field("block").Ok() {
		out = append(out, r.BodyHash(body)...)
	}
	if len(out) == 0 {
		return ""
	}
	return srctext.ShortHash(out)
}

// alias reads alias new old.
func (r *reader) alias(n syntax.Node, s symbolScope) {
	name, old := n.Field("name"), n.Field("alias")
	if name.Is("global_variable") {
		return
	}
	forced := s
	forced.mode = newVisibilityMode()
	sym := r.begin(n, aliasName(name), forced)
	sym.Value = aliasName(old)
	sym.Visibility = r.visibilityOf(sym.Value, s)
	sym.Exported = sym.Visibility != code.Private
	if sym.Kind == code.Constructor {
		sym.Kind = code.Method
	}
	r.put(s.owner, &sym, n)
	sym.Signature = r.Head(n.Start(), n.End(), "")
	sym.SignatureHash = r.Hash(n)
	r.add(s.owner, sym)
}

func aliasName(n syntax.Node) string {
	if names := literalNames(n); len(names) == 1 {
		return names[0].text
	}
	return n.Text()
}

// visibilityOf returns the visibility of a method that is already defined.
func (r *reader) visibilityOf(name string, s symbolScope) code.Visibility {
	if s.owner != nil {
		for _, m := range slices.Backward(s.owner.sym.Members) {
			if m.Name == name && m.Static == s.static {
				return m.Visibility
			}
		}
	}
	return code.Public
}
