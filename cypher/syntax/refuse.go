package syntax

import "slices"

// refusal is a clause that is not run here.
type refusal struct {
	words  string // behind the first one, when there are more
	class  refusalClass
	why    string
	advice string
}

type refusalClass int8

const (
	writing refusalClass = iota // changes the graph
	reading                     // goes where a query does not
)

const (
	onlyReads = " is not allowed: queries only read"
	noWrites  = "leave the clause out"
	newer     = " is not part of the language here"
)

// refusals are the clauses of Cypher that are refused, by their first word.
//
//nolint:gochecknoglobals // a table
var refusals = map[string]refusal{
	"CREATE":  {why: onlyReads, advice: noWrites},
	"MERGE":   {why: onlyReads, advice: "use MATCH or OPTIONAL MATCH to find what is there"},
	"SET":     {why: onlyReads, advice: noWrites},
	"DELETE":  {why: onlyReads, advice: noWrites},
	"DETACH":  {words: "DELETE", why: onlyReads, advice: noWrites},
	"REMOVE":  {why: onlyReads, advice: noWrites},
	"DROP":    {why: onlyReads, advice: noWrites},
	"FOREACH": {why: onlyReads, advice: "use UNWIND to go through a list"},
	"INSERT":  {why: onlyReads, advice: noWrites},
	"ALTER":   {why: onlyReads, advice: noWrites},
	"LOAD":    {words: "CSV", class: reading, why: " is not allowed: queries read the graph and no files", advice: "give the data as a parameter and UNWIND it"},
	"CALL":    {class: reading, why: " is not allowed: there are no procedures or subqueries", advice: "use MATCH; EXISTS { } asks whether a pattern is there"},
	"USE":     {class: reading, why: newer, advice: "there is one graph: leave the clause out"},
	"SHOW":    {class: reading, why: newer, advice: "ask the graph: MATCH (n) RETURN DISTINCT labels(n)"},
	"EXPLAIN": {class: reading, why: newer, advice: "ask for the plan of the query with --explain"},
	"PROFILE": {class: reading, why: newer, advice: "ask for the plan of the query with --explain"},
	"START":   {class: reading, why: newer, advice: "begin with MATCH"},
	"SELECT":  {class: reading, why: newer, advice: "write MATCH (n) RETURN n"},
	"FINISH":  {class: reading, why: newer, advice: "end with RETURN"},
	"LET":     {class: reading, why: newer, advice: "use WITH"},
	"FILTER":  {class: reading, why: newer, advice: "use WITH * WHERE"},
}

// misplaced says where the parts of a clause belong that stand where a clause should.
//
//nolint:gochecknoglobals // a table
var misplaced = map[string]string{
	"WHERE":  "WHERE belongs behind the pattern of a MATCH, or at the end of a WITH",
	"ORDER":  "ORDER BY belongs behind the columns of WITH or RETURN, before SKIP and LIMIT",
	"SKIP":   "SKIP belongs behind the columns of WITH or RETURN, before LIMIT",
	"OFFSET": "OFFSET belongs behind the columns of WITH or RETURN, before LIMIT",
	"LIMIT":  "LIMIT belongs at the end of WITH or RETURN",
	"AS":     "AS belongs behind an expression of WITH, RETURN or UNWIND",
}

// noClause notes that there is none where one must be: a refusal for one that is
// known, otherwise what is expected and probably meant.
func (p *parser) noClause(what string, nested bool) {
	t := p.tok()
	if p.refuseClause(t, nested) {
		return
	}
	p.expected(what)
	advice, known := misplaced[t.key]
	switch meant := nearest(t.text); {
	case p.err.Advice != "":
	case known:
		p.err.Advice = advice
	case t.kind == word && meant != "" && meant != t.key:
		p.err.Advice = "did you mean " + meant + "?"
	}
}

// refuseClause notes a refusal if a token begins a clause that is refused.
func (p *parser) refuseClause(t *token, nested bool) bool {
	refused, known := refusals[t.key]
	if !known {
		return false
	}
	name := t.key
	if refused.words != "" {
		name += " " + refused.words
	}
	if nested && refused.class == writing {
		p.fail(t.at, "InvalidClauseComposition", name+refused.why, refused.advice)
	} else {
		p.refuse(t.at, name+refused.why, refused.advice)
	}
	return true
}

// operandMissing reports whether a word stands where an operand must be but is none:
// it belongs to what should come later, or to a clause that is refused.
func (p *parser) operandMissing() bool {
	t, next := p.tok(), p.peek(1)
	_, refused := refusals[t.key]
	if !refused && !slices.Contains(beforeOperand, t.key) {
		return false
	}
	return next.kind != end && !slices.Contains(afterName, next.key) || t.key == "OPTIONAL" && next.key == "MATCH"
}
