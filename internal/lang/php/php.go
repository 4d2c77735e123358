// Package php reads PHP with tree-sitter's grammar: declarations, imports, calls, facts
// and the tests of PHPUnit and Pest. Its entry is [PHP], the row for the table of
// languages. Source that is newer than the grammar is rewritten by package repair
// first.
package php

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/php/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// PHP is the language row. Files ending in .inc, .module or .install are excluded: they
// are PHP only in some projects.
var PHP = &core.Language{
	Name: "php", Extensions: []string{".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".php8"}, FolderIsModule: true,
	Grammar: syntax.PHP, Shape: shape, Imports: []string{"namespace_use_declaration"},
	Read: read, Call: callOf, Tests: finish, TestPath: isTestPath, Repair: repair.Rewrite,
	Facts:  facts,
	Bodies: bodyRules, Steps: steps, Types: typeRules,
}

// reader reads the declarations of a file.
type reader struct {
	*core.Reader
	marks     []core.Span   // what was rewritten, except hooks
	hooks     []repair.Hook // sorted by offset
	bodies    *syntax.Tree  // parsed hooks, or nil
	namespace string        // namespace of the current statement
	named     bool          // whether the file's namespace is set
}

func read(r *core.Reader) {
	p := &reader{Reader: r}
	p.repairMisread()
	p.isolate()
	r.CloseBrackets()
	p.recordRewrites()
	r.File.Symbols = p.statements(r.Root(), 0)
	p.sweep()
	slices.SortStableFunc(r.File.Symbols, func(a, b code.Symbol) int { return cmp.Compare(a.StartLine, b.StartLine) })
	r.File.Symbols = conditional(r.File.Symbols)
	p.fileDoc()
	p.entry()
	p.readHooks()
}

// conditional merges declarations of the same name (under different conditions), and a
// function with a class of the same name, because names are unique in a file.
func conditional(list []code.Symbol) []code.Symbol {
	out := joined(list, func(_, _ *code.Symbol) bool { return true })
	for i := range out {
		out[i].Members = joined(out[i].Members, func(a, b *code.Symbol) bool { return a.Kind == b.Kind })
	}
	return out
}

// joined is [core.MergeSame], except that a declaration with the same signature as an
// earlier one is not an overload.
func joined(list []code.Symbol, same func(a, b *code.Symbol) bool) []code.Symbol {
	seen := map[string]bool{}
	key := func(s *code.Symbol) string { return string(s.Kind) + " " + s.Name + " " + s.SignatureHash }
	for i := range list {
		if name := string(list[i].Kind) + " " + list[i].Name; !seen[name] {
			seen[name], seen[key(&list[i])] = true, true
		}
	}
	return core.MergeSame(list, same, func(s *code.Symbol) bool {
		k := key(s)
		known := seen[k]
		seen[k] = true
		return known
	})
}

// statements reads the declarations in a list of statements, including those inside
// conditions.
func (p *reader) statements(body syntax.Node, depth int) []code.Symbol {
	var out []code.Symbol
	if depth > core.MaxNesting {
		return nil
	}
	for n := range body.NamedSeq() {
		out = append(out, p.statement(n, depth)...)
	}
	return out
}

func (p *reader) statement(n syntax.Node, depth int) []code.Symbol {
	switch n.Kind() {
	case "namespace_definition":
		return p.namespaceDefinition(n, depth)
	case "namespace_use_declaration":
		p.useDeclaration(n)
	case "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration":
		return core.NamedSymbol(p.classLike(n))
	case "function_definition":
		return core.NamedSymbol(p.function(n))
	case "const_declaration":
		return p.constants(n, "")
	case "if_statement", "else_clause", "else_if_clause", "compound_statement", "colon_block", "declare_statement", "ERROR":
		return p.statements(n, depth+1)
	}
	return nil
}

// namespaceDefinition sets the namespace for the statements in n's block, or for those
// after n. The file's namespace is the first one.
func (p *reader) namespaceDefinition(n syntax.Node, depth int) []code.Symbol {
	p.namespace = nameText(n.Field("name"))
	if !p.named {
		p.named, p.File.Package = true, p.namespace
	}
	out := p.statements(n.Field("body"), depth+1)
	if n.Field("body").Ok() {
		p.namespace = ""
	}
	return out
}

// nameText returns a name without blanks and without its leading backslash.
func nameText(n syntax.Node) string {
	return strings.TrimPrefix(strings.Join(strings.Fields(n.Text()), ""), `\`)
}

// qualified returns the symbol name in the file. The namespace is included if it is not
// the file's.
func (p *reader) qualified(name string) string {
	if name == "" || p.namespace == "" || p.namespace == p.File.Package {
		return name
	}
	return p.namespace + `\` + name
}

// declarationHead is the text before the keyword, type or name of a declaration.
type declarationHead struct {
	attributes []string
	modifiers  []string // lower case: "public", "private(set)", "static"
	start      int      // offset of the declaration after its attributes
}

func (h declarationHead) has(modifier string) bool { return slices.Contains(h.modifiers, modifier) }

// headOf reads the attributes and modifiers of n from the text, because the tree may
// lack some of them.
func (p *reader) headOf(n syntax.Node) declarationHead {
	from, to := n.Start(), min(n.End(), p.Length)
	h := declarationHead{start: from}
	if to <= from {
		return h
	}
	m := &repair.Rewriter{Source: p.Source[from:min(to, from+maxHead)]}
	m.Tokens = repair.HeadTokens(m.Source)
	m.Partner = m.Partners()
	i := m.AfterAttributes(0)
	h.attributes = attributes(m, i)
	if i < len(m.Tokens) {
		h.start = from + m.Tokens[i].Start()
	}
	for end := m.ModifiersEnd(i); i < end; i++ {
		word := strings.ToLower(m.TextOf(i))
		if m.IsSet(i + 1) {
			word += "(set)"
			i += len("(") + 1 + len(")")
		}
		h.modifiers = append(h.modifiers, word)
	}
	return h
}

// maxHead is the maximum number of bytes of a declaration that are searched for
// attributes and modifiers.
const maxHead = 4096

// attributes returns the attributes before token end, each without its brackets.
func attributes(m *repair.Rewriter, end int) []string {
	var out []string
	for i := 0; i < end; i++ {
		from := i + 1
		for k := from; k <= m.Pair(i); k++ {
			if k != m.Pair(i) && !m.Is(k, ",") {
				k = max(k, m.Pair(k))
				continue
			}
			if k > from {
				out = append(out, string(m.Source[m.Tokens[from].Start():m.Tokens[k-1].End()]))
			}
			from = k + 1
		}
		i = m.Pair(i)
	}
	return out
}

// begin returns a symbol with the modifiers, attributes and doc of n.
func (p *reader) begin(n syntax.Node, h declarationHead, name string, kind code.Kind) code.Symbol {
	sym := code.Symbol{
		Name: name, Kind: kind, Doc: docOf(n), Decorators: h.attributes,
		Abstract: h.has("abstract"), Static: h.has("static"), Readonly: h.has("readonly"), Visibility: code.Public,
	}
	switch {
	case h.has("protected"):
		sym.Visibility = code.Protected
	case h.has("private"):
		sym.Visibility = code.Private
	}
	sym.Exported = sym.Visibility != code.Private
	return sym
}

// signature sets the text and hashes of n, without its body and attributes.
func (p *reader) signature(sym *code.Symbol, n, body syntax.Node, h declarationHead) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = p.withoutHooks(h.start, end)
	sym.BodyHash = p.BodyHash(body)
	all := p.Patched
	p.Patched = p.marks
	sym.SignatureHash = p.Hash(n, append(attributeLists(n), body)...)
	p.Patched = all
	sym.StartLine = p.Line(h.start)
}

// attributeLists returns the attribute nodes of n.
func attributeLists(n syntax.Node) []syntax.Node { return syntax.ChildrenOf(n, "attribute_list") }

// docOf returns the docblock before n or among its attributes. Other comments may be
// in between.
func docOf(n syntax.Node) string {
	for c := range n.Children() {
		if !syntax.IsComment(c.Kind()) && !c.Is("attribute_list") {
			break
		}
		if isDocblock(c) {
			return srctext.BlockComment(c.Text())
		}
	}
	for c := n.Previous(); syntax.IsComment(c.Kind()) || c.Is(","); c = c.Previous() {
		if isDocblock(c) {
			return srctext.BlockComment(c.Text())
		}
	}
	return ""
}

func isDocblock(n syntax.Node) bool {
	return syntax.IsComment(n.Kind()) && n.Begins("/**") && len(n.Text()) > len("/**/")
}

// fileDoc sets the file's doc: the first docblock, if it does not document a
// declaration (PSR-5, 5.4), that is if another docblock or a statement of another kind
// follows it.
func (p *reader) fileDoc() {
	for n := range p.Root().Children() {
		switch {
		case n.Is("text", "php_tag"), syntax.IsComment(n.Kind()) && !isDocblock(n):
		case isDocblock(n):
			next := n.Next()
			for next.Ok() && syntax.IsComment(next.Kind()) && !isDocblock(next) {
				next = next.Next()
			}
			doc := srctext.BlockComment(n.Text())
			if !strings.HasPrefix(doc, "@var ") && !next.Is("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "function_definition", "const_declaration") {
				p.File.Doc = doc
			}
			return
		default:
			return
		}
	}
}

// roots are the folders whose index.php a web server runs, by the conventions of
// frameworks. "." is the project's root.
var roots = core.SetOf(".", "public", "web", "www", "html", "htdocs", "public_html", "docroot", "webroot")

// entry marks a file as an entry point if it starts with #!, or is an index.php that a
// web server runs, and does more than declare and include.
func (p *reader) entry() {
	script := bytes.HasPrefix(p.Source, []byte("#!"))
	if dir, name := path.Split(p.File.Path); !script && (name != "index.php" || !roots[path.Base(dir)]) {
		return
	}
	for n := range p.Root().NamedSeq() {
		if n.Is("expression_statement", "return_statement", "echo_statement", "if_statement", "foreach_statement", "for_statement",
			"while_statement", "switch_statement", "try_statement", "exit_statement") && !includes[n.First().Kind()] {
			p.File.Entries = append(p.File.Entries, code.Entry{Line: n.Line()})
			return
		}
	}
}

// isTestPath reports whether file matches the folders and names that PHPUnit and Pest
// search by default.
func isTestPath(file string) bool {
	if strings.HasSuffix(strings.TrimSuffix(file, path.Ext(file)), "Test") {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if strings.EqualFold(dir, "tests") || strings.EqualFold(dir, "test") {
			return true
		}
	}
	return false
}
