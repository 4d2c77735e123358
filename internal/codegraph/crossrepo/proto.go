package crossrepo

import (
	"fmt"
	"strings"
)

// readProto reads the services, methods, messages and enums of a protocol buffers file, with full names:
// "shop.v1.Orders.Create".
func readProto(data []byte) ([]Symbol, error) {
	p := &protoReader{reader: reader{list: tokens(string(data), []string{"//"}, true, true)}}
	for !p.done() {
		if p.take("}") { // unbalanced
			continue
		}
		if err := p.statement("", 0); err != nil {
			return nil, err
		}
	}
	return p.out, nil
}

type protoReader struct {
	reader
	pkg string
	out []Symbol
}

// maxNested bounds the nesting of messages.
const maxNested = 64

// statement reads a top-level statement or, with the name of the enclosing message, one in a message.
func (p *protoReader) statement(around string, depth int) error {
	line := p.line()
	switch word := p.peek(); {
	case around == "" && word == "package":
		p.next()
		p.pkg = p.next()
		p.skipTo(";")
	case around == "" && word == "service":
		p.next()
		return p.service(line)
	case word == "message" && depth < maxNested:
		p.next()
		name := p.name(around, p.next())
		if err := p.want("{"); err != nil {
			return err
		}
		at := len(p.out)
		p.out = append(p.out, Symbol{Name: name, Kind: "message", StartLine: line, Signature: "message " + lastPart(name)})
		for !p.done() && !p.take("}") {
			if err := p.statement(name, depth+1); err != nil {
				return err
			}
		}
		p.out[at].EndLine = p.before()
	case word == "enum":
		p.next()
		name := p.name(around, p.next())
		p.skip()
		p.out = append(p.out, Symbol{Name: name, Kind: "enum", StartLine: line, EndLine: p.before(), Signature: "enum " + lastPart(name)})
	default:
		p.rest()
	}
	return nil
}

// rest skips the rest of a statement: to ";", or to the end of its block.
func (p *protoReader) rest() {
	for !p.done() && !p.take(";") {
		if p.peek() == "}" {
			return // the enclosing block ends: the statement is incomplete
		}
		block := p.peek() == "{"
		p.skip()
		if block {
			return
		}
	}
}

// name returns the full name of a declaration, nested or top-level.
func (p *protoReader) name(around, name string) string {
	if around == "" {
		around = p.pkg
	}
	return strings.TrimPrefix(around+"."+name, ".")
}

func (p *protoReader) service(line int) error {
	name := p.name("", p.next())
	if err := p.want("{"); err != nil {
		return err
	}
	at := len(p.out)
	p.out = append(p.out, Symbol{Name: name, Kind: "service", StartLine: line, Signature: "service " + lastPart(name)})
	for !p.done() && !p.take("}") {
		if p.peek() != "rpc" {
			p.rest()
			continue
		}
		if err := p.rpc(name); err != nil {
			return err
		}
	}
	p.out[at].EndLine = p.before()
	return nil
}

func (p *protoReader) rpc(service string) error {
	s := Symbol{Kind: "rpc", StartLine: p.line(), of: service}
	p.next()
	name := p.next()
	s.Name = service + "." + name
	takes, err := p.message()
	if err == nil {
		err = p.want("returns")
	}
	if err != nil {
		return err
	}
	gives, err := p.message()
	if err != nil {
		return err
	}
	s.params, s.result = []string{lastPart(takes)}, lastPart(gives)
	s.Signature = fmt.Sprintf("rpc %s(%s) returns (%s)", name, takes, gives)
	p.rest()
	s.EndLine = p.before()
	p.out = append(p.out, s)
	return nil
}

// message reads the request or response of a method: "(stream shop.v1.Order)".
func (p *protoReader) message() (string, error) {
	if err := p.want("("); err != nil {
		return "", err
	}
	text := p.next()
	if text == "stream" && p.peek() != ")" {
		text += " " + p.next()
	}
	return text, p.want(")")
}
