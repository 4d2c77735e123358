package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Format formats an expression on one line, with parentheses around every nested operator.
func Format(e Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *Literal:
		return formatLiteral(e.Value)
	case *Parameter:
		return "$" + Quote(e.Name)
	case *Variable:
		return Quote(e.Name)
	case *CountStar:
		return "count(*)"
	case *PatternPredicate:
		return e.Path.String()
	case *PatternComprehension:
		return "[" + e.Path.String() + clause(" WHERE ", e.Where) + clause(" | ", e.Map) + "]"
	case *Subquery:
		return string(e.Kind) + " { " + e.Query.String() + " }"
	}
	return formatParts(e)
}

func formatParts(e Expr) string {
	switch e := e.(type) {
	case *Property:
		return inner(e.Of) + "." + Quote(e.Key)
	case *Index:
		return inner(e.Of) + "[" + Format(e.Index) + "]"
	case *Slice:
		return inner(e.Of) + "[" + Format(e.From) + ".." + Format(e.To) + "]"
	case *List:
		return "[" + formatAll(e.Items) + "]"
	case *Map:
		return formatMap(e)
	case *MapProjection:
		return formatProjection(e)
	case *Call:
		distinct := ""
		if e.Distinct {
			distinct = "DISTINCT "
		}
		return e.Name + "(" + distinct + formatAll(e.Args) + ")"
	}
	return formatOperator(e)
}

func formatOperator(e Expr) string {
	switch e := e.(type) {
	case *Unary:
		switch e.Op {
		case Not:
			return "NOT " + inner(e.X)
		case Negate:
			return "-" + inner(e.X)
		default:
			return "+" + inner(e.X)
		}
	case *Binary:
		return inner(e.L) + " " + string(e.Op) + " " + inner(e.R)
	case *Comparison:
		return formatChain(e)
	case *IsNull:
		if e.Not {
			return inner(e.X) + " IS NOT NULL"
		}
		return inner(e.X) + " IS NULL"
	case *HasLabels:
		return inner(e.X) + e.Labels.String()
	case *Case:
		return formatCase(e)
	case *ListComprehension:
		return "[" + Quote(e.Var.Name) + " IN " + Format(e.In) + clause(" WHERE ", e.Where) + clause(" | ", e.Map) + "]"
	case *Quantifier:
		return string(e.Kind) + "(" + Quote(e.Var.Name) + " IN " + Format(e.In) + clause(" WHERE ", e.Where) + ")"
	case *Reduce:
		return "reduce(" + Quote(e.Acc.Name) + " = " + Format(e.Init) + ", " + Quote(e.Var.Name) + " IN " + Format(e.In) + " | " + Format(e.Map) + ")"
	}
	return fmt.Sprintf("%T", e)
}

func formatChain(e *Comparison) string {
	var b strings.Builder
	b.WriteString(inner(e.Operands[0]))
	for i, op := range e.Ops {
		b.WriteString(" " + string(op) + " " + inner(e.Operands[i+1]))
	}
	return b.String()
}

func formatCase(e *Case) string {
	var b strings.Builder
	b.WriteString("CASE" + clause(" ", e.Subject))
	for _, w := range e.Whens {
		b.WriteString(" WHEN " + Format(w.When) + " THEN " + Format(w.Then))
	}
	return b.String() + clause(" ELSE ", e.Else) + " END"
}

// inner formats an operand.
func inner(e Expr) string {
	switch e.(type) {
	case *Unary, *Binary, *Comparison, *IsNull, *HasLabels:
		return "(" + Format(e) + ")"
	}
	return Format(e)
}

// clause formats an optional expression after a keyword.
func clause(words string, e Expr) string {
	if e == nil {
		return ""
	}
	return words + Format(e)
}

func formatAll(es []Expr) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = Format(e)
	}
	return strings.Join(texts, ", ")
}

func formatMap(m *Map) string {
	texts := make([]string, len(m.Keys))
	for i, k := range m.Keys {
		texts[i] = Quote(k) + ": " + Format(m.Values[i])
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// formatProjection writes an entry with the value n.key as .key.
func formatProjection(m *MapProjection) string {
	texts := make([]string, len(m.Keys))
	for i, k := range m.Keys {
		property, ok := m.Values[i].(*Property)
		switch {
		case k == "":
			texts[i] = ".*"
		case ok && property.Key == k && Same(property.Of, m.Of):
			texts[i] = "." + Quote(k)
		default:
			texts[i] = Quote(k) + ": " + Format(m.Values[i])
		}
	}
	return Format(m.Of) + " {" + strings.Join(texts, ", ") + "}"
}

// String returns the text of a query on one line, shortened.
func (q *Query) String() string {
	return clipped(strings.Join(strings.Fields(q.Text), " "))
}

func formatLiteral(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return QuoteString(v)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
		return text
	}
	return fmt.Sprint(v)
}

// String formats labels as they follow a name.
func (l Labels) String() string {
	var b strings.Builder
	for _, group := range l {
		b.WriteString(":" + quoteAll(group))
	}
	return b.String()
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return strings.Join(quoted, "|")
}

// String formats a path as a pattern.
func (p *Path) String() string {
	var b strings.Builder
	for i, n := range p.Nodes {
		b.WriteString(n.String())
		if i < len(p.Rels) {
			b.WriteString(p.Rels[i].String())
		}
	}
	text := b.String()
	switch p.Shortest {
	case ShortestOne:
		text = "shortestPath(" + text + ")"
	case ShortestAll:
		text = "allShortestPaths(" + text + ")"
	case AnyLength:
	}
	if p.Var != nil {
		text = name(p.Var) + " = " + text
	}
	return text
}

// String formats a node as a pattern.
func (n *NodePattern) String() string {
	text := name(n.Var) + n.Labels.String()
	if n.Properties != nil {
		text += " " + Format(n.Properties)
	}
	return "(" + strings.TrimSpace(text+clause(" WHERE ", n.Where)) + ")"
}

// String formats a relationship as a pattern.
func (r *RelPattern) String() string {
	text := name(r.Var)
	if len(r.Types) > 0 {
		text += ":" + quoteAll(r.Types)
	}
	if r.Length != nil {
		text += r.Length.String()
	}
	if r.Properties != nil {
		text += " " + Format(r.Properties)
	}
	text += clause(" WHERE ", r.Where)
	if text != "" {
		text = "[" + strings.TrimSpace(text) + "]"
	}
	switch r.Direction {
	case Right:
		return "-" + text + "->"
	case Left:
		return "<-" + text + "-"
	default:
		return "-" + text + "-"
	}
}

// String formats a length as in a pattern.
func (l *Length) String() string {
	switch l.Max {
	case l.Min:
		return fmt.Sprintf("*%d", l.Min)
	case Unbounded:
		return fmt.Sprintf("*%d..", l.Min)
	}
	return fmt.Sprintf("*%d..%d", l.Min, l.Max)
}

func name(v *Variable) string {
	if v == nil {
		return ""
	}
	return Quote(v.Name)
}
