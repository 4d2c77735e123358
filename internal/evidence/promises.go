package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// documentedErrors finds errors that documentation lists by name: @throws, :raises, "Raises:".
var documentedErrors = Rule{
	Kind: DocumentedError,
	find: func(m *Module, found func(Claim)) {
		m.documented(func(name string, s *code.Symbol, d docs) {
			seen := map[string]bool{}
			for _, e := range d.failures {
				if !seen[e.name] && saysWhen(e.text) {
					seen[e.name] = true
					found(Claim{Subject: name, Name: e.name, Text: said(e.text), At: []Place{symbolPlace(s)}})
				}
			}
		})
	},
}

// saysWhen reports whether a text says when something fails, without which it promises
// nothing. Not all languages separate words by blanks.
func saysWhen(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c == ' ' || c > unicode.MaxASCII })
}

// documentedParams finds conditions on parameters in documentation.
var documentedParams = Rule{
	Kind: DocumentedParameter,
	find: func(m *Module, found func(Claim)) {
		m.documented(func(name string, s *code.Symbol, d docs) {
			seen := map[string]bool{}
			for _, p := range d.params {
				text := conditionsIn(p.text)
				if text == "" || seen[p.name] || !takes(s, p.name) {
					continue
				}
				seen[p.name] = true
				found(Claim{Subject: name, Name: p.name, Text: said(text), At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// docSection returns the rule for a section of rustdoc.
func docSection(kind Kind, heading string) Rule {
	return Rule{
		Kind: kind,
		find: func(m *Module, found func(Claim)) {
			m.documented(func(name string, s *code.Symbol, d docs) {
				if text := d.sections[heading]; text != "" {
					found(Claim{Subject: name, Text: said(text), At: []Place{symbolPlace(s)}})
				}
			})
		},
	}
}

var (
	documentedFailure = docSection(DocumentedFailure, "errors")
	documentedPanic   = docSection(DocumentedPanic, "panics")
	documentedSafety  = docSection(DocumentedSafety, "safety")
)

// documented calls see for every exported symbol with its parsed doc comment.
func (m *Module) documented(see func(name string, s *code.Symbol, d docs)) {
	m.symbols(func(name string, s *code.Symbol) {
		if s.Exported && s.Doc != "" && m.own(s.File) {
			see(name, s, readDocs(s.Doc))
		}
	})
}

// takes reports whether a function, or the constructor of a class, has a parameter.
func takes(s *code.Symbol, param string) bool {
	has := func(list []code.Param) bool {
		return slices.ContainsFunc(list, func(p code.Param) bool { return strings.TrimLeft(p.Name, "$*&@") == strings.TrimLeft(param, "$*&@") })
	}
	if has(s.Params) || slices.ContainsFunc(s.Overloads, func(o code.Overload) bool { return has(o.Params) }) {
		return true
	}
	for i := range s.Members {
		if c := &s.Members[i]; (c.Kind == code.Constructor || c.Name == "__init__") && has(c.Params) {
			return true
		}
	}
	return false
}

// conditionWords are phrases of a condition on a value; "#" stands for a number.
var conditionWords = []string{
	"must be ", "must not ", "must have ", "must contain ", "must match ", "must start ", "must begin ", "must end ", "must implement ",
	"must correspond ", "must exist", "must all be ", "must always be ", "must only ", "must either ", "must consist ", "must conform ",
	"cannot be null", "cannot be none", "cannot be empty", "cannot be negative", "cannot be zero", "cannot be blank", "cannot be nil",
	"can't be null", "can't be none", "can't be empty", "can't be negative", "can't be zero", "may not be null", "may not be none",
	"may not be empty", "may not be negative", "may not be zero", "may not be nil",
	"non-empty", "non-null", "non-negative", "nonnegative", "non-zero", "nonzero", "not be null", "not be empty", "not be none", "not null",
	"never null", "positive integer", "positive number", "at least #", "at most #", "greater than #", "less than #", "between # and", ">= #", "<= #",
	"> #", "< #", "in the range of ", "in the range [", "in the range #", "is required to be ", "one of \"", "one of '", "one of `",
}

// loose are phrases of sentences that contain such words but are not conditions.
var loose = []string{"which means", "must be emitted", "for example", "e.g.", "when not null", "if not null", "if non-null", "when non-null", "passing null", "care must be"}

// conditionsIn returns the sentences of a text that are conditions on a value.
func conditionsIn(text string) string {
	var out []string
	for _, s := range sentences(text) {
		low := digitsAs(strings.ToLower(s), '#') + " "
		has := func(w string) bool { return strings.Contains(low, w) }
		if slices.ContainsFunc(conditionWords, has) && !slices.ContainsFunc(loose, has) {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// digitsAs replaces each number with a character.
func digitsAs(text string, sign rune) string {
	var b strings.Builder
	last := false
	for _, c := range text {
		digit := unicode.IsDigit(c)
		switch {
		case digit && !last:
			b.WriteRune(sign)
		case !digit:
			b.WriteRune(c)
		}
		last = digit
	}
	return b.String()
}

// sentences splits a text into sentences.
func sentences(text string) []string {
	var out []string
	for {
		i := strings.Index(text, ". ")
		if i < 0 || i+2 >= len(text) {
			return append(out, text)
		}
		if next := rune(text[i+2]); !unicode.IsUpper(next) && next != '`' && next != '"' || strings.HasSuffix(text[:i], "e.g") || strings.HasSuffix(text[:i], "i.e") {
			joined := text[:i+2]
			rest := sentences(text[i+2:])
			return append(append(out, joined+rest[0]), rest[1:]...)
		}
		out, text = append(out, text[:i+1]), text[i+2:]
	}
}

// said returns a text of documentation on one line, with Javadoc's inline tags as code spans.
func said(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, tag := range []string{"{@code ", "{@link "} {
		for {
			before, rest, ok := strings.Cut(text, tag)
			inside, after, closed := strings.Cut(rest, "}")
			if !ok || !closed {
				break
			}
			text = before + "`" + inside + "`" + after
		}
	}
	return text
}
