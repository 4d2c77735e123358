package cypher

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// step describes one operator of a plan.
type step struct {
	name   string
	detail string
	rows   float64 // estimated number of rows; 0 if unknown
	inner  []step
}

func explainAll(p pipeline) []step {
	steps := make([]step, len(p))
	for i, o := range p {
		steps[i] = o.explain()
	}
	return steps
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
