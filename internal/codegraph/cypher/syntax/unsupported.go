package syntax

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// unsupportedClause describes an unsupported clause.
type unsupportedClause struct {
	words  string // further words of the clause, if any
	class  unsupportedClass
	why    func(clause string) message.Text
	advice message.Text
}

type unsupportedClass int8

const (
	writing unsupportedClass = iota // modifies the graph
	reading                         // reads from elsewhere
)

func onlyReads(clause string) message.Text {
	return message.New("%s is not allowed: queries only read", clause)
}

func noFiles(clause string) message.Text {
	return message.New("%s is not allowed: queries read the graph and no files", clause)
}

func newer(clause string) message.Text {
	return message.New("%s is not part of the language here", clause)
}

func noWrites() message.Text { return message.New("leave the clause out") }

// unsupportedClauses are the unsupported clauses by first word.
var unsupportedClauses = map[string]unsupportedClause{
	"CREATE":  {why: onlyReads, advice: noWrites()},
	"MERGE":   {why: onlyReads, advice: message.New("use MATCH or OPTIONAL MATCH to find what is there")},
	"SET":     {why: onlyReads, advice: noWrites()},
	"DELETE":  {why: onlyReads, advice: noWrites()},
	"DETACH":  {words: "DELETE", why: onlyReads, advice: noWrites()},
	"REMOVE":  {why: onlyReads, advice: noWrites()},
	"DROP":    {why: onlyReads, advice: noWrites()},
	"FOREACH": {why: onlyReads, advice: message.New("use UNWIND to go through a list")},
	"INSERT":  {why: onlyReads, advice: noWrites()},
	"ALTER":   {why: onlyReads, advice: noWrites()},
	"LOAD":    {words: "CSV", class: reading, why: noFiles, advice: message.New("give the data as a parameter and UNWIND it")},
	"USE":     {class: reading, why: newer, advice: message.New("there is one graph: leave the clause out")},
	"SHOW":    {class: reading, why: newer, advice: message.New("begin the query with it: SHOW FUNCTIONS")},
	"START":   {class: reading, why: newer, advice: message.New("begin with MATCH")},
	"SELECT":  {class: reading, why: newer, advice: message.New("write MATCH (n) RETURN n")},
	"FINISH":  {class: reading, why: newer, advice: message.New("end with RETURN")},
	"LET":     {class: reading, why: newer, advice: message.New("use WITH")},
	"FILTER":  {class: reading, why: newer, advice: message.New("use WITH * WHERE")},
}

// misplaced says where keywords belong that appear where a clause is expected.
var misplaced = map[string]message.Text{
	"WHERE":  message.New("WHERE belongs behind the pattern of a MATCH, or at the end of a WITH"),
	"ORDER":  message.New("ORDER BY belongs behind the columns of WITH or RETURN, before SKIP and LIMIT"),
	"SKIP":   message.New("SKIP belongs behind the columns of WITH or RETURN, before LIMIT"),
	"OFFSET": message.New("OFFSET belongs behind the columns of WITH or RETURN, before LIMIT"),
	"LIMIT":  message.New("LIMIT belongs at the end of WITH or RETURN"),
	"AS":     message.New("AS belongs behind an expression of WITH, RETURN or UNWIND"),
}

// noClause reports a missing clause: an unsupported one, or what is expected and probably meant.
func (p *parser) noClause(what message.Text, nested bool) {
	t := p.tok()
	if p.rejectUnsupported(t, nested) {
		return
	}
	p.expected(what)
	advice, known := misplaced[t.key]
	switch meant := nearest(t.text); {
	case !p.err.Advice.Empty():
	case known:
		p.err.Advice = advice
	case t.kind == word && meant != "" && meant != t.key:
		p.err.Advice = message.New("did you mean %s?", meant)
	}
}

// rejectUnsupported reports an error if a token begins an unsupported clause.
func (p *parser) rejectUnsupported(t *token, nested bool) bool {
	refused, known := unsupportedClauses[t.key]
	if !known {
		return false
	}
	name := t.key
	if refused.words != "" {
		name += " " + refused.words
	}
	if nested && refused.class == writing {
		p.fail(t.at, "InvalidClauseComposition", refused.why(name), refused.advice)
	} else {
		p.refuse(t.at, refused.why(name), refused.advice)
	}
	return true
}

// operandMissing reports whether a keyword appears instead of an operand: it belongs to a later part, or to an
// unsupported clause.
func (p *parser) operandMissing() bool {
	t, next := p.tok(), p.peek(1)
	_, refused := unsupportedClauses[t.key]
	if !refused && !slices.Contains(beforeOperand, t.key) {
		return false
	}
	return next.kind != end && !slices.Contains(afterName, next.key) || t.key == "OPTIONAL" && next.key == "MATCH"
}
