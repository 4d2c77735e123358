package project

import "strings"

// compileClass parses a bracket expression at the start of text, and returns its set of bytes and its length. It
// returns false if the expression is not closed or names a class unknown to git.
func compileClass(text string) (set *[4]uint64, n int, ok bool) {
	set = new([4]uint64)
	n = 1
	negated := n < len(text) && (text[n] == '!' || text[n] == '^')
	if negated {
		n++
	}
	last := byte(0)
	for first := true; ; first = false {
		switch {
		case n >= len(text):
			return nil, 0, false
		case text[n] == ']' && !first:
			if negated {
				for w := range set {
					set[w] = ^set[w]
				}
			}
			return set, n + 1, true
		}
		var size int
		size, last = addMember(set, text[n:], last)
		if size == 0 {
			return nil, 0, false
		}
		n += size
	}
}

// addMember adds the next part of a bracket expression: a byte, a named class, or the end of a range that begins
// with last (0 for none). It returns the length of the part, 0 if it is malformed, and the byte that a range may
// begin with.
func addMember(set *[4]uint64, text string, last byte) (size int, start byte) {
	switch {
	case text[0] == '-' && last != 0 && len(text) > 1 && text[1] != ']':
		end, size := literal(text[1:])
		if size == 0 {
			return 0, 0
		}
		for b := int(last); b <= int(end); b++ {
			add(set, byte(b))
		}
		return 1 + size, 0
	case strings.HasPrefix(text, "[:"):
		name, size, known := className(text)
		if size == 0 || known && !addClass(set, name) {
			return 0, 0
		}
		if known {
			return size, 0
		}
	} // "[:" without a class is two ordinary bytes
	b, size := literal(text)
	if size > 0 {
		add(set, b)
	}
	return size, b
}

func add(set *[4]uint64, b byte) { set[b/64] |= 1 << (b % 64) }

// literal reads a byte, possibly escaped by a backslash. The size is 0 at the end of the text.
func literal(text string) (b byte, size int) {
	if text[0] != '\\' {
		return text[0], 1
	}
	if len(text) < 2 {
		return 0, 0
	}
	return text[1], 2
}

// className reads "[:name:]". Known is false if the next "]" has no ":" before it; the size is 0 if there is no
// "]".
func className(text string) (name string, size int, known bool) {
	inner, _, closed := strings.Cut(text[len("[:"):], "]")
	if !closed {
		return "", 0, false
	}
	name, known = strings.CutSuffix(inner, ":")
	return name, len("[:") + len(inner) + len("]"), known
}

// classes are the POSIX classes as implemented by git in every locale: ASCII only; space excludes vertical tab and
// form feed.
var classes = []struct {
	name string
	has  func(b byte) bool
}{
	{"alnum", func(b byte) bool { return alpha(b) || digit(b) }},
	{"alpha", alpha},
	{"blank", func(b byte) bool { return b == ' ' || b == '\t' }},
	{"cntrl", func(b byte) bool { return b < ' ' || b == 0x7f }},
	{"digit", digit},
	{"graph", graph},
	{"lower", lower},
	{"print", func(b byte) bool { return b == ' ' || graph(b) }},
	{"punct", func(b byte) bool { return graph(b) && !alpha(b) && !digit(b) }},
	{"space", func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }},
	{"upper", upper},
	{"xdigit", func(b byte) bool { return digit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }},
}

// addClass adds the bytes of a POSIX class; false if the name is unknown.
func addClass(set *[4]uint64, name string) bool {
	for _, c := range classes {
		if c.name != name {
			continue
		}
		for b := range 256 {
			if c.has(byte(b)) {
				add(set, byte(b))
			}
		}
		return true
	}
	return false
}

func lower(b byte) bool { return b >= 'a' && b <= 'z' }
func upper(b byte) bool { return b >= 'A' && b <= 'Z' }
func alpha(b byte) bool { return lower(b) || upper(b) }
func digit(b byte) bool { return b >= '0' && b <= '9' }
func graph(b byte) bool { return b > ' ' && b < 0x7f }
