package service

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// sqlName is the name of a table. Keywords that begin a statement are in one case: a sentence begins with "Select" or "Update".
const sqlName = `([\w."\x60\[\]\\]+)`

type sqlPattern struct {
	start, insert, update, remove, read, with, upsert, ignores, sets, limit, order *regexp.Regexp
}

var sqlPatterns = sync.OnceValue(func() sqlPattern { // not compiled by commands that read no code
	return sqlPattern{
		start:   regexp.MustCompile(`^\s*(?:(?:INSERT|insert|UPDATE|update|SELECT|select)\s|(?:DELETE\s+FROM|delete\s+from|REPLACE\s+INTO|replace\s+into)\s|(?:WITH|with)\s+(?:RECURSIVE\s+|recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?(?:AS|as)\s*\()`),
		insert:  regexp.MustCompile(`(?i)\b(?:insert\s(?:(?:or\s+)?\w+\s+)??into|replace\s+into)\s+` + sqlName),
		update:  regexp.MustCompile(`(?i)\bupdate\s+(?:only\s+)?` + sqlName + `(?:\s+(?:as\s+)?\w+)?\s+set\b`),
		remove:  regexp.MustCompile(`(?i)\bdelete\s+from\s+` + sqlName),
		read:    regexp.MustCompile(`(?i)\b(?:(?:(delete|extract\([^)]*)\s+)?from|join)\s+(?:lateral\s+)?` + sqlName),
		with:    regexp.MustCompile(`(?i)(?:\bwith\s+(?:recursive\s+)?|\)\s*,\s*)(\w+)\s*(?:\([^)]*\)\s*)?as\s*\(`),
		upsert:  regexp.MustCompile(`(?i)\bon\s+conflict\b|\bon\s+duplicate\s+key\b|\binsert\s+(?:or\s+)?ignore\b|\breplace\s+into\b|\bwhere\s+not\s+exists\b`),
		ignores: regexp.MustCompile(`(?i)\bdo\s+nothing\b|\binsert\s+(?:or\s+)?ignore\b|\bwhere\s+not\s+exists\b`),
		sets:    regexp.MustCompile(`(?is)\bset\s+(.*?)(?:\bwhere\b|\bfrom\b|\breturning\b|;|$)`),
		limit:   regexp.MustCompile(`(?i)\blimit\s+(?:[:$?@%{]|[2-9]|1\d)`),
		order:   regexp.MustCompile(`(?i)\border\s+by\b`),
	}
})

var sqlQuotes = strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "", `\`, "")

// sqlAccess returns what an SQL statement does; nil for other texts.
func sqlAccess(text string, at Place) []Access {
	p := sqlPatterns()
	if !p.start.MatchString(text) {
		return nil
	}
	text = strings.ReplaceAll(text, `\"`, `"`)
	var named []string // by WITH: no tables
	for _, m := range p.with.FindAllStringSubmatch(text, -1) {
		named = append(named, m[1])
	}
	var out []Access
	add := func(verb, name string) {
		name = sqlQuotes.Replace(name)
		if name != "" && !slices.Contains(named, name) && !slices.Contains(sqlWords, strings.ToLower(name)) {
			a := Access{Verb: verb, Table: name, At: at, Upsert: p.upsert.MatchString(text), Ignores: p.ignores.MatchString(text)}
			if verb == Updates {
				a.Sets = sqlSets(text)
			}
			out = append(out, a)
		}
	}
	for _, w := range []struct {
		verb string
		find *regexp.Regexp
	}{{Inserts, p.insert}, {Updates, p.update}, {Deletes, p.remove}} {
		for _, m := range w.find.FindAllStringSubmatch(text, -1) {
			add(w.verb, m[1])
		}
	}
	for _, m := range p.read.FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			add(Reads, m[2])
		}
	}
	markUnordered(text, out)
	return out
}

// markUnordered marks the table of which a statement reads a part of the rows, of which it gives no order.
func markUnordered(text string, out []Access) {
	p, outer := sqlPatterns(), outermost(text)
	if from := p.read.FindStringSubmatch(outer); from != nil && p.limit.MatchString(outer) && !p.order.MatchString(outer) {
		for i := range out {
			out[i].Unordered = out[i].Verb == Reads && out[i].Table == sqlQuotes.Replace(from[2])
		}
	}
}

// sqlSets returns the columns that an UPDATE statement sets.
func sqlSets(text string) []string {
	m := sqlPatterns().sets.FindStringSubmatch(outermost(text))
	if m == nil {
		return nil
	}
	var out []string
	for part := range strings.SplitSeq(m[1], ",") {
		if name, _, ok := strings.Cut(part, "="); ok {
			out = append(out, Last(sqlQuotes.Replace(strings.TrimSpace(name))))
		}
	}
	return out
}

// outermost returns a statement without what is in parentheses.
func outermost(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth <= 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// sqlWords follow FROM or JOIN without being tables; fetch is of JPQL.
var sqlWords = []string{"select", "unnest", "generate_series", "lateral", "values", "json_each", "dual", "excluded", "fetch"}
