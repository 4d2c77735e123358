package syntax

// brackets is what a parser must know about the brackets of a text before it reads
// them: with it no rule has to be tried and taken back.
type brackets struct {
	// ends has for an opening bracket the index of the closing one; -1 for everything
	// else and for a bracket that is not closed.
	ends []int
	// parts has for an opening bracket the first of ",", "|" and WHERE that stands
	// directly in it, "" for none.
	parts []string
}

// closers are the brackets.
//
//nolint:gochecknoglobals // a table
var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// findBrackets pairs the brackets of some tokens in one pass.
func findBrackets(toks []token) brackets {
	b := brackets{ends: make([]int, len(toks)), parts: make([]string, len(toks))}
	var open []int
	for i := range toks {
		b.ends[i] = -1
		switch key := toks[i].key; key {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) == 0 || closers[toks[open[len(open)-1]].key] != key {
				open = open[:0] // from here on nothing is certain
				continue
			}
			b.ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		case ",", "|", "WHERE":
			if len(open) > 0 && b.parts[open[len(open)-1]] == "" {
				b.parts[open[len(open)-1]] = key
			}
		}
	}
	return b
}

// key returns the key of the token with an index, "" when there is none.
func (p *parser) key(i int) string {
	if i >= len(p.toks) {
		return ""
	}
	return p.toks[i].key
}

// namedAt reports whether the token with an index is a name.
func (p *parser) namedAt(i int) bool { return i < len(p.toks) && p.toks[i].isName() }

// chainAt reports whether a pattern with at least one relationship begins at a token:
// (a)-->(b) and not (a) - (b). An arrow is enough; without one there must be another
// node, since (a) - [1] - (2 + 3) is arithmetic.
func (p *parser) chainAt(i int) bool {
	if !p.nodeAt(i) {
		return false
	}
	i = p.ends[i] + 1
	if p.key(i) == "<" {
		i++
	}
	if p.key(i) != "-" {
		return false
	}
	i++
	if p.key(i) == "[" && p.ends[i] > 0 {
		i = p.ends[i] + 1
	}
	if p.key(i) != "-" {
		return false
	}
	return p.key(i+1) == ">" || p.nodeAt(i+1)
}

// nodeAt reports whether a token begins what looks like a node of a pattern.
func (p *parser) nodeAt(i int) bool {
	if p.key(i) != "(" || p.ends[i] < 0 {
		return false
	}
	last := p.ends[i]
	i++
	if p.namedAt(i) {
		i++
	}
	for p.key(i) == ":" || p.key(i) == "|" {
		i++
		if p.key(i) == ":" {
			i++
		}
		if !p.namedAt(i) {
			return false
		}
		i++
	}
	switch {
	case p.key(i) == "{" && p.ends[i] > 0:
		i = p.ends[i] + 1
	case p.toks[i].kind == param:
		i++
	}
	return i == last
}
