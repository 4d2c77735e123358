package scip

import "unicode/utf8"

// Encoding is the unit of columns in a document.
type Encoding uint8

// The encodings in scip.proto.
const (
	Unspecified Encoding = 0 // written by older indexers; treated as UTF16, which the TypeScript and Java indexers use
	UTF8        Encoding = 1 // bytes
	UTF16       Encoding = 2 // two-byte code units
	UTF32       Encoding = 3 // code points
)

// Offset returns the byte offset of a column in a line. A column inside a character gives the character's start,
// one beyond the line its end.
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
