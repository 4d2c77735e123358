package database

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// downMarks are comments after which a migration undoes what it did before.
var downMarks = []string{"+goose down", "migrate:down", "+migrate down", "//@undo", "rollback;"}

// sqlFile reads the statements of a file, and the queries that it names.
func (s *Schema) sqlFile(t Text) {
	base := strings.ToLower(t.Path[strings.LastIndexByte(t.Path, '/')+1:])
	if base == "down.sql" || strings.HasSuffix(base, ".down.sql") || strings.HasPrefix(base, "undo") {
		return
	}
	s.named(t)
	text := string(t.Data)
	for _, mark := range downMarks {
		for line := range strings.Lines(text) {
			if trimmed := strings.ToLower(strings.TrimSpace(line)); strings.HasPrefix(trimmed, "--") && strings.Contains(trimmed, mark) {
				text, _, _ = strings.Cut(text, line)
				break
			}
		}
	}
	s.sql(text, Place{t.Path, 1})
}

// named reads queries with a comment before them that names them: -- name: create-user<!
func (s *Schema) named(t Text) {
	name, line, at := "", 0, 0
	var text []byte
	flush := func() {
		if name != "" {
			s.Queries[name] = Query{string(bytes.TrimSpace(text)), Place{t.Path, at}}
		}
		text = nil
	}
	for l := range bytes.Lines(t.Data) {
		line++
		comment, is := strings.CutPrefix(strings.TrimSpace(string(l)), "--")
		if rest, ok := strings.CutPrefix(strings.TrimSpace(comment), "name:"); is && ok {
			flush()
			rest, _, _ = strings.Cut(strings.TrimSpace(rest), " ") // sqlc writes the kind of the result after it
			rest, _, _ = strings.Cut(rest, "(")
			name, at = strings.ReplaceAll(strings.TrimRight(rest, "!<^$*#"), "-", "_"), line
			continue
		}
		if !is {
			text = append(text, l...)
		}
	}
	flush()
}

// sqlTexts reads the statements in strings of code.
func sqlTexts(s *Schema, f *code.File) {
	see := func(v *code.Value) bool {
		if v.Kind == code.ValueString && strings.Contains(strings.ToUpper(v.Text), "CREATE TABLE") {
			s.sql(v.Text, Place{f.Path, v.Line})
		}
		return true
	}
	for i := range f.Bodies.Calls {
		if c := &f.Bodies.Calls[i]; c.Within == 0 {
			c.Value.All(see)
		}
	}
	for i := range f.Bodies.Bindings {
		f.Bodies.Bindings[i].Value.All(see)
	}
}

// token is a word, a quoted name, a string or a sign of SQL.
type token struct {
	text  string // a word in upper case is compared with is
	line  int
	plain bool // a word
}

// is reports whether a token is one of some words.
func (t token) is(words ...string) bool {
	return t.plain && slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, t.text) })
}

// tokens splits SQL without its comments.
func tokens(text string, line int) []token {
	var out []token
	for i := 0; i < len(text); {
		end, skip := blankEnd(text, i), true
		if end == i {
			end, skip = tokenEnd(text, i), false
		}
		if !skip {
			out = append(out, token{text[i:end], line, isWord(text[i])})
		}
		line += strings.Count(text[i:end], "\n")
		i = end
	}
	return out
}

// blankEnd returns where white space or a comment at i ends; i if there is none.
func blankEnd(text string, i int) int {
	switch c := text[i]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return i + 1
	case strings.HasPrefix(text[i:], "--"), c == '#':
		return min(i+max(strings.IndexByte(text[i:]+"\n", '\n'), 1), len(text))
	case strings.HasPrefix(text[i:], "/*"):
		return closing(text, i+2, "*/")
	}
	return i
}

// tokenEnd returns where the token at i ends.
func tokenEnd(text string, i int) int {
	end := i + 1
	switch c := text[i]; {
	case c == '\'' || c == '"' || c == '`':
		return closing(text, end, string(c))
	case c == '[':
		return closing(text, end, "]")
	case strings.HasPrefix(text[i:], "$$"):
		return closing(text, end+1, "$$")
	case isWord(c):
		for end < len(text) && isWord(text[end]) {
			end++
		}
	}
	return end
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// closing returns the index after the next end from i; the length of the text if there is none.
func closing(text string, i int, end string) int {
	if i > len(text) {
		return len(text)
	}
	at := strings.Index(text[i:], end)
	if at < 0 {
		return len(text)
	}
	return i + at + len(end)
}

// sql reads statements that declare or drop tables and keys. At is where the text begins.
func (s *Schema) sql(text string, at Place) {
	var statement []token
	for _, t := range append(tokens(text, at.Line), token{text: ";"}) {
		if t.text != ";" {
			statement = append(statement, t)
			continue
		}
		(&sqlReader{schema: s, file: at.File, list: statement}).statement()
		statement = nil
	}
}

// sqlReader reads one statement.
type sqlReader struct {
	schema *Schema
	file   string
	list   []token
}

func (r *sqlReader) peek() token {
	if len(r.list) == 0 {
		return token{}
	}
	return r.list[0]
}

func (r *sqlReader) next() token {
	t := r.peek()
	if len(r.list) > 0 {
		r.list = r.list[1:]
	}
	return t
}

// skip skips words, in any order.
func (r *sqlReader) skip(words ...string) {
	for r.peek().is(words...) {
		r.next()
	}
}

// name reads a name with the schema before it.
func (r *sqlReader) name() string {
	t := r.next()
	for r.peek().text == "." {
		r.next()
		t = r.next()
	}
	return bare(t.text)
}

func (r *sqlReader) at(t token) Place { return Place{r.file, t.line} }

func (r *sqlReader) statement() {
	first := r.next()
	switch {
	case first.is("CREATE"):
		r.skip("OR", "REPLACE", "TEMP", "TEMPORARY", "UNLOGGED", "GLOBAL", "LOCAL", "CLUSTERED", "NONCLUSTERED")
		switch t := r.next(); {
		case t.is("TABLE"):
			r.createTable()
		case t.is("UNIQUE"):
			r.skip("CLUSTERED", "NONCLUSTERED")
			if r.next().is("INDEX") {
				r.uniqueIndex(first)
			}
		}
	case first.is("ALTER") && r.peek().is("TABLE"):
		r.next()
		r.alterTable()
	case first.is("DROP"):
		what := r.next()
		r.skip("IF", "EXISTS", "CONCURRENTLY")
		if what.is("TABLE") {
			name := r.name()
			r.schema.step(Step{Table: name, At: r.at(first)})
			r.schema.drop(name)
		} else if what.is("INDEX") {
			r.schema.dropKey(r.name())
		}
	}
}

func (r *sqlReader) createTable() {
	r.skip("IF", "NOT", "EXISTS")
	at := r.at(r.peek())
	name := r.name()
	if r.peek().text != "(" || name == "" {
		return
	}
	t := r.schema.table(name, at)
	for _, item := range r.parenthesis() {
		(&sqlReader{r.schema, r.file, item}).item(t)
	}
}

// parenthesis reads what is in parentheses, split at its commas.
func (r *sqlReader) parenthesis() [][]token {
	var out [][]token
	var item []token
	depth := 0
	for len(r.list) > 0 {
		t := r.next()
		switch {
		case t.text == "(":
			if depth++; depth == 1 {
				continue
			}
		case t.text == ")":
			if depth--; depth == 0 {
				return append(out, item)
			}
		case t.text == "," && depth == 1:
			out, item = append(out, item), nil
			continue
		}
		item = append(item, t)
	}
	return append(out, item)
}

// columns reads names in parentheses; the text of an expression is one name.
func (r *sqlReader) columns() []string {
	if r.peek().text != "(" {
		return nil
	}
	var out []string
	for _, item := range r.parenthesis() {
		if len(item) > 1 && item[1].text == "(" && item[1].line > 0 && !isNumber(item[2:]) { // lower(email)
			out = append(out, joined(item))
		} else if len(item) > 0 {
			out = append(out, bare(item[0].text))
		}
	}
	return out
}

// isNumber reports whether tokens begin with a number: the length of the indexed part of a column.
func isNumber(list []token) bool {
	return len(list) > 0 && list[0].text != "" && list[0].text[0] >= '0' && list[0].text[0] <= '9'
}

func joined(list []token) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.text)
	}
	return b.String()
}

// item reads a column or a constraint of a table.
func (r *sqlReader) item(t *Table) {
	first := r.peek()
	name := ""
	if first.is("CONSTRAINT") {
		r.next()
		name = r.name()
		first = r.peek()
	}
	switch {
	case first.is("PRIMARY", "UNIQUE"):
		r.next()
		r.skip("KEY", "INDEX", "CLUSTERED", "NONCLUSTERED", "NULLS", "NOT", "DISTINCT")
		if r.peek().text != "(" && len(r.list) > 0 {
			name = r.name()
		}
		r.skip("USING", "BTREE", "HASH")
		t.key(Key{Name: name, Columns: r.columns(), Primary: first.is("PRIMARY"), At: r.at(first)})
	case first.is("FOREIGN"):
		r.next()
		r.skip("KEY")
		if r.peek().text != "(" {
			name = r.name()
		}
		columns := r.columns()
		if r.next().is("REFERENCES") {
			r.reference(t, name, columns, first)
		}
	case first.is("CHECK", "EXCLUDE", "KEY", "INDEX", "LIKE", "FULLTEXT", "SPATIAL", "PERIOD"):
	case len(r.list) > 1 || name == "" && len(r.list) == 1:
		r.column(t)
	}
}

// reference reads the rest of a foreign key.
func (r *sqlReader) reference(t *Table, name string, columns []string, at token) {
	ref := Reference{Name: name, Columns: columns, To: r.name(), At: r.at(at)}
	r.columns()
	for len(r.list) > 0 {
		if on := r.next(); !on.is("ON") || !r.peek().is("DELETE") {
			if on.is("NOT", "NULL", "UNIQUE", "DEFAULT") {
				break
			}
			continue
		}
		r.next()
		action := r.next()
		if ref.OnDelete = strings.ToLower(action.text); action.is("SET", "NO") {
			ref.OnDelete += " " + strings.ToLower(r.next().text)
		}
		break
	}
	t.refer(ref)
}

// typeEnds are the words that end the type of a column.
var typeEnds = []string{"NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "REFERENCES", "CONSTRAINT", "CHECK", "COLLATE", "GENERATED", "AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "COMMENT", "ON", "KEY"}

// column reads the declaration of a column.
func (r *sqlReader) column(t *Table) {
	first := r.next()
	c := Column{Name: bare(first.text), At: r.at(first)}
	r.typed(&c)
	r.properties(t, &c)
	t.column(c)
}

// typed reads the type of a column.
func (r *sqlReader) typed(c *Column) {
	depth := 0
	for len(r.list) > 0 && (depth > 0 || !r.peek().is(typeEnds...)) {
		k := r.next()
		depth += strings.Count(k.text, "(") - strings.Count(k.text, ")")
		if k.plain && c.Type != "" && !strings.HasSuffix(c.Type, "(") {
			c.Type += " "
		}
		c.Type += strings.ToLower(k.text)
	}
}

// properties reads what follows the type of a column.
func (r *sqlReader) properties(t *Table, c *Column) {
	for len(r.list) > 0 {
		switch k := r.next(); {
		case k.is("NOT") && r.peek().is("NULL"):
			c.Required = true
		case k.is("DEFAULT"):
			c.Default = r.expression()
		case k.is("PRIMARY"):
			t.key(Key{Columns: []string{c.Name}, Primary: true, At: r.at(k)})
		case k.is("UNIQUE"):
			t.key(Key{Columns: []string{c.Name}, At: r.at(k)})
		case k.is("AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "GENERATED"):
			c.Default = strings.ToLower(k.text)
		case k.is("REFERENCES"):
			rest := *r
			rest.reference(t, "", []string{c.Name}, k)
		}
	}
}

// expression reads a value up to the next part of a column.
func (r *sqlReader) expression() string {
	var out []token
	depth := 0
	for len(r.list) > 0 && (depth > 0 || len(out) == 0 || !r.peek().is(typeEnds...)) {
		k := r.next()
		depth += strings.Count(k.text, "(") - strings.Count(k.text, ")")
		out = append(out, k)
	}
	return joined(out)
}

func (r *sqlReader) uniqueIndex(first token) {
	r.skip("CONCURRENTLY", "IF", "NOT", "EXISTS")
	name := ""
	if !r.peek().is("ON") {
		name = r.name()
	}
	if !r.next().is("ON") {
		return
	}
	r.skip("ONLY")
	t := r.schema.Of(r.name())
	if r.peek().is("USING") {
		r.next()
		r.next()
	}
	if columns := r.columns(); t != nil {
		t.key(Key{Name: name, Columns: columns, At: r.at(first)})
	}
}
