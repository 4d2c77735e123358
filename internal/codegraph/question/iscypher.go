package question

// IsCypher reports whether a text is a Cypher query, possibly a writing one, and not a question: "MATCH (n) RETURN
// n" is, "match all functions" is not. SHOW has to be in upper case, or followed by YIELD: "show functions" is a question.
func IsCypher(text string) bool {
	return cypherText().MatchString(text) || showText().MatchString(text) || misspelt().MatchString(text)
}

// misspelt matches a query whose first clause is none: the query language says what is wrong with it.
var misspelt = lazily(`(?s)^\s*[A-Z]{3,12}\s*\(.*\)\s*(?:[A-Z]+\b.*)?\bRETURN\b`)

// comments and the words before a query.
const beforeQuery = `^(?:\s|//[^\n]*\n|/\*.*?\*/)*(?:(?:(?i:explain|profile))\s+)?`

var showText = lazily(`(?s)` + beforeQuery + `(?:SHOW\s+[A-Z]+\b(?:\s+[A-Z]+\b)*\s*(?:;|$|(?i:yield|where)\b)|(?i:show\s+\w+(?:\s+\w+)?\s+yield\b))`)

var cypherText = lazily(`(?is)` + beforeQuery + `(?:` +
	`(?:optional\s+)?match\s*(?:\(|[\w` + "`" + `]+\s*=|(?:all)?shortestpaths?\s*\()` +
	`|unwind\s+.+\sas\s` +
	`|with\s+(?:\*|.+\sas\s+\S+).*\b(?:return|match|unwind)\b` +
	`|return\s+(?:distinct\s+)?(?:[-+('"\[{$\d*]|\w+\s*\(|\w+\.\w|(?:true|false|null)\b|.+\sas\s+\w+\s*;?\s*$)` +
	`|(?:create|merge)\s*(?:\(|[\w` + "`" + `]+\s*=\s*\(|(?:unique\s+)?(?:index|constraint)\b)` +
	`|(?:detach\s+)?delete\s+\w+\s*;?\s*$` +
	`|set\s+\w+\s*(?:\.\w+\s*=|:|\+?=)` +
	`|remove\s+\w+\s*[.:]` +
	`|drop\s+(?:index|constraint|database|graph)\b` +
	`|foreach\s*\(` +
	`|load\s+csv\b` +
	`|(?:optional\s+)?call\s*(?:\{|\([\w\s,*]*\)\s*\{|[\w.]+\s*\(|\w+\.\w+)` +
	`)`)
