package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Doctest is an example in documentation that the language's tools run as a test.
type Doctest struct {
	code.Test
	Steps []code.Step
}

// SourceLines calls see with each line of the text, its number (1-based) and its offset.
// Surrounding white space is removed.
func (r *Reader) SourceLines(see func(number, offset int, line string)) {
	number, offset := 0, 0
	for line := range strings.Lines(string(r.Source[:r.Length])) {
		number++
		see(number, offset, strings.TrimSpace(line))
		offset += len(line)
	}
}

// Documented returns the name of the symbol that a comment at offset documents: the next
// declaration, else the enclosing one; "" for a comment on the file.
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

// AddDoctests adds the examples that have steps to the file's tests.
func (r *Reader) AddDoctests(list []Doctest) {
	for _, d := range list {
		if len(d.Steps) == 0 {
			continue
		}
		r.File.Tests = append(r.File.Tests, d.Test)
		r.doctests = append(r.doctests, d.Steps...)
	}
}
