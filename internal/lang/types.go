package lang

import "github.com/reverse-spec/reverse-spec/internal/code"

// Types reads types; it remembers what it has read. The zero value is ready for use, by one
// goroutine.
type Types struct{ known map[[2]string]code.Type }

// Of returns the type that a text denotes in a language. A text that is not a type of the
// language, or of a language without types, has the form [code.OtherType].
func (t *Types) Of(language, text string) code.Type {
	key := [2]string{language, text}
	if known, ok := t.known[key]; ok {
		return known
	}
	out := code.Type{Form: code.OtherType, Text: text}
	for _, l := range Languages() {
		if l.Name == language {
			out = l.TypeOf(text)
			break
		}
	}
	if t.known == nil {
		t.known = map[[2]string]code.Type{}
	}
	t.known[key] = out
	return out
}
