package spec

// Tokens estimates how many tokens of a language model a text is. Without a
// vocabulary (those that exist offline add 7 MB and more) it counts by classes of
// characters: words, digits, blanks, marks, Chinese and Japanese, other alphabets.
// Against o200k_base it comes to 0.92-1.13 of the true count on code, prose and
// JSON, in English, Chinese, Japanese, Korean, German and Russian; minified code is
// 1.14, a lock file 0.86. make truth measures it.
func Tokens(text string) int {
	var c tokenCount
	c.text(text)
	return c.tokens()
}

type tokenClass int

const (
	noClass tokenClass = iota
	wordClass
	digitClass
	blankClass
	lineClass
	markClass
	wideClass
	alphaClass // letters of other alphabets
	otherClass
)

// tokenCount is a count at work: the class of the run at hand and its length.
type tokenCount struct {
	n     float64
	class tokenClass
	run   int
	last  rune
}

// text counts a text that stands behind those counted before.
func (c *tokenCount) text(text string) {
	for _, r := range text {
		c.add(r)
	}
}

// tokens is what was counted so far.
func (c tokenCount) tokens() int {
	c.flush()
	return int(c.n + 0.5)
}

func classOf(r rune) tokenClass {
	if r >= 128 {
		return foreignClass(r)
	}
	switch {
	case r|0x20 >= 'a' && r|0x20 <= 'z':
		return wordClass
	case r >= '0' && r <= '9':
		return digitClass
	case r == ' ', r == '\t':
		return blankClass
	case r == '\n', r == '\r':
		return lineClass
	}
	return markClass
}

func foreignClass(r rune) tokenClass {
	switch {
	case r >= 0x0370 && r <= 0x05FF: // Greek, Cyrillic, Armenian, Hebrew
		return alphaClass
	case r >= 0x2E80 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF, r >= 0xFF00 && r <= 0xFFEF:
		return wideClass
	}
	return otherClass
}

func (c *tokenCount) add(r rune) {
	class := classOf(r)
	switch {
	case class != c.class:
		c.flush()
		c.run = 0
	case class == wordClass:
		c.hump(r)
	}
	c.run++
	c.n += c.weight(class, r)
	c.class, c.last = class, r
}

// hump begins a new word within a run of letters: camelCase, HTTPServer.
func (c *tokenCount) hump(r rune) {
	switch small, wasSmall := r > 'Z', c.last > 'Z'; {
	case !small && wasSmall:
		c.flush()
		c.run = 0
	case small && !wasSmall && c.run > 1:
		c.run--
		c.flush()
		c.run = 1
	}
}

// weight is what a character counts by itself; runs count as a whole.
func (c *tokenCount) weight(class tokenClass, r rune) float64 {
	switch class {
	case markClass:
		switch {
		case r == c.last:
			return 0.2 // runs of one mark merge
		case c.last >= '0' && c.last <= '9':
			return 0.85
		}
		return 0.6
	case wideClass:
		return 0.75
	case otherClass:
		if r >= 0x0900 && r < 0x0E00 { // the scripts of India
			return 0.4
		}
		return 0.5
	default:
		return 0
	}
}

// flush counts the run that ends.
func (c *tokenCount) flush() {
	switch c.class {
	case wordClass:
		c.n += 1 + max(0, float64(c.run-7)/5.5)
		if c.run == 1 { // often one with the mark before it
			c.n -= 0.2
		}
	case alphaClass:
		c.n += 0.5 + 0.2*float64(c.run)
	case digitClass:
		c.n += float64((c.run + 2) / 3)
	case blankClass:
		if c.run > 1 { // the blank before a word is free
			c.n += 0.9
		}
	case lineClass:
		c.n += 0.7
	default: // counted character by character
	}
}
