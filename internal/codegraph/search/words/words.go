// Package words takes texts apart into words, as an index and its questions need
// them: it knows how names in code are made. English endings are Snowball's work.
package words

import (
	"bytes"
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
	var s Splitter
	s.Each([]byte(text), func(word []byte, whole bool) { f(string(word), whole) })
}

// Splitter is [Each] without a copy of each word. It is not safe for concurrent use.
type Splitter struct {
	lower []byte // the name at hand in lower case, without "_"
}

// Each is [Each]; a word is valid during the call.
func (s *Splitter) Each(text []byte, f func(word []byte, whole bool)) {
	for i := 0; i < len(text); {
		start, end, sort := next(text, i)
		s.eachOf(text[start:end], sort, f)
		i = end
	}
}

// next returns the next run of runes of one sort that may have words, and the sort.
func next(text []byte, i int) (start, end int, sort sortOfRune) {
	for i < len(text) && kinds[text[i]] == other {
		i++
	}
	for end = i; end < len(text) && kinds[text[end]] < other; end++ {
	}
	if end < len(text) && kinds[text[end]] == wide {
		if end, sort = run(text, i); sort == letters {
			sort = wideLetters
		}
		return i, end, sort
	}
	return i, end, letters
}

// eachOf calls f with the words of a run.
func (s *Splitter) eachOf(run []byte, sort sortOfRune, f func(word []byte, whole bool)) {
	switch {
	case len(run) == 0 || sort == none:
	case sort == letters:
		s.eachPart(run, f)
	case sort == wideLetters:
		eachWidePart(run, f)
	default:
		eachPair(run, f)
	}
}

// sortOfRune is what a rune does for words.
type sortOfRune uint8

const (
	none        sortOfRune = iota
	letters                // of names, with digits and "_"
	wideLetters            // the same, not only ASCII
	ideographs             // of writing without spaces
)

// run returns the end of the run of runes of one sort that begins at i, and the
// sort.
func run(text []byte, i int) (end int, sort sortOfRune) {
	sort, size := sortAt(text, i)
	for end = i + size; end < len(text); end += size {
		var next sortOfRune
		if next, size = sortAt(text, end); next != sort {
			break
		}
	}
	return end, sort
}

// sortAt returns the sort and the size of the rune at i.
func sortAt(text []byte, i int) (sort sortOfRune, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		if kinds[c] != other {
			return letters, 1
		}
		return none, 1
	}
	r, size := utf8.DecodeRune(text[i:])
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
	other // not in names
	wide  // the first byte of a rune that is not ASCII
)

// kinds are those of bytes.
var kinds = func() (k [256]kind) {
	for c := range k {
		switch {
		case c >= utf8.RuneSelf:
			k[c] = wide
		case c == '_':
			k[c] = between
		case c >= '0' && c <= '9':
			k[c] = digit
		case c >= 'A' && c <= 'Z':
			k[c] = upper
		case c >= 'a' && c <= 'z':
			k[c] = lower
		default:
			k[c] = other
		}
	}
	return k
}()

// lowerOf are bytes in lower case.
var lowerOf = func() (l [256]byte) {
	for c := range l {
		l[c] = byte(c)
		if kinds[c] == upper {
			l[c] += 'a' - 'A'
		}
	}
	return l
}()

// eachPart calls f with the parts of a name in ASCII, and with all of them together.
func (s *Splitter) eachPart(name []byte, f func(word []byte, whole bool)) {
	if kinds[name[0]] == digit {
		s.number(name, f)
		return
	}
	all, parts, begin, last := s.lower[:0], 0, 0, between
	part := func(end int) {
		if parts++; end-begin <= Longest {
			f(all[begin:end], false)
		}
		begin = end
	}
	for i, c := range name {
		k := kinds[c]
		if k != last && last != between {
			switch {
			case k != lower || last != upper:
				part(len(all))
			case len(all)-1 > begin && !plural(name[i:]): // HTTPServer
				part(len(all) - 1)
			}
		}
		if last = k; k != between {
			all = append(all, lowerOf[c])
		}
	}
	if begin < len(all) {
		part(len(all))
	}
	if s.lower = all; parts > 1 && len(name) <= Longest {
		f(all, true)
	}
}

// number calls f with what begins with a digit, unless it is too long.
func (s *Splitter) number(name []byte, f func(word []byte, whole bool)) {
	if len(name) > longestNumber {
		return
	}
	s.lower = s.lower[:0]
	for _, c := range name {
		s.lower = append(s.lower, lowerOf[c])
	}
	f(s.lower, false)
}

// plural reports whether the rest is the "s" after an acronym, as in URLs.
func plural(rest []byte) bool {
	return rest[0] == 's' && (len(rest) == 1 || kindOf(rune(rest[1])) != lower)
}

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		return kinds[r]
	case unicode.IsDigit(r):
		return digit
	case unicode.IsUpper(r):
		return upper
	}
	return lower // and what has no case
}

// eachWidePart is eachPart for a name that is not ASCII.
func eachWidePart(name []byte, f func(word []byte, whole bool)) {
	if kinds[name[0]] == digit {
		if len(name) <= longestNumber {
			f(bytes.ToLower(name), false)
		}
		return
	}
	parts := 0
	for rest := bytes.TrimLeft(name, "_"); len(rest) > 0; parts++ {
		n := partLength(string(rest))
		if n <= Longest {
			f(bytes.ToLower(rest[:n]), false)
		}
		rest = bytes.TrimLeft(rest[n:], "_")
	}
	if parts > 1 && len(name) <= Longest {
		f(bytes.ToLower(bytes.ReplaceAll(name, []byte{'_'}, nil)), true)
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
			if lastAt > 0 && !plural([]byte(name[i:])) { // HTTPServer
				return lastAt
			}
		default:
			return i
		}
		last, lastAt = k, i
	}
	return len(name)
}

// eachPair calls f with each two neighbours of a run, or with the one there is.
func eachPair(run []byte, f func(word []byte, whole bool)) {
	at, end := -1, -1 // the rune before
	for i := 0; i < len(run); {
		_, size := utf8.DecodeRune(run[i:])
		next := i + size
		if at >= 0 {
			f(run[at:next], false)
		}
		at, end, i = i, next, next
	}
	if at == 0 {
		f(run[:end], false)
	}
}
