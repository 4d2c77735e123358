package lang

import (
	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

type cScope struct{ owner string }

var cShape = &shape{}

func cCall(n syntax.Node) (code.Call, bool) { return code.Call{}, false }
func cTests(r *reader)                      {}

func (c *cReader) declarations(body syntax.Node, s cScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.Within() {
		if n.Is("function_declarator") {
			for d := range n.Within() {
				if d.Is("identifier", "field_identifier") {
					sym := code.Symbol{Name: d.Text(), Kind: code.Function}
					c.place(&sym, n, "")
					out = append(out, sym)
					break
				}
			}
		}
	}
	return out
}
