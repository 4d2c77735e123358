package spec

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// answerBodies returns the table of what the bodies of answers have; "" for nothing.
func (m *material) answerBodies() string {
	var rows []string
	told := map[string]string{}
	for _, c := range m.ofKind(evidence.AnswerBody) {
		name := markdown.Code(c.Name)
		if c.Of != "" {
			name = fmt.Sprintf(wording.In(m.lang, "%[1]s of %[2]s", "%[2]s 的 %[1]s"), name, markdown.Code(c.Of))
		}
		w := bodyWriter{material: m, told: told, name: name, left: m.limits.rows}
		text := w.fields(fieldTree(c.Values), "")
		if w.cut > 0 {
			m.left.rows += w.cut
			text += fmt.Sprintf(" … +%d", w.cut)
		}
		rows = append(rows, tableRow(name+m.firstPlace(c), text))
	}
	if len(rows) == 0 {
		return ""
	}
	return "\n\n### " + wording.In(m.lang, "Answers", "应答") + "\n\n" + tableHead(wording.In(m.lang, "Body|Fields", "应答体|字段")) + m.rows(rows)
}

// bodyField is a field of the body of an answer, with those below it.
type bodyField struct {
	name, typ string
	below     []*bodyField
}

// fieldTree returns the fields of a body from their paths: "article.slug: str".
func fieldTree(list []string) []*bodyField {
	root := &bodyField{}
	for _, text := range list {
		path, typ, _ := strings.Cut(text, ": ")
		at := root
		for name := range strings.SplitSeq(path, ".") {
			at = at.child(name)
		}
		at.typ = typ
	}
	return root.below
}

// child returns the field with a name below another one, a new one if there is none.
func (f *bodyField) child(name string) *bodyField {
	for _, b := range f.below {
		if b.name == name {
			return b
		}
	}
	b := &bodyField{name: name}
	f.below = append(f.below, b)
	return b
}

// bodyWriter writes the fields of a body.
type bodyWriter struct {
	*material
	told map[string]string // where fields like these were written, by their text
	name string            // of the body
	left int               // how many fields may be written; 0 for all
	cut  int               // how many are not
	done int
}

// fields writes fields that are all at one path.
func (w *bodyWriter) fields(list []*bodyField, path string) string {
	key := fieldsKey(list)
	if said := w.told[key]; said != "" && len(list) > 1 {
		return fmt.Sprintf(wording.In(w.lang, "as %s", "同 %s"), said)
	}
	of := w.name
	if path != "" {
		of = fmt.Sprintf(wording.In(w.lang, "%[1]s of %[2]s", "%[2]s 的 %[1]s"), markdown.Code(path), w.name)
	}
	w.told[key] = of
	var out []string
	for _, f := range list {
		if w.left > 0 && w.done >= w.left {
			w.cut += f.count()
			continue
		}
		if f.below == nil {
			w.done++
			out = append(out, codeSpan(strings.TrimSuffix(f.name+": "+f.typ, ": ")))
			continue
		}
		out = append(out, markdown.Code(f.name)+" { "+w.fields(f.below, strings.TrimPrefix(path+"."+f.name, "."))+" }")
	}
	return strings.Join(out, ", ")
}

// count returns the number of fields without others below them.
func (f *bodyField) count() int {
	n := 0
	for _, b := range f.below {
		n += b.count()
	}
	return cmp.Or(n, 1)
}

// fieldsKey returns a text that fields have in common with those that are the same.
func fieldsKey(list []*bodyField) string {
	var out []string
	for _, f := range list {
		out = append(out, f.name+":"+f.typ+"{"+fieldsKey(f.below)+"}")
	}
	return strings.Join(out, ",")
}
