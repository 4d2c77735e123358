package service

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Access is what an endpoint does to a table or the class that stands for it.
type Access struct {
	Verb  string // one of the verbs below
	Table string // as SQL or the model names it
	At    Place
}

// The verbs of an [Access].
const (
	Reads   = "read"
	Inserts = "insert"
	Updates = "update"
	Deletes = "delete"
)

// sqlName is the name of a table, and sqlStatements find the statements and their tables. Keywords are in one case: a sentence
// begins with "Select" or "Update".
const sqlName = `([\w."\x60\[\]\\]+)`

type sqlStatement struct {
	verb         string
	start, table *regexp.Regexp
}

var sqlStatements = sync.OnceValue(func() []sqlStatement { // not compiled by commands that read no code
	return []sqlStatement{
		{Inserts, regexp.MustCompile(`^\s*(INSERT|insert)\s`), regexp.MustCompile(`(?i)^\s*insert\s(?:.*?\s)?into\s+` + sqlName)},
		{Updates, regexp.MustCompile(`^\s*(UPDATE|update)\s`), regexp.MustCompile(`(?i)^\s*update\s+` + sqlName + `(?:\s+(?:as\s+)?\w+)?\s+set\b`)},
		{Deletes, regexp.MustCompile(`^\s*(DELETE FROM|delete from)\s`), regexp.MustCompile(`(?i)^\s*delete\s+from\s+` + sqlName)},
		{Reads, regexp.MustCompile(`^\s*(SELECT|select|WITH \w+ AS|with \w+ as)\b`), regexp.MustCompile(`(?i)\b(?:from|join)\s+` + sqlName)},
	}
})

// sqlAccess returns what an SQL statement does; nil for other texts.
func sqlAccess(text string, at Place) []Access {
	for _, s := range sqlStatements() {
		if !s.start.MatchString(text) {
			continue
		}
		var out []Access
		for _, m := range s.table.FindAllStringSubmatch(text, -1) {
			if name := strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "", `\`, "").Replace(m[1]); name != "" {
				out = append(out, Access{s.verb, name, at})
			}
		}
		return out
	}
	return nil
}

// modelVerbs are what the methods of models and queries do; others read.
var modelVerbs = map[string]string{
	"create": Inserts, "get_or_create": Inserts, "update_or_create": Inserts, "bulk_create": Inserts, "insert": Inserts, "add": Inserts, "add_all": Inserts,
	"update": Updates, "bulk_update": Updates, "delete": Deletes, "save": Updates, "merge": Updates,
}

// accesses sets what the functions that an endpoint reaches do to the database.
func (r *reader) accesses(e *Endpoint) {
	seen := map[*resolve.Node]bool{}
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		r.accessesOf(e, s.Node, seen, 0)
	}
}

func (r *reader) accessesOf(e *Endpoint, n *resolve.Node, seen map[*resolve.Node]bool, depth int) {
	if n == nil || seen[n] || depth > maxDepth || n.IsType() {
		return
	}
	seen[n] = true
	held := r.rows(n)
	for c := range r.CallsIn(n.File, n.StartLine, n.EndLine) {
		for _, a := range r.access(c, held) {
			if !slices.ContainsFunc(e.Stored, func(b Access) bool { return b.Verb == a.Verb && b.Table == a.Table }) {
				e.Stored = append(e.Stored, a)
			}
		}
		if row := r.rowOf(c); row.model != "" && c.To != "" {
			held[c.To] = row
		}
	}
	for _, u := range r.Links.Calls(n) {
		r.accessesOf(e, u.To, seen, depth+1)
	}
}

// row is an object of a model.
type row struct {
	model string
	made  bool // it is new, not read
}

// rows returns the rows that the parameters of a function have by their types.
func (r *reader) rows(n *resolve.Node) map[string]row {
	out := map[string]row{}
	if s := r.Symbol(n); s != nil {
		for _, param := range s.Params {
			if r.isModel(Last(param.Type)) {
				out[param.Name] = row{model: Last(param.Type)}
			}
		}
	}
	return out
}

// makers are the methods of models that make a new object without storing it.
var makers = []string{"model_validate", "from_orm", "parse_obj"}

// rowOf returns the row that a call makes or reads.
func (r *reader) rowOf(c Call) row {
	model := r.modelIn(c)
	head, _, _ := strings.Cut(c.Value.Text, "(")
	return row{model, head == model || slices.Contains(makers, Last(head))}
}

// access returns what a call does to the database. Held are the rows in variables.
func (r *reader) access(c Call, held map[string]row) []Access {
	var out []Access
	for i := range c.Value.Args {
		if text, ok := r.Text(c.File.Path, &c.Value.Args[i]); ok {
			out = append(out, sqlAccess(text, c.Place())...)
		}
	}
	_, name := c.Of()
	verb := modelVerbs[name]
	of := r.rowOf(c)
	if of.model == "" && verb != "" {
		of = storedRow(c, held)
	}
	if of.model == "" || of.made && verb == "" {
		return out
	}
	switch name {
	case "save", "add", "add_all", "merge":
		if verb = Updates; of.made {
			verb = Inserts
		}
	}
	return append(out, Access{cmp.Or(verb, Reads), r.table(of.model), c.Place()})
}

// storedRow returns the row in a variable that a call stores or deletes: article.delete(), session.add(article).
func storedRow(c Call, held map[string]row) row {
	receiver, _ := c.Of()
	if of := held[receiver]; of.model != "" {
		return of
	}
	if first := c.Value.Arg(0); first != nil && strings.HasSuffix(receiver, "session") {
		return held[first.Text]
	}
	return row{}
}

// modelIn returns the model whose objects a call makes or asks for: Model(…), Model.objects.filter(…), Model.query.get(…),
// select(Model), session.get(Model, …); "" for none.
func (r *reader) modelIn(c Call) string {
	head, _, _ := strings.Cut(c.Value.Text, "(")
	first, rest, _ := strings.Cut(head, ".")
	if r.isModel(first) {
		asks := strings.HasPrefix(rest, "objects") || strings.HasPrefix(rest, "query") || modelVerbs[rest] != "" || slices.Contains(makers, rest)
		if rest == "" || asks {
			return first
		}
	}
	switch name := Last(head); name {
	case "select", "insert", "update", "delete", "query", "get", "exists", "get_object_or_404":
		if v := c.Value.Arg(0); v != nil && v.Kind == code.ValueName {
			if model, _, _ := strings.Cut(v.Text, "."); r.isModel(model) {
				return model
			}
		}
	}
	return ""
}

// modelBases are the classes of object-relational mappers that models are derived from.
var modelBases = []string{"Model", "SQLModel", "DeclarativeBase", "Base", "AbstractBaseUser", "AbstractUser", "MPTTModel"}

// isModel reports whether a name is that of a class of the project whose objects are rows.
func (r *reader) isModel(name string) bool { return name != "" && r.isModelBelow(name, 0) }

func (r *reader) isModelBelow(name string, depth int) bool {
	if depth > maxSteps {
		return false
	}
	return slices.ContainsFunc(r.classes[name], func(c Class) bool {
		if _, ok := r.attribute(&c, "__tablename__"); ok {
			return true
		}
		return slices.ContainsFunc(c.Symbol.Bases, func(b string) bool {
			base, option, _ := strings.Cut(b, "=")
			return Last(base) != "SQLModel" && slices.Contains(modelBases, Last(base)) || option != "" || r.isModelBelow(Last(base), depth+1)
		})
	})
}

// table returns the table of a model, if its class names it, or else the model.
func (r *reader) table(model string) string {
	for i := range r.classes[model] {
		c := &r.classes[model][i]
		if v, ok := r.attribute(c, "__tablename__"); ok && v.Kind == code.ValueString {
			return v.Text
		}
		for _, b := range r.bindings["db_table"] {
			if b.File == c.File && strings.HasPrefix(b.In, c.Path+".Meta") && b.Value.Kind == code.ValueString {
				return b.Value.Text
			}
		}
	}
	return model
}
