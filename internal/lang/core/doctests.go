package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Doctest is an example in documentation that its language's tools run.
type Doctest struct {
	code.Test
	Steps []code.Step
}

// SourceLines yields the lines of the text with their numbers and offsets, without
// the white space around them.
func (r *Reader) SourceLines(see func(number, offset int, line string)) {
	number, offset := 0, 0
	for line := range strings.Lines(string(r.Source[:r.Length])) {
		number++
		see(number, offset, strings.TrimSpace(line))
		offset += len(line)
	}
}

// Balanced reports whether text closes the brackets that it opens.
func Balanced(text string) bool {
	return strings.Count(text, "{") == strings.Count(text, "}") && strings.Count(text, "(") == strings.Count(text, ")")
}

// Documented is the name of what a comment at an offset documents: the next thing
// that begins, or what is around; "" for a file's own.
func (r *Reader) Documented(offset int, line string) string {
	best, name := -1, ""
	if !strings.HasPrefix(line, "//!") {
		for _, s := range r.Spans {
			if s.Start >= offset && (best < 0 || s.Start < best) {
				best, name = s.Start, s.Name
			}
		}
	}
	if name == "" {
		name = r.Enclosing(offset)
	}
	return strings.ReplaceAll(name, ".", " > ")
}

// AddDoctests adds the examples that do something, with their steps.
func (r *Reader) AddDoctests(list []Doctest) {
	for _, d := range list {
		if len(d.Steps) == 0 {
			continue
		}
		r.File.Tests = append(r.File.Tests, d.Test)
		r.doctests = append(r.doctests, d.Steps...)
	}
}
