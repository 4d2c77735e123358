package question

import "unicode/utf8"

// Fit returns the first rows, as many as fit into a number of bytes, and at least one. A first
// row that is longer by itself is shortened; shortened is by how much: elements of lists and
// bytes of texts. Size measures a value as the caller encodes it.
func Fit(rows []Object, bytes int, size func(v any) int) (page []Object, shortened int) {
	page = rows[:fitting(rows, bytes, size)]
	if len(page) != 1 || size(page[0]) <= bytes {
		return page, 0
	}
	for room := bytes; ; {
		s := shortening{room: room, size: size}
		row := s.object(page[0])
		if room /= 2; room == 0 || size(row) <= bytes { // nested lists take more than was measured
			return []Object{row}, s.left
		}
	}
}

// fitting is how many of the first items fit into a number of bytes, at least one where
// there is one.
func fitting[T any](items []T, room int, size func(v any) int) int {
	for n := range items {
		if room -= size(items[n]); room < 0 && n > 0 {
			return n
		}
	}
	return len(items)
}

// shortening takes what fits of a value, part by part.
type shortening struct {
	size func(v any) int
	room int // bytes
	left int // elements and bytes that were left out
}

func (s *shortening) object(o Object) Object {
	out := make(Object, len(o))
	for i, f := range o {
		out[i] = Field{Name: f.Name, Value: s.value(f.Value)}
	}
	return out
}

func (s *shortening) value(v any) any {
	switch v := v.(type) {
	case Object:
		return s.object(v)
	case []any:
		return s.list(v)
	case string:
		return s.text(v)
	}
	s.room -= s.size(v)
	return v
}

// list keeps the elements that fit.
func (s *shortening) list(list []any) []any {
	page := list[:fitting(list, max(s.room, 0), s.size)]
	left := len(list) - len(page)
	switch {
	case len(page) == 0 || s.room <= 0:
		s.left += len(list)
		return []any{}
	case len(page) == 1 && s.size(page[0]) > s.room:
		page = []any{s.value(page[0])}
	default:
		for _, e := range page {
			s.room -= s.size(e)
		}
	}
	s.left += left
	return page
}

func (s *shortening) text(text string) string {
	size := s.size(text)
	if size <= s.room {
		s.room -= size
		return text
	}
	end := max(min(s.room/2, len(text)), 0) // an escape takes two bytes and more
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	s.room = 0
	s.left += len(text) - end
	return text[:end] + "…"
}
