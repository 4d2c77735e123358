package question

import "github.com/reverse-spec/reverse-spec/internal/message"

// left is what a filter leaves out because it is not sure.
type left struct {
	condition string // on n
	why       Doubt
}

// Doubt is why rows are left out.
type Doubt int8

const (
	maybeUsed Doubt = iota
	maybeOther
)

// words says how many rows are left out.
func (d Doubt) words(n int) message.Text {
	if d == maybeOther {
		return message.Count(n,
			"left out: %d that calls a method which it may be itself, of another object, by an interface or an override",
			"left out: %d that call a method which they may be themselves, of another object, by an interface or an override")
	}
	return message.Count(n,
		"left out: %d that no edge of the graph uses, but that others may: it overrides a method, has a decorator, is exported, or its name is in other texts",
		"left out: %d that no edge of the graph uses, but that others may: they override a method, have a decorator, are exported, or their names are in other texts")
}

// likely is the confidence from which an edge answers a question by itself.
const likely = "0.5"

// Functions that nothing uses. A candidate is named by no edge, not even one that dynamic dispatch may follow. It is reported if
// nothing outside the graph is likely to use it, either.
const (
	candidate = "NOT EXISTS { MATCH (n)<-[:" + anyUse + "]-(user) WHERE user <> n } AND " + notTest + " AND " + isNoEntry +
		" AND NOT (n)<-[:DEFINES_METHOD]-(:Interface)" +
		" AND NOT (n)<-[:DEFINES]-(:Function|Method)" // compilers tell
	// undispatched functions are called by nobody who knows only what they override, or finds them by a decorator or a
	// special name.
	undispatched = "NOT (n)-[:OVERRIDES]-() AND NOT n.name STARTS WITH '__' AND NOT n.name IN ['constructor', 'initialize'] AND " +
		"all(d IN coalesce(n.decorators, []) WHERE d IN ['staticmethod', 'classmethod', 'deprecated', 'Deprecated', 'inline', 'must_use'])"
	// unseenGo are functions of Go that reflection does not find, and that have no twin for another platform that is used.
	unseenGo = "NOT (n:Method AND n.is_exported = true) AND NOT n.name STARTS WITH 'Fuzz' AND " +
		"NOT EXISTS { MATCH (twin:Function|Method {name: n.name})<-[:CALLS|REFERENCES]-() WHERE split(twin.path, '/')[..-1] = split(n.path, '/')[..-1] }"
	// unseen are functions of other languages whose name is in no other text: there are calls that no edge has, by names in
	// strings, on receivers without types, in macros and templates. The base of a type may call its methods, too.
	unseen = "n.mentions = 0 AND n.name <> '()' AND NOT n.path =~ '.*[.](vue|svelte|astro)' AND " +
		"(n:Method OR NOT n.language IN ['javascript', 'typescript'] OR coalesce(n.signature, '') =~ '(?s).*(function|=>|const).*') AND " + // members of objects
		"NOT EXISTS { MATCH (n)<-[:DEFINES_METHOD]-()-[:INHERITS|IMPLEMENTS*1..8]->(:ExternalType) }"
	unreachable = undispatched + " AND (n.language = 'go' AND " + unseenGo + " OR n.language <> 'go' AND " + unseen
	private     = " AND n.is_exported = false)"
	isUnused    = candidate + " AND " + unreachable + private
	isUnusedAPI = candidate + " AND n.is_exported = true AND " + unreachable + ")"
	maybeUnused = candidate + " AND NOT (" + unreachable + private + ")"
	whyUnused   = "'nothing in the project calls or names it' + CASE WHEN n.language <> 'go' THEN ', and its name is in no other text' ELSE '' END + CASE WHEN n.is_exported THEN '; it is exported, so that other projects may' ELSE '' END AS why"
	isRecursive = "EXISTS { MATCH (n)-[r:CALLS]->(n) WHERE r.confidence >= " + likely + " }"
	mayBeCyclic = "(n)-[:CALLS]->(n) AND NOT " + isRecursive
)
