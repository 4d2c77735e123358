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
	// computed are functions of Python and Ruby that are called by a name that is not written out, as getattr(self, f"visit_{kind}") and
	// send("visit_#{kind}") do. The sign is that two more begin with the same word and are named nowhere.
	computed = "n.name CONTAINS '_' AND NOT n.name =~ '_*(get|set|is|has|list|add|create|update|delete|remove)_.*' AND " +
		"COUNT { MATCH (other:Function|Method) WHERE other.name STARTS WITH CASE WHEN n.name STARTS WITH '_' THEN '_' + split(n.name, '_')[1] ELSE split(n.name, '_')[0] END + '_' AND " +
		"other <> n AND other.mentions = 0 } >= 2"
	// implied are methods of Ruby that operators and the language's own classes call.
	implied = "NOT n.name =~ '[a-zA-Z_].*' OR n.name IN ['initialize_copy', 'initialize_clone', 'initialize_dup', 'inherited', 'included', 'extended', 'prepended', " +
		"'method_added', 'singleton_method_added', 'method_removed', 'const_missing', 'method_missing', 'respond_to_missing?', 'to_s', 'to_str', 'to_a', 'to_ary', 'to_h', " +
		"'to_hash', 'to_proc', 'to_path', 'to_io', 'inspect', 'coerce', 'each', 'hash', 'eql?', 'exception', 'marshal_dump', 'marshal_load', '_dump', '_load', " +
		"'encode_with', 'init_with']"
	// summoned are functions of Python that a runner of tests, a plugin manager, migrations of a database, what reads files, or the base of a class
	// in a function, which only a run knows, calls by name.
	summoned = "n.name =~ 'test_.*|pytest_.*|(setup|teardown)_(module|class|method|function)|readable|writable|seekable|isatty|fileno|readinto' OR " +
		"n.name IN ['upgrade', 'downgrade'] AND n.path =~ '.*(migrations|versions)/.*' OR " +
		"EXISTS { MATCH (n)<-[:DEFINES_METHOD]-()<-[:DEFINES]-(:Function|Method) }"
	// unloaded are functions that no framework of JavaScript loads by their path: pages and routes, and files of settings.
	unloaded = "NOT n.path =~ '.*[.]d[.][cm]?ts|.*[.]config[.][cm]?[jt]s' AND NOT (n.path =~ '(.*/)?((pages|routes)/.*|(middleware|instrumentation|proxy)|" +
		"app/(.*/)?(page|layout|template|loading|error|global-error|not-found|default|route|head|icon|apple-icon|opengraph-image|twitter-image|sitemap|robots|manifest))" +
		"[.][cm]?[jt]sx?' AND EXISTS { MATCH (:Project)-[:DEPENDS_ON_EXTERNAL]->(framework) WHERE framework.name IN " +
		"['next', 'nuxt', 'gatsby', 'astro', '@remix-run/react', '@react-router/dev', '@sveltejs/kit', 'expo-router', '@tanstack/react-start', 'honox'] })"
	// unseen are functions of other languages whose name is in no other text: there are calls that no edge has, by names in
	// strings, on receivers without types, in macros and templates. The base of a type may call its methods, too.
	unseen = "n.mentions = 0 AND (n.language <> 'python' OR NOT (" + summoned + ")) AND (n.language <> 'ruby' OR NOT (" + implied + ")) AND " +
		"(NOT n.language IN ['python', 'ruby'] OR NOT (" + computed + ")) AND n.name <> '()' AND NOT n.path =~ '.*[.](vue|svelte|astro)' AND " +
		"(NOT n.language IN ['javascript', 'typescript'] OR (n:Method OR coalesce(n.signature, '') =~ '(?s).*(function|=>|const).*') AND " + unloaded + ") AND " +
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
