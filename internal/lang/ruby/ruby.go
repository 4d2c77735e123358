// Package ruby reads Ruby with tree-sitter's grammar: declarations, imports, calls,
// facts, the types in RBS comments and Sorbet signatures, and the tests of RSpec and
// minitest. Its entry is [Ruby], the row for the table of languages. Source that the
// grammar rejects is rewritten by package repair first.
package ruby

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/ruby/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Ruby is the language row.
var Ruby = &core.Language{
	Name: "ruby", Extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".podspec", ".jbuilder", ".thor"},
	Files: []string{
		"Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Capfile", "Brewfile", "Fastfile", "Thorfile",
		"Dangerfile", "Appraisals", "Steepfile", "Berksfile", "Puppetfile",
	},
	Grammar: syntax.Ruby, Shape: newShape(), Repair: repair.Rewrite, Source: core.RewrittenSource(repair.TruncateHeredocNames),
	Read: read, Call: callOf, Tests: findTests, TestPath: isTestPath, Facts: facts,
	Bodies: bodyRules, Steps: steps,
}

// reader reads the declarations of a file. Classes and modules are open: all bodies
// of one in a file make one symbol, named by its full constant path.
type reader struct {
	*core.Reader
	types    map[string]*typeSymbol // constant path -> type
	order    []*typeSymbol          // types and top-level symbols, in source order
	comments map[int]syntax.Node    // last line -> comment that is alone on its lines
	declared []int32                // number of declarations before each node
}

// symbolScope is the scope of a statement.
type symbolScope struct {
	path   string          // enclosing constants: "A::B"
	owner  *typeSymbol     // owner of members; nil at the top level
	static bool            // in class << self: methods are class methods
	mode   *visibilityMode // visibility state of the body
	depth  int
	// In a block that is the body of a type, constants belong to the code around the
	// block.
	block     bool
	constants *typeSymbol

	// Set for the arguments of private, memoize and similar calls.
	forced code.Visibility // visibility that the call sets
	around syntax.Node     // the whole statement
	words  []string        // other words before the definition: "memoize"
}

// visibilityMode is the effect of private, public, protected and module_function without
// arguments on the rest of a body.
type visibilityMode struct {
	visibility code.Visibility
	module     bool // methods are also methods of the module itself
}

// constant returns the type that owns a constant set here.
func (s symbolScope) constant() *typeSymbol {
	if s.block {
		return s.constants
	}
	return s.owner
}

func newVisibilityMode() *visibilityMode { return &visibilityMode{visibility: code.Public} }

func read(r *core.Reader) {
	repair.CloseBlocks(r)
	x := &reader{Reader: r, types: map[string]*typeSymbol{}, comments: map[int]syntax.Node{}}
	x.survey()
	x.File.Doc = x.fileDoc()
	x.body(r.Root(), symbolScope{mode: newVisibilityMode()})
	x.File.Symbols = x.symbols()
	x.entry()
}

// survey collects what is independent of scopes: comments, imports and the guard of a
// script's main part.
func (r *reader) survey() {
	root := r.Root()
	r.declared = make([]int32, r.Len()+1)
	count := int32(0)
	for n := range root.Descendants() {
		r.declared[n.Index()] = count
		switch n.Kind() {
		case "comment":
			if r.alone(n) {
				r.comments[n.EndLine()] = n
			}
		case "method", "singleton_method", "class", "module", "singleton_class":
			if n.Named() {
				count++
			}
		case "call":
			r.importCall(n)
		case "binary":
			r.guard(n)
		}
	}
	r.declared[r.Len()] = count
}

// alone reports whether only white space precedes n on its line.
func (r *reader) alone(n syntax.Node) bool {
	for i := n.Start() - 1; i >= 0 && r.Source[i] != '\n'; i-- {
		if r.Source[i] != ' ' && r.Source[i] != '\t' {
			return false
		}
	}
	return true
}

// declares reports whether n contains a definition.
func (r *reader) declares(n syntax.Node) bool {
	return n.Ok() && r.declared[n.After()] > r.declared[n.Index()]
}

// body reads the statements in n.
func (r *reader) body(n syntax.Node, s symbolScope) {
	if s.depth++; s.depth > core.MaxNesting {
		return
	}
	for c := range n.NamedSeq() {
		r.statement(c, s)
	}
}

// statement reads the declarations of a statement. Declarations in conditions and
// blocks belong to the enclosing body.
func (r *reader) statement(n syntax.Node, s symbolScope) {
	switch n.Kind() {
	case "class", "module":
		r.typeDeclaration(n, s)
	case "singleton_class":
		r.singletonClass(n, s)
	case "method", "singleton_method":
		r.method(n, s)
	case "alias":
		r.alias(n, s)
	case "assignment", "operator_assignment":
		r.assignment(n, s)
	case "identifier":
		if !r.section(n.Text(), s) {
			r.rest(n, s)
		}
	case "call":
		r.call(n, s)
	case "if", "unless", "elsif", "else", "then", "case", "when", "begin", "rescue", "ensure", "while", "until", "do",
		"if_modifier", "unless_modifier", "rescue_modifier", "body_statement", "block_body", "begin_block",
		"parenthesized_statements", "ERROR":
		r.branches(n, s)
	case "heredoc_body", "empty_statement", "uninterpreted":
	default:
		r.rest(n, s)
	}
}

// branches reads the statements of a compound statement. Its conditions belong to the
// enclosing body.
func (r *reader) branches(n syntax.Node, s symbolScope) {
	if s.depth++; s.depth > core.MaxNesting {
		return
	}
	if !r.declares(n) && !n.Is("then", "else", "ensure", "body_statement", "block_body", "ERROR") && !r.setsConstant(n) {
		r.rest(n, s)
		return
	}
	for c := range n.NamedSeq() {
		switch c.FieldName() {
		case "condition", "value", "pattern", "exceptions", "variable":
			r.rest(c, s)
		default:
			r.statement(c, s)
		}
	}
}

// setsConstant reports whether a compound statement sets constants or calls words such
// as attr_reader and private.
func (r *reader) setsConstant(n syntax.Node) bool {
	for c := range n.Descendants() {
		if c.Is("constant") && c.FieldName() == "left" || c.Is("identifier") && isDeclaringWord(c.Text()) {
			return true
		}
	}
	return false
}

// rest records the hash of a statement without declarations: it is part of what its
// class does when it is loaded.
func (r *reader) rest(n syntax.Node, s symbolScope, skip ...syntax.Node) {
	if s.owner != nil {
		s.owner.rest = append(s.owner.rest, r.BodyHash(n, skip...)+r.heredocs(n))
	}
}

// heredocs returns the hash of the heredoc texts that follow n and belong to it.
func (r *reader) heredocs(n syntax.Node) string {
	var b strings.Builder
	for next := n.Next(); next.Is("heredoc_body"); next = next.Next() {
		b.WriteString(r.BodyHash(next))
	}
	return b.String()
}

// lastLine returns the line on which n ends, including its heredoc texts.
func (r *reader) lastLine(n syntax.Node) int {
	line := n.EndLine()
	for next := n.Next(); next.Is("heredoc_body"); next = next.Next() {
		line = next.EndLine()
	}
	return line
}

// assignment reads constants, and types made by a call.
func (r *reader) assignment(n syntax.Node, s symbolScope) {
	left, right := n.Field("left"), n.Field("right")
	if right.Is("assignment") { // A = B = 1
		r.assignment(right, s)
	}
	switch {
	case n.Is("operator_assignment") && !n.Field("operator").TextIs("||="):
		r.rest(n, s)
	case left.Is("constant", "scope_resolution") && left.Field("name").Kind() != "identifier":
		if kind := typeMaker(right); kind != "" {
			r.madeType(n, left, right, kind, s)
			return
		}
		r.constant(n, left, right, s)
	case left.Is("left_assignment_list"):
		found := false
		for c := range left.NamedSeq() {
			if c.Is("constant") {
				found = true
				r.constant(n, c, right, s)
			}
		}
		if !found {
			r.rest(n, s)
		}
	default:
		r.rest(n, s)
	}
}

// constant reads the constant name of the assignment n.
func (r *reader) constant(n, name, value syntax.Node, s symbolScope) {
	sym := code.Symbol{Kind: code.Const, Visibility: code.Public, Exported: true}
	owner := s.constant()
	sym.Name = name.Text()
	if name.Is("scope_resolution") {
		around, last := r.split(name, s)
		sym.Name = last
		if owner = r.types[around]; owner == nil && around != "" {
			sym.Name = around + "::" + last
		}
	}
	for value.Is("assignment") {
		value = value.Field("right")
	}
	sym.Doc, _ = r.doc(n)
	several := n.Field("left").Is("left_assignment_list")
	if !several {
		sym.Value = core.ShortValue(value)
	}
	if typeAlias(value) {
		sym.Kind = code.TypeDef
	}
	r.put(owner, &sym, n)
	sym.EndLine = r.lastLine(n)
	end := value.Start()
	if sym.Value != "" || several && len(n.Text()) <= core.LongValue {
		end = n.End()
	}
	sym.Signature = r.Head(n.Start(), end, `\ = ||`)
	sym.SignatureHash = r.Hash(n, value)
	sym.BodyHash = r.BodyHash(value) + r.heredocs(n)
	r.add(owner, sym)
}

// typeAlias reports whether n is Sorbet's T.type_alias { ... }.
func typeAlias(n syntax.Node) bool {
	return n.Is("call") && n.Field("receiver").TextIs("T") && n.Field("method").TextIs("type_alias")
}

// isTestPath reports whether file matches the folders and names of RSpec and minitest.
func isTestPath(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), ".rb")
	if stem != path.Base(file) && (strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_")) {
		return true
	}
	folders := strings.Split(path.Dir(file), "/")
	return slices.Contains(folders, "spec") || slices.Contains(folders, "test")
}
