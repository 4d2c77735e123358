package snapshot

import (
	"strings"
	"unicode"
)

// longestTerm bounds a term, in bytes. What is longer is data rather than a word.
const longestTerm = 64

// Terms returns the words of a text, as the index has them: in lower case, names
// split at "_", before digits' followers and where the case changes, and a name of
// several parts also as one word ("getUser" and "get_user" both give "get", "user"
// and "getuser"). Of writing without spaces each two neighbours are a word.
func Terms(text string) []string {
	var terms []string
	eachTerm(text, func(term string) { terms = append(terms, term) })
	return terms
}

// eachTerm calls f with the words of a text.
func eachTerm(text string, f func(term string)) {
	for i := 0; i < len(text); {
		// The end of the run of one sort that begins here.
		end, sort := len(text), none
		for j, r := range text[i:] {
			k := sortOf(r)
			if j == 0 {
				sort = k
			} else if k != sort {
				end = i + j
				break
			}
		}
		switch run := text[i:end]; sort {
		case letters:
			eachPart(run, f)
		case ideographs:
			eachPair(run, f)
		case none:
		}
		i = end
	}
}

// sortOfRune is what a rune does for words.
type sortOfRune int

const (
	none       sortOfRune = iota
	letters               // of names, with digits and "_"
	ideographs            // of writing without spaces
)

func sortOf(r rune) sortOfRune {
	switch {
	case r < unicode.MaxASCII:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return letters
		}
		return none
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return ideographs
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return letters
	}
	return none
}

// eachPart calls f with the parts of a name, and with all of them together.
func eachPart(name string, f func(term string)) {
	parts := 0
	emit := func(part string) {
		if part = strings.Trim(part, "_"); part != "" {
			parts++
			if len(part) <= longestTerm {
				f(strings.ToLower(part))
			}
		}
	}
	begin := 0
	var before, last rune
	beforeAt := 0 // where last begins
	for i, r := range name {
		switch {
		case i == 0:
		case r == '_', last == '_', unicode.IsUpper(r) && !unicode.IsUpper(last):
			emit(name[begin:i])
			begin = i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before): // HTTPServer
			emit(name[begin:beforeAt])
			begin = beforeAt
		}
		before, last, beforeAt = last, r, i
	}
	emit(name[begin:])
	if parts > 1 && len(name) <= longestTerm {
		f(strings.ToLower(strings.ReplaceAll(name, "_", "")))
	}
}

// eachPair calls f with each two neighbours of a run, or with the one there is.
func eachPair(run string, f func(term string)) {
	at, ends := -1, -1 // the rune before
	for i, r := range run {
		size := len(string(r))
		if at >= 0 {
			f(run[at : i+size])
		}
		at, ends = i, i+size
	}
	if at == 0 {
		f(run[:ends])
	}
}
