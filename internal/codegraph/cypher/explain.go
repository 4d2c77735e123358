package cypher

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// step is one step of a plan, for people.
type step struct {
	name   string
	detail string
	rows   float64 // about how many rows come out; 0 when that is not known
	inner  []step
}

func explainAll(p pipeline) []step {
	steps := make([]step, len(p))
	for i, o := range p {
		steps[i] = o.explain()
	}
	return steps
}

// render writes steps as a table: first to last, what is inside a step below it.
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
