package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// properties finds what tests with generated inputs show for all of them: that one function is the inverse of another,
// or that applying a function twice changes nothing.
var properties = Rule{
	Kind: PropertyOf,
	find: func(m *Module, found func(Claim)) {
		names := m.functionNames()
		for _, f := range m.All {
			if !f.Test || f.Bodies == nil {
				continue
			}
			for _, t := range f.Tests {
				if isFuzz(f, t) {
					if c, ok := names.property(f, t); ok {
						found(c)
					}
				}
			}
		}
	},
}

// isFuzz reports whether a test gets generated inputs: a fuzz test of Go, or a test of hypothesis.
func isFuzz(f *code.File, t code.Test) bool {
	if f.Language == "go" {
		return strings.HasPrefix(t.Name, "Fuzz")
	}
	given := false
	walk("", f.Symbols, func(_ string, s *code.Symbol) {
		given = given || s.StartLine <= t.Line && t.Line <= s.EndLine && slices.ContainsFunc(s.Decorators, func(d string) bool {
			head, _, _ := strings.Cut(strings.TrimLeft(d, "@"), "(")
			return head == "given" || head == "hypothesis.given"
		})
	})
	return given
}

// functionNames are the qualified names of the exported functions and methods of a module, by their last part.
type functionNames map[string][]string

func (m *Module) functionNames() functionNames {
	out := functionNames{}
	m.exports(func(name string, s *code.Symbol) {
		if s.Kind == code.Function || s.Kind == code.Method {
			out[lastName(name)] = append(out[lastName(name)], name)
		}
	})
	return out
}

// act is a statement that calls a function of the module.
type act struct {
	line     int
	to       []string // the variables that get the results
	function string   // the last part of its name
	on, args string   // the receiver, and the rest of the statement
}

var (
	assignment = lazyregexp.New(`^([\w, ]+?) :?= (.*)$`)
	firstCall  = lazyregexp.New(`^(?:([\w.]+)\.)?(\w+)\((.*)$`)
	word       = lazyregexp.New(`\w+`)
	// The comparisons with which a test fails.
	unequal = lazyregexp.New(`^!(?:reflect\.DeepEqual|bytes\.Equal|slices\.Equal|maps\.Equal|strings\.EqualFold|cmp\.Equal)\((?:string|\[\]byte)?\(?(\w+)\)?, (?:string|\[\]byte)?\(?(\w+)\)?\)$`)
	differs = lazyregexp.New(`^(\w+) != (\w+)$`)
	equals  = lazyregexp.New(`^!(\w+)\.Equal\((\w+)\)$`)
	// Python's decode(encode(x)) == x.
	nested = lazyregexp.New(`^assert ([\w.]+)\(([\w.]+)\((\w+)\)\) == (\w+)$`)
)

// property returns the claim of a test; ok is false if its statements do not show a property.
func (n functionNames) property(f *code.File, t code.Test) (c Claim, ok bool) {
	var acts []act
	set := map[string][]string{} // the texts that variables were assigned
	for _, s := range f.Bodies.Steps {
		if s.Line < t.Line || s.Line > t.EndLine {
			continue
		}
		if p := nested.FindStringSubmatch(s.Text); p != nil && p[3] == p[4] {
			return n.claim(f, t, s.Line, lastName(p[1]), lastName(p[2]), "", nil)
		}
		if s.FailsIf {
			if a, b := compared(s.Text); a != "" {
				if c, ok = n.between(f, t, s.Line, acts, set, a, b); !ok {
					c, ok = n.between(f, t, s.Line, acts, set, b, a)
				}
				if ok {
					return c, true
				}
			}
			continue
		}
		if x, is := n.act(s, set); is {
			acts = append(acts, x)
		}
	}
	return Claim{}, false
}

// compared returns the two variables that a condition compares; "" if it does not.
func compared(cond string) (a, b string) {
	for _, form := range []*lazyregexp.Regexp{unequal, differs, equals} {
		if p := form.FindStringSubmatch(cond); p != nil && p[1] != "nil" && p[2] != "nil" && p[1] != p[2] {
			return p[1], p[2]
		}
	}
	return "", ""
}

// act reads a statement; ok is false if the call that it makes is not one of the module.
func (n functionNames) act(s code.Step, set map[string][]string) (a act, ok bool) {
	a = act{line: s.Line}
	text := s.Text
	if p := assignment.FindStringSubmatch(text); p != nil {
		for name := range strings.SplitSeq(p[1], ",") {
			a.to = append(a.to, strings.TrimSpace(name))
			set[strings.TrimSpace(name)] = append(set[strings.TrimSpace(name)], p[2])
		}
		text = p[2]
	}
	p := firstCall.FindStringSubmatch(text)
	if p == nil || n[p[2]] == nil || strings.HasPrefix(p[2], "New") {
		return act{}, false
	}
	a.on, a.function, a.args = p[1], p[2], p[3]
	return a, true
}

// between returns the claim of a comparison of y, which the last call gives, with x, from which it was made.
func (n functionNames) between(f *code.File, t code.Test, line int, acts []act, set map[string][]string, x, y string) (Claim, bool) {
	last := len(acts) - 1
	for last >= 0 && !slices.Contains(acts[last].to, y) {
		last--
	}
	if last < 0 {
		return Claim{}, false
	}
	d := acts[last]
	first := slices.IndexFunc(acts, func(a act) bool { return slices.Contains(a.to, x) })
	if first >= 0 && acts[first].function == d.function && mentionsWord(d.args, x) && last == first+1 {
		return n.claim(f, t, line, d.function, "", d.on, set)
	}
	if first >= last {
		return Claim{}, false
	}
	middle := acts[first+1 : last]
	if len(middle) != 1 || !mentionsWord(middle[0].args, x) || middle[0].function == d.function || !related(middle[0], d, set) {
		return Claim{}, false
	}
	return n.claim(f, t, line, d.function, middle[0].function, d.on, set)
}

func mentionsWord(text, name string) bool { return slices.Contains(word.FindAllString(text, -1), name) }

// related reports whether the input of a call comes from another call: from its results, or from what both write and read.
func related(from, to act, set map[string][]string) bool {
	out := from.to
	for _, text := range set[from.on] {
		out = append(out, word.FindAllString(text, -1)...)
	}
	in := word.FindAllString(to.args, -1)
	if list := set[to.on]; len(list) > 0 {
		in = append(in, word.FindAllString(list[len(list)-1], -1)...)
	}
	return slices.ContainsFunc(out, func(name string) bool { return name != "err" && name != "_" && slices.Contains(in, name) })
}

// claim returns the claim that one function is the inverse of another, or, without another, that it is idempotent.
func (n functionNames) claim(f *code.File, t code.Test, line int, function, inverse, on string, set map[string][]string) (Claim, bool) {
	c := Claim{Subject: n.qualified(function, on, set), Of: t.Name, Role: Idempotent, Values: t.Rows, At: []Place{{f.Path, line, ""}}}
	if inverse != "" {
		c.Name, c.Role = n.qualified(inverse, "", set), Inverse
		if c.Name == "" {
			return Claim{}, false
		}
	}
	var remarks []string
	for _, r := range f.Bodies.Remarks {
		if t.Line <= r.Line && r.Line <= line && !strings.HasPrefix(r.Text, "TODO") {
			remarks = append(remarks, r.Text)
		}
	}
	c.Text = strings.Join(remarks, "\n")
	return c, c.Subject != ""
}

// qualified returns the qualified name of a function that a test calls; of several methods, that of the type whose
// constructor made the receiver, or of the only type that a constructor in the test makes. It is "" if that is not known.
func (n functionNames) qualified(function, on string, set map[string][]string) string {
	list := n[function]
	if len(list) == 1 {
		return list[0]
	}
	var texts []string
	if on != "" {
		texts = set[on]
	} else {
		for _, list := range set {
			texts = append(texts, list...)
		}
	}
	found := ""
	for _, name := range list {
		owner, _ := cutLast(name)
		made := slices.ContainsFunc(texts, func(text string) bool { return owner != "" && mentionsWord(text, "New"+owner) })
		switch {
		case made && found != "" || owner == "" && on == "":
			return ""
		case made:
			found = name
		}
	}
	return found
}
