package question

import (
	"slices"
	"strings"
)

// reading is the state of understanding a question: the tokens that are left, and what was found.
type reading struct {
	tokens  []token
	unknown []string // unknown words
	han     bool
	depth   int    // steps of a walk; 0 if not given
	direct  bool   // one step is asked for
	counts  bool   // a number is requested
	over    string // lower bound of a number; "" if not given
	pairs   bool   // the subject is related to two things
	limited bool   // the number of rows is given
	sure    bool   // there is an unambiguous name
}

// read converts a question to tokens.
func read(question string) *reading {
	r := &reading{han: hasHan(question)}
	parts := scan(question)
	for i := 0; i < len(parts); {
		p := parts[i]
		switch p.form {
		case quoted, named:
			r.tokens = r.withStars(nameToken(p.text))
			i++
		case han:
			r.tokens = append(r.tokens, segment(p.text)...)
			i++
		case bare:
			i += r.phrase(parts[i:])
		}
	}
	if n := len(r.tokens); n > 0 && r.tokens[n-1].is == "unknown" {
		r.tokens[n-1].last = true
	}
	r.folders()
	r.kindsTogether()
	r.countsOfEach()
	r.kindsOfNames()
	r.sure = len(r.slots()) > 0
	r.names()
	r.kindsOfNames()
	r.members()
	return r
}

const longestPhrase = 6

// phrase consumes the longest phrase of the vocabulary, and returns its number of words.
func (r *reading) phrase(parts []piece) int {
	n := 0
	for n < len(parts) && n < longestPhrase && parts[n].form == bare {
		n++
	}
	for ; n > 0; n-- {
		text, capital := joined(parts[:n])
		m, ok := vocabulary()[strings.ToLower(text)]
		if ok && n == 1 && r.isName(parts, m) {
			r.tokens = append(r.tokens, token{is: "$", text: text})
			return 1
		}
		if ok && (n == 1 || !capital) {
			r.tokens = append(r.tokens, m.tokens(text)...)
			return n
		}
	}
	r.other(parts[0])
	return 1
}

// other consumes a word that is not in the vocabulary.
func (r *reading) other(p piece) {
	if isNumber(p.text) {
		r.tokens = append(r.tokens, token{is: "9", text: p.text})
		return
	}
	r.tokens = append(r.tokens, token{is: "unknown", text: p.text, middle: p.isCapital() || r.han && isCapital(p.text)})
}

// joined joins words, and reports whether one inside the sentence is capitalized.
func joined(parts []piece) (text string, capital bool) {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
		capital = capital || p.isCapital()
	}
	return strings.Join(texts, " "), capital
}

// segment splits Chinese text into the longest words of the vocabulary.
func segment(text string) []token {
	var out []token
	rest, unknown := []rune(text), ""
	flush := func() {
		if unknown != "" {
			out = append(out, token{is: "unknown", text: unknown})
		}
		unknown = ""
	}
	for len(rest) > 0 {
		n := min(len(rest), 2*longestPhrase)
		for ; n > 0; n-- {
			if m, ok := vocabulary()[string(rest[:n])]; ok {
				flush()
				out = append(out, m.tokens(string(rest[:n]))...)
				break
			}
		}
		if n == 0 {
			unknown, n = unknown+string(rest[:1]), 1
		}
		rest = rest[n:]
	}
	flush()
	return out
}

// at returns a token, or the zero token.
func (r *reading) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{}
	}
	return r.tokens[i]
}

func (r *reading) has(concept string) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.is == concept })
}
