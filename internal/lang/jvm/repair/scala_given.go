package repair

// given rewrites a given instance (reference, "Given Instances") as the declaration it
// is equivalent to: a class if it has a template, a method if it has a value. The text
// of its keyword is kept, so that the reader recognizes it.
//
//	given ord: Ord[Int] with { … }            class ord extends Ord[Int] { … }
//	given [T] => (o: Ord[T]) => List[T] = …   def given [T] (o: Ord[T]) : List[T] = …
//	given ord: Ord[Int] with { … }            class ord extends Ord[Int] { … }
//	given [T] => (o: Ord[T]) => List[T] = …   def given [T] (o: Ord[T]) : List[T] = …
func (l *scalaLayout) given(h scalaHead) {
	g := l.givenParts(h)
	isClass := g.body >= 0 || g.applied && g.value < 0
	link := ":"
	l.replace(h.token, "def")
	if isClass {
		link = "extends"
		l.replace(h.token, "class")
	}
	if !g.named {
		l.append(h.token, " anonymous ")
	}
	last := g.colon
	for _, arrow := range g.arrows {
		if last >= 0 {
			l.replace(last, " ")
		}
		last = arrow
	}
	switch {
	case last >= 0:
		l.replace(last, " "+link+" ")
	case g.start < len(l.tokens):
		l.prepend(g.start, " "+link+" ")
	}
	if g.with >= 0 && !l.rewritten[g.with].changed {
		l.hide(g.with)
	}
}

// givenParts are the token indexes of the parts of a given, -1 for missing parts.
type givenParts struct {
	named       bool
	colon       int   // after the name and its parameters
	arrows      []int // after type parameters and conditions
	start       int   // start of the type
	value, body int   // "=", and the opening token of the body
	with        int   // the "with" before the body
	applied     bool  // the type has arguments
}

func (l *scalaLayout) givenParts(h scalaHead) givenParts {
	g := givenParts{colon: -1, value: -1, body: -1, with: -1}
	end := min(h.end, len(l.tokens))
	at := h.token + 1
	if at < end && l.tokens[at].kind == scalaWord {
		if k := l.skipClauses(at+1, end); l.isColon(k, end) {
			g.named, g.colon, at = true, k, k+1
		}
	} else if k := l.skipClauses(at, end); k > at && l.isColon(k, end) { // parameters of an anonymous given
		g.colon, at = k, k+1
	}
	for { // conditions
		k := l.skipClauses(at, min(at+1, end))
		if k == at || k >= end || l.word(k) != "=>" {
			break
		}
		g.arrows = append(g.arrows, k)
		at = k + 1
	}
	g.start = at
	l.givenRest(&g, end)
	return g
}

// isColon reports whether token i is a colon that was not rewritten as a brace.
func (l *scalaLayout) isColon(i, end int) bool {
	return i < end && l.word(i) == ":" && l.rewritten[i].as != "{"
}

// givenRest finds the parts after the type: its arguments, a value or a body.
func (l *scalaLayout) givenRest(g *givenParts, end int) {
	for i := g.start; i < end; i++ {
		word := l.word(i)
		last := l.word(i-1) == "with" || i == end-1 || int(l.partner[i]) == end-1
		switch {
		case l.rewritten[i].as == "{", word == "{" && last:
			g.body = i
			if l.word(i-1) == "with" {
				g.with = i - 1
			}
			return
		case word == "=":
			g.value = i
			return
		case word == "(" && i > g.start && l.tokens[i].Start == l.tokens[i-1].End && l.tokens[i-1].kind != scalaOperator:
			g.applied = true
		}
		if int(l.partner[i]) > i {
			i = int(l.partner[i])
		}
	}
}

// skipClauses returns the index after the parameter clauses that begin at at.
func (l *scalaLayout) skipClauses(at, end int) int {
	for at < end && (l.word(at) == "[" || l.word(at) == "(") && int(l.partner[at]) > at {
		at = int(l.partner[at]) + 1
	}
	return at
}
