package lang

// A function may have no body outside of protocols: in an interface file, or
// where another language implements it. The grammar wants one, but of an
// initialiser it does not: func name(…) -> T is shown as init(…).

// bodyless mends the function whose keyword is token i, if it has no body.
func (m *swiftMend) bodyless(i int) bool {
	if m.inProtocol(i) {
		return true
	}
	open, ok := m.parameters(i)
	if !ok {
		return true
	}
	end, arrow, bare := m.headEnd(m.match(open) + 1)
	if !bare {
		return true
	}
	before := i + 1 // the name
	from := m.tokens[i].start()
	if m.tokens[before].end()-from < len("init") {
		return true
	}
	m.hide(i, before)
	copy(m.out[m.tokens[before].end()-len("init"):], "init")
	if arrow > 0 {
		last := arrow
		for last < end && m.word(last+1) != "where" {
			last++
			if m.match(last) > last {
				last = m.match(last)
			}
		}
		m.hideLater = append(m.hideLater, span{start: arrow, end: last})
	}
	return true
}

// parameters returns the bracket that opens the parameters of the function whose
// keyword is token i.
func (m *swiftMend) parameters(i int) (open int, ok bool) {
	for k := i + 2; k < min(i+2+maxGeneric, len(m.tokens)); k++ {
		switch {
		case m.frame(k) != m.frame(i):
		case m.mark(k) == '(':
			return k, m.match(k) > k
		case m.mark(k) == '{' || m.mark(k) == '}' || m.tokens[k].newline && m.ends(k-1) && m.tokens[k].kind == swiftWord:
			return 0, false
		}
	}
	return 0, false
}

// headEnd reads on behind the parameters of a function, from token k on, to the
// end of its head. It returns the last token of it, the arrow before the result,
// and whether no body follows.
func (m *swiftMend) headEnd(k int) (end, arrow int, bare bool) {
	frame := m.frame(k - 1)
	for ; k < len(m.tokens); k++ {
		if m.mark(k) == '{' || m.frame(k) != frame || m.bare(k) {
			return k - 1, arrow, m.mark(k) != '{'
		}
		if m.text(k) == "->" && arrow == 0 {
			arrow = k
		}
		if m.match(k) > k {
			k = m.match(k)
		}
	}
	return len(m.tokens) - 1, arrow, true
}

// bare tells whether the head of a function without a body ends before token k.
func (m *swiftMend) bare(k int) bool {
	switch m.mark(k) {
	case '}', ';', ')':
		return true
	}
	if swiftHeadWords[m.word(k)] && m.mark(k-1) != '.' {
		return true
	}
	return m.tokens[k].newline && m.ends(k-1) && !swiftContinues[m.word(k)] && m.tokens[k].kind != swiftOperator
}
