// Package words takes texts apart into words, as an index and its questions need
// them: it knows how names in code are made. English endings are Snowball's work.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest bounds a word, in bytes, and longestNumber one that begins with a digit.
// What is longer is data rather than a word.
const (
	Longest       = 64
	longestNumber = 5
)

// Each calls f with the words of a text, in lower case and in their order. Names are
// split at "_", where the case changes, and between letters and digits; a name of
// several parts is also one word without what is between them, behind the parts, and
// whole then says so: "getUser" and "get_user" both give "get", "user" and "getuser",
// "HTTPServer2" gives "http", "server", "2" and "httpserver2". What begins with a
// digit is not split ("0x1F", "2nd"). Of writing without spaces each two neighbours
// are a word. Invalid UTF-8 is skipped.
func Each(text string, f func(word string, whole bool)) {
	for i := 0; i < len(text); {
		end, sort := run(text, i)
		eachOf(text[i:end], sort, f)
		i = end
	}
}

// eachOf calls f with the words of a run.
func eachOf(run string, sort sortOfRune, f func(word string, whole bool)) {
	switch sort {
	case letters:
		eachPart(run, f)
	case ideographs:
		eachPair(run, f)
	case none:
	}
}

// sortOfRune is what a rune does for words.
type sortOfRune uint8

const (
	none       sortOfRune = iota
	letters               // of names, with digits and "_"
	ideographs            // of writing without spaces
)

// run returns the end of the run of runes of one sort that begins at i, and the
// sort.
func run(text string, i int) (end int, sort sortOfRune) {
	sort, size := sortAt(text, i)
	for end = i + size; end < len(text); end += size {
		var next sortOfRune
		if c := text[end]; c < utf8.RuneSelf {
			next, size = ascii[c], 1
		} else {
			next, size = sortAt(text, end)
		}
		if next != sort {
			break
		}
	}
	return end, sort
}

// ascii has the sort of each ASCII character.
var ascii = func() (sorts [utf8.RuneSelf]sortOfRune) {
	for c := range sorts {
		if r := rune(c); r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			sorts[c] = letters
		}
	}
	return sorts
}()

// sortAt returns the sort and the size of the rune at i.
func sortAt(text string, i int) (sort sortOfRune, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return ideographs, size
	case r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)):
		return letters, size
	}
	return none, size
}

// kind is what a rune is in a name.
type kind uint8

const (
	between kind = iota // "_"
	lower
	upper
	digit
)

func kindOf(r rune) kind {
	switch {
	case r == '_':
		return between
	case r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r):
		return digit
	case r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsUpper(r):
		return upper
	}
	return lower // and what has no case
}

// eachPart calls f with the parts of a name, and with all of them together.
func eachPart(name string, f func(word string, whole bool)) {
	if kindOf(rune(name[0])) == digit {
		if len(name) <= longestNumber {
			f(strings.ToLower(name), false)
		}
		return
	}
	parts := 0
	for rest := strings.TrimLeft(name, "_"); rest != ""; parts++ {
		n := partLength(rest)
		if n <= Longest {
			f(strings.ToLower(rest[:n]), false)
		}
		rest = strings.TrimLeft(rest[n:], "_")
	}
	if parts > 1 && len(name) <= Longest {
		f(strings.ToLower(strings.ReplaceAll(name, "_", "")), true)
	}
}

// partLength is how long the first part of a name is, which does not begin with "_".
func partLength(name string) int {
	last, lastAt := between, 0
	for i, r := range name {
		k := kindOf(r)
		switch {
		case i == 0 || k == last:
		case k == lower && last == upper:
			if lastAt > 0 && !plural(name[i:]) { // HTTPServer
				return lastAt
			}
		default:
			return i
		}
		last, lastAt = k, i
	}
	return len(name)
}

// plural reports whether the rest is the "s" after an acronym, as in URLs.
func plural(rest string) bool {
	return rest[0] == 's' && (len(rest) == 1 || kindOf(rune(rest[1])) != lower)
}

// eachPair calls f with each two neighbours of a run, or with the one there is.
func eachPair(run string, f func(word string, whole bool)) {
	at, end := -1, -1 // the rune before
	for i, r := range run {
		next := i + utf8.RuneLen(r)
		if at >= 0 {
			f(run[at:next], false)
		}
		at, end = i, next
	}
	if at == 0 {
		f(run[:end], false)
	}
}
