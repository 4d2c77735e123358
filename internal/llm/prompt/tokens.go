package prompt

// Tokens estimates the number of tokens in text. It uses no vocabulary (those that work
// offline add 7 MB and more) but counts by classes of characters: words, digits, blanks,
// marks, Chinese and Japanese, other alphabets. Compared with o200k_base the estimate is
// 0.92-1.13 of the true count on code, prose and JSON, in English, Chinese, Japanese,
// Korean, German and Russian; 1.14 on minified code, 0.86 on a lock file. make truth
// measures it.
func Tokens(text string) int {
	var c Counter
	c.Add(text)
	return c.Tokens()
}

// Cost estimates the tokens of text as a fraction, for adding up many texts. It is 0 for "".
func Cost(text string) float64 {
	var c Counter
	c.Add(text)
	c.flush()
	return c.n
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

// Counter estimates the tokens of a text that arrives in pieces. The zero value is ready
// to use.
type Counter struct {
	n     float64
	class tokenClass // of the current run of characters
	run   int        // its length in characters
	last  rune
}

// Add counts text as the continuation of the texts added before.
func (c *Counter) Add(text string) {
	for _, r := range text {
		c.add(r)
	}
}

// Tokens returns the estimate for all text added so far.
func (c Counter) Tokens() int {
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

func (c *Counter) add(r rune) {
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

// hump ends a word at a change of case within a run of letters: camelCase, HTTPServer.
func (c *Counter) hump(r rune) {
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

// weight returns the cost of one character. It is 0 for the classes that are counted by
// run; see flush.
func (c *Counter) weight(class tokenClass, r rune) float64 {
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
		if r >= 0x0900 && r < 0x0E00 { // Indic scripts
			return 0.4
		}
		return 0.5
	default:
		return 0
	}
}

// flush adds the cost of the current run.
func (c *Counter) flush() {
	switch c.class {
	case wordClass:
		c.n += 1 + max(0, float64(c.run-7)/5.5)
		if c.run == 1 { // often merged with the mark before it
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
	default: // counted by weight, character by character
	}
}
