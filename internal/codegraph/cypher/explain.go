package cypher

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// step describes one operator of a plan.
type step struct {
	name   string
	detail string
	rows   float64 // estimated number of rows; 0 if unknown
	inner  []step
	by     operator
}

// explainAll describes operators. Those without a name only pass on values.
func explainAll(p pipeline) []step {
	steps := make([]step, 0, len(p))
	for _, o := range p {
		if s := o.explain(); s.name != "" {
			s.by = o
			steps = append(steps, s)
		}
	}
	return steps
}

// plan returns steps as the rows of a result, nested steps below their parent; with counts, that of the rows of each
// step is the last column.
func plan(steps []step, counts rowCounts) *Result {
	r := &Result{Columns: []string{"step", "details", "estimated_rows"}}
	if counts != nil {
		r.Columns = append(r.Columns, "rows")
	}
	var add func(steps []step, indent string)
	add = func(steps []step, indent string) {
		for _, s := range steps {
			row := []value.Value{indent + s.name, s.detail, nil}
			if s.rows > 0 {
				row[2] = int64(max(1, math.Round(s.rows)))
			}
			if counts != nil {
				row = append(row, counts[s.by])
			}
			r.Rows = append(r.Rows, row)
			add(s.inner, indent+"  ")
		}
	}
	add(steps, "")
	return r
}

// rowCounts are the numbers of rows that operators passed on.
type rowCounts map[operator]int64

// countsKey is the key of rowCounts in the context of a run.
type countsKey struct{}

// counted is a stream that counts the rows of an operator.
func (c rowCounts) counted(o operator, in stream) stream {
	return fill(in, func(rows []eval.Row) error {
		c[o] += int64(len(rows))
		return nil
	})
}

// render formats steps as a table in order of execution, nested steps below their parent.
func render(steps []step) string {
	var lines [][3]string
	var add func(steps []step, indent string)
	add = func(steps []step, indent string) {
		for _, s := range steps {
			about := ""
			if s.rows > 0 {
				about = fmt.Sprintf("~%.0f rows", max(1, s.rows))
			}
			lines = append(lines, [3]string{indent + s.name, s.detail, about})
			add(s.inner, indent+"  ")
		}
	}
	add(steps, "")
	var widths [2]int
	for _, l := range lines {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(l[i]))
		}
	}
	var b strings.Builder
	for _, l := range lines {
		line := fmt.Sprintf("%-*s  %-*s  %s", widths[0], l[0], widths[1], l[1], l[2])
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
