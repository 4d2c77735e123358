package tck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Case is a scenario as input and expected output of an engine.
type Case struct {
	Graph      string   // name of the initial graph; "" for an empty one
	Setup      []string // statements that fill it
	Procedures bool     // needs procedures
	Parameters map[string]value.Value
	Query      string // the first query, if there are several
	Want       Want
}

// Want is the expected result of a query: an error or a table.
type Want struct {
	Fault   *Fault // nil if no error is expected
	Columns []string
	Rows    [][]any // graph elements are [Node], [Relationship] and [Path]
	Ordered bool    // the order of the rows matters
	AnyList bool    // the order of list elements does not matter
}

// Fault is an expected error.
type Fault struct {
	Class string
	Phase Phase
	Code  string // "*" for any
}

// Phase is the phase in which an error is expected.
type Phase string

// The phases.
const (
	CompileTime Phase = "compile time"
	Runtime     Phase = "runtime"
	AnyTime     Phase = "any time"
)

// Case converts the steps of the scenario.
func (s *Scenario) Case() (*Case, error) {
	c := &Case{}
	for i := range s.Steps {
		if err := c.step(&s.Steps[i]); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", s.ID(), s.Steps[i].Text, err)
		}
		// Steps after the first result check what the query has written.
		if s.Steps[i].answers() {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s: nothing is expected", s.ID())
}

// answers reports whether the step is an expected result.
func (s *Step) answers() bool {
	return strings.HasPrefix(s.Text, "the result should be") || strings.Contains(s.Text, " should be raised at ")
}

// step reads one step.
func (c *Case) step(s *Step) error {
	switch {
	case s.Text == "an empty graph", s.Text == "any graph":
		return nil
	case s.Text == "having executed:":
		c.Setup = append(c.Setup, s.Doc)
		return nil
	case s.Text == "parameters are:":
		return c.parameters(s.Table)
	case s.Text == "executing query:":
		c.Query = s.Doc
		return nil
	case strings.HasPrefix(s.Text, "there exists a procedure "):
		c.Procedures = true
		return nil
	case strings.HasPrefix(s.Text, "the ") && strings.HasSuffix(s.Text, " graph"):
		c.Graph = strings.TrimSuffix(strings.TrimPrefix(s.Text, "the "), " graph")
		return nil
	case s.answers():
		return c.Want.read(s)
	}
	return fmt.Errorf("unknown step")
}

// parameters reads a table of names and values.
func (c *Case) parameters(table [][]string) error {
	c.Parameters = map[string]value.Value{}
	for _, row := range table {
		v, err := ParseValue(row[1])
		if err != nil {
			return err
		}
		c.Parameters[row[0]] = v
	}
	return nil
}

// read reads a step with an expected result.
func (w *Want) read(s *Step) error {
	if class, rest, ok := strings.Cut(s.Text, " should be raised at "); ok {
		phase, code, _ := strings.Cut(rest, ": ")
		words := strings.Fields(class) // a, an, the class
		w.Fault = &Fault{Class: words[len(words)-1], Phase: Phase(phase), Code: code}
		return nil
	}
	w.Ordered = strings.Contains(s.Text, ", in order")
	w.AnyList = strings.Contains(s.Text, "ignoring element order")
	for i, row := range s.Table {
		if i == 0 {
			w.Columns = row
			continue
		}
		var values []any
		for _, cell := range row {
			v, err := ParseValue(cell)
			if err != nil {
				return err
			}
			values = append(values, v)
		}
		w.Rows = append(w.Rows, values)
	}
	return nil
}

// Differ describes the difference between a result and the expected table; "" if there is none. The columns of an
// empty result are not compared, because the TCK does not name them.
func (w *Want) Differ(columns []string, rows [][]any) string {
	if (w.Columns != nil || len(rows) > 0) && !slices.Equal(w.Columns, columns) {
		return fmt.Sprintf("columns are %q, not %q", columns, w.Columns)
	}
	want, got := w.lines(w.Rows), w.lines(rows)
	if slices.Equal(want, got) {
		return ""
	}
	return fmt.Sprintf("rows are\n\t%s\nnot\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
}

// lines formats rows for comparison.
func (w *Want) lines(rows [][]any) []string {
	lines := []string{}
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, Format(v, w.AnyList))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	if !w.Ordered {
		slices.Sort(lines)
	}
	return lines
}
