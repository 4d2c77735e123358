package question

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// filter is a condition on the result, with the words for it.
type filter struct {
	patterns []pattern
	of       string // the word of a kind that must be among the tokens; "" for any
	// condition is the condition on n in Cypher; %s stands for the name in the tokens.
	condition string
	several   string              // condition for a name of several words; "" for the same
	name      func(string) string // transforms the name; may be nil
	column    string              // a column that shows it; "" for none
	left      *left               // what the condition leaves out; nil for nothing
	labels    string              // default labels if no kind is named; "" for all code
	han       bool                // applies to Chinese only
}

const (
	isTest     = "n.is_test = true"
	notTest    = "coalesce(n.is_test, false) = false"
	isAbout    = "(toLower(n.qualified_name) CONTAINS %[1]s OR toLower(n.docstring) CONTAINS %[1]s)"
	isAboutAny = "any(word IN split(%s, ' ') WHERE toLower(n.qualified_name) CONTAINS word OR toLower(n.docstring) CONTAINS word)"
	// isDeprecated matches a decorator, annotation or attribute, and the documentation conventions of Go, Javadoc,
	// JSDoc and Sphinx.
	isDeprecated = "(any(d IN coalesce(n.decorators, []) WHERE toLower(d) =~ '(.*[.])?(deprecated|obsolete)') OR " +
		"coalesce(n.docstring, '') =~ '(?is)((.*\\\\s)?[@\\\\\\\\]deprecated([^a-z].*)?|(.*\\\\n)?[ \\\\t]*(deprecated:|[.][.] deprecated::).*)')"
	isNoEntry = "NOT n.name IN ['main', 'Main', 'init']"
)

// filters are tried in this order, each as often as it matches.
var filters = []filter{
	{
		patterns:  compileAll("with? name|named? in? starts name? by|with? $|unknown+", "name|named in? $|unknown+ starts own?", "$|unknown+ starts own?"),
		condition: "toLower(n.name) STARTS WITH %s", name: strings.ToLower,
	},
	{
		patterns:  compileAll("with? name|named? in? ends name? in|with? $|unknown+", "name|named in? $|unknown+ ends own?", "$|unknown+ ends own?"),
		condition: "toLower(n.name) ENDS WITH %s", name: strings.ToLower,
	},
	{
		patterns:  compileAll("with? name in? contain|with $|unknown+", "contain name? $|unknown+ in? name?", "with? $|unknown+ in name"),
		condition: "toLower(n.name) CONTAINS %s", name: strings.ToLower,
	},
	{
		patterns:  compileAll("about $|unknown+"),
		condition: isAbout, several: isAboutAny, name: strings.ToLower,
	},
	{
		patterns: compileAll("and? $|unknown+ about own?"), han: true,
		condition: isAbout, several: isAboutAny, name: strings.ToLower,
	},
	{
		patterns:  compileAll("with|use? decorate by|with|of? @|$|unknown decorate?", "with|use|by? own? @ own? decorate?", "with|use|by? $|unknown decorate"),
		condition: "any(d IN n.decorators WHERE '.' + toLower(d) ENDS WITH %s)", name: decorator, column: "n.decorator_text AS decorators",
	},
	{patterns: compileAll("without decorate"), condition: "size(coalesce(n.decorators, [])) = 0"},
	{patterns: compileAll("with decorate"), condition: "size(coalesce(n.decorators, [])) > 0", column: "n.decorator_text AS decorators"},
	{patterns: compileAll("in|with? extension be? suffix", "with? suffix extension", "in? suffix"), condition: "n.extension = %s", labels: "File"},
	{patterns: compileAll("with? extension be? $"), condition: "n.extension = %s", name: func(s string) string { return "." + strings.ToLower(s) }, labels: "File"},
	{patterns: compileAll("be? in|with? written own? language?"), condition: "n.language = %s", labels: "File"},
	{patterns: compileAll("not deprecated own?"), condition: "NOT " + isDeprecated},
	{patterns: compileAll("deprecated own?"), condition: isDeprecated},
	{
		labels: callableLabels, patterns: compileAll("unused and? exported own?", "exported and? unused own?", "exported kind not|without be|by? used|use own?"),
		condition: isUnusedAPI, column: whyUnused,
	},
	{patterns: compileAll("not exported", "private"), condition: "coalesce(n.is_exported, false) = false"},
	{patterns: compileAll("exported own?"), condition: "n.is_exported = true"},
	{patterns: compileAll("without|not with|any? doc", "undocumented", "doc without", "not documented"), condition: "coalesce(n.docstring, '') = ''"},
	{patterns: compileAll("with doc", "documented"), condition: "coalesce(n.docstring, '') <> ''"},
	{patterns: compileAll("not be? kind"), of: "test", condition: notTest},
	{patterns: compileAll("without by? tested? kind by?", "not be? tested|cover by? kind?"), of: "test", condition: notTest + " AND NOT EXISTS { MATCH (t)-[:CALLS|REFERENCES]->()<-[:DEFINES|DEFINES_METHOD*0..3]-(n) WHERE t.is_test = true }"},
	{patterns: compileAll("without kind"), of: "method", condition: "NOT (n)-[:DEFINES_METHOD]->()", labels: "Class"},
	{labels: callableLabels, patterns: compileAll("untested", "not be? tested"), condition: notTest + " AND NOT EXISTS { MATCH (t)-[:CALLS|REFERENCES]->()<-[:DEFINES|DEFINES_METHOD*0..3]-(n) WHERE t.is_test = true }"},
	{labels: callableLabels, patterns: compileAll("async own?"), condition: "n.signature CONTAINS 'async '"},
	{
		labels: callableLabels, patterns: compileAll("recursive own?"),
		condition: isRecursive, left: &left{mayBeCyclic, maybeOther},
	},
	{
		labels: callableLabels, patterns: compileAll("unused own?", "not|without be|by? used|use own?"),
		condition: isUnused, column: whyUnused, left: &left{maybeUnused, maybeUsed},
	},
	{labels: callableLabels, patterns: compileAll("uncalled own?", "not|without be|by? what? kind? called own?", "not|without by what? kind? call own?", "without caller"), condition: "NOT (n)<-[:CALLS]-()"},
}

// take removes the words of a filter from a question; false if there are none.
func (f *filter) take(r *reading) (condition string, ok bool) {
	for _, p := range f.patterns {
		from, to, fits := r.find(p)
		if !fits || f.han && !r.han || f.of != "" && !hasKind(r.tokens[from:to], f.of) || r.measured(from) {
			continue
		}
		taken, _ := r.take(p)
		return f.about(nameIn(taken)), true
	}
	return "", false
}

// measured reports whether a word says what is counted, as in "the most public methods" and "the most documented
// class", so that it is not a condition.
func (r *reading) measured(from int) bool {
	prev := r.at(from - 1).is
	return prev == "most" || prev == "superlative"
}

func (f *filter) about(name string) string {
	if !strings.Contains(f.condition, "%") {
		return f.condition
	}
	if f.name != nil {
		name = f.name(name)
	}
	if f.several != "" && strings.Contains(name, " ") {
		return fmt.Sprintf(f.several, text(name))
	}
	return fmt.Sprintf(f.condition, text(name))
}

// hasKind reports whether one of the tokens is the kind with the word.
func hasKind(tokens []token, word string) bool {
	kind, _ := first(tokens, "kind")
	return kind.kind != nil && kind.kind == vocabulary()[word].kind
}

// nameIn returns the name in tokens: names and unknown words, joined.
func nameIn(tokens []token) string {
	if t, ok := first(tokens, "@", "suffix", "written"); ok {
		return t.text
	}
	var words []string
	for _, t := range tokens {
		if t.is == "unknown" || t.is == "$" {
			words = append(words, t.text)
		}
	}
	return strings.Join(words, " ")
}

// decorator returns the suffix of qualified names of a decorator.
func decorator(name string) string { return "." + strings.ToLower(strings.TrimPrefix(name, "@")) }

// negations are the patterns of negated relations: that nobody does it to n, that n does not do it to a name, and
// that n does it to nobody.
var negations = sync.OnceValue(compileNegations)

func compileNegations() [][3][]pattern {
	out := make([][3][]pattern, len(relations))
	for i := range relations {
		v := &relations[i]
		out[i] = [3][]pattern{
			{v.compile("without A"), v.compile("not|without be? by? what? kind? P"), v.compile("without|not by what? kind? V|P"), v.compile("not A")},
			{v.compile("not|without V $|/")},
			{v.compile("without B"), v.compile("not|without V what? kind?")},
		}
	}
	return out
}

// negated removes the next negated relation, and returns it as a condition.
func (r *reading) negated() (condition string, names []token, ok bool) {
	for i := range relations {
		v := &relations[i]
		for j, patterns := range negations()[i] {
			for _, p := range patterns {
				taken, fits := r.take(p)
				if !fits {
					continue
				}
				return v.negation(j, taken)
			}
		}
	}
	return "", nil, false
}

func (v *relation) negation(form int, taken []token) (condition string, names []token, ok bool) {
	switch form {
	case 0:
		return "NOT (n)<-[:" + v.types + "]-()", nil, true
	case 1:
		name, _ := first(taken, "$", "/")
		name.module = v.rule == "imports"
		return "NOT " + v.done(name, 0), []token{name}, true
	default:
		return "NOT (n)-[:" + v.types + "]->()", nil, true
	}
}

// done returns the condition that n is related to the target of a name.
func (v *relation) done(name token, depth int) string {
	object, edges, meant := "(other)", v.types, "other" // different variables, because the outer ones are bound
	if depth > 0 {
		edges = fmt.Sprintf("%s*1..%d", edges, depth)
	}
	if v.members && name.isType() {
		meant = "whole"
		object += "<-[:DEFINES_METHOD*0..1]-(whole)"
	}
	condition := name.meant(meant)
	if v.closure && depth > 0 {
		condition += " AND " + embeddingHides(meant)
	}
	return fmt.Sprintf("EXISTS { MATCH (n)-[:%s]->%s WHERE %s }", edges, object, condition)
}

// seconds are the patterns for a second object of each relation, possibly negated: "that call a and b", "that call
// a but not b", "a 和 b 都被谁调用".
var seconds = sync.OnceValue(compileSeconds)

func compileSeconds() [][]pattern {
	out := make([][]pattern, len(relations))
	for i := range relations {
		if v := &relations[i]; v.walk == 0 {
			out[i] = []pattern{v.compile("V to|from|of? $|/ and|not and|not? aux? V? $|/"), v.compile("$|/ and $|/ be? by what kind? V|P")}
		}
	}
	return out
}

// second removes the second name, and returns it as a condition.
func (r *reading) second() (condition string, name token, ok bool) {
	for i := range relations {
		for _, p := range seconds()[i] {
			from, to, fits := r.find(p)
			if !fits {
				continue
			}
			taken := r.tokens[from:to]
			at := from + slices.IndexFunc(taken, func(t token) bool { return t.is == "and" || t.is == "not" })
			end := at + slices.IndexFunc(r.tokens[at:], func(t token) bool { return t.is == "$" || t.is == "/" })
			name = r.tokens[end]
			_, not := first(r.tokens[at:end], "not")
			r.tokens = slices.Delete(r.tokens, at, end+1)
			name.module, r.pairs = relations[i].rule == "imports", true
			condition = relations[i].done(name, r.stepsTo(&relations[i]))
			if not {
				condition = "NOT " + condition
			}
			return condition, name, true
		}
	}
	return "", token{}, false
}
