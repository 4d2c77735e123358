package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// predicates finds the private functions that decide an exit and do nothing but return a condition.
var predicates = Rule{
	Kind: Predicate,
	find: func(m *Module, found func(Claim)) {
		m.eachPredicate(func(f *code.File, p *code.Predicate, exits []string) {
			role, parts := partsOf(&p.Cond)
			if parts != nil && !slices.Contains(fixedWords, parts[0]) {
				found(Claim{Subject: p.In, Role: role, Values: parts, Exits: exits, At: []Place{{f.Path, p.Line, ""}}})
			}
		})
	},
}

// eachPredicate calls see for the predicates that decide exits, with the ids of these.
func (m *Module) eachPredicate(see func(f *code.File, p *code.Predicate, exits []string)) {
	declared := map[string]int{}
	m.symbols(func(name string, _ *code.Symbol) { declared[lastName(name)]++ })
	m.bodies(func(f *code.File, b *code.Bodies) {
		if f.Constraint != "" { // another build may have another one
			return
		}
		for i := range b.Predicates {
			p := &b.Predicates[i]
			var exits []string
			for j := range m.claimed {
				if c := &m.claimed[j]; c.Kind == Exit && declared[lastName(p.In)] == 1 && calledIn(c.When, p.In) {
					exits = append(exits, c.ID())
				}
			}
			if len(exits) > 0 {
				see(f, p, exits)
			}
		}
	})
}

// calledIn reports whether the last condition before an exit calls a function: a method after a receiver, another function
// without one.
func calledIn(when []Condition, function string) bool {
	owner, last := cutLast(function)
	return slices.ContainsFunc(when, func(c Condition) bool {
		if len(c.All) == 0 {
			return false
		}
		text := " " + c.All[len(c.All)-1].Text
		at := strings.Index(text, last+"(")
		return at > 0 && (text[at-1] == '.') == (owner != "") && (owner != "" || !isName(text[at-1:at]))
	})
}

// partsOf returns the parts of a condition, and whether all or any of them must hold; nil if it has parts of its own.
func partsOf(c *code.Cond) (role string, parts []string) {
	switch c.Op {
	case code.CondAnd, code.CondOr:
		for i := range c.Args {
			text := atomText(&c.Args[i])
			if text == "" {
				return "", nil
			}
			parts = append(parts, text)
		}
		if c.Op == code.CondAnd {
			return All, parts
		}
		return Any, parts
	default:
		if text := atomText(c); text != "" {
			return All, []string{text}
		}
		return "", nil
	}
}

// atomText returns the text of a condition without parts; "" for others.
func atomText(c *code.Cond) string {
	switch {
	case c.Op == code.CondAtom:
		return c.Text
	case c.Op == code.CondNot && c.Args[0].Op == code.CondAtom:
		return "!" + c.Args[0].Text
	}
	return ""
}

// docGaps finds documentation that differs from the code in what can be compared: the characters that a value must not
// be, and whether an error is returned as it is.
var docGaps = Rule{
	Kind: DocGap,
	find: func(m *Module, found func(Claim)) {
		m.refusesMore(found)
		m.wrapsNamed(found)
	},
}

// refusesMore finds fields whose documentation lists the characters that they must not be, where the predicate that
// guards the exits of the field refuses others, too.
func (m *Module) refusesMore(found func(Claim)) {
	m.eachPredicate(func(f *code.File, p *code.Predicate, exits []string) {
		role, parts := partsOf(&p.Cond)
		if role != All {
			return
		}
		refused := refusedIn(parts)
		for i := range m.claimed {
			c := &m.claimed[i]
			if c.Kind != Field || !slices.ContainsFunc(c.Exits, func(id string) bool { return slices.Contains(exits, id) }) {
				continue
			}
			for _, s := range m.namedSymbols(c.Subject + "." + c.Name) {
				text, named := forbidden(s.Doc)
				var missing []string
				shared := 0
				for _, r := range refused {
					if slices.Contains(named, r) {
						shared++
					} else if !strings.Contains(s.Doc, r) && !strings.Contains(s.Doc, unquoted(r)) {
						missing = append(missing, r)
					}
				}
				if shared > 1 && len(missing) > 0 {
					found(Claim{Subject: c.Subject + "." + c.Name, Role: RefusesMore, Values: missing, Text: text, At: []Place{symbolPlace(s), {f.Path, p.Line, missing[0]}}})
				}
			}
		}
	})
}

// refusedIn returns the character literals that conditions x != 'c' exclude.
func refusedIn(parts []string) []string {
	var out []string
	for _, part := range parts {
		_, value, ok := strings.Cut(part, " != ")
		if ok && len(value) > 2 && value[0] == '\'' && strings.HasSuffix(value, "'") {
			out = append(out, value)
		}
	}
	return out
}

// unquoted returns what a character literal stands for, as documentation writes it.
func unquoted(literal string) string { return literal[1 : len(literal)-1] }

// forbidden returns the sentence of documentation that lists what a value must not be, and the characters in the list, as
// literals.
func forbidden(doc string) (sentence string, list []string) {
	for _, text := range docSentences(doc) {
		_, rest, ok := strings.Cut(text, "must not be ")
		if !ok {
			continue
		}
		for item := range strings.FieldsFuncSeq(rest, func(c rune) bool { return c == ',' || c == ' ' || c == '.' }) {
			if item = strings.Trim(item, "`'\""); len(item) == 2 && item[0] == '\\' || len(item) == 1 && !isName(item) {
				list = append(list, "'"+item+"'")
			}
		}
		return text, list
	}
	return "", nil
}

// wrapsNamed finds functions whose documentation says that they return an error which they only wrap.
func (m *Module) wrapsNamed(found func(Claim)) {
	exits := map[string]*Claim{}
	for i := range m.claimed {
		if c := &m.claimed[i]; c.Kind == Exit {
			exits[c.ID()] = c
		}
	}
	for i := range m.claimed {
		s := &m.claimed[i]
		if s.Kind != Sentinel || len(s.Values) == 0 || slices.ContainsFunc(s.Values, func(way string) bool { return !strings.HasPrefix(way, Wrapped+" ") }) {
			continue
		}
		m.exports(func(name string, sym *code.Symbol) {
			if !m.own(sym.File) || !strings.Contains(sym.Doc, s.Subject) || !slices.ContainsFunc(s.Exits, func(id string) bool { return exits[id] != nil && exits[id].of(name) }) {
				return
			}
			for _, text := range docSentences(sym.Doc) {
				if returnsAs(text, s.Subject) {
					found(Claim{Subject: name, Name: s.Subject, Role: Wraps, Values: s.Values, Text: said(text), At: []Place{symbolPlace(sym)}})
					return
				}
			}
		})
	}
}

// of reports whether an exit is that of a function, or of one that it calls.
func (c *Claim) of(function string) bool {
	return c.Subject == function || slices.Contains(c.From, function)
}

// returnsAs reports whether a sentence says that an error itself is returned: "the error X", "returns X", "err == X".
func returnsAs(text, name string) bool {
	text = strings.NewReplacer("[", "", "]", "", "`", "").Replace(text)
	low := strings.ToLower(text)
	for _, phrase := range []string{"returns the error ", "with the error ", "return the error ", "error is ", "err == ", "returns "} {
		if strings.Contains(low, phrase+strings.ToLower(name)) && !strings.Contains(low, "wrap") {
			return true
		}
	}
	return false
}
