// Package php reads PHP.
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
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// PHP reads PHP. Files ending in .inc, .module or .install are PHP in some
// projects and something else in others, so they are not taken for it.
var PHP = &core.Language{
	Name: "php", Extensions: []string{".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".php8"}, FolderIsModule: true,
	Grammar: syntax.PHP, Shape: phpShape, Imports: []string{"namespace_use_declaration"},
	Read: readPHP, Call: phpCall, Tests: finishPHP, TestPath: isPHPTest, Repair: repair.Rewrite,
	Facts:  phpFacts,
	Bodies: phpBodies, Steps: phpSteps,
}

// phpReader reads PHP's declarations.
type phpReader struct {
	*core.Reader
	marks     []core.Span   // what is mended, without hooks
	hooks     []repair.Hook // by offset
	bodies    *syntax.Tree  // of the hooks; nil without
	namespace string        // that of the statement read
	named     bool          // the file has told its namespace
}

func readPHP(r *core.Reader) {
	p := &phpReader{Reader: r}
	p.modern()
	p.isolate()
	r.CloseBrackets()
	p.recall()
	r.File.Symbols = p.statements(r.Root(), 0)
	p.sweep()
	slices.SortStableFunc(r.File.Symbols, func(a, b code.Symbol) int { return cmp.Compare(a.StartLine, b.StartLine) })
	r.File.Symbols = conditional(r.File.Symbols)
	p.fileDoc()
	p.entry()
	p.readHooks()
}

// conditional joins what is declared more than once, under conditions; and a
// function with a class of its name, for names are unique in a file.
func conditional(list []code.Symbol) []code.Symbol {
	out := joined(list, func(_, _ *code.Symbol) bool { return true })
	for i := range out {
		out[i].Members = joined(out[i].Members, func(a, b *code.Symbol) bool { return a.Kind == b.Kind })
	}
	return out
}

// joined is [core.MergeSame] in which a declaration that says the same as an earlier
// one is no overload of it.
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

// statements reads what a list of statements declares, conditions around
// declarations included.
func (p *phpReader) statements(body syntax.Node, depth int) []code.Symbol {
	var out []code.Symbol
	if depth > core.MaxNesting {
		return nil
	}
	for n := range body.Inner() {
		out = append(out, p.statement(n, depth)...)
	}
	return out
}

func (p *phpReader) statement(n syntax.Node, depth int) []code.Symbol {
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

// namespaceDefinition sets the namespace of the statements in n's block, or of
// those after n. That of a file is its first.
func (p *phpReader) namespaceDefinition(n syntax.Node, depth int) []code.Symbol {
	p.namespace = phpName(n.Field("name"))
	if !p.named {
		p.named, p.File.Package = true, p.namespace
	}
	out := p.statements(n.Field("body"), depth+1)
	if n.Field("body").Ok() {
		p.namespace = ""
	}
	return out
}

// phpName returns a name without blanks and without the backslash before it.
func phpName(n syntax.Node) string {
	return strings.TrimPrefix(strings.Join(strings.Fields(n.Text()), ""), `\`)
}

// qualified returns a name as the file's symbol: in a namespace other than the
// file's, with it.
func (p *phpReader) qualified(name string) string {
	if name == "" || p.namespace == "" || p.namespace == p.File.Package {
		return name
	}
	return p.namespace + `\` + name
}

// phpHead is what stands before the keyword, type or name of a declaration.
type phpHead struct {
	attributes []string
	modifiers  []string // lower case: "public", "private(set)", "static"
	start      int      // of the declaration after its attributes
}

func (h phpHead) has(modifier string) bool { return slices.Contains(h.modifiers, modifier) }

// headOf reads the attributes and modifiers of n off the text: the tree may not
// show all of them.
func (p *phpReader) headOf(n syntax.Node) phpHead {
	from, to := n.Start(), min(n.End(), p.Length)
	h := phpHead{start: from}
	if to <= from {
		return h
	}
	m := &repair.Rewriter{Source: p.Source[from:min(to, from+maxPHPHead)]}
	m.Tokens = repair.PhpHeadTokens(m.Source)
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

// maxPHPHead is how much of a declaration is searched for its attributes and
// modifiers.
const maxPHPHead = 4096

// attributes returns the attributes before token end, each without its frame.
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

// begin starts a symbol: what its modifiers, attributes and doc say.
func (p *phpReader) begin(n syntax.Node, h phpHead, name string, kind code.Kind) code.Symbol {
	sym := code.Symbol{
		Name: name, Kind: kind, Doc: phpDoc(n), Decorators: h.attributes,
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

// signature fills the text and hashes of n without its body and attributes.
func (p *phpReader) signature(sym *code.Symbol, n, body syntax.Node, h phpHead) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = p.withoutHooks(h.start, end)
	sym.BodyHash = p.Hash(body)
	all := p.Patched
	p.Patched = p.marks
	sym.SignatureHash = p.Hash(n, append(phpAttributes(n), body)...)
	p.Patched = all
	sym.StartLine = p.Line(h.start)
}

// phpAttributes returns the attributes of n, as nodes.
func phpAttributes(n syntax.Node) []syntax.Node { return core.ChildrenOf(n, "attribute_list") }

// phpDoc returns the docblock before n, or among its attributes; other comments
// may stand between.
func phpDoc(n syntax.Node) string {
	for c := range n.Children() {
		if !core.IsComment(c.Kind()) && !c.Is("attribute_list") {
			break
		}
		if isDocblock(c) {
			return core.BlockComment(c.Text())
		}
	}
	for c := n.Previous(); core.IsComment(c.Kind()) || c.Is(","); c = c.Previous() {
		if isDocblock(c) {
			return core.BlockComment(c.Text())
		}
	}
	return ""
}

func isDocblock(n syntax.Node) bool {
	return core.IsComment(n.Kind()) && n.Begins("/**") && len(n.Text()) > len("/**/")
}

// fileDoc takes the docblock at the head of a file that belongs to no
// declaration (PSR-5, 5.4): another one follows it, or a statement of another
// kind.
func (p *phpReader) fileDoc() {
	for n := range p.Root().Children() {
		switch {
		case n.Is("text", "php_tag"), core.IsComment(n.Kind()) && !isDocblock(n):
		case isDocblock(n):
			next := n.Next()
			for next.Ok() && core.IsComment(next.Kind()) && !isDocblock(next) {
				next = next.Next()
			}
			doc := core.BlockComment(n.Text())
			if !strings.HasPrefix(doc, "@var ") && !next.Is("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "function_definition", "const_declaration") {
				p.File.Doc = doc
			}
			return
		default:
			return
		}
	}
}

// phpRoots are the folders whose index.php a web server runs, by the habits of
// frameworks; "." is the project itself.
var phpRoots = core.SetOf(".", "public", "web", "www", "html", "htdocs", "public_html", "docroot", "webroot")

// entry tells a script that starts with #!, and the index.php that a web server
// runs, if they do more than declare and include.
func (p *phpReader) entry() {
	script := bytes.HasPrefix(p.Source, []byte("#!"))
	if dir, name := path.Split(p.File.Path); !script && (name != "index.php" || !phpRoots[path.Base(dir)]) {
		return
	}
	for n := range p.Root().Inner() {
		if n.Is("expression_statement", "return_statement", "echo_statement", "if_statement", "foreach_statement", "for_statement",
			"while_statement", "switch_statement", "try_statement", "exit_statement") && !phpIncludes[n.First().Kind()] {
			p.File.Entries = append(p.File.Entries, code.Entry{Line: n.Line()})
			return
		}
	}
}

// isPHPTest follows the folders and names that PHPUnit and Pest look for.
func isPHPTest(file string) bool {
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
