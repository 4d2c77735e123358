package question

// IsCypher reports whether a text is a Cypher query, possibly a writing one, and not a question: "MATCH (n) RETURN
// n" is, "match all functions" is not.
func IsCypher(text string) bool { return cypherText().MatchString(text) }

var cypherText = lazily(`(?is)^(?:\s|//[^\n]*\n|/\*.*?\*/)*(?:(?:explain|profile)\s+)?(?:` +
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
	`|call\s*(?:\{|[\w.]+\s*\(|\w+\.\w+)` +
	`)`)
