package scip

import "unicode/utf8"

// Encoding is the unit in which a document counts columns.
type Encoding uint8

// The encodings of the schema.
const (
	Unspecified Encoding = 0 // by older indexers; read as UTF16, which those in TypeScript and Java count in
	UTF8        Encoding = 1 // bytes
	UTF16       Encoding = 2 // code units of two bytes
	UTF32       Encoding = 3 // characters
)

// Offset returns how many bytes of a line stand before a column. A column within
// a character is the start of it; one past the end is the end.
func (e Encoding) Offset(line string, column int) int {
	if e == UTF8 {
		return max(0, min(column, len(line)))
	}
	at := 0
	for at < len(line) && column > 0 {
		r, size := utf8.DecodeRuneInString(line[at:])
		units := 1
		if r > 0xffff && e != UTF32 {
			units = 2
		}
		if column -= units; column < 0 {
			break
		}
		at += size
	}
	return at
}
