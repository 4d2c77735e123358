package syntax

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// keywords are the keywords of the language. They may be used unquoted as labels, types, keys and columns, and most
// of them as variables.
var keywords = []string{
	"ALL", "AND", "ANY", "AS", "ASC", "ASCENDING", "BY", "CALL", "CASE", "CONTAINS", "CREATE", "DELETE",
	"DESC", "DESCENDING", "DETACH", "DISTINCT", "ELSE", "END", "ENDS", "EXISTS", "FALSE", "FOREACH",
	"IN", "IS", "LIMIT", "LOAD", "MATCH", "MERGE", "NONE", "NOT", "NULL", "OFFSET", "OPTIONAL", "OR",
	"ORDER", "REDUCE", "REMOVE", "RETURN", "SET", "SINGLE", "SKIP", "STARTS", "THEN", "TRUE", "UNION",
	"UNWIND", "WHEN", "WHERE", "WITH", "XOR", "YIELD",
}

// Keyword reports whether a name is a keyword, ignoring case.
func Keyword(name string) bool {
	return slices.Contains(keywords, strings.ToUpper(name))
}

// Quote returns a name as written in a query: in backticks if it is a keyword or contains special characters.
func Quote(name string) string {
	plain := name != "" && nameLength(name) == len(name) && startsName([]rune(name)[0])
	if plain && !Keyword(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// QuoteString returns a string literal in single quotes.
func QuoteString(s string) string {
	return "'" + quoter.Replace(s) + "'"
}

var quoter = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`)

// beforeOperand are the words that, where an expression is expected, are keywords unless the next token shows that
// they are names.
var beforeOperand = []string{
	"AND", "AS", "BY", "CONTAINS", "DISTINCT", "ELSE", "END", "ENDS", "IN", "IS", "LIMIT", "MATCH", "OFFSET",
	"OPTIONAL", "OR", "ORDER", "RETURN", "SKIP", "STARTS", "THEN", "UNION", "UNWIND", "WHEN", "WHERE", "WITH",
	"XOR",
}

// afterName are tokens that follow a variable but not a keyword.
var afterName = []string{
	".", ")", ",", "]", "}", "|", ":", ";", "..", "=", "<>", "<", "<=", ">", ">=", "=~", "+", "*", "/", "%", "^",
	"AS", "AND", "OR", "XOR", "IN", "IS", "CONTAINS", "STARTS", "ENDS", "ASC", "ASCENDING", "DESC", "DESCENDING",
	"ORDER", "SKIP", "LIMIT", "UNION", "RETURN", "WITH", "WHERE", "UNWIND", "WHEN", "THEN", "ELSE", "END",
}

// nearest returns the keyword that a word was probably meant to be; "" if none.
func nearest(name string) string {
	name = strings.ToUpper(name)
	best, least := "", min(3, 1+len(name)/3)
	for _, keyword := range keywords {
		if d := suggest.Distance([]rune(name), []rune(keyword), least); d < least {
			best, least = keyword, d
		}
	}
	return best
}
