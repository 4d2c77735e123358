package redact

import "strings"

// gapLimit is the maximum distance of a value from its name.
const gapLimit = 72

// opening skips the text between a name, which ends at i, and a quoted value: an operator, possibly a type,
// possibly a call around the value. It returns the position of the quote.
func (f *finder) opening(i int) (open int, ok bool) {
	s, start := f.text[:min(len(f.text), i+gapLimit)], i
	i += min(4, run(s[i:], func(c byte) bool { return strings.IndexByte("\"'`\\)]", c) >= 0 })) // what encloses the name
	g := gap{closed: i > start}
	if strings.HasPrefix(s[i:], " { get;") { // a property of C#
		i += strings.IndexByte(s[i:]+"}", '}') + 1
	}
	for at := i; at < len(s); at++ {
		switch c := s[at]; {
		case c == '\'' && s[at-1] == '&': // a Rust lifetime
			g.since++
		case c == ':' && g.operator == '=' && strings.HasPrefix(s[at:], "::"): // String::from
			at++
		case isQuote(c):
			return at, g.leads(s[i:at], s[at-1] == '\\') && (g.closed || !f.within(start, at))
		case !g.take(c):
			return 0, false
		}
	}
	return 0, false
}

// within reports whether the quote at index at closes a string whose last word is the name that ends at end: "PWD="
// + dir.
func (f *finder) within(end, at int) bool {
	quote := f.text[at]
	if quote == '\'' || f.text[at-1] == '\\' { // may be an apostrophe
		return false
	}
	from := max(0, end-gapLimit*4)
	from += strings.LastIndexByte(f.text[from:end], '\n') + 1
	row := strings.ReplaceAll(f.text[from:end], string([]byte{quote, quote, quote}), "")
	return (strings.Count(row, string(quote))-strings.Count(row, `\`+string(quote)))%2 == 1
}

// gap is the state of scanning from a name to its value.
type gap struct {
	closed   bool // the name was in quotes or brackets
	list     bool // followed by a list of strings: []string{"…"}
	operator byte // the last operator
	lines    int
	since    int // bytes of words after the operator
}

// take consumes a byte; false if no value can follow.
func (g *gap) take(c byte) bool {
	switch {
	case c == '{':
		return g.brace()
	case c == '[' && g.since == 0 && g.operator != 0 && g.operator != ',': // one of several
		g.list = true
	case g.typed() && strings.IndexByte("|<>,?(", c) >= 0: // part of the type
	case strings.IndexByte("=:>,(|?<", c) >= 0:
		return g.operate(c)
	case c == '\n' || c == '\r':
		g.lines++
		return g.operator != 0 && g.operator != ',' && g.lines <= 2
	case isBlank(c), c == '-':
	default:
		g.since++
		return isWord(c) || strings.IndexByte("[]*&.!@$\\+", c) >= 0
	}
	return true
}

// brace consumes an opening brace around the value.
func (g *gap) brace() bool {
	if (g.operator != 0 || g.since > 0) && !g.list {
		return false
	}
	g.operator, g.since = '{', 0
	return true
}

// typed reports whether a type follows the colon after the name.
func (g *gap) typed() bool { return g.operator == ':' && g.since > 0 }

func (g *gap) operate(c byte) bool {
	switch {
	case c == ',' && (!g.closed || g.operator != 0): // "KEY", "value" and no further
		return false
	case g.operator == 0 && g.since > 0 && (c == '(' || g.closed): // key somewhere("…"), "key" id="…"
		return false
	case g.since > 0 && c != '(' && g.operator != 0 && g.operator != ':': // b = of a, b =
		return false
	}
	g.operator, g.since = c, 0
	return true
}

// leads reports whether a gap leads to the quoted value after it.
func (g *gap) leads(text string, escaped bool) bool {
	trimmed := strings.TrimRight(text, `\`)
	word := trimmed[strings.LastIndexAny(trimmed, "=:>,(|?<{- \t\n")+1:]
	blank := strings.TrimSpace(trimmed)
	switch {
	case g.operator == 0 && g.closed: // getenv("KEY") or "value"
		return blank == "or" || blank == "to"
	case g.operator == 0: // PASSWORD 'x', #define KEY "x"
		return len(text) > 0 && blank == ""
	case escaped && word == "", strings.HasSuffix(blank, " or"):
		return true
	}
	rest := strings.Trim(trimmed[strings.LastIndexByte(trimmed, g.operator)+1:], " \t\r\n-")
	if rest == "Some(" || g.list && strings.Trim(rest, "[]") == "" {
		return true
	}
	return rest == "" || rest == word && isStringPrefix(rest) || rest == "new"
}

// isStringPrefix reports whether s is a prefix of a string literal: r"…", f"…", @"…".
func isStringPrefix(s string) bool {
	switch s {
	case "r", "b", "f", "u", "R", "L", "B", "F", "rb", "br", "u8", "@", "$", "$@", "@$", "c", "s", "raw", "&", "*":
		return true
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
