package ask

import (
	"slices"
	"strconv"
	"strings"
)

// Translation is a question as Cypher.
type Translation struct {
	Cypher string
	Rule   string // the kind of question that it was taken for
	// Symbols are the names that the question means symbols by, as they are asked
	// for: whole qualified names or ends of them.
	Symbols []string
	// Ignored are words that were not understood. They can change what is meant.
	Ignored []string
}

// The bounds of what a question asks for.
const (
	DefaultLimit = 50  // rows
	maxLimit     = 500 // rows that a question can ask for
	defaultDepth = 5   // steps of a walk
	maxDepth     = 10
)

// Translate turns a question in English or Chinese into Cypher; false when it is of
// no kind that works (see [Kinds]). The rows have columns with the name, the path and
// the line of what is asked for. There are at most limit of them; 0 means
// [DefaultLimit], or as many as the question says.
func Translate(question string, limit int) (Translation, bool) {
	r := read(question)
	r.steps()
	limit = r.rows(limit)
	var conditions, columns, symbols []string
	conditions, columns, symbols = r.filtered()
	filtered := len(conditions) > 0
	q := r.whole()
	if q == nil {
		q = r.list(filtered)
	}
	if q == nil || !r.understood(q) {
		return Translation{}, false
	}
	q.where = slices.Concat(q.where, conditions)
	for _, c := range columns {
		if !slices.Contains(q.columns, c) {
			q.columns = append(slices.Clone(q.columns), c)
		}
	}
	q.symbols = append(q.symbols, symbols...)
	return Translation{Cypher: q.cypher(r.counts, limit), Rule: q.rule, Symbols: q.symbols, Ignored: r.unknown}, true
}

// steps takes what is said about how far a walk goes.
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
	if r.has("transitive") {
		r.tokens = slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "transitive" })
		if r.depth == 0 {
			r.depth = defaultDepth
		}
	}
}

var stepPatterns = compileAll("to? in? most|first? 9 levels+ in?", "to? in? levels of|to|be? 9")

// rows takes how many rows are asked for.
func (r *reading) rows(limit int) int {
	taken, ok := r.take(rowPattern)
	if !ok {
		return orDefault(limit)
	}
	if _, top := first(taken, "first"); top && r.has("most") {
		return r.bounded(taken, limit)
	}
	return r.bounded(taken, limit)
}

var rowPattern = compile("first? 9")

func (r *reading) bounded(taken []token, limit int) int {
	number, _ := first(taken, "9")
	n, err := strconv.Atoi(number.text)
	if err != nil || n <= 0 {
		return orDefault(limit)
	}
	if limit > 0 {
		return min(n, limit)
	}
	return min(n, maxLimit)
}

func orDefault(limit int) int {
	if limit <= 0 {
		return DefaultLimit
	}
	return limit
}

// filtered takes the conditions that go with any question.
func (r *reading) filtered() (conditions, columns, symbols []string) {
	for i := range filters {
		f := &filters[i]
		for {
			c, ok := f.take(r)
			if !ok {
				break
			}
			conditions = append(conditions, c)
			if f.column != "" {
				columns = append(columns, f.column)
			}
		}
	}
	for {
		c, names, ok := r.refused()
		if !ok {
			return conditions, columns, symbols
		}
		conditions, symbols = append(conditions, c), append(symbols, names...)
	}
}

// whole puts together the query for all but lists.
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
