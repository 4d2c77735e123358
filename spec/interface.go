package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// apiSection returns section 3: every exported declaration as the source has it, with its documentation.
func (m *material) apiSection() string {
	if m.api == nil {
		m.api = &api.Module{
			Name: m.name, Lang: m.lang, Merged: m.withoutHandlers(), Files: m.tree.Files, Sources: m.sources(), Links: m.tree.Links,
			Short: m.short, About: m.about, Schemas: m.crosses(),
		}
	}
	of := m.api
	of.MaxLines, of.Bare, of.Compact = m.limits.declarations, m.limits.bare, m.limits.bare
	text := of.Render()
	m.left.declarations, m.left.schemas, m.left.diagrams = of.Left, of.LeftSchemas, of.LeftDiagrams
	return text
}

// withoutHandlers returns the skeleton without the functions and methods that handle routes: the tables of the routes say
// what their parameters and results are. It is also without classes that have nothing else, and without variables that a call
// makes, such as routers.
func (m *material) withoutHandlers() *code.Skeleton {
	handlers := map[string]bool{}
	for _, c := range m.ofKind(evidence.Route) {
		if c.Served != nil && c.Subject != "" {
			for _, at := range c.At {
				handlers[at.File+":"+c.Subject] = true
			}
		}
	}
	if len(handlers) == 0 {
		return &m.merged
	}
	out := m.merged
	out.Exports = slices.DeleteFunc(slices.Clone(out.Exports), func(s code.Symbol) bool {
		made := s.Kind == code.Variable && s.Doc == "" && strings.HasSuffix(s.Signature, ")")
		return made || s.Kind == code.Function && handlers[s.File+":"+s.Name] || onlyHandles(&s, handlers)
	})
	for i := range out.Exports {
		s := &out.Exports[i]
		s.Members = slices.DeleteFunc(slices.Clone(s.Members), func(member code.Symbol) bool { return handlers[s.File+":"+s.Name+"."+member.Name] })
	}
	return &out
}

// onlyHandles reports whether a class has methods that handle routes, and nothing else that others use: its constructor is for
// the framework.
func onlyHandles(s *code.Symbol, handlers map[string]bool) bool {
	found := false
	for i := range s.Members {
		member := &s.Members[i]
		switch {
		case handlers[s.File+":"+s.Name+"."+member.Name]:
			found = true
		case member.Exported && member.Kind != code.Constructor:
			return false
		}
	}
	return found
}

// Limits of the documentation of one symbol in the interface, in bytes.
const (
	maxAbout   = 240
	shortAbout = 120 // on a page with the strictest limits
)

// about returns the first sentence of a symbol's documentation, on one line; "" for documentation that says no more than
// the name, and for parts of the interface that are not for users.
func (m *material) about(s *code.Symbol) string {
	if s.Doc == "" || m.saidOf[s.File+":"+strconv.Itoa(s.StartLine)] {
		return ""
	}
	doc := prose.Doc(s.Doc, m.languageOf(s.File))
	most := maxAbout
	if m.limits.terse {
		most = shortAbout
	}
	text := withCases(doc.Text, most)
	if doc.Internal {
		return ""
	}
	return strings.TrimSpace(strings.NewReplacer("```", "``", markdown.Mark, "").Replace(text))
}

// caseWords begin sentences that say what certain values do.
var caseWords = []string{"If ", "When ", "An empty ", "A nil ", "By default", "Returns "}

// withCases returns the first sentence of documentation and those after it that say what certain values do, as many as fit.
func withCases(doc string, most int) string {
	text, rest := markdown.Sentence(doc, most)
	for rest != "" {
		next, after := markdown.Sentence(rest, most)
		if next == "" || len(text)+len(next) >= most || len(after) >= len(rest) { // one that is cut stays in the rest
			break
		}
		rest = after
		if slices.ContainsFunc(caseWords, func(w string) bool { return strings.HasPrefix(next, w) }) && strings.HasSuffix(next, ".") {
			text += " " + next
		}
	}
	return text
}

// boundary are the marks of types whose values cross the boundary of a program, in their declarations.
var boundary = []string{`json:"`, `yaml:"`, `xml:"`, "BaseModel", "Serializable", "Serialize", "Deserialize", "JsonProperty", "Schema", "dataclass_json"}

// crosses reports whether data structures of the module cross its boundary: it serves routes, or its types say so.
func (m *material) crosses() bool {
	if slices.ContainsFunc(m.claims, func(c evidence.Claim) bool {
		return c.Kind == evidence.Route || c.Kind == evidence.Service || c.Kind == evidence.Topic
	}) {
		return true
	}
	marked := func(s *code.Symbol) bool {
		text := s.Signature + strings.Join(s.Decorators, " ")
		return slices.ContainsFunc(boundary, func(mark string) bool { return strings.Contains(text, mark) })
	}
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		if marked(s) || slices.ContainsFunc(s.Members, func(member code.Symbol) bool { return marked(&member) }) {
			return true
		}
	}
	return false
}
