package syntax

import (
	"math"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// pattern parses a comma-separated list of paths.
func (p *parser) pattern() []*Path {
	paths := []*Path{p.path()}
	for p.accept(",") {
		paths = append(paths, p.path())
	}
	return paths
}

// path parses a path of a pattern, possibly named.
func (p *parser) path() *Path {
	at := p.tok().at
	var name *Variable
	if p.tok().isName() && p.peek(1).key == "=" {
		name = p.variable()
		p.expect("=")
	}
	if p.isOneOf("ALL", "ANY", "SHORTEST") {
		p.refuse(p.tok().at, message.New("path selectors such as %s are not supported", p.tok().key), message.New("use shortestPath((a)-[*]-(b)) or allShortestPaths((a)-[*]-(b))"))
	}
	path := p.anonymousPath()
	path.At, path.Var = at, name
	return path
}

// anonymousPath parses a path without its name.
func (p *parser) anonymousPath() *Path {
	if p.isShortest() {
		return p.shortest()
	}
	return p.chain()
}

// isShortest reports whether shortestPath( or allShortestPaths( is next.
func (p *parser) isShortest() bool {
	return p.is("SHORTESTPATH", "(") || p.is("ALLSHORTESTPATHS", "(")
}

// shortest parses shortestPath((a)-[*]-(b)) and the like.
func (p *parser) shortest() *Path {
	function := p.take()
	open := p.take()
	path := p.chain()
	path.At, path.Shortest = function.at, ShortestOne
	if function.key == "ALLSHORTESTPATHS" {
		path.Shortest = ShortestAll
	}
	p.close(open)
	if len(path.Rels) != 1 {
		p.fail(function.at, "InvalidRelationshipPattern", message.New("%s needs exactly one relationship between two nodes", function.text),
			message.New("write %s((a)-[*]-(b))", function.text))
	}
	return path
}

// chain parses nodes with relationships between them.
func (p *parser) chain() *Path {
	path := &Path{At: p.tok().at, Nodes: []*NodePattern{p.node()}}
	for p.isOneOf("-", "<") {
		path.Rels = append(path.Rels, p.rel())
		path.Nodes = append(path.Nodes, p.node())
	}
	return path
}

// node parses (v:Label {key: value}).
func (p *parser) node() *NodePattern {
	open := p.tok()
	n := &NodePattern{At: open.at}
	if !p.accept("(") {
		p.expected(message.New("a node such as (n)"))
		return n
	}
	if p.isOneOf("(", "-", "<") {
		p.refuse(p.tok().at, message.New("patterns in brackets and quantified patterns are not supported"), message.New("write a length such as -[:R*1..3]->"))
	}
	if p.tok().isName() {
		n.Var = p.variable()
	}
	outer := p.bar
	p.bar = false
	n.Labels = p.labels(message.New("a label"))
	p.bar = outer
	n.Properties = p.properties()
	n.Where = p.elementEnd(open)
	return n
}

// labels parses :A:B and :A|B. What says for errors what the names are.
func (p *parser) labels(what message.Text) Labels {
	var labels Labels
	for p.accept(":") {
		p.noLabelExpression()
		group := []string{p.name(what)}
		for p.isAlternative() {
			p.take()
			p.accept(":")
			p.noLabelExpression()
			group = append(group, p.name(what))
		}
		p.noLabelExpression()
		labels = append(labels, group)
	}
	return labels
}

// isAlternative reports whether the next | separates labels. If a | may also end the expression, it separates
// labels only if another | follows the next label.
func (p *parser) isAlternative() bool {
	return p.is("|") && (!p.bar || p.peek(1).isName() && p.peek(2).key == "|")
}

// noLabelExpression rejects the label expressions of newer versions of Cypher.
func (p *parser) noLabelExpression() {
	if p.isOneOf("!", "&", "%", "(") {
		p.refuse(p.tok().at, message.New("label expressions with %s are not supported", p.tok().describe()),
			message.New("write :A:B for both labels, :A|B for one of them and NOT n:A in WHERE"))
	}
}

// properties parses the properties of a node or relationship, if present.
func (p *parser) properties() Expr {
	t := p.tok()
	switch {
	case t.key == "{":
		return p.mapLiteral()
	case t.kind == param:
		p.take()
		return &Parameter{At: t.at, Name: t.name()}
	}
	return nil
}

// elementEnd consumes the end of a node or relationship, and returns its condition; nil if there is none.
func (p *parser) elementEnd(open *token) Expr {
	if p.is("IS") {
		p.refuse(p.tok().at, message.New("IS inside a pattern is not supported"), message.New("write labels and types after a colon: (n:Class)"))
	}
	where := p.where()
	p.close(open)
	return where
}

// rel parses a relationship from its first dash or arrowhead to its last.
func (p *parser) rel() *RelPattern {
	r := &RelPattern{At: p.tok().at}
	left := p.accept("<")
	p.expect("-")
	if open := p.tok(); p.accept("[") {
		p.relDetail(r)
		at := p.tok().at
		r.Where = p.elementEnd(open)
		if r.Where != nil && r.Length != nil {
			p.refuse(at, message.New("WHERE inside a relationship of variable length is not supported"),
				message.New("name the relationships and write behind the pattern: WHERE all(x IN r WHERE ...)"))
		}
	}
	if !p.accept("-") {
		p.expected(message.New("the second '-' of a relationship such as --> or -[r]->"))
	}
	right := p.accept(">")
	switch {
	case left == right:
		r.Direction = Either
	case left:
		r.Direction = Left
	}
	if p.isOneOf("{", "+", "*") {
		p.refuse(p.tok().at, message.New("quantified relationships are not supported"), message.New("write the length into the brackets: -[:R*1..3]->"))
	}
	return r
}

// relDetail parses the content of a relationship's brackets.
func (p *parser) relDetail(r *RelPattern) {
	if p.tok().isName() {
		r.Var = p.variable()
	}
	if p.accept(":") {
		p.noLabelExpression()
		r.Types = append(r.Types, p.name(message.New("a relationship type")))
		for p.accept("|") {
			p.accept(":")
			r.Types = append(r.Types, p.name(message.New("a relationship type")))
		}
		p.noLabelExpression()
	}
	if t := p.tok(); t.key == ":" {
		p.fail(t.at, "InvalidRelationshipPattern", message.New("a relationship has one type only"), message.New("write :A|B for one of several types"))
	}
	r.Length = p.length()
	r.Properties = p.properties()
}

// length parses *, *2, *1..3 and the like.
func (p *parser) length() *Length {
	star := p.tok()
	if star.key == ".." {
		p.fail(star.at, "InvalidRelationshipPattern", message.New("a length begins with '*'"), message.New("write *..3 or *1..3"))
	}
	if !p.accept("*") {
		return nil
	}
	if t := p.tok(); t.key == "-" {
		p.fail(t.at, "InvalidRelationshipPattern", message.New("the length of a path is not negative"), message.New("write *1..3 or *0.."))
	}
	l := &Length{At: star.at, Min: 1, Max: Unbounded}
	low, given := p.bound()
	if given {
		l.Min, l.Max = low, low
	}
	if p.accept("..") {
		l.Max = Unbounded
		if high, ok := p.bound(); ok {
			l.Max = high
		}
	}
	return l
}

// bound parses a bound of a length, if present.
func (p *parser) bound() (int, bool) {
	t := p.tok()
	n, whole := t.value.(int64)
	switch {
	case t.kind == param:
		p.fail(t.at, "InvalidParameterUse", message.New("the length of a path cannot be a parameter"), message.New("write the number into the query"))
	case t.kind != number:
	case t.fault != nil:
		p.report(t.fault)
	case !whole:
		p.fail(t.at, "InvalidRelationshipPattern", message.New("the length of a path is a whole number"), message.New("write *1..3"))
	default:
		p.take()
		return int(min(n, math.MaxInt32)), true
	}
	return 0, false
}
