package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// pageBytes is how much of a list or a text one result holds, in bytes of its JSON, or of
// the text. Claude Code moves what has more than 45,000 characters, or 25,000 tokens, out
// of the model's sight, and Codex cuts 40,000 bytes out of the middle. In bytes, because
// a token of Chinese has fewer characters than one of English.
const pageBytes = 36_000

// Next is the call that returns what a result left out, or the beginning of that: following
// Next to the end returns everything, once.
type Next struct {
	Remaining int            `json:"remaining"` // how many come after those returned
	Unit      string         `json:"unit"`      // of what: "rows"
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

// The units of results that are text.
const (
	unitEntries = "entries"
	unitLines   = "lines"
)

// text is the call in a sentence, for results that are text.
func (n *Next) text() message.Text {
	arguments, err := jsonrpc.Encode(n.Arguments)
	if err != nil { // arguments were read from JSON
		return fixed(n.Tool)
	}
	more := message.Count(n.Remaining, "%d more entry", "%d more entries")
	if n.Unit == unitLines {
		more = message.Count(n.Remaining, "%d more line", "%d more lines")
	}
	return message.New("%s: call %s with %s", more, n.Tool, string(arguments))
}

// further is a call of a tool for the items from an offset on: the arguments of the current
// call, and the offset.
func further(tool string, a Arguments, remaining int, unit string, offset int) *Next {
	arguments := map[string]any(maps.Clone(a))
	maps.DeleteFunc(arguments, func(_ string, v any) bool { return v == nil || v == "" || v == false })
	arguments["offset"] = offset
	return &Next{Remaining: remaining, Unit: unit, Tool: tool, Arguments: arguments}
}

// offsetParam is where a page begins. An answer that goes on has the whole call for the next page, so it needs no description.
func offsetParam() Param {
	least := 0
	return Param{Name: "offset", Type: Integer, Minimum: &least, Default: 0}
}

// beyond is the error of an offset after the last item.
func beyond(offset, total int, unit message.Text) error {
	return message.Errorf("offset %d is beyond the %d %s", offset, total, unit)
}

// cutPage returns the items from an offset on, as many as fit into a number
// of bytes of JSON, and at least one; and how many come after them. The items are
// measured as they are in the text of a result: indented at the second level, if
// the tool indents.
func cutPage[T any](items []T, offset, room int, indent string) (page []T, left int) {
	items = items[min(offset, len(items)):]
	n := 0
	for n < len(items) {
		room -= jsonSize(items[n], indent)
		if room < 0 && n > 0 {
			break
		}
		n++
	}
	return items[:n], len(items) - n
}

// fitting fills one result from several lists, until an item does not fit.
type fitting struct {
	room, taken, left int
}

// fit returns the first items of a list that fit, and none after an item that did not. An item
// that is too long for any result is returned alone.
func fit[T any](f *fitting, items []T) []T {
	for i := range items {
		size := jsonSize(items[i], "")
		if f.left > 0 || size > f.room && f.taken > 0 {
			f.left += len(items) - i
			return items[:i]
		}
		f.room -= size
		f.taken++
	}
	return items
}

// jsonSize is how many bytes an item of a list takes in a JSON text.
func jsonSize(item any, indent string) int {
	b, err := jsonrpc.Encode(item)
	if err != nil {
		return 0 // reported when the result is encoded
	}
	if indent == "" {
		return len(b) + len(",")
	}
	const depth = 2
	var text bytes.Buffer
	if json.Indent(&text, b, strings.Repeat(indent, depth), indent) != nil {
		return len(b)
	}
	return text.Len() + len(",\n") + depth*len(indent)
}

// excerpt is the beginning of a text that is too long for one result.
type excerpt struct {
	text   string
	lines  int // that are in it to their end; 0 where not even the first is
	column int // how many bytes of the first line are in it then
}

// cutText returns as many whole lines of a text as fit into a number of bytes; of a first
// line that is longer, the beginning.
func cutText(text string, room int) excerpt {
	if len(text) <= room {
		return excerpt{text: text, lines: strings.Count(text, "\n")}
	}
	if end := strings.LastIndexByte(text[:room], '\n') + 1; end > 0 {
		return excerpt{text: text[:end], lines: strings.Count(text[:end], "\n")}
	}
	for room > 1 && !utf8.RuneStart(text[room]) {
		room--
	}
	return excerpt{text: text[:room], column: room}
}
