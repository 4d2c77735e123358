package mermaid

import (
	"regexp"
	"strings"
	"sync"
)

// entityReader reads an entity relationship diagram line by line.
type entityReader struct {
	*roster
	body *node // the entity whose attributes are read
}

// entitySyntax is the forms of lines.
type entitySyntax struct{ entity, relation, attribute *regexp.Regexp }

var entityForms = sync.OnceValue(func() *entitySyntax {
	const name = `("[^"]+"|[^\s"{}\[\]|:]+?)(?:\[\s*"?([^\]"]+)"?\s*\])?`
	return &entitySyntax{
		entity:    regexp.MustCompile(`^` + name + `(?::::(\S+?))?\s*(\{)?\s*(\})?$`),
		relation:  regexp.MustCompile(`^` + name + `\s*(\|\||\|o|\}o|\}\|)(--|\.\.|\.-|-\.)(\|\||o\||o\{|\|\{)\s*` + name + `\s*(?::\s*(.*))?$`),
		attribute: regexp.MustCompile(`^(\S+)\s+(\S+)((?:\s+(?:PK|FK|UK)\s*,?)*)\s*(?:"([^"]*)")?$`),
	}
})

// cardinalities are the ends of relations; those at the right end are written the other
// way round.
//
//nolint:gochecknoglobals // a table
var cardinalities = map[string]string{
	"||": "one", "|o": "zero or one", "o|": "zero or one", "}o": "zero or many", "o{": "zero or many", "}|": "many", "|{": "many",
}

func drawEntities(s *source) (string, error) {
	r := &entityReader{roster: newRoster("entity relationship diagram", s)}
	last := s.lines[0]
	for _, l := range s.lines[1:] {
		if err := r.line(l); err != nil {
			return "", err
		}
		last = l
	}
	if r.body != nil {
		return "", &SyntaxError{last.n, "} before the end", ""}
	}
	return r.finish()
}

// line reads one line.
func (r *entityReader) line(l line) error {
	f := entityForms()
	if r.body != nil {
		if l.text == "}" {
			r.body = nil
			return nil
		}
		m := f.attribute.FindStringSubmatch(l.text)
		if m == nil {
			return l.expected("the type and the name of an attribute")
		}
		r.attribute(m)
		return nil
	}
	if first, rest := word(l.text); first == "direction" {
		d, ok := directions[rest]
		if !ok {
			return line{l.n, rest}.expected("TB, BT, LR or RL")
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
		if m[3] != "" {
			r.classOf[r.ids[n]] = append(r.classOf[r.ids[n]], m[3])
		}
		if m[4] != "" && m[5] == "" {
			r.body = n
		}
		return nil
	}
	return l.expected("an entity, or a relation such as A ||--o{ B : text")
}

// named is the entity of a name, a new one if there is none yet.
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

// attribute reads the type, the name, the keys and the comment of an attribute.
func (r *entityReader) attribute(m []string) {
	cells := []string{m[1], m[2], strings.Join(strings.Fields(m[3]), " "), shortened(m[4], memberMost)}
	if len(r.body.parts) == 0 {
		r.body.parts = [][]row{nil}
	}
	r.body.parts[0] = append(r.body.parts[0], row{cells: cells})
}

func (r *entityReader) relation(l line, m []string) {
	c := &connection{
		from: r.named(m[1], m[2]), to: r.named(m[6], m[7]), tail: cardinalities[m[3]], head: cardinalities[m[5]],
		lines: label(unquoted(m[8])), layers: 1, n: l.n,
	}
	if m[4] != "--" {
		c.look = "dashed"
	}
	r.p.lines = append(r.p.lines, c)
}
