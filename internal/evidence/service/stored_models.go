package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// row is an object of a model.
type row struct {
	model string
	made  bool // it is new, not read
}

// mappers read the calls of object-relational mappers, by language. They return what a call does.
var mappers = map[string][]func(w *accessWalk, c Call, held map[string]row) (Access, bool){
	"python":     {(*accessWalk).pypika, (*accessWalk).pythonModel},
	"ruby":       {(*accessWalk).activeRecord},
	"php":        {(*accessWalk).pivot, (*accessWalk).eloquent},
	"typescript": {(*accessWalk).prisma, (*accessWalk).repository},
	"javascript": {(*accessWalk).prisma},
	"java":       {(*accessWalk).repository},
	"kotlin":     {(*accessWalk).repository},
	"csharp":     {(*accessWalk).dataSet},
	"go":         {(*accessWalk).gorm},
}

// access returns what a call does to the database. Held are the rows in variables.
func (w *accessWalk) access(c Call, held map[string]row) []Access {
	var out []Access
	for i := range c.Value.Args {
		out = append(out, w.statements(c, &c.Value.Args[i])...)
	}
	if c.File.Language == "python" {
		out = append(out, w.namedQuery(c)...)
	}
	for _, read := range mappers[c.File.Language] {
		if a, ok := read(w, c, held); ok {
			a.Table, a.At = w.tableName(a.Table), c.Place()
			return append(out, a)
		}
	}
	return out
}

// statements returns what the SQL statements in an argument do.
func (w *accessWalk) statements(c Call, v *code.Value) []Access {
	var out []Access
	v.All(func(part *code.Value) bool {
		text, ok := "", part.Kind == code.ValueString
		switch {
		case ok:
			text = part.Text
		case part == v && part.Kind == code.ValueName:
			text, ok = w.Text(c.File.Path, part)
		}
		if ok {
			for _, a := range sqlAccess(text, Place{c.File.Path, cmp.Or(part.Line, c.Line)}) {
				a.Table = w.tableName(a.Table)
				a.Alone, a.driver = w.commits(c.File.Language)
				out = append(out, a)
			}
		}
		return true
	})
	return out
}

// commits reports whether a statement of SQL in a language takes effect by itself, and the driver that runs it, if it is known.
func (w *accessWalk) commits(language string) (alone bool, driver string) {
	if language != "python" {
		return language == "go" || language == "rust", ""
	}
	if w.importsAny("python", "asyncpg") {
		return true, "asyncpg"
	}
	return false, ""
}

// importsAny reports whether a file of a language imports a module.
func (p *Project) importsAny(language, module string) bool {
	return slices.ContainsFunc(p.Files, func(f *code.File) bool {
		return f.Language == language && slices.ContainsFunc(f.Imports, func(i code.Import) bool {
			return i.Module == module || strings.HasPrefix(i.Module, module+".")
		})
	})
}

// tableName returns the name of a table in the schema, if it is known.
func (r *reader) tableName(name string) string {
	if t := r.Tables.Of(name); t != nil {
		return t.Name
	}
	return name
}

// rows returns the rows that the parameters of a function have: by their types, or of parameters of any type by what the call
// gives to them.
func (w *accessWalk) rows(n *resolve.Node, call resolve.Call) map[string]row {
	out := map[string]row{}
	s := w.Symbol(n)
	if s == nil {
		return out
	}
	for i, param := range s.Params {
		name := strings.TrimPrefix(param.Name, "$")
		if model := Last(strings.Trim(param.Type, "*?&")); w.isModel(model) {
			out[name] = row{model: model}
		} else if slices.Contains(anyTypes, param.Type) && i < len(call.Given) && len(call.Given[i]) == 1 && w.isModel(call.Given[i][0].Name) {
			out[name] = row{model: call.Given[i][0].Name}
		}
	}
	return out
}

// anyTypes are the types of parameters that take a value of any type.
var anyTypes = []string{"interface{}", "any"}

// hold notes the row that a call makes or reads, in the variable that it is given to.
func (w *accessWalk) hold(c Call, held map[string]row) {
	if c.To == "" {
		return
	}
	of := w.rowOf(c, held)
	if of.model == "" {
		return
	}
	name := strings.TrimPrefix(c.To, "$")
	held[name] = of
	if strings.HasPrefix(name, "@") {
		w.held[name] = of
	}
}

// holdChosen notes the row in a variable that is given the result of a call or else something: post = get(Post, id) or abort(404).
func (w *accessWalk) holdChosen(body *code.Body, c Call, held map[string]row) {
	if c.To != "" || c.Within != 0 || body == nil {
		return
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtAssign || s.Line != c.Line || s.Value == nil || s.Value.Kind != code.ValueOther || len(s.Value.Args) < 2 || s.Value.Args[0].Text != c.Value.Text {
			return
		}
		if of := w.rowOf(c, held); of.model != "" && !strings.ContainsAny(s.Text, ",.[") {
			held[strings.TrimPrefix(s.Text, "$")] = of
		}
	})
}

// makers are methods that make a new object without storing it.
var makers = []string{"model_validate", "from_orm", "parse_obj", "new", "build", "make"}

// rowOf returns the row that a call makes or reads.
func (w *accessWalk) rowOf(c Call, held map[string]row) row {
	_, name := c.Of()
	switch c.File.Language {
	case "python":
		model := w.modelIn(c)
		head, _, _ := strings.Cut(c.Value.Text, "(")
		return row{model, head == model || slices.Contains(makers, Last(head))}
	case "ruby", "php":
		if w.isModel(c.Value.Text) { // new Article(…)
			return row{c.Value.Text, true}
		}
		if c.File.Language == "php" && signedIn(c) && (w.isModel("User") || len(w.classes["User"]) > 0) {
			return row{model: "User"}
		}
		if verbOf(modelMethods[c.File.Language], name) == "" && !slices.Contains(makers, name) {
			return row{}
		}
		model, _ := w.chained(c, held)
		return row{model, slices.Contains(makers, name)}
	default:
		if w.isModel(Last(c.Value.Text)) && !strings.Contains(c.Value.Text, ".") {
			return row{c.Value.Text, true}
		}
		if model := w.repositoryOf(c); model != "" {
			return row{model: model}
		}
		return row{}
	}
}

// isModel reports whether a name is that of a class of the project whose objects are rows.
func (r *reader) isModel(name string) bool {
	if name == "" {
		return false
	}
	if t := r.Tables.Of(name); t != nil && t.Model == name {
		return true
	}
	return r.isModelBelow(name, 0)
}

// modelMethods are what methods of models, relations and rows do, by language. A name that ends in an asterisk is a prefix.
var modelMethods = map[string]map[string]string{
	"ruby": {
		"create": Inserts, "create!": Inserts, "find_or_create_by": Inserts, "find_or_create_by!": Inserts, "create_or_find_by": Inserts, "insert": Inserts, "insert!": Inserts,
		"insert_all": Inserts, "upsert": Inserts, "upsert_all": Inserts, "save": Updates, "save!": Updates, "update": Updates, "update!": Updates, "update_all": Updates,
		"update_attribute": Updates, "update_attributes": Updates, "update_column": Updates, "update_columns": Updates, "increment!": Updates, "decrement!": Updates, "toggle!": Updates,
		"touch": Updates, "destroy": Deletes, "destroy!": Deletes, "destroy_all": Deletes, "delete": Deletes, "delete_all": Deletes, "destroy_by": Deletes, "delete_by": Deletes,
		"find": Reads, "find_by": Reads, "find_by!": Reads, "where": Reads, "all": Reads, "first": Reads, "first!": Reads, "last": Reads, "count": Reads, "exists?": Reads, "includes": Reads,
		"joins": Reads, "pluck": Reads, "take": Reads, "find_each": Reads, "order": Reads, "find_by_*": Reads, "order_by": Reads,
	},
	"php": {
		"create": Inserts, "firstOrCreate": Inserts, "updateOrCreate": Inserts, "insert": Inserts, "insertGetId": Inserts, "upsert": Inserts, "insertOrIgnore": Inserts, "createMany": Inserts,
		"forceCreate": Inserts, "save": Updates, "saveOrFail": Updates, "update": Updates, "push": Updates, "increment": Updates, "decrement": Updates, "touch": Updates, "delete": Deletes,
		"destroy": Deletes, "forceDelete": Deletes, "truncate": Deletes, "find": Reads, "findOrFail": Reads, "first": Reads, "firstOrFail": Reads, "firstWhere": Reads, "get": Reads, "all": Reads,
		"paginate": Reads, "simplePaginate": Reads, "count": Reads, "exists": Reads, "pluck": Reads, "where*": Reads, "with": Reads, "latest": Reads, "query": Reads, "sole": Reads,
	},
}

// verbOf returns what a method does; "" if that is not known.
func verbOf(table map[string]string, name string) string {
	if verb := table[name]; verb != "" {
		return verb
	}
	longest, verb := "", ""
	for pattern, v := range table {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok && len(prefix) > len(longest) && strings.HasPrefix(name, prefix) {
			longest, verb = prefix, v
		}
	}
	return verb
}

// activeRecord reads Article.find_by(…), current_user.articles.create(…), @article.save.
func (w *accessWalk) activeRecord(c Call, held map[string]row) (Access, bool) {
	return w.rowMethod(c, held, "rails")
}

// eloquent reads Article::where(…), $user->articles()->create(…), $article->delete().
func (w *accessWalk) eloquent(c Call, held map[string]row) (Access, bool) {
	return w.rowMethod(c, held, "laravel")
}

// rowMethod reads the call of a method of a model, a relation or a row. Each takes effect by itself.
func (w *accessWalk) rowMethod(c Call, held map[string]row, driver string) (Access, bool) {
	_, name := c.Of()
	verb := verbOf(modelMethods[c.File.Language], name)
	if verb == "" || c.Mark {
		return Access{}, false
	}
	model, made := w.chained(c, held)
	if model == "" {
		return Access{}, false
	}
	if made && strings.HasPrefix(name, "save") {
		verb = Inserts
	}
	upsert := strings.Contains(strings.ToLower(name), "upsert") || name == "insertOrIgnore" || strings.Contains(strings.ToLower(strings.ReplaceAll(name, "_", "")), "orcreate") || name == "create_or_find_by"
	return Access{Verb: verb, Table: model, Alone: true, Upsert: upsert, driver: driver}, true
}

// chained returns the model whose rows the receiver of a call holds: of its parts the last one that names a relation, a row in a
// variable or a model.
func (w *accessWalk) chained(c Call, held map[string]row) (model string, made bool) {
	parts := chainParts(c.Value.Text)
	methods := modelMethods[c.File.Language]
	for i := len(parts) - 2; i >= 0; i-- {
		part := strings.TrimPrefix(parts[i], "$")
		switch row := cmp.Or(held[part], w.held[part]); {
		case i > 0 && !w.isQueryPart(part, methods):
			return "", false // a relation that is not known, or what is no query
		case row.model != "":
			return row.model, row.made
		case slices.Contains(makers, part):
			made = true
		case i > 0 && w.relation(part) != "":
			return w.relation(part), made
		case i == 0 && part == "new", i == 0 && w.isModel(Last(part)):
			return Last(part), made
		}
	}
	return "", false
}

// isQueryPart reports whether a part of a chain is a relation or a method of queries.
func (w *accessWalk) isQueryPart(part string, methods map[string]string) bool {
	return w.Tables.Of(part) != nil || verbOf(methods, part) != "" || slices.Contains(makers, part) || queryParts[part]
}

// relation returns the model of a relation that is named as its table; "" for none.
func (w *accessWalk) relation(part string) string {
	if t := w.Tables.Of(part); t != nil && part == strings.ToLower(part) {
		return t.Model
	}
	return ""
}

// queryParts are methods of queries between the model and what is asked of it, besides those that are known to read.
var queryParts = map[string]bool{
	"limit": true, "offset": true, "group": true, "having": true, "distinct": true, "lock": true, "select": true, "not": true, "unscoped": true, "reorder": true, "eager_load": true, "preload": true,
	"orderBy": true, "take": true, "skip": true, "whereHas": true, "withTrashed": true, "newQuery": true, "when": true, "has": true, "groupBy": true, "or": true, "left_joins": true, "reload": true,
}

// chainParts splits a chain of members and calls, without the arguments: "auth().user().articles" is auth, user, articles.
func chainParts(text string) []string {
	var out []string
	from, depth := 0, 0
	add := func(to int) {
		part, _, _ := strings.Cut(text[from:to], "(")
		out = append(out, strings.Trim(part, " ?!-:\n\t"))
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth == 0 && (c == '.' || strings.HasSuffix(text[:i+1], "->") || strings.HasPrefix(text[i:], "::")):
			add(i)
			from = i + 1
		}
	}
	add(len(text))
	return out
}

// prismaMethods are what the methods of Prisma's delegates do.
var prismaMethods = map[string]string{
	"create": Inserts, "createMany": Inserts, "createManyAndReturn": Inserts, "upsert": Inserts, "update": Updates, "updateMany": Updates, "delete": Deletes, "deleteMany": Deletes,
	"findUnique": Reads, "findUniqueOrThrow": Reads, "findFirst": Reads, "findFirstOrThrow": Reads, "findMany": Reads, "count": Reads, "aggregate": Reads, "groupBy": Reads,
}

// prisma reads prisma.article.create({ … }).
func (w *accessWalk) prisma(c Call, _ map[string]row) (Access, bool) {
	parts := chainParts(c.Value.Text)
	if len(parts) < 3 || !w.usesPrisma() {
		return Access{}, false
	}
	verb, model := prismaMethods[parts[len(parts)-1]], parts[len(parts)-2]
	t := w.Tables.Of(strings.ToUpper(model[:min(1, len(model))]) + model[min(1, len(model)):])
	if verb == "" || t == nil || !strings.HasSuffix(t.At.File, ".prisma") {
		return Access{}, false
	}
	return Access{Verb: verb, Table: t.Name, Alone: true, Upsert: parts[len(parts)-1] == "upsert", Unordered: verb == Reads && page(c.Value.Arg(0)), driver: "prisma"}, true
}

func (w *accessWalk) usesPrisma() bool {
	return w.importsAny("typescript", "@prisma/client") || w.importsAny("javascript", "@prisma/client")
}

// repositoryMethods are what the methods of repositories do: of TypeORM, MikroORM, Spring Data. Names in the order in which they
// are tried.
var repositoryMethods = []struct{ prefix, verb string }{
	{"save", Updates},
	{"insert", Inserts},
	{"upsert", Inserts},
	{"persist", Updates},
	{"update", Updates},
	{"increment", Updates},
	{"decrement", Updates},
	{"softDelete", Updates},
	{"restore", Updates},
	{"delete", Deletes},
	{"remove", Deletes},
	{"nativeDelete", Deletes},
	{"nativeUpdate", Updates},
	{"find", Reads},
	{"get", Reads},
	{"count", Reads},
	{"exists", Reads},
	{"exist", Reads},
	{"query", Reads},
	{"read", Reads},
	{"search", Reads},
	{"createQueryBuilder", Reads},
}

// repository reads this.articleRepository.findOne(…), also in Java and Kotlin.
func (w *accessWalk) repository(c Call, held map[string]row) (Access, bool) {
	model := w.repositoryOf(c)
	if model == "" {
		return Access{}, false
	}
	_, name := c.Of()
	for _, m := range repositoryMethods {
		rest, ok := strings.CutPrefix(name, m.prefix)
		if !ok || rest != "" && strings.ToLower(rest[:1]) == rest[:1] {
			continue
		}
		a := Access{Verb: m.verb, Table: model, Alone: true, Upsert: m.prefix == "upsert", driver: "typeorm"}
		if c.File.Language != "typescript" {
			a.driver = "spring"
		}
		if (m.prefix == "save" || m.prefix == "persist") && w.isNew(c.Value.Arg(0), held) {
			a.Verb = Inserts
		}
		a.Unordered = a.Verb == Reads && c.File.Language == "typescript" && page(c.Value.Arg(0))
		return a, true
	}
	return Access{}, false
}

// isNew reports whether a value is a new row: one that is made here, or in a variable that holds one.
func (w *accessWalk) isNew(v *code.Value, held map[string]row) bool {
	return v != nil && (held[v.Text].made || v.Kind == code.ValueCall && w.isModel(firstPart(v.Text)))
}

// firstPart returns the class in User.of and new User.
func firstPart(text string) string {
	text, _, _ = strings.Cut(text, ".")
	return text
}

// repositoryOf returns the model of the repository in the receiver of a call, by the type of the field that holds it; "" for none.
func (w *accessWalk) repositoryOf(c Call) string {
	receiver, _ := c.Of()
	receiver = strings.TrimPrefix(receiver, "this.")
	if receiver == "" || strings.ContainsAny(receiver, ".( ") {
		return ""
	}
	owner, _ := CutLast(c.In)
	s := w.symbols[c.File.Path][owner]
	if s == nil {
		return ""
	}
	for i := range s.Members {
		if m := &s.Members[i]; m.Name == receiver && m.Kind == code.Property {
			return w.repositoryModel(m.Returns, 0)
		}
	}
	for i := range s.Params { // of the constructor of a class of Kotlin
		if s.Params[i].Name == receiver {
			return w.repositoryModel(s.Params[i].Type, 0)
		}
	}
	return ""
}

// repositoryModel returns the model of a type: Repository<Article>, or an interface that extends JpaRepository<Article, Long>.
func (w *accessWalk) repositoryModel(typ string, depth int) string {
	head, rest, generic := strings.Cut(typ, "<")
	if generic && strings.HasSuffix(head, "Repository") {
		model, _, _ := strings.Cut(strings.TrimRight(rest, "> ?"), ",")
		if model = Last(strings.TrimSpace(model)); w.isModel(model) {
			return model
		}
	}
	if depth > 2 {
		return ""
	}
	for _, c := range w.classes[Last(head)] {
		for _, base := range c.Symbol.Bases {
			if model := w.repositoryModel(base, depth+1); model != "" {
				return model
			}
		}
	}
	return ""
}

// dataSetMethods are what the methods of Entity Framework's sets do; others read.
var dataSetMethods = map[string]string{
	"Add": Inserts, "AddAsync": Inserts, "AddRange": Inserts, "AddRangeAsync": Inserts, "Update": Updates, "UpdateRange": Updates, "Attach": Updates, "Remove": Deletes, "RemoveRange": Deletes,
	"ExecuteDelete": Deletes, "ExecuteDeleteAsync": Deletes, "ExecuteUpdate": Updates, "ExecuteUpdateAsync": Updates,
}

// dataSet reads context.Articles.Add(article). What is written takes effect together, with SaveChanges.
func (w *accessWalk) dataSet(c Call, _ map[string]row) (Access, bool) {
	parts := chainParts(c.Value.Text)
	for i := 1; i < len(parts)-1; i++ {
		t := w.Tables.Of(parts[i])
		if t == nil || t.Model == "" || t.Name != parts[i] || !strings.HasSuffix(strings.ToLower(parts[i-1]), "context") && !strings.HasSuffix(strings.ToLower(parts[i-1]), "db") {
			continue
		}
		return Access{Verb: cmp.Or(dataSetMethods[parts[len(parts)-1]], Reads), Table: t.Name}, true
	}
	return Access{}, false
}

// gormMethods are what the methods of GORM that end a chain do.
var gormMethods = map[string]string{
	"Create": Inserts, "FirstOrCreate": Inserts, "Save": Updates, "Update": Updates, "Updates": Updates, "UpdateColumn": Updates, "UpdateColumns": Updates, "Delete": Deletes,
	"First": Reads, "Take": Reads, "Last": Reads, "Find": Reads, "Scan": Reads, "Count": Reads, "Pluck": Reads,
}

// gorm reads db.Where(…).First(&article), if the code shows of which type the argument or the model of the chain is.
func (w *accessWalk) gorm(c Call, held map[string]row) (Access, bool) {
	of, name := c.Of()
	verb := gormMethods[name]
	if verb == "" || of == "" || !w.importsGORM() {
		return Access{}, false
	}
	typed := w.Links.Call(c.File.Path, name, c.Line)
	if typed.On != "" && !strings.Contains(typed.On, "gorm") || typed.On == "" && w.ownCall(c, name) {
		return Access{}, false
	}
	model := w.givenModel(c, typed, held)
	for at := c.CallUse; at.After > 0 && model == ""; {
		at = &c.File.Bodies.Calls[at.After-1]
		if Last(at.Value.Text) == "Model" {
			model = w.givenModel(Call{c.File, at}, w.Links.Call(c.File.Path, "Model", at.Line), held)
		}
	}
	if model == "" {
		return Access{}, false
	}
	if name == "Save" && !w.hasRead(model) { // it inserts a row without a key
		verb = Inserts
	}
	return Access{Verb: verb, Table: model, Alone: true}, true
}

// hasRead reports whether the endpoint was seen to read a row of a model.
func (w *accessWalk) hasRead(model string) bool {
	table := w.tableName(model)
	return slices.ContainsFunc(w.endpoint.Stored, func(a Access) bool { return a.Table == table && (a.Verb == Reads || a.Upsert) })
}

// ownCall reports whether a call is of a function of the project.
func (w *accessWalk) ownCall(c Call, name string) bool {
	return slices.ContainsFunc(w.Links.Within(c.File.Path, c.Line, c.Line), func(u resolve.Use) bool {
		return u.Type == codegraph.Calls && u.Name == name
	})
}

// givenModel returns the model that a call is given: by its text, or by the type of an argument if the call is one of GORM.
func (w *accessWalk) givenModel(c Call, typed resolve.Call, held map[string]row) string {
	model := ""
	for i := range c.Value.Args {
		model = cmp.Or(model, w.gormModel(&c.Value.Args[i], held))
	}
	for _, types := range typed.Given {
		for _, n := range types {
			if model == "" && typed.On != "" && w.isModel(n.Name) {
				model = n.Name
			}
		}
	}
	return model
}

func (w *accessWalk) gormModel(v *code.Value, held map[string]row) string {
	switch {
	case v == nil:
	case v.Kind == code.ValueObject && w.isModel(Last(v.Text)):
		return Last(v.Text)
	case v.Kind == code.ValueName:
		return held[strings.TrimLeft(v.Text, "&*")].model
	}
	return ""
}

func (w *accessWalk) importsGORM() bool {
	return w.importsAny("go", "gorm.io/gorm") || w.importsAny("go", "github.com/jinzhu/gorm") || slices.ContainsFunc(w.Files, func(f *code.File) bool {
		return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.Contains(i.Module, "gorm") })
	})
}
