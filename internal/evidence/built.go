package evidence

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// Limits of a text that a function builds: its parts, and one of them in bytes.
const (
	leastParts = 3
	mostParts  = 20
	maxPart    = 100
)

// addingMethods are the methods that add a part to a text or to a list of texts.
var addingMethods = map[string]bool{"append": true, "push": true, "WriteString": true, "push_str": true, "Append": true}

// builtTexts finds the functions that build a text from parts, each under a condition of its own: headers, queries, command lines.
var builtTexts = Rule{
	Kind: Built,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.Files {
			if f.Whole == nil || m.stopped() {
				continue
			}
			for i := range f.Whole.Functions {
				body := &f.Whole.Functions[i]
				of := m.function(f.Path, body.In, body.Line)
				if isNested(f, body) || of == nil || !m.reached[of] {
					continue
				}
				if c := m.built(f, body); c != nil {
					c.From = m.users(of)
					found(*c)
				}
			}
		}
	},
}

// built returns the claim about the text that a function builds; nil if it builds none, or in a way that the parts do not show.
func (m *Module) built(f *code.File, body *code.Body) *Claim {
	name := builtVariable(body)
	if name == "" {
		return nil
	}
	places := m.reader.Statements(f.Whole.Functions, body, func(s *code.Stmt) bool { return isPart(s, name) || s.Op == code.StmtReturn })
	if len(places) == 0 || places[len(places)-1].Stmt.Op != code.StmtReturn {
		return nil
	}
	always := places[len(places)-1].When // the exits before it
	c := &Claim{Subject: body.In, Name: name}
	for i := range places {
		p := &places[i]
		text, ok := partOf(p.Stmt, name)
		if !ok {
			continue
		}
		if text == "" || len(text) > maxPart || p.Partial || p.Use != body.Use || p.Stmt.Op == code.StmtAssign && !p.Stmt.Adds && len(c.Values) > 0 { // it is made anew
			return nil
		}
		c.Values, c.When = append(c.Values, text), append(c.When, Condition{All: m.ownTerms(body, p, always)})
		c.At = append(c.At, Place{f.Path, p.Stmt.Line, ""})
	}
	if !c.buildsText() {
		return nil
	}
	return c
}

// buildsText reports whether the parts of a claim make a text that a reader learns something of: some are literals, and some depend on
// a condition.
func (c *Claim) buildsText() bool {
	return len(c.Values) >= leastParts && len(c.Values) <= mostParts &&
		slices.ContainsFunc(c.Values, func(part string) bool { return strings.ContainsAny(part, "\"'`") }) &&
		slices.ContainsFunc(c.When, func(w Condition) bool { return len(w.All) > 0 })
}

// ownTerms returns the terms of a place without those that always hold, and those that say that an exit was not taken.
func (m *Module) ownTerms(body *code.Body, p *paths.Place, always []paths.Term) []paths.Term {
	return slices.DeleteFunc(slices.Clone(p.When), func(t paths.Term) bool { return holdsIn(always, t) || m.endsBefore(body, p, t) })
}

// holdsIn reports whether a term is among some that hold.
func holdsIn(list []paths.Term, t paths.Term) bool {
	return slices.ContainsFunc(list, func(o paths.Term) bool { return o.Text == t.Text })
}

// endsBefore reports whether a term of a place only says that an exit of the function before it was not taken.
func (m *Module) endsBefore(body *code.Body, p *paths.Place, t paths.Term) bool {
	return slices.ContainsFunc(m.claimed, func(c Claim) bool {
		if c.Kind != Exit || c.Subject != body.In {
			return false
		}
		for i, when := range c.When {
			last := len(when.All) - 1
			if last < 0 || i >= len(c.At) || c.At[i].Line > p.Stmt.Line || t.Text != "not "+when.All[last].Text && "not "+t.Text != when.All[last].Text {
				continue
			}
			if !slices.ContainsFunc(when.All[:last], func(o paths.Term) bool { return !holdsIn(p.When, o) }) {
				return true
			}
		}
		return false
	})
}

// builtVariable returns the variable with the text that the last statement of a function returns, as it is or joined; "" for none.
func builtVariable(body *code.Body) string {
	if len(body.Stmts) == 0 {
		return ""
	}
	last := &body.Stmts[len(body.Stmts)-1]
	if last.Op != code.StmtReturn && last.Op != code.StmtResult {
		return ""
	}
	for _, m := range returnsText() {
		if found := m.FindStringSubmatch(last.Source); found != nil {
			return found[1]
		}
	}
	return ""
}

// returnsText are the forms in which a function returns a text from a variable: text, parts.join(""), b.String(), "".join(parts),
// strings.Join(parts, ""), implode("", $parts).
var returnsText = sync.OnceValue(func() []*regexp.Regexp { // not compiled by commands that read no code
	return []*regexp.Regexp{
		regexp.MustCompile(`^(\$?\w+)$`),
		regexp.MustCompile(`^(\$?\w+)\.(?:join\([^()]*\)|toString\(\)|String\(\)|ToString\(\)|to_s)$`),
		regexp.MustCompile(`^(?:"[^"]*"|'[^']*')\.join\((\w+)\)$`),
		regexp.MustCompile(`^(?:strings\.Join|String\.join)\((\w+), [^()]*\)$`),
		regexp.MustCompile(`^(?:implode|join)\([^()$]*, (\$\w+)\)$`),
	}
})

// partOf returns what a statement adds to a text in a variable, or begins it with, as written; ok is false for other statements,
// and for one that makes the text empty.
func partOf(s *code.Stmt, name string) (text string, ok bool) {
	switch {
	case s.Op == code.StmtAssign && s.Text == name:
		declared := s.Source == "" && s.Value == nil // var b strings.Builder
		return s.Source, s.Adds || !declared && !slices.Contains(emptyTexts, s.Source)
	case s.Op == code.StmtCall && s.Value != nil && len(s.Value.Args) == 1:
		before, method := cutLast(s.Value.Text)
		if before != name || !addingMethods[method] {
			return "", false
		}
		_, args, _ := strings.Cut(s.Source, "(")
		return strings.TrimSuffix(args, ")"), true
	}
	return "", false
}

// isPart reports whether a statement adds to a text in a variable, or begins it.
func isPart(s *code.Stmt, name string) bool {
	_, ok := partOf(s, name)
	return ok
}

// emptyTexts are values with which a text or a list of its parts begins.
var emptyTexts = []string{`""`, "''", "``", "[]", "[]string{}", "new StringBuilder()", "new StringBuffer()", "String::new()", "array()", "list()", "String.new", "+''", `+""`}
