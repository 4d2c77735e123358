package guards_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// term is a condition: an atom, or a negation, conjunction or disjunction of terms. The
// conjunction of no terms is true, the disjunction of none false.
type term struct {
	op   byte // 'a', '!', '&', '|'
	atom string
	of   []*term
}

func atom(text string) *term   { return &term{op: 'a', atom: text} }
func not(t *term) *term        { return &term{op: '!', of: []*term{t}} }
func all(ts ...*term) *term    { return &term{op: '&', of: ts} }
func either(ts ...*term) *term { return &term{op: '|', of: ts} }

// parseTerm reads a term in the normal form. Texts that say the same become the same atom:
// "a != b" is "not a == b", "x is A, B" is "x is A || x is B", and so on.
func parseTerm(text string) *term {
	text = strings.Join(strings.Fields(text), " ")
	if head, ok := strings.CutPrefix(text, "catch"); ok && (head == "" || head[0] == ' ') {
		return atom("catch " + caught(head))
	}
	if strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "no ") {
		return atom(text)
	}
	if parts := split(text, " || "); len(parts) > 1 {
		return either(parseTerms(parts)...)
	}
	if parts := split(text, " && "); len(parts) > 1 {
		return all(parseTerms(parts)...)
	}
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		return not(parseTerm(rest))
	}
	if rest, ok := strings.CutPrefix(text, "!"); ok && rest != "" && rest[0] != '=' {
		return not(parseTerm(rest))
	}
	if inner, ok := parenthesised(text); ok {
		return parseTerm(inner)
	}
	return comparison(text)
}

func parseTerms(texts []string) []*term {
	out := make([]*term, len(texts))
	for i, text := range texts {
		out[i] = parseTerm(text)
	}
	return out
}

// split splits a text where the separator is outside brackets and quotes. "no HEADER: …"
// reaches to the end.
func split(text, by string) []string {
	var parts []string
	for {
		at := find(text, by)
		if at < 0 || strings.HasPrefix(text, "no ") {
			return append(parts, text)
		}
		parts = append(parts, text[:at])
		text = text[at+len(by):]
	}
}

// find returns the index of the first separator outside brackets and quotes, or -1.
func find(text, by string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		if depth == 0 && strings.HasPrefix(text[i:], by) {
			return i
		}
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'', '`':
			i += quoted(text[i:])
		}
	}
	return -1
}

// quoted returns the index of the quote that closes the first one, or 0 for none.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i
		}
	}
	return 0
}

// parenthesised returns what is in parentheses around the whole text.
func parenthesised(text string) (string, bool) {
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return "", false
	}
	depth := 0
	for i := 0; i < len(text)-1; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return "", false
			}
		case '"', '\'', '`':
			i += quoted(text[i:])
		}
	}
	return strings.TrimSpace(text[1 : len(text)-1]), true
}

// opposites are operators, and those that they negate.
var opposites = [][2]string{{" !== ", " === "}, {" != ", " == "}, {" not in ", " in "}, {" !in ", " in "}}

func comparison(text string) *term {
	if inner, ok := strings.CutPrefix(text, "cfg(not("); ok && strings.HasSuffix(inner, "))") {
		return not(atom("cfg(" + strings.TrimSuffix(inner, ")")))
	}
	if subject, labels, ok := cutLast(text, " is not "); ok {
		return not(labelled(subject, labels))
	}
	if subject, labels, ok := cutLast(text, " is "); ok {
		return labelled(subject, labels)
	}
	for _, o := range opposites {
		if at := find(text, o[0]); at >= 0 {
			return not(atom(text[:at] + o[1] + text[at+len(o[0]):]))
		}
	}
	return atom(text)
}

func cutLast(text, by string) (before, after string, ok bool) {
	parts := split(text, by)
	if len(parts) < 2 {
		return "", "", false
	}
	last := parts[len(parts)-1]
	return strings.TrimSuffix(text, by+last), last, true
}

// labelled is a subject that is one of the labels.
func labelled(subject, labels string) *term {
	var any []*term
	for _, group := range split(labels, ", ") {
		for _, label := range split(group, " | ") {
			any = append(any, pattern(subject, label))
		}
	}
	if len(any) == 1 {
		return any[0]
	}
	return either(any...)
}

var (
	unwrapped = regexp.MustCompile(`^(Ok|Err|Some)\((?:ref )?(?:mut )?\w+\)$`)
	bound     = regexp.MustCompile(`^(?:let|var) (\w+)$`)
)

// pattern is a subject that has a pattern. What holds of an optional or a result is said in
// one way, whatever the name that it is bound to.
func pattern(subject, label string) *term {
	if m := unwrapped.FindStringSubmatch(label); m != nil {
		label = m[1]
	}
	switch {
	case label == "Err":
		return not(atom(subject + " is Ok"))
	case label == "None" && subject != "":
		return not(atom(subject + " is Some"))
	case bound.MatchString(label):
		return not(atom(subject + " == nil"))
	case label == "null" || label == "nil":
		return atom(subject + " == " + label)
	}
	label = strings.TrimPrefix(strings.TrimPrefix(label, "let "), "var ")
	return atom(subject + " is " + label)
}

var named = regexp.MustCompile(`(?: as \w+| => \w+)$|^(?:\w+: )|([^\s,|]) \$?\w+$`)

// caught returns the types of a handler's head, without the name of the error.
func caught(head string) string {
	head = strings.TrimSpace(head)
	if inner, ok := parenthesised(head); ok {
		head = inner
	}
	head = named.ReplaceAllString(head, "$1")
	if inner, ok := parenthesised(head); ok {
		head = inner
	}
	if regexp.MustCompile(`^[a-z$]\w*$`).MatchString(head) {
		return "" // a handler of everything, and its name
	}
	return head
}

// under returns a term without what is known to be true or false.
func (t *term) under(known map[string]bool) *term {
	switch t.op {
	case 'a':
		if value, ok := known[t.atom]; ok {
			return constant(value)
		}
		return t
	case '!':
		inner := t.of[0].under(known)
		if value, ok := inner.constant(); ok {
			return constant(!value)
		}
		return not(inner)
	}
	var left []*term
	for _, part := range t.of {
		part = part.under(known)
		if value, ok := part.constant(); !ok {
			left = append(left, part)
		} else if value == (t.op == '|') {
			return constant(value)
		}
	}
	return &term{op: t.op, of: left}
}

func constant(value bool) *term {
	if value {
		return all()
	}
	return either()
}

func (t *term) constant() (value, ok bool) {
	return t.op == '&', (t.op == '&' || t.op == '|') && len(t.of) == 0
}

// literal returns the atom of a term that is one or its negation.
func (t *term) literal() (name string, value, ok bool) {
	value = true
	for t.op == '!' {
		t, value = t.of[0], !value
	}
	for (t.op == '&' || t.op == '|') && len(t.of) == 1 {
		inner, v, ok := t.of[0].literal()
		return inner, v == value, ok
	}
	return t.atom, value, t.op == 'a'
}

// parts returns the terms of a conjunction, or of a negation that is one.
func (t *term) parts() ([]*term, bool) {
	switch {
	case t.op == '&':
		return t.of, true
	case t.op == '!' && t.of[0].op == '!':
		return t.of[0].of, true
	case t.op == '!' && t.of[0].op == '|':
		var out []*term
		for _, part := range t.of[0].of {
			out = append(out, not(part))
		}
		return out, true
	}
	return nil, false
}

func (t *term) atoms(into map[string]bool) {
	if t.op == 'a' {
		into[t.atom] = true
	}
	for _, part := range t.of {
		part.atoms(into)
	}
}

// satisfiable reports whether all terms can be true together.
func satisfiable(terms []*term) bool {
	terms, ok := propagate(terms)
	if !ok || len(terms) == 0 {
		return ok
	}
	names := map[string]bool{}
	terms[0].atoms(names)
	name := slices.Sorted(maps.Keys(names))[0]
	return satisfiable(append([]*term{atom(name)}, terms...)) || satisfiable(append([]*term{not(atom(name))}, terms...))
}

// propagate returns what is left of terms when those that are an atom or its negation hold. It
// reports false if they cannot.
func propagate(terms []*term) (left []*term, ok bool) {
	for again := true; again; terms, left = left, nil {
		known := map[string]bool{}
		again = false
		for _, t := range terms {
			t = t.under(known)
			if value, ok := t.constant(); ok {
				if !value {
					return nil, false
				}
				continue
			}
			if name, value, ok := t.literal(); ok {
				known[name] = value
				again = true
			} else if parts, ok := t.parts(); ok {
				left = append(left, parts...)
				again = true
			} else {
				left = append(left, t)
			}
		}
		for i, t := range left {
			left[i] = t.under(known)
		}
	}
	return terms, true
}

// follows reports whether the conclusion is true wherever all premises are. A subject has one
// label at a time.
func follows(premises []*term, conclusion *term) bool {
	terms := append(slices.Clone(premises), not(conclusion))
	return !satisfiable(append(terms, exclusions(terms)...))
}

func exclusions(terms []*term) []*term {
	names := map[string]bool{}
	for _, t := range terms {
		t.atoms(names)
	}
	bySubject := map[string][]string{}
	for name := range names {
		if subject, _, ok := cutLast(name, " is "); ok {
			bySubject[subject] = append(bySubject[subject], name)
		}
	}
	var out []*term
	for _, labels := range bySubject {
		for i, a := range labels {
			for _, b := range labels[:i] {
				out = append(out, either(not(atom(a)), not(atom(b))))
			}
		}
	}
	return out
}

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		premises   []string
		conclusion string
		want       bool
	}{
		{[]string{"a && b"}, "b", true},
		{[]string{"a || b", "not a"}, "b", true},
		{[]string{"not (a && b)", "a"}, "not b", true},
		{[]string{"x != nil"}, "not x == nil", true},
		{[]string{"!x"}, "not x", true},
		{[]string{"!(a || b)"}, "not a", true},
		{[]string{"f(a || b)"}, "a || b", false},
		{[]string{"s == \" || \""}, "s == \" || \"", true},
		{[]string{"x is A, B", "x is not A"}, "x is B", true},
		{[]string{"x is B"}, "x is not A, C", true},
		{[]string{"x is not A, B"}, "x is not A", true},
		{[]string{"r is Err(e)"}, "r is not Ok(v)", true},
		{[]string{"o is None"}, "o is not Some(ref mut v)", true},
		{[]string{"x is not None"}, "x is None", false},
		{[]string{"u is let url"}, "u != nil", true},
		{[]string{"x is null"}, "x == null", true},
		{[]string{"a", "no x in xs: x == y && z || w"}, "no x in xs: x == y && z || w", true},
		{[]string{"not a || no x in xs: b || c"}, "not a || c", false},
		{[]string{"catch (KeyError, TypeError) as e"}, "catch KeyError, TypeError", true},
		{[]string{"catch IOException e"}, "catch IOException", true},
		{[]string{"catch e"}, "catch", true},
		{[]string{"catch e: EOFException"}, "catch EOFException", true},
		{[]string{"cfg(not(unix))"}, "not cfg(unix)", true},
		{[]string{"(a) in (b)"}, "a", false},
	} {
		var premises []*term
		for _, p := range c.premises {
			premises = append(premises, parseTerm(p))
		}
		if got := follows(premises, parseTerm(c.conclusion)); got != c.want {
			t.Errorf("%q follows from %q: %v", c.conclusion, c.premises, got)
		}
	}
}
