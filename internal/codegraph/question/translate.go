package question

import (
	"slices"
	"strconv"
	"strings"
)

// Translation is a question translated to Cypher.
type Translation struct {
	Cypher string
	Rule   string // the kind of question
	// Symbols are the names of symbols in the question: qualified names or suffixes of them.
	Symbols []string
	// Meanings are their meanings, parallel to Symbols.
	Meanings []Meaning
	Paths    []string // the files and folders in the question
	// Ignored are words that were not understood. They may change the meaning.
	Ignored []string
	// Left are the rows that the query leaves out because it is not sure of them.
	Left []Left
	// Limited is set if the question names the number of rows.
	Limited bool
}

// Left is a query that counts rows left out, and why they are.
type Left struct {
	Cypher string
	Why    Doubt
}

// Meaning is the meaning of a name in a question.
type Meaning struct {
	Clause string // Cypher that matches it as n
	Module bool   // it is an end of an import: a module, package or folder
}

// Limits of a question.
const (
	DefaultLimit = 50      // default number of rows
	MaxLimit     = 100_000 // maximum number of rows
	defaultDepth = 5       // default number of steps of a walk
	maxDepth     = 10
)

// translatePage translates a question in English or Chinese to Cypher; false if it is not of a supported kind (see
// [Kinds]). The rows have columns with the name, path and line of the results. The first skip rows are left out, and
// there are at most limit rows; 0 means [DefaultLimit], or the number given in the question.
func translatePage(question string, skip, limit int) (Translation, bool) {
	r := read(question)
	r.steps()
	found := found{labels: codeLabels}
	r.lengths(&found)
	limit = r.rows(limit)
	r.tops()
	q := r.path()
	if q == nil {
		q = r.holder()
	}
	r.filtered(&found)
	if q == nil {
		q = r.whole()
	}
	if q == nil {
		q = r.list(found)
	}
	if q == nil || !r.understood(q) {
		return Translation{}, false
	}
	q.where = distinct(slices.Concat(q.where, found.conditions))
	q.columns = distinct(slices.Concat(q.columns, found.columns))
	t := Translation{Cypher: q.cypher(r.counts, skip, limit), Rule: q.rule, Paths: q.paths, Ignored: r.unknown, Limited: r.limited}
	for at, l := range found.left {
		t.Left = append(t.Left, Left{q.with(at, l.condition).cypher(true, 0, 0), l.why})
	}
	for _, name := range append(q.symbols, found.symbols...) {
		if name.is == "/" {
			t.Paths = append(t.Paths, name.text)
		} else if !slices.Contains(t.Symbols, name.text) {
			t.Symbols, t.Meanings = append(t.Symbols, name.text), append(t.Meanings, name.meaning())
		}
	}
	return t, true
}

// steps reads the length of a walk.
func (r *reading) steps() {
	for _, p := range stepPatterns {
		if taken, ok := r.take(p); ok {
			n, _ := first(taken, "9")
			steps, err := strconv.Atoi(n.text)
			if err == nil && steps > 0 {
				r.depth = min(steps, maxDepth)
			}
		}
	}
	if r.has("direct") {
		r.drop("direct")
		r.direct = true
	}
	if r.has("transitive") {
		r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "transitive" })
		if r.depth == 0 {
			r.depth = defaultDepth
		}
	}
}

var stepPatterns = compileAll("to? in? most|first? 9 levels+ in?", "to? in? levels of|to|be? 9")

// lengths reads bounds on numbers of lines.
func (r *reading) lengths(out *found) {
	if taken, ok := r.take(lengthPattern); ok {
		n, _ := first(taken, "9")
		out.conditions = append(out.conditions, lines+" > "+n.text)
		out.columns = append(out.columns, lines+" AS lines")
		out.labels = callableLabels
	}
	if from, to, ok := r.find(overPattern); ok { // also ranks by lines
		n, _ := first(r.tokens[from:to], "9")
		r.over = n.text
		r.tokens = slices.Replace(r.tokens, from, to, token{is: "most"})
	}
}

// lines is the number of lines of a node.
const lines = "n.end_line - n.start_line + 1"

var (
	lengthPattern = compile("be|with? over 9 lines own?")
	overPattern   = compile("over 9")
)

// countsOfEach converts "how many methods per class" to a ranking of classes.
func (r *reading) countsOfEach() {
	if !r.has("per") {
		return
	}
	r.drop("per")
	for i, t := range r.tokens {
		if t.is == "count" {
			r.tokens = slices.Replace(r.tokens, i, i+1, token{is: "with"}, token{is: "most", text: t.text})
			return
		}
	}
}

// rows reads the requested number of rows.
func (r *reading) rows(limit int) int {
	taken, ok := r.take(rowPattern)
	if !ok {
		return orDefault(limit)
	}
	number, _ := first(taken, "9")
	n, err := strconv.Atoi(number.text)
	if err != nil || n <= 0 {
		return orDefault(limit)
	}
	if r.limited = limit <= 0 || n <= limit; r.limited {
		return min(n, MaxLimit)
	}
	return min(limit, MaxLimit)
}

// tops drops the redundant "top" of "the top 5 most called functions" and "the top functions with the most
// callers".
func (r *reading) tops() {
	first := slices.IndexFunc(r.tokens, func(t token) bool { return t.is == "most" && strings.EqualFold(t.text, "top") })
	if first >= 0 && slices.ContainsFunc(r.tokens[first+1:], func(t token) bool { return t.is == "most" || t.is == "biggest" }) {
		r.tokens = slices.Delete(r.tokens, first, first+1)
	}
}

var rowPattern = compile("first? 9")

func orDefault(limit int) int {
	if limit <= 0 {
		return DefaultLimit
	}
	return min(limit, MaxLimit)
}

// distinct removes duplicates.
func distinct(all []string) []string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// found is the result of the filters.
type found struct {
	conditions, columns []string
	symbols             []token
	labels              string           // default labels
	left                map[string]*left // by condition
}

// filtered reads the filters, which apply to any question.
func (r *reading) filtered(out *found) {
	for i := range filters {
		f := &filters[i]
		for {
			c, ok := f.take(r)
			if !ok {
				break
			}
			out.conditions = append(out.conditions, c)
			if f.left != nil {
				out.left = map[string]*left{c: f.left}
			}
			if f.column != "" {
				out.columns = append(out.columns, f.column)
			}
			if f.labels != "" {
				out.labels = f.labels
			}
		}
	}
	if c, name, ok := r.second(); ok {
		out.conditions, out.symbols = append(out.conditions, c), append(out.symbols, name)
	}
	for {
		c, names, ok := r.negated()
		if !ok {
			return
		}
		out.conditions, out.symbols = append(out.conditions, c), append(out.symbols, names...)
	}
}

// whole builds the query for everything but lists.
func (r *reading) whole() *query {
	r.count()
	for i := range rules {
		for _, p := range rules[i].patterns {
			before := slices.Clone(r.tokens)
			taken, ok := r.take(p)
			if !ok {
				continue
			}
			if q := rules[i].build(r, taken); q != nil {
				q.rule = rules[i].name
				return r.placed(q)
			}
			r.tokens = before
		}
	}
	place := r.place()
	q := r.ranked()
	if q == nil {
		q = r.relation()
	}
	if q == nil {
		return nil
	}
	if place.is != "" {
		q.where = append(q.where, place.within("n"))
	}
	return r.placed(q)
}

// place reads the location of the results, if the question also names something else: "functions in src/auth that
// call ...".
func (r *reading) place() token {
	if len(r.slots()) < 2 {
		return token{}
	}
	for _, p := range placePatterns {
		if from, to, ok := r.find(p); ok {
			place, _ := first(r.tokens[from:to], "$", "/")
			at := from + slices.IndexFunc(r.tokens[from:to], func(t token) bool { return t.is == place.is })
			r.tokens = slices.Delete(r.tokens, at, at+1)
			return place
		}
	}
	return token{}
}

var placePatterns = compileAll("kind in|of $|/", "$|/ in own? what|kind")

// placed adds the remaining locations to a query.
func (r *reading) placed(q *query) *query {
	for _, p := range leftPlaces {
		for {
			taken, ok := r.take(p)
			if !ok {
				break
			}
			name, _ := first(taken, "$", "/")
			q.where = append(slices.Clone(q.where), name.within("n"))
			if name.is == "/" {
				q.paths = append(q.paths, name.text)
			}
		}
	}
	return q
}

var leftPlaces = compileAll("in|of|from? / in?", "in $ in?", "$ in")

// slots returns the remaining names and paths.
func (r *reading) slots() []token {
	var out []token
	for _, t := range r.tokens {
		if t.is == "$" || t.is == "/" {
			out = append(out, t)
		}
	}
	return out
}

// count reads the words that ask for a number.
func (r *reading) count() {
	n := len(r.tokens)
	r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "count" })
	r.counts = len(r.tokens) < n
}

// list builds the query for a list by kind or name.
func (r *reading) list(f found) *query {
	filtered := len(f.conditions) > 0
	if len(r.slots()) == 1 {
		if q := r.tests(); q != nil {
			return q
		}
		if q := r.inside(); q != nil {
			return q
		}
	}
	if q := r.named(); q != nil {
		return r.placed(q)
	}
	labels, conditions := r.takeKinds(filtered)
	if slices.ContainsFunc(f.conditions, func(c string) bool { return strings.Contains(c, "[:") }) {
		labels = strings.Replace(labels, "File", "Module", 1) // the label with edges
	}
	switch {
	case labels != "":
		return listed(labels, conditions)
	case filtered:
		return listed(f.labels, nil)
	}
	return nil
}

// tests builds the query for the tests of something.
func (r *reading) tests() *query {
	name := r.slots()[0]
	if name.is != "$" || !hasKind(r.tokens, "test") {
		return nil
	}
	r.drop("$", "kind")
	i := slices.IndexFunc(relations, func(v relation) bool { return v.rule == "tests" })
	return relations[i].subjects(name, relations[i].walk)
}

// kindsAsked reads the requested kinds, and returns their labels and conditions on n.
func (r *reading) kindsAsked() (labels string, conditions []string) { return r.takeKinds(true) }

func (r *reading) takeKinds(wide bool) (labels string, conditions []string) {
	var all, only []string // conditions that apply only to nodes of their kind
	kinds := 0
	for _, t := range r.tokens {
		if t.is != "kind" {
			continue
		}
		of := t.kind.labels
		if wide && t.kind.wide != "" {
			of = t.kind.wide
		}
		all = append(all, strings.Split(of, "|")...)
		switch c := t.kind.condition; c {
		case "":
		case isTest: // "functions in tests"
			conditions, only = append(conditions, c), append(only, c)
		default:
			conditions = append(conditions, c)
			only = append(only, "(NOT (n:"+strings.ReplaceAll(of, "|", " OR n:")+") OR "+c+")")
		}
		kinds++
	}
	if kinds > 1 {
		conditions = only
	}
	r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "kind" })
	return strings.Join(distinct(all), "|"), conditions
}

// grammar are the concepts that may be left over: function words without a meaning of their own.
var grammar = strings.Fields("list what where be aux in of own by to from with and define name named first between")

// understood reports whether nothing is left that would change the meaning. Of unknown words only trailing ones may
// be left; they are reported.
func (r *reading) understood(q *query) bool {
	for i, t := range r.tokens {
		switch {
		case t.is == "unknown" && r.trails(i):
			r.unknown = append(r.unknown, t.text)
		case slices.Contains(grammar, t.is), q.rule == "where" && slices.Contains([]string{"explain", "doc", "implemented", "implement", "called"}, t.is):
		default:
			return false
		}
	}
	return len(r.unknown) == 0 || r.sure && len(q.symbols) > 0 && q.rule != "where"
}

// trails reports whether an unknown word only follows the request: "who calls parse_config nowadays". An adjective
// ("the slow callers", "that are slow", "slowest") changes the question; so may any unknown word in Chinese, where
// adjectives come first.
func (r *reading) trails(i int) bool {
	text := r.tokens[i].text
	return r.tokens[i].last && r.at(i-1).is != "be" && !hasHan(text) && !strings.HasSuffix(strings.ToLower(text), "est")
}
