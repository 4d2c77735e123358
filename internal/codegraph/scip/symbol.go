package scip

import (
	"fmt"
	"strings"
)

// Symbol is a parsed symbol name. Global symbols are unique across indexes, local ones within their document.
type Symbol struct {
	Local       string // id of a local symbol; the other fields are then empty
	Scheme      string // the indexer: "scip-python"
	Package     Package
	Descriptors []Descriptor // from the outermost enclosing symbol to the symbol itself
}

// Package is the package of a global symbol. Its fields may be "".
type Package struct {
	Manager string // "npm"
	Name    string
	Version string
}

// Descriptor is one element of a symbol's path.
type Descriptor struct {
	Name          string
	Disambiguator string // distinguishes overloads: "+1"
	Suffix        Suffix
}

// Suffix is the kind of a descriptor.
type Suffix uint8

// The suffixes, with their notation.
const (
	Namespace     Suffix = iota + 1 // a/
	Type                            // A#
	Term                            // a.
	Method                          // a().
	TypeParameter                   // [A]
	Parameter                       // (a)
	Meta                            // a:
	Macro                           // a!
)

// endings are the suffixes written as one byte after the name.
const endings = "/#.:!"

func endingOf(c byte) Suffix {
	switch c {
	case '/':
		return Namespace
	case '#':
		return Type
	case '.':
		return Term
	case ':':
		return Meta
	case '!':
		return Macro
	}
	return 0
}

// ParseSymbol parses a symbol in the grammar of scip.proto, message Symbol. A local id may be any text: scip-python
// writes "local 0(x)" for the parameters of local functions. The error says what is wrong and where.
func ParseSymbol(text string) (Symbol, error) {
	p := &parser{text: text}
	s := p.symbol()
	if p.fault != "" {
		return Symbol{}, fmt.Errorf("the SCIP symbol %.200q is malformed at byte %d: %s", text, p.faultAt, p.fault)
	}
	return s, nil
}

// parser parses a symbol up to the first error.
type parser struct {
	text    string
	at      int
	fault   string
	faultAt int
}

func (p *parser) symbol() Symbol {
	if local, ok := strings.CutPrefix(p.text, "local "); ok {
		if p.at = len("local "); local == "" {
			p.fail("expected an identifier")
		}
		return Symbol{Local: local}
	}
	s := Symbol{Scheme: p.word()}
	if s.Scheme == "" {
		p.fail("expected a scheme")
	}
	s.Package = Package{Manager: p.part(), Name: p.part(), Version: p.part()}
	for p.fault == "" && p.at < len(p.text) {
		s.Descriptors = append(s.Descriptors, p.descriptor())
	}
	if len(s.Descriptors) == 0 {
		p.fail("expected a descriptor")
	}
	return s
}

func (p *parser) fail(fault string) {
	if p.fault == "" {
		p.fault, p.faultAt = fault, p.at
	}
}

// word reads up to the next single space; two spaces are an escaped one.
func (p *parser) word() string {
	var b strings.Builder
	for p.fault == "" {
		end := strings.IndexByte(p.text[p.at:], ' ')
		if end < 0 {
			p.fail("expected a space after it")
			break
		}
		b.WriteString(p.text[p.at : p.at+end])
		p.at += end + 1
		if p.at == len(p.text) || p.text[p.at] != ' ' {
			break
		}
		b.WriteByte(' ')
		p.at++
	}
	return b.String()
}

// part reads a field of a package; "." stands for an empty one.
func (p *parser) part() string {
	if word := p.word(); word != "." {
		return word
	}
	return ""
}

func (p *parser) descriptor() Descriptor {
	switch p.peek() {
	case '(':
		return Descriptor{Name: p.between('(', ')'), Suffix: Parameter}
	case '[':
		return Descriptor{Name: p.between('[', ']'), Suffix: TypeParameter}
	}
	d := Descriptor{Name: p.name()}
	if p.peek() == '(' {
		p.at++
		d.Suffix, d.Disambiguator = Method, p.simple()
		p.expect(')')
		p.expect('.')
		return d
	}
	if d.Suffix = endingOf(p.peek()); d.Suffix == 0 {
		p.fail("expected one of " + endings + "( after a name")
		return d
	}
	p.at++
	return d
}

func (p *parser) between(open, shut byte) string {
	p.expect(open)
	name := p.name()
	p.expect(shut)
	return name
}

// name reads an identifier; in backquotes it may be any text.
func (p *parser) name() string {
	if p.peek() != '`' {
		name := p.simple()
		if name == "" {
			p.fail("expected a name")
		}
		return name
	}
	p.at++
	var b strings.Builder
	for p.fault == "" {
		end := strings.IndexByte(p.text[p.at:], '`')
		if end < 0 {
			p.fail("a backquote is not closed")
			break
		}
		b.WriteString(p.text[p.at : p.at+end])
		p.at += end + 1
		if p.peek() != '`' { // two backquotes are an escaped one
			break
		}
		b.WriteByte('`')
		p.at++
	}
	if b.Len() == 0 {
		p.fail("expected a name between backquotes")
	}
	return b.String()
}

// simple reads identifier characters, possibly none.
func (p *parser) simple() string {
	start := p.at
	for p.at < len(p.text) && identifier(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) expect(c byte) {
	if p.peek() != c {
		p.fail("expected " + string(c))
		return
	}
	p.at++
}

func identifier(c byte) bool {
	return c == '_' || c == '+' || c == '-' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
