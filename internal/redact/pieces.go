package redact

import "strings"

// piece is one of the string literals of a concatenated value: "first" + "second".
type piece struct{ from, to int }

// maxPieces is the maximum number of string literals of a value.
const maxPieces = 32

// pieces returns the concatenated strings that begin at the quote open.
func (f *finder) pieces(open int) []piece {
	var out []piece
	for open > 0 && len(out) < maxPieces {
		from, to := f.inside(open)
		if to <= from {
			break
		}
		out = append(out, piece{from, to})
		open = f.continued(to)
	}
	return out
}

// joined returns the concatenated text of pieces.
func (f *finder) joined(pieces []piece) string {
	if len(pieces) == 1 {
		return f.text[pieces[0].from:pieces[0].to]
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(f.text[p.from:p.to])
	}
	return b.String()
}

// addPieces adds the pieces as one secret, and returns the end of the last.
func (f *finder) addPieces(pieces []piece, kind string, c Confidence) int {
	for n, p := range pieces {
		if n == 0 {
			f.add(p.from, p.to, kind, c)
		} else {
			f.addMore(p.from, p.to, kind)
		}
	}
	return pieces[len(pieces)-1].to
}

// literal checks the string at the quote open, assigned to a name, and those concatenated to it. It returns where
// to continue; 0 if they are not a secret.
func (f *finder) literal(open int, s sensitivity, name string) int {
	pieces := f.pieces(open)
	if len(pieces) == 0 || strings.Contains(f.joined(pieces), mark) {
		return 0
	}
	if v := f.joined(pieces); f.isSecret(s, name, v) && !f.isToken(pieces[0]) {
		return f.addPieces(pieces, typeOf(name, v), Medium)
	}
	if v := f.joined(pieces[:1]); len(pieces) > 1 && f.isSecret(s, name, v) && !f.isToken(pieces[0]) { // the other pieces are text
		return f.addPieces(pieces[:1], typeOf(name, v), Medium)
	}
	return 0
}

// isToken reports whether a piece is a token of a known form, which is reported under a more specific type.
func (f *finder) isToken(p piece) bool {
	_, end := f.token(p.from)
	return end == p.to
}

// splitToken checks whether the strings on both sides of the operator at i together are a token of a known form: "ghp_"
// + "0123…". It returns where to continue; 0 if not.
func (f *finder) splitToken(i int) int {
	s := f.text
	to := i
	for to > 0 && i-to < 8 && strings.IndexByte(" \t\r\n", s[to-1]) >= 0 {
		to--
	}
	if to == 0 || !isQuote(s[to-1]) || f.continued(to-1) == 0 {
		return 0
	}
	quote, end := s[to-1], to-1
	from := end
	for from > 0 && end-from < 80 && isTokenByte(s[from-1]) {
		from--
	}
	if from == 0 || from == end || s[from-1] != quote {
		return 0
	}
	pieces := f.pieces(from - 1)
	if len(pieces) < 2 {
		return 0
	}
	joined := f.joined(pieces)
	whole := &finder{text: joined, tokens: f.tokens}
	if kind, n := whole.token(0); n == len(joined) {
		return f.addPieces(pieces, kind, High)
	}
	return 0
}

// continued returns the quote of the string that continues the one that ends at i, by an operator, a backslash, or
// a newline; 0 if there is none.
func (f *finder) continued(i int) (open int) {
	glue := f.text[i:min(len(f.text), i+60)]
	glue = glue[:run(glue, func(c byte) bool { return isQuote(c) || strings.IndexByte("+.\\&<>| \t\r\n", c) >= 0 })]
	if len(glue) < 3 || !isQuote(glue[0]) || !isQuote(glue[len(glue)-1]) || strings.Count(glue, "\n") > 1 {
		return 0
	}
	switch strings.Trim(glue[1:len(glue)-1], " \t\r\n") {
	case "+", ".", "..", "\\", "&", "<>", "||", "++":
		return i + len(glue) - 1
	case "": // C, Python: adjacent literals
		if strings.Contains(glue, "\n") || glue[0] == glue[len(glue)-1] && strings.Trim(glue[1:len(glue)-1], " ") == "" && len(glue) == 3 {
			return i + len(glue) - 1
		}
	}
	return 0
}

// inside returns the content of the string at the quote open: up to the closing quote on the line, or the only line
// of a multi-line string. A quote after a backslash is part of it, unless the opening quote is escaped, too.
func (f *finder) inside(open int) (from, to int) {
	s, quote := f.text, f.text[open]
	escaped := open > 0 && s[open-1] == '\\'
	from = open + 1
	if strings.HasPrefix(s[from:], string([]byte{quote, quote})) {
		from += 2
	}
	from += run(s[from:min(len(s), from+60)], func(c byte) bool { return c == '\n' || c == '\r' || isBlank(c) })
	to = from
	for to < len(s) && s[to] != quote && s[to] != '\n' {
		if s[to] != '\\' {
			to++
			continue
		}
		if escaped || to+1 >= len(s) || strings.IndexByte("\"'\\/$#", s[to+1]) < 0 {
			break
		}
		to += 2
	}
	to = min(to, len(s))
	return from, from + len(strings.TrimRight(s[from:to], " \t\r"))
}
