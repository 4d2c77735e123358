package syntax

// brackets describes the brackets of a query, computed in advance so that the parser never backtracks.
type brackets struct {
	// ends holds for an opening bracket the index of the closing one; -1 for an unclosed bracket and other tokens.
	ends []int
	// parts holds for an opening bracket the first ",", "|" or WHERE directly inside it; "" for none.
	parts []string
}

// closers maps opening brackets to closing ones.
var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// findBrackets matches the brackets of tokens in one pass.
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
				open = open[:0] // mismatch: nothing after it is reliable
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

// key returns the key of the token at an index; "" if there is none.
func (p *parser) key(i int) string {
	if i >= len(p.toks) {
		return ""
	}
	return p.toks[i].key
}

// namedAt reports whether the token at an index is a name.
func (p *parser) namedAt(i int) bool { return i < len(p.toks) && p.toks[i].isName() }

// chainAt reports whether a pattern with at least one relationship begins at a token: (a)-->(b), not (a) - (b). An
// arrow suffices; without one, another node must follow, because (a) - [1] - (2 + 3) is arithmetic.
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

// nodeAt reports whether a token begins something like a node pattern.
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
	return i == last || p.key(i) == "WHERE"
}
