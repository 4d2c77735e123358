package repair

// newExpression rewrites new A()->b() (PHP 8.4) as @A()->b(), which has the same shape
// as (new A())->b(). It removes readonly from new readonly class (PHP 8.3).
func (m *Rewriter) newExpression(i int) {
	k := m.AfterAttributes(i + 1)
	if m.Is(k, "readonly") && m.Is(k+1, "class") {
		m.write(k, k, "")
		m.extra(k, "readonly")
	}
	k = i + 1
	switch {
	case m.Is(k, "("):
		k = m.Pair(k) + 1
	case m.Is(k, "class"):
		return
	default:
		k = m.afterName(k)
	}
	if k <= i+1 || !m.Is(k, "(") || m.Pair(k) < 0 || !m.Is(m.Pair(k)+1, "->", "?->", "::", "[", "(") {
		return
	}
	m.write(i, i, "@")
	if m.Is(i+1, "static") {
		m.write(i+1, i+1, "stat_c")
	}
}

// afterClass rewrites new class {}->a() (PHP 8.4) as a concatenation.
func (m *Rewriter) afterClass(end int) {
	if m.role[m.Pair(end)] == anonymousMembers && m.Is(end+1, "->", "?->") {
		m.write(end+1, end+1, ".")
	}
}

// clone rewrites clone($a, [...]) (PHP 8.5) as a call, and drops clone from clone $a =
// ….
func (m *Rewriter) clone(i int) {
	if m.kind(i+1) == variableToken && m.Is(i+2, "=", "??=") {
		m.write(i, i, "")
		m.extra(i, "clone")
		return
	}
	if !m.Is(i+1, "(") || m.Pair(i+1) < 0 {
		return
	}
	for k := i + 2; k < m.Pair(i+1); k++ {
		switch {
		case m.Is(k, ",", "..."), m.Is(k, ":") && k == i+3 && m.kind(k-1) == wordToken:
			m.write(i, i, "cl_ne")
			return
		case m.Pair(k) > k:
			k = m.Pair(k)
		}
	}
}

// afterName returns the token after the name or variable that begins at k.
func (m *Rewriter) afterName(k int) int {
	if m.kind(k) == variableToken {
		return k + 1
	}
	if m.Is(k, `\`) {
		k++
	}
	for m.kind(k) == wordToken {
		k++
		if !m.Is(k, `\`) {
			break
		}
		k++
	}
	return k
}
