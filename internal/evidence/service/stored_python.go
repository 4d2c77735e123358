package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// modelVerbs are what the methods of models and queries do; others read.
var modelVerbs = map[string]string{
	"create": Inserts, "get_or_create": Inserts, "update_or_create": Inserts, "bulk_create": Inserts, "insert": Inserts, "add": Inserts, "add_all": Inserts,
	"update": Updates, "bulk_update": Updates, "delete": Deletes, "save": Updates, "merge": Updates,
}

// pythonModel reads the calls of SQLAlchemy and Django. A session of SQLAlchemy writes at its commit, together.
func (w *accessWalk) pythonModel(c Call, held map[string]row) (Access, bool) {
	receiver, name := c.Of()
	if table := w.coreTable(c, receiver); table != "" && coreVerbs[name] != "" {
		return Access{Verb: coreVerbs[name], Table: table, driver: "sqlalchemy"}, true
	}
	verb := modelVerbs[name]
	of := w.rowOf(c, held)
	if of.model == "" && verb != "" {
		of = storedRow(c, held)
	}
	if of.model == "" || of.made && verb == "" {
		return Access{}, false
	}
	switch name {
	case "save", "add", "add_all", "merge":
		if verb = Updates; of.made {
			verb = Inserts
		}
	}
	a := Access{Verb: cmp.Or(verb, Reads), Table: w.table(of.model), driver: "sqlalchemy", Upsert: name == "get_or_create" || name == "update_or_create"}
	if w.framework.Name == "Django" {
		a.driver, a.Alone = "django", !w.atomicRequests()
	}
	return a, true
}

// coreVerbs are what methods of a table of SQLAlchemy Core make a statement of.
var coreVerbs = map[string]string{"insert": Inserts, "update": Updates, "delete": Deletes, "select": Reads}

// coreTable returns the name of the table that a variable of the project holds: followers = sa.Table("followers", …); "" for none.
func (w *accessWalk) coreTable(c Call, variable string) string {
	if variable == "" || strings.ContainsAny(variable, "()") {
		return ""
	}
	b, ok := w.bound(c.File.Path, &code.Value{Kind: code.ValueName, Text: variable, Line: c.Line})
	if !ok || b.Value.Kind != code.ValueCall || Last(b.Value.Text) != "Table" {
		return ""
	}
	name, _ := w.Text(b.File.Path, b.Value.Arg(0))
	return name
}

// atomicRequests reports whether the settings of Django put each request into a transaction.
func (w *accessWalk) atomicRequests() bool {
	return slices.ContainsFunc(w.bindings["DATABASES"], func(b Bound) bool {
		found := false
		b.Value.All(func(v *code.Value) bool {
			found = found || v.Name == "ATOMIC_REQUESTS" && v.Text == "True"
			return !found
		})
		return found
	})
}

// namedQuery returns what the query does that a call names and a file of SQL holds: queries.create_user(conn, …).
func (w *accessWalk) namedQuery(c Call) []Access {
	receiver, name := c.Of()
	if w.Tables == nil || !strings.HasSuffix(Last(receiver), "queries") {
		return nil
	}
	q, ok := w.Tables.Queries[name]
	if !ok {
		return nil
	}
	list := sqlAccess(q.Text, Place(q.At))
	for i := range list {
		list[i].Table = w.tableName(list[i].Table)
		list[i].Alone, list[i].driver = w.commits("python")
	}
	return list
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
