package mermaid

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// entityReader parses an entity relationship diagram line by line.
type entityReader struct {
	*roster
	body *node // the entity whose attributes are being read
}

// entitySyntax has the patterns of lines.
type entitySyntax struct{ entity, relation, attribute *regexp.Regexp }

var entityForms = sync.OnceValue(func() *entitySyntax {
	const name = `("[^"]+"|[^\s"{}\[\]|:]+?)(?:\[\s*"?([^\]"]+)"?\s*\])?`
	const words = `(?:zero or one|one or zero|one or more|one or many|zero or more|zero or many|only one|many\([01]\)|[01]\+|1)`
	const end = `(\|\||[|}]o|o[|{]|\}\||\|\{|\s` + words + `\s)`
	const class = `(?:\s*:::\s*(\S+?))?`
	return &entitySyntax{
		entity: regexp.MustCompile(`^` + name + class + `\s*(\{)?\s*(\})?$`),
		relation: regexp.MustCompile(`^` + name + class + `\s*` + end + `\s*(--|\.\.|\.-|-\.|to|optionally to)\s*` + end + `\s*` +
			name + class + `\s*(?::\s*(.*))?$`),
		attribute: regexp.MustCompile(`^(\S+)\s+(\S+)((?:\s+(?:PK|FK|UK)\s*,?)*)\s*(?:"([^"]*)")?$`),
	}
})

// cardinalities maps the marks at the left end of relations to heads; marks at the right end
// are mirrored.
var cardinalities = map[string]string{
	"||": "one", "|o": "zero or one", "o|": "zero or one", "}o": "zero or many", "o{": "zero or many", "}|": "many", "|{": "many",
	"zero or one": "zero or one", "one or zero": "zero or one", "one or more": "many", "one or many": "many", "many(1)": "many",
	"1+": "many", "zero or more": "zero or many", "zero or many": "zero or many", "many(0)": "zero or many",
	"0+": "zero or many", "only one": "one", "1": "one",
}

func drawEntities(s *source) (string, error) {
	r := &entityReader{roster: newRoster(message.Key("entity relationship diagram"), s)}
	last := s.lines[0]
	for _, l := range s.lines[1:] {
		if err := r.line(l); err != nil {
			return "", err
		}
		last = l
	}
	if r.body != nil {
		return "", &SyntaxError{last.n, message.New("} before the end"), ""}
	}
	return r.finish()
}

// line parses a line.
func (r *entityReader) line(l line) error {
	f := entityForms()
	if r.body != nil {
		if l.text == "}" {
			r.body = nil
			return nil
		}
		m := f.attribute.FindStringSubmatch(l.text)
		if m == nil {
			return l.expected(message.New("the type and the name of an attribute"))
		}
		r.attribute(m)
		return nil
	}
	if first, rest := word(l.text); first == "direction" {
		d, ok := directions[rest]
		if !ok {
			return line{l.n, rest}.expected(message.New("TB, BT, LR or RL"))
		}
		r.p.direction = d
		return nil
	}
	if known, err := r.look(l); known {
		return err
	}
	if m := f.relation.FindStringSubmatch(l.text); m != nil {
		r.relation(l, m)
		return nil
	}
	if m := f.entity.FindStringSubmatch(l.text); m != nil {
		n := r.named(m[1], m[2])
		r.dressed(r.ids[n], m[3])
		if m[4] != "" && m[5] == "" {
			r.body = n
		}
		return nil
	}
	return l.expected(message.New("an entity, or a relation such as A ||--o{ B : text"))
}

// named returns the entity with a name, creating it if needed.
func (r *entityReader) named(id, alias string) *node {
	id = unquoted(id)
	n := r.nodes[id]
	if n == nil {
		n = r.add(id, &node{lines: label(id), shape: shapes["rect"], parts: [][]row{}})
	}
	if alias != "" {
		n.lines = label(alias)
	}
	return n
}

// attribute parses the type, name, keys and comment of an attribute.
func (r *entityReader) attribute(m []string) {
	cells := []string{m[1], m[2], strings.Join(strings.Fields(m[3]), " "), shortened(m[4], memberMost)}
	if len(r.body.parts) == 0 {
		r.body.parts = [][]row{nil}
	}
	r.body.parts[0] = append(r.body.parts[0], row{cells: cells})
}

func (r *entityReader) relation(l line, m []string) {
	c := &connection{
		from: r.named(m[1], m[2]), to: r.named(m[7], m[8]), lines: label(unquoted(m[10])), layers: 1, n: l.n,
		tail: cardinalities[strings.TrimSpace(m[4])], head: cardinalities[strings.TrimSpace(m[6])],
	}
	r.dressed(m[1], m[3])
	r.dressed(m[7], m[9])
	if m[5] != "--" && m[5] != "to" {
		c.look = "dashed"
	}
	r.p.lines = append(r.p.lines, c)
}
