package question

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// relation is a relation between symbols, with the words for it.
type relation struct {
	rule string
	// The concepts for it: "calls", "called", and the nouns for both ends. "|" separates alternatives.
	active, passive, subjectNouns, objectNouns string
	nounForms                                  string // the concept that as a noun denotes the objects: "the imports of"
	types                                      string // edge types, as in Cypher
	subject, object                            string // column names of the two ends
	label                                      string // label of the subject; "" for any
	subjectLabels                              string // default labels if the subjects are requested
	objectLabels                               string // the same for the objects; "" for natural
	members                                    bool   // a type includes the relations of its methods
	walk                                       int    // default number of steps; 0 for one edge
	closure                                    bool   // the subjects of a named object are those in any number of steps
	crossFile                                  bool   // ignore relations within one file
	condition                                  string // condition on the subject
}

const anyUse = "CALLS|REFERENCES|INHERITS|IMPLEMENTS"

// relations are looked for in this order.
var relations = []relation{
	{
		rule: "impact", active: "impact", subjectNouns: "impact", types: anyUse + "|OVERRIDES",
		subject: "dependent", object: "changed", subjectLabels: callableLabels + "|Class", members: true, walk: 5, crossFile: true,
	},
	{
		rule: "tests", active: "cover", passive: "tested", types: "CALLS", subject: "test", object: "tested",
		subjectLabels: callableLabels, members: true, walk: 3, condition: "n.is_test = true",
	},
	{
		rule: "overrides", active: "override", passive: "overridden", types: "OVERRIDES",
		subject: "overriding", object: "overridden", subjectLabels: callableLabels, members: true,
	},
	{
		rule: "inheritance", active: "inherit|implement", passive: "inherited|implemented", subjectNouns: "subclass|implementer", objectNouns: "superclass",
		types: "INHERITS|IMPLEMENTS", subject: "child", object: "base", subjectLabels: typeLabels, closure: true,
	},
	{
		rule: "imports", active: "import", nounForms: "import", passive: "imported", subjectNouns: "importer", types: "IMPORTS",
		subject: "importer", object: "imported", label: "Module", subjectLabels: "Module|File", objectLabels: importedLabels + "|File",
	},
	{
		rule: "calls", active: "call", passive: "called", nounForms: "call", subjectNouns: "caller", objectNouns: "callee", types: "CALLS",
		subject: "caller", object: "callee", subjectLabels: callableLabels, members: true,
	},
	{
		rule: "uses", active: "use", passive: "used", types: anyUse,
		subject: "user", object: "used", subjectLabels: callableLabels + "|Class", members: true, crossFile: true,
	},
	{
		rule: "dependencies", active: "depend", nounForms: "depend", subjectNouns: "dependent", objectNouns: "dependency", types: anyUse + "|IMPORTS",
		subject: "dependent", object: "dependency", subjectLabels: codeLabels + "|Module", members: true, crossFile: true,
	},
}

// shape is a way to phrase a relation. V stands for the active concept, P for the passive, A and B for the nouns of
// the subject and object, N for the noun of the objects.
type shape struct {
	text  string
	roles string // roles of its names in order: s for the subject, o for the object; "-" asks for the objects of any subject
}

// shapes are tried in this order.
var shapes = []shape{
	// "the imports of a.py", "what imports does a.py have", "a.py's imports"
	{"N of $|/", "s"},
	{"N aux $|/ with?", "s"},
	{"$|/ own N", "s"},
	{"$|/ own? with what N", "s"},
	// "parse_config 的引用", "Repository 有哪些实现"
	{"$|/ own V", "o"},
	{"$|/ own? with what V", "o"},
	// "is A a subclass of B", "does a call b"
	{"$|/ A of $|/", "so"},
	{"$|/ V to|of|from|by? $|/", "so"},
	// "is b called by a", "b 被 a 调用"
	{"$|/ be? P by $|/", "os"},
	{"$|/ by $|/ V|P", "os"},
	// "callees of a", "a's callees", "what callees does a have"
	{"B of|to $|/", "s"},
	{"$|/ own? with? what? B", "s"},
	{"B with? aux? $|/ aux? with?", "s"},
	// the same for callers
	{"A of|to $|/", "o"},
	{"$|/ own? with? what? A", "o"},
	{"what A with? aux? $|/", "o"},
	// "called by a", "calls from a", "被 a 调用的"
	{"P|V from|by|in|own $|/", "s"},
	{"by $|/ own? V|P", "s"},
	// "b 被谁调用", "where is b called", "which functions call b", "uses of b"
	{"$|/ in? by .. V|P", "o"},
	{"$|/ where P|V", "o"},
	{"$|/ in? what? .. be? P", "o"},
	{"P|V own? to|of|in? $|/", "o"},
	// "what does a call", "a 调用了什么"
	{"aux $|/ .. V", "s"},
	{"$|/ own? in? aux? what? kind? V", "s"},
	// "calls the thing b"
	{"A|V .. $|/", "o"},
	// without a name: "overridden methods", "classes that implement an interface"
	{"P|B", "-"},
	{"V|A", ""},
}

// forms are the patterns of each relation.
var forms = sync.OnceValue(compileRelations)

func compileRelations() [][]pattern {
	out := make([][]pattern, len(relations))
	for i := range relations {
		for _, s := range shapes {
			out[i] = append(out[i], relations[i].compile(s.text))
		}
	}
	return out
}

// compile substitutes the concepts of a relation in a shape. A missing concept never matches.
func (v *relation) compile(shape string) pattern {
	concepts := strings.NewReplacer("V", orNone(v.active), "P", orNone(v.passive), "A", orNone(v.subjectNouns), "B", orNone(v.objectNouns), "N", orNone(v.nounForms))
	return compile(concepts.Replace(shape))
}

func orNone(concepts string) string {
	if concepts == "" {
		return "-"
	}
	return concepts
}

// relation builds the query for the relation that a question is about; nil if there is none.
func (r *reading) relation() *query {
	r.coverage()
	for i := range relations {
		v := &relations[i]
		for j, s := range shapes {
			taken, ok := r.take(forms()[i][j])
			if !ok {
				continue
			}
			if s.roles == "" || s.roles == "-" {
				r.drop("path") // "all inheritance relationships"
			}
			if v.walk > 0 { // may be repeated: "what breaks if I change"
				r.drop(v.active, "dependent")
			}
			names := slices.DeleteFunc(taken, func(t token) bool { return t.is != "$" && t.is != "/" })
			return r.related(v, names, s.roles)
		}
	}
	return nil
}

// coverage converts the concept of overriding to testing where tests are mentioned.
func (r *reading) coverage() {
	for i := range r.tokens {
		if t := &r.tokens[i]; t.is == "override" && strings.Contains(t.text, "覆盖") && hasKind(r.tokens, "test") {
			t.is = "cover"
		}
	}
}

// drop removes tokens with the concepts.
func (r *reading) drop(concepts ...string) {
	r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return slices.Contains(concepts, t.is) })
}

// related builds the query for a relation, some of whose ends are named.
func (r *reading) related(v *relation, names []token, roles string) *query {
	subject, object := token{}, token{}
	for i, name := range names {
		name.module = v.rule == "imports"
		if i < len(roles) && roles[i] == 's' {
			subject = name
		} else {
			object = name
		}
	}
	depth := r.depth
	if depth == 0 {
		depth = v.walk
	}
	if roles == "-" || subject.is != "" && object.is == "" {
		q := v.objects(subject, depth)
		r.restrictObjects(q, v)
		return q
	}
	if object.is != "" {
		depth = cmp.Or(r.stepsTo(v), depth)
	}
	q := v.subjects(object, depth)
	if v.closure && depth > 0 {
		q.where = append(q.where, embeddingHides(v.object))
	}
	if subject.is != "" {
		q.and(subject, "n")
	}
	r.restrictSubjects(q, v, depth)
	if r.has("times") && depth == 0 {
		r.drop("times")
		q.total = "sum(r.count)"
	}
	return q
}

// anyDepth is the number of steps that are followed where any number is meant.
const anyDepth = 20

// stepsTo returns the number of steps to a named object of a relation; 0 for one edge.
func (r *reading) stepsTo(v *relation) int {
	if v.closure && r.depth == 0 && !r.direct {
		return anyDepth
	}
	return r.depth
}

// embeddingHides returns the condition that a path from n to a base means what it says. In Go a struct that embeds a
// type may hide methods of it, so that it does not implement its interfaces; but those that it does implement are all
// one step away.
func embeddingHides(base string) string {
	return fmt.Sprintf("(n.language <> 'go' OR n:Interface OR NOT %[1]s:Interface OR exists((n)-[:IMPLEMENTS]->(%[1]s)))", base)
}

// restrictObjects adds the requested kinds of the objects, if they are not the default.
func (r *reading) restrictObjects(q *query, v *relation) {
	labels, conditions := r.kindsAsked()
	if !among(labels, cmp.Or(v.objectLabels, v.subjectLabels)) {
		q.labels = labels
	}
	if v.rule == "imports" && (r.has("external") || r.has("library")) {
		r.drop("external", "library")
		q.labels = "ExternalPackage"
	}
	q.where = append(q.where, conditions...)
}

// edge returns the pattern of a relation's edges.
func (v *relation) edge(depth int) string {
	if depth > 0 {
		return fmt.Sprintf("-[:%s*1..%d]->", v.types, depth)
	}
	return "-[r:" + v.types + "]->"
}

// subjects returns the query for the subjects related to an object; to any, if object is zero.
func (v *relation) subjects(object token, depth int) *query {
	q := &query{rule: v.rule, labels: v.label, match: "(n)" + v.edge(depth) + "(" + v.object + ")"}
	if v.condition != "" {
		q.where = append(q.where, v.condition)
	}
	meant := v.object
	if v.members && object.isType() {
		meant = "owner"
		q.match += "<-[:DEFINES_METHOD*0..1]-(owner)"
	}
	if object.is != "" {
		q.and(object, meant)
	}
	if v.crossFile && object.is == "/" {
		q.where = append(q.where, "n.path <> "+meant+".path")
	}
	q.relate(v, depth, v.object, meant)
	if depth == 0 {
		q.order = []string{"path", "line", "qualified_name", v.object}
	}
	return q
}

// objects returns the query for the objects related to a subject.
func (v *relation) objects(subject token, depth int) *query {
	from := "(" + v.subject + ")"
	if v.label != "" {
		from = "(" + v.subject + ":" + v.label + ")"
	}
	q := &query{rule: v.rule + " of", match: from + v.edge(depth) + "(n)"}
	meant := v.subject
	if v.members && subject.isType() {
		meant = "owner"
		q.match = "(owner)-[:DEFINES_METHOD*0..1]->" + q.match
	}
	if subject.is != "" {
		q.and(subject, meant)
	}
	if v.crossFile && subject.is == "/" {
		q.where = append(q.where, "n.path <> "+meant+".path")
	}
	q.relate(v, depth, v.subject, meant)
	if depth == 0 {
		q.columns = append(q.columns, fmt.Sprintf("%[1]s.path AS %[1]s_path", v.subject))
		q.order = []string{v.subject, "line", "qualified_name"}
	}
	return q
}

// relate adds the columns for the relation and its other end.
func (q *query) relate(v *relation, depth int, other, meant string) {
	q.columns = slices.Clone(symbolColumns)
	if depth > 0 {
		q.distinct = true
		q.order = append(slices.Clone(symbolOrder), other)
	} else {
		q.columns = append(q.columns, "r.line AS line")
		if strings.Contains(v.types, "|") {
			q.columns = append(q.columns, "type(r) AS relation")
		}
	}
	if depth == 0 {
		meant = other
	}
	q.columns = append(q.columns, fmt.Sprintf("%s.qualified_name AS %s", meant, other))
}

// and adds the condition that a variable is the symbol of a name.
func (q *query) and(name token, variable string) {
	q.where = append(q.where, name.meant(variable))
	q.mean(name)
}

// restrictSubjects adds the requested kinds of the subjects, if they are not the default. A type calls what its methods call,
// a module what it contains.
func (r *reading) restrictSubjects(q *query, v *relation, depth int) {
	labels, conditions := r.kindsAsked()
	if among(labels, v.subjectLabels) {
		q.where = append(q.where, conditions...)
		return
	}
	holds := v.holding(labels)
	if holds == "" || depth > 0 {
		q.labels = labels
		q.where = append(q.where, conditions...)
		return
	}
	if r.pairs { // its members may do it to both objects
		r.tokens = append(r.tokens, token{is: "both"})
	}
	q.labels = strings.Replace(labels, "File", "Module", 1)
	q.where = append(q.where, conditions...)
	q.match = fmt.Sprintf("(n)-[:%s]->(%s)%s", holds, v.subject, strings.TrimPrefix(q.match, "(n)"))
	q.columns = append(q.columns, fmt.Sprintf("%[1]s.qualified_name AS %[1]s", v.subject))
	q.order = append(q.order, v.subject)
}

// holding returns the relationship from nodes with the labels to the members that are the subjects; "" if they are
// subjects themselves, or never.
func (v *relation) holding(labels string) string {
	switch {
	case v.label == "Module" && among(labels, folderLabels):
		return "CONTAINS_MODULE"
	case v.label != "" || !v.members:
		return ""
	case among(labels, typeLabels):
		return "DEFINES_METHOD"
	case among(labels, "Module|File"):
		return "DEFINES|DEFINES_METHOD*0..3"
	case among(labels, folderLabels):
		return "CONTAINS_MODULE|DEFINES|DEFINES_METHOD*1..4"
	}
	return ""
}

// among reports whether all labels are among others.
func among(labels, others string) bool {
	if labels == "" {
		return true
	}
	all := strings.Split(others, "|")
	for label := range strings.SplitSeq(labels, "|") {
		if !slices.Contains(all, label) {
			return false
		}
	}
	return true
}
