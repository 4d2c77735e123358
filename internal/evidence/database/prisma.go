package database

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

var prismaParts = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"model":    regexp.MustCompile(`^model\s+(\w+)\s*\{`),
		"fields":   regexp.MustCompile(`fields:\s*\[([^\]]*)\]`),
		"onDelete": regexp.MustCompile(`onDelete:\s*(\w+)`),
		"list":     regexp.MustCompile(`\[([^\]]*)\]`),
		"text":     regexp.MustCompile(`"([^"]*)"`),
		"default":  regexp.MustCompile(`@default\((.*?\)?)\)`),
	}
})

// prisma reads the models of a schema of Prisma.
func (s *Schema) prisma(t Text) {
	var table *Table
	line := 0
	for l := range bytes.Lines(t.Data) {
		line++
		row, _, _ := strings.Cut(strings.TrimSpace(string(l)), "//")
		row = strings.TrimSpace(row)
		at := Place{t.Path, line}
		switch m := prismaParts()["model"].FindStringSubmatch(row); {
		case m != nil:
			table = s.table(m[1], at)
			table.Model = m[1]
		case table == nil || row == "":
		case row == "}":
			table = nil
		case strings.HasPrefix(row, "@@"):
			prismaBlock(table, row, at)
		default:
			prismaField(table, row, at)
		}
	}
}

func prismaNames(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), "(")
		out = append(out, name)
	}
	return out
}

// prismaBlock reads @@unique([a, b]), @@id([a, b]) and @@map("name").
func prismaBlock(t *Table, row string, at Place) {
	parts := prismaParts()
	list := parts["list"].FindStringSubmatch(row)
	switch {
	case list != nil && (strings.HasPrefix(row, "@@unique") || strings.HasPrefix(row, "@@id")):
		t.key(Key{Columns: prismaNames(list[1]), Primary: strings.HasPrefix(row, "@@id"), At: at})
	case strings.HasPrefix(row, "@@map"):
		if m := parts["text"].FindStringSubmatch(row); m != nil {
			t.Name = m[1]
		}
	}
}

// prismaField reads a line of a model: name, type, attributes.
func prismaField(t *Table, row string, at Place) {
	words := strings.Fields(row)
	if len(words) < 2 {
		return
	}
	parts := prismaParts()
	name, kind := words[0], words[1]
	if relation := strings.Index(row, "@relation"); relation >= 0 {
		if m := parts["fields"].FindStringSubmatch(row[relation:]); m != nil {
			r := Reference{Columns: prismaNames(m[1]), To: strings.TrimRight(kind, "?[]"), At: at}
			if on := parts["onDelete"].FindStringSubmatch(row[relation:]); on != nil {
				r.OnDelete = strings.ToLower(strings.ReplaceAll(on[1], "SetNull", SetNull))
			}
			t.refer(r)
		}
		return
	}
	if strings.HasSuffix(kind, "[]") { // the other side of a relation
		return
	}
	c := Column{Name: name, Type: strings.TrimSuffix(kind, "?"), Required: !strings.HasSuffix(kind, "?"), At: at}
	if m := parts["default"].FindStringSubmatch(row); m != nil {
		c.Default = m[1]
	}
	t.column(c)
	switch {
	case strings.Contains(row, " @id"):
		t.key(Key{Columns: []string{name}, Primary: true, At: at})
	case strings.Contains(row, " @unique"):
		t.key(Key{Columns: []string{name}, At: at})
	}
}
