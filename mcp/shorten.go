package mcp

import (
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

// fitRows returns the first rows, as many as fit into a number of bytes. A first row
// that is longer by itself is shortened, and by how much is told: in elements of lists,
// and bytes of texts.
func fitRows(rows []question.Object, room int) (page []question.Object, shortened int) {
	page, _ = cutPage(rows, 0, room, indent)
	if len(page) != 1 || jsonSize(page[0], indent) <= room {
		return page, 0
	}
	for {
		s := shortening{room: room}
		row := s.object(page[0])
		if room /= 2; room == 0 || jsonSize(row, indent) <= pageBytes { // nested lists take more than was measured
			return []question.Object{row}, s.left
		}
	}
}

// shortening takes what fits of a value, part by part.
type shortening struct {
	room int // bytes
	left int // elements and bytes that were left out
}

func (s *shortening) object(o question.Object) question.Object {
	out := make(question.Object, len(o))
	for i, f := range o {
		out[i] = question.Field{Name: f.Name, Value: s.value(f.Value)}
	}
	return out
}

func (s *shortening) value(v any) any {
	switch v := v.(type) {
	case question.Object:
		return s.object(v)
	case []any:
		return s.list(v)
	case string:
		return s.text(v)
	}
	s.room -= jsonSize(v, indent)
	return v
}

// list keeps the elements that fit.
func (s *shortening) list(list []any) []any {
	page, left := cutPage(list, 0, max(s.room, 0), indent)
	switch {
	case len(page) == 0 || s.room <= 0:
		s.left += len(list)
		return []any{}
	case len(page) == 1 && jsonSize(page[0], indent) > s.room:
		page = []any{s.value(page[0])}
	default:
		for _, e := range page {
			s.room -= jsonSize(e, indent)
		}
	}
	s.left += left
	return page
}

func (s *shortening) text(text string) string {
	size := jsonSize(text, indent)
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
