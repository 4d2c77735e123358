// Package evidence extracts facts for a spec from parsed code: error conditions,
// configuration, routes, commands and flags, branching, limits, documented promises, resources
// and complexity. [Find] applies a table of [Rule] values to a module; each [Finding] names
// its rule and the lines that show it.
package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Section is the part of a spec that a finding belongs to.
type Section string

// Sections.
const (
	Requirement Section = "requirement"
	Logic       Section = "logic"
	Constraint  Section = "constraint"
	EdgeCase    Section = "edge case"
	Debt        Section = "debt"
)

// Rule finds one kind of fact.
type Rule struct {
	ID       string
	Evidence string  // kind of evidence: "guard", "config", "route", "doc-tag", "inferred"
	Section  Section // the section it appears in
	// En and Zh are format strings for the finding's Words.
	En, Zh string
	find   func(m *Module, found func(Finding))
}

// Rules returns the table of rules, in the order of their findings.
func Rules() []Rule {
	return []Rule{
		routes, services, topics, commands, environment, settings, flags, guards,
		choices,
		limits, enums, constGroups, defaults, tables, resources,
		documentedParams, documentedErrors, documentedFailure, documentedPanic, documentedSafety,
		deprecatedUses, complexFunctions,
	}
}

// Finding is one fact.
type Finding struct {
	Rule   *Rule
	Symbol string   // the qualified name of the enclosing symbol; "" for a file's own statements
	Words  []string // operands of the rule's format, as Markdown
	Detail string   // further details as Markdown: a type, a default, a help text; "" for none
	// When has the conditions as in the source, one list per place; all conditions of a list
	// must hold.
	When [][]string
	From []string // exported callers; nil if Symbol is exported
	At   []Place
	// Refusal describes the error of a guard; nil for other findings.
	Refusal *Refusal
}

// Refusal is the error that a guard returns or throws.
type Refusal struct {
	Error   string // its name; "" if only the message identifies it
	Message string // as written, with format verbs and interpolations; "" for none
}

// Place is a line and some text on it.
type Place struct {
	File string
	Line int
	Text string
}

// Sentence formats the finding as a sentence; lang is "en" or "zh".
func (f *Finding) Sentence(lang string) string {
	words := make([]any, len(f.Words))
	for i, w := range f.Words {
		words[i] = w
	}
	return fmt.Sprintf(wording.In(lang, f.Rule.En, f.Rule.Zh), words...)
}

// Module is the code that rules inspect.
type Module struct {
	Merged   code.Skeleton
	Files    []*code.File      // without tests, generated and vendored files
	files    map[string]bool   // their paths
	exported map[string]string // last part of a function's name -> the name
	callers  map[string][]string
	reached  map[string]bool           // by the last part of names
	named    map[string][]*code.Symbol // by qualified name; nil until needed
	stopped  func() bool               // reports whether the caller cancelled
}

// Find applies every rule to the files of a module, merged in skeleton. Findings are sorted by
// rule and then by place.
func Find(ctx context.Context, files []*code.File, skeleton code.Skeleton) []Finding {
	m := &Module{Merged: skeleton, files: map[string]bool{}, stopped: func() bool { return ctx.Err() != nil }}
	for _, f := range files {
		if !f.Test && !f.Generated && !f.Vendored && f.Constraint != "ignore" {
			m.Files = append(m.Files, f)
			m.files[f.Path] = true
		}
	}
	m.reach()
	var out []Finding
	rules := Rules()
	for i := range rules {
		at := map[string]int{} // equal findings of overloads are merged
		rules[i].find(m, func(f Finding) {
			f.Rule = &rules[i]
			words := strings.Join(f.Words, "\x00")
			if first, known := at[words]; known {
				out[first].add(&f)
				return
			}
			at[words] = len(out)
			out = append(out, f)
		})
	}
	return out
}

// add merges an equal finding, of an overload or of another symbol with that name.
func (f *Finding) add(more *Finding) {
	f.At = append(f.At, more.At...)
	f.When = append(f.When, more.When...)
	if more.Detail != "" && !strings.Contains(f.Detail, more.Detail) && len(f.Detail) < maxSaid {
		f.Detail = strings.TrimPrefix(f.Detail+" / "+more.Detail, " / ")
	}
}

// bodies calls see for each file whose bodies were parsed.
func (m *Module) bodies(see func(f *code.File, b *code.Bodies)) {
	for _, f := range m.Files {
		if f.Bodies != nil && !m.stopped() {
			see(f, f.Bodies)
		}
	}
}

// symbols calls see for every symbol of the module with its qualified name.
func (m *Module) symbols(see func(name string, s *code.Symbol)) {
	var walk func(owner string, list []code.Symbol)
	walk = func(owner string, list []code.Symbol) {
		for i := range list {
			if m.stopped() {
				return
			}
			name := list[i].Name
			if owner != "" {
				name = owner + "." + name
			}
			see(name, &list[i])
			walk(name, list[i].Members)
		}
	}
	walk("", m.Merged.Exports)
	walk("", m.Merged.Internals)
}

// symbolPlace returns the line of a symbol's name.
func symbolPlace(s *code.Symbol) Place {
	return Place{s.File, cmp.Or(s.NameLine, s.StartLine), code.ShortName(s.Name)}
}

// byPlace sorts findings by file and line.
func byPlace(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.At[0].File, b.At[0].File), cmp.Compare(a.At[0].Line, b.At[0].Line))
	})
}
