package crossrepo

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// graphQLUses finds the fields used by operations.
type graphQLUses struct {
	types  map[string][]*contractSymbol // by name
	fields map[string][]*contractSymbol // by name: "Query.order"
}

func graphQLMatcher(symbols []*contractSymbol) matcher {
	g := &graphQLUses{types: map[string][]*contractSymbol{}, fields: map[string][]*contractSymbol{}}
	for _, s := range symbols {
		if s.Kind == "field" {
			g.fields[s.Name] = append(g.fields[s.Name], s)
		} else {
			g.types[s.Name] = append(g.types[s.Name], s)
		}
	}
	return g.match
}

// match reads the operations in a document, or in string literals of code.
func (g *graphQLUses) match(v *view) []use {
	if v.code == nil {
		return g.document(string(v.text), 1)
	}
	if v.code.Generated {
		return nil
	}
	var out []use
	for _, l := range v.literals {
		if isOperation(l.text) {
			out = append(out, g.document(l.text, l.line)...)
		}
	}
	return out
}

// isOperation reports whether a text may contain operations.
func isOperation(text string) bool {
	if !strings.Contains(text, "{") {
		return false
	}
	text = strings.TrimSpace(text)
	for _, word := range []string{"query", "mutation", "subscription", "fragment", "{"} {
		rest, ok := strings.CutPrefix(text, word)
		if word == "{" {
			rest = strings.TrimSpace(rest) // a field or a fragment of which something is selected: no JSON, and nothing to put a text in for
			ok = ok && strings.Contains(rest, "{") && strings.ContainsFunc(rest[:1], func(r rune) bool { return r == '_' || dotted(r) })
		} else {
			ok = ok && (rest == "" || strings.ContainsAny(rest[:1], " \n\r\t({"))
		}
		if ok {
			return true
		}
	}
	return false
}

// document reads the operations and fragments of a text; line is its first line.
func (g *graphQLUses) document(text string, line int) []use {
	o := &operationReader{reader: reader{list: graphQLTokens(text)}, uses: g, first: line}
	for !o.done() {
		o.definition()
	}
	return o.out
}

// roots maps keywords of operations to their root types.
var roots = map[string]string{"query": "Query", "mutation": "Mutation", "subscription": "Subscription", "{": "Query"}

type operationReader struct {
	reader
	uses  *graphQLUses
	first int // the first line of the text
	out   []use
	asked []string // the fields that operations begin with, with their types
}

// here returns the line of the next token in its file.
func (o *operationReader) here() int { return o.first + o.line() - 1 }

func (o *operationReader) definition() {
	word := o.peek()
	switch root := roots[word]; {
	case root != "":
		if word != "{" {
			o.next()
		}
		for !o.done() && o.peek() != "{" {
			if o.peek() == "(" {
				o.variables()
				continue
			}
			o.skip()
		}
		o.selection([]string{root}, true, 0)
	case word == "fragment":
		o.next()
		o.next()
		if o.take("on") {
			line, name := o.here(), o.next()
			o.typeUse(name, line, "fragment")
			for !o.done() && o.peek() != "{" {
				o.skip()
			}
			o.selection([]string{name}, false, 0)
		}
	default:
		o.skip()
	}
}

// variables reads the types of an operation's variables: ($id: ID!, $in: OrderInput).
func (o *operationReader) variables() {
	o.next()
	for !o.done() && !o.take(")") {
		if o.take(":") {
			for o.take("[") {
				continue
			}
			line := o.here()
			o.typeUse(o.next(), line, "variable")
			continue
		}
		o.skip()
	}
}

// typeUse adds a use of a type by its name.
func (o *operationReader) typeUse(name string, line int, rule string) {
	types := o.uses.types[name]
	for _, t := range types {
		o.out = append(o.out, use{t, line, store.VirtualImports, rule, nameConfidence(len(types)), unknown, name, false})
	}
}

// nameConfidence returns the confidence of a name declared by that many schemas.
func nameConfidence(schemas int) float64 {
	if schemas > 1 {
		return prefixName
	}
	return exactName
}

// selection reads a selection set on the given types. On a root type each field is a use. It returns the number of
// selected fields, and of those known to the schema.
func (o *operationReader) selection(types []string, root bool, depth int) (asked, known int) {
	if !o.take("{") {
		return 0, 0
	}
	for !o.done() && !o.take("}") {
		a, k := o.selected(types, root, depth)
		asked, known = asked+a, known+k
	}
	return asked, known
}

// selected reads a field or fragment with its selection set.
func (o *operationReader) selected(types []string, root bool, depth int) (asked, known int) {
	if o.take(".") {
		return o.spread(types, root, depth)
	}
	line, name := o.here(), o.next()
	if name == "{" || name == "(" || name == "" {
		return 0, 0
	}
	if o.take(":") { // it was an alias
		name = o.next()
	}
	given := o.arguments()
	o.directives()
	fields := o.uses.fieldsOf(types, name)
	asked, known = o.below(fields, depth)
	asked++
	if len(fields) > 0 || strings.HasPrefix(name, "__") {
		known++
	}
	if root {
		o.asked = append(o.asked, types[0]+"."+name)
		for _, f := range fields {
			o.out = append(o.out, use{f, line, store.VirtualCalls, "operation", nameConfidence(len(fields)), fit(f, given, asked, known), name, false})
		}
	}
	return asked, known
}

// fieldsOf returns the fields with a name on the given types.
func (g *graphQLUses) fieldsOf(types []string, name string) []*contractSymbol {
	var out []*contractSymbol
	for _, t := range types {
		out = append(out, g.fields[t+"."+name]...)
	}
	return out
}

// below reads the selection set of fields.
func (o *operationReader) below(fields []*contractSymbol, depth int) (asked, known int) {
	if depth >= maxNested {
		if o.peek() == "{" {
			o.skip()
		}
		return 0, 0
	}
	var results []string
	for _, f := range fields {
		results = append(results, f.result)
	}
	return o.selection(results, false, depth+1)
}

// spread reads "...Name" or "... on Type { }", after the first dot.
func (o *operationReader) spread(types []string, root bool, depth int) (asked, known int) {
	for o.take(".") {
		continue
	}
	if o.take("on") {
		line, name := o.here(), o.next()
		o.typeUse(name, line, "fragment")
		types, root = []string{name}, root && isRoot(name)
	} else if o.peek() != "{" && o.peek() != "@" {
		o.next()
	}
	o.directives()
	if depth >= maxNested {
		return o.below(nil, depth)
	}
	return o.selection(types, root, depth+1)
}

// isRoot reports whether a type is a root type.
func isRoot(name string) bool { return name == "Query" || name == "Mutation" || name == "Subscription" }

// directives skips directives.
func (o *operationReader) directives() {
	for o.take("@") {
		o.next()
		if o.peek() == "(" {
			o.skip()
		}
	}
}

// arguments reads the names of a field's arguments, if there are any.
func (o *operationReader) arguments() map[string]bool {
	given := map[string]bool{}
	if !o.take("(") {
		return given
	}
	for !o.done() && !o.take(")") {
		name := o.peek()
		o.skip()
		if o.take(":") {
			given[name] = true
			o.take("$")
			o.skip()
		}
	}
	return given
}

// fit returns the share of the selected fields that the schema knows; 0 if a required argument is missing.
func fit(f *contractSymbol, given map[string]bool, asked, known int) float64 {
	for _, must := range f.params {
		if !given[must] {
			return unfit
		}
	}
	return float64(known) / float64(asked)
}
