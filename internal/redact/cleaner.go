package redact

import (
	"reflect"
	"slices"
	"strings"
)

// Cleaner removes the secrets of one text from data derived from it: signatures, docs, values without their names.
// A nil Cleaner does nothing.
type Cleaner struct{ secrets []secret }

type secret struct{ value, placeholder string }

// minAnywhere is the length from which a secret is replaced anywhere. A shorter one may also be an ordinary word, so it
// must be in quotes or in a URL.
const minAnywhere = 12

// NewCleaner returns the cleaner for data derived from a text, and the secrets that [Text] finds in it. The cleaner is nil
// if there are none.
func NewCleaner(text string, h Hints) (*Cleaner, []Detection) {
	var c Cleaner
	var found []Detection
	for f := range passes(text, h) {
		found = append(found, f.detections(h.Path)...)
		for _, s := range f.spans {
			c.secrets = append(c.secrets, secret{f.text[s.from:s.to], Placeholder(s.kind)})
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(c.secrets, func(a, b secret) int { return len(b.value) - len(a.value) }) // longest first, because one may contain another
	return &c, byLine(found)
}

// Clean returns a text without the secrets.
func (c *Cleaner) Clean(text string) string {
	if c == nil {
		return text
	}
	left := false
	for _, s := range c.secrets {
		text = s.clean(text)
		left = left || strings.Contains(text, s.value)
	}
	if left { // a short one without quotes: decide by its context
		text, _ = Text(text, Hints{prose: true})
	}
	return text
}

func (s secret) clean(text string) string {
	from := 0
	for {
		at := strings.Index(text[from:], s.value)
		if at < 0 {
			return text
		}
		at += from
		from = at + len(s.value)
		if len(s.value) >= minAnywhere && isWholeWord(text, at, from) || encloses(text, at, from) {
			text = text[:at] + s.placeholder + text[from:]
			from = at + len(s.placeholder)
		}
	}
}

// isWholeWord reports whether text[from:to] is not part of a longer word.
func isWholeWord(text string, from, to int) bool {
	escaped := from > 1 && text[from-2] == '\\'
	return (from == 0 || escaped || !alnum(text[from-1])) && (to == len(text) || !alnum(text[to]))
}

// encloses reports whether text[from:to] is enclosed in quotes or URL punctuation.
func encloses(text string, from, to int) bool {
	if from == 0 || to == len(text) {
		return false
	}
	return strings.IndexByte("\"'`:=>", text[from-1]) >= 0 && strings.IndexByte("\"'`@;&<", text[to]) >= 0
}

// Strings cleans every string in the value that p points to, in place.
func (c *Cleaner) Strings(p any) {
	if c != nil {
		c.walk(reflect.ValueOf(p).Elem())
	}
}

func (c *Cleaner) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); len(text) >= 3 && v.CanSet() {
			v.SetString(c.Clean(text))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			c.walk(field)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			c.walk(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.walk(v.Elem())
		}
	default: // contains no exported text
	}
}
