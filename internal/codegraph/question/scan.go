package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a question's text.
type piece struct {
	text   string
	form   form
	middle bool   // not the first word
	after  bool   // follows a capitalized word
	before string // the previous piece, in lower case
}

// form is the form of a piece.
type form int8

const (
	bare   form = iota // a word that may be in the vocabulary
	quoted             // in quotes of any kind
	han                // Chinese text, without spaces
	named              // has the form of a name: snake_case, camelCase, a.b, f()
)

// pieces matches the parts of a question: quoted text, Chinese text, and words, with the parentheses of a call and
// a possessive s.
var pieces = lazily("`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|「([^」]+)」|『([^』]+)』|《([^》]+)》|'([^']+)'" +
	`|(\p{Han}+)|([cC](?:\+\+|#))|&|[\p{Latin}\p{Cyrillic}\p{Greek}0-9_$@.*/~][\p{Latin}\p{Cyrillic}\p{Greek}0-9_$.*/~:#\\-]*(?:\([^()]*\))?(?:['’]\p{Latin}+)?`)

// The groups of the expression.
const (
	lastQuoted = 8
	hanGroup   = 9
)

func scan(question string) []piece {
	var out []piece
	for _, m := range pieces().FindAllStringSubmatch(question, -1) {
		p := piece{text: m[0], middle: len(out) > 0}
		for i := 1; i <= lastQuoted; i++ {
			if m[i] != "" {
				p.text, p.form = strings.TrimSpace(m[i]), quoted
			}
		}
		if m[hanGroup] != "" {
			p.form = han
		}
		if p.form == bare {
			out = append(out, splitWord(p)...)
		} else {
			out = append(out, p)
		}
	}
	for i := 1; i < len(out); i++ {
		out[i].after, out[i].before = out[i-1].isCapital(), strings.ToLower(out[i-1].text)
	}
	return out
}

// splitWord splits off a possessive s, and splits words joined by "-" or "/".
func splitWord(p piece) []piece {
	p.text = strings.ReplaceAll(p.text, "’", "'")
	if known(p.text) {
		return []piece{p}
	}
	owner, own := strings.CutSuffix(p.text, "'s")
	p.text = strings.TrimRight(owner, ".:-\\")
	if p.text == "" {
		return nil
	}
	parts := []piece{p}
	if words := strings.FieldsFunc(p.text, func(r rune) bool { return r == '-' || r == '/' }); len(words) > 1 && allKnown(words) {
		parts = nil
		for i, w := range words {
			parts = append(parts, piece{text: w, middle: p.middle || i > 0})
		}
	} else if looksNamed(p.text) {
		parts[0].form = named
	}
	if own {
		parts = append(parts, piece{text: "'s", middle: true})
	}
	return parts
}

func known(word string) bool {
	_, ok := vocabulary()[strings.ToLower(word)]
	return ok
}

// allKnown reports whether words are in the vocabulary or numbers, alone or together.
func allKnown(words []string) bool {
	if known(strings.Join(words, " ")) {
		return true
	}
	for _, w := range words {
		if !known(w) && !isNumber(w) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// looksNamed reports whether a word has the form of a name, which is not used in plain sentences.
func looksNamed(s string) bool {
	if strings.ContainsAny(s, "_.$@/*(#:~\\-") {
		return true
	}
	var lower, digit bool
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) && lower:
			return true
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return digit && !isNumber(s)
}

// isCapital reports whether a piece is a capitalized word inside the sentence, other than "I".
func (p piece) isCapital() bool { return p.middle && p.text != "I" && isCapital(p.text) }

// isCapital reports whether a word begins with an upper-case letter.
func isCapital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// hasHan reports whether a question is in Chinese.
func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
