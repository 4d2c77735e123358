package repair

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// Outside of protocols a function may have no body in an interface file, or if another
// language implements it. The grammar requires a body for a function but not for an
// initialiser: func name(…) -> T is rewritten as init(…).

// bodyless rewrites the function whose keyword is token i, if it has no body.
func (m *rewriter) bodyless(i int) bool {
	if m.inProtocol(i) {
		return true
	}
	open, ok := m.parameters(i)
	if !ok {
		return true
	}
	end, arrow, bare := m.headEnd(m.Match(open) + 1)
	if !bare {
		return true
	}
	before := i + 1 // the name
	from := m.Tokens[i].Start()
	if m.Tokens[before].End()-from < len("init") {
		return true
	}
	m.hide(i, before)
	copy(m.out[m.Tokens[before].End()-len("init"):], "init")
	if arrow > 0 {
		last := arrow
		for last < end && m.Word(last+1) != "where" {
			last++
			if m.Match(last) > last {
				last = m.Match(last)
			}
		}
		m.hideLater = append(m.hideLater, core.Span{Start: arrow, End: last})
	}
	return true
}

// parameters returns the opening bracket of the parameters of the function whose
// keyword is token i.
func (m *rewriter) parameters(i int) (open int, ok bool) {
	for k := i + 2; k < min(i+2+maxGeneric, len(m.Tokens)); k++ {
		switch {
		case m.Frame(k) != m.Frame(i):
		case m.Mark(k) == '(':
			return k, m.Match(k) > k
		case m.Mark(k) == '{' || m.Mark(k) == '}' || m.Tokens[k].Newline && m.ends(k-1) && m.Tokens[k].Kind == Word:
			return 0, false
		}
	}
	return 0, false
}

// headEnd reads the head of a function after its parameters, from token k. It returns
// the last token of the head, the arrow before the result, and whether no body follows.
func (m *rewriter) headEnd(k int) (end, arrow int, bare bool) {
	frame := m.Frame(k - 1)
	for ; k < len(m.Tokens); k++ {
		if m.Mark(k) == '{' || m.Frame(k) != frame || m.bare(k) {
			return k - 1, arrow, m.Mark(k) != '{'
		}
		if m.Text(k) == "->" && arrow == 0 {
			arrow = k
		}
		if m.Match(k) > k {
			k = m.Match(k)
		}
	}
	return len(m.Tokens) - 1, arrow, true
}

// bare reports whether the head of a function without a body ends before token k.
func (m *rewriter) bare(k int) bool {
	switch m.Mark(k) {
	case '}', ';', ')':
		return true
	}
	if headWords[m.Word(k)] && m.Mark(k-1) != '.' {
		return true
	}
	return m.Tokens[k].Newline && m.ends(k-1) && !Continues[m.Word(k)] && m.Tokens[k].Kind != Operator
}
