// Package evidence finds in parsed code what a specification can say of it without
// being told: where it refuses, what it reads from its surroundings, what it
// serves, how it chooses, what it takes for granted, where it is heavy. Each
// finding is by one rule of one table and names the lines that show it.
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

// The sections.
const (
	Requirement Section = "requirement"
	Logic       Section = "logic"
	Constraint  Section = "constraint"
	EdgeCase    Section = "edge case"
	Debt        Section = "debt"
)

// Rule finds one kind of thing.
type Rule struct {
	ID       string
	Evidence string  // what shows it: "guard", "config", "route", "doc-tag", "inferred"
	Section  Section // where it is said
	// En and Zh are its words, formats for the finding's Words.
	En, Zh string
	find   func(m *Module, found func(Finding))
}

// Rules returns the table of rules, in the order in which findings come.
func Rules() []Rule {
	return []Rule{
		routes, services, topics, commands, environment, settings, flags, guards,
		choices,
		limits, enums, constGroups, defaults, tables, resources,
		documentedParams, documentedErrors, documentedFailure, documentedPanic, documentedSafety,
		deprecatedUses, heavyFunctions,
	}
}

// Finding is one thing that was found.
type Finding struct {
	Rule   *Rule
	Symbol string   // the qualified name of what it was found in; "" for a file's own statements
	Words  []string // what fills the rule's words, as they stand in Markdown
	Detail string   // what more the code says of it, in Markdown: a type, a default, a help text; "" for nothing
	// When are the conditions as in the source, for each place: all of one place's
	// have to hold.
	When [][]string
	From []string // what is exported and leads to it; nil where Symbol is exported
	At   []Place
	// Refusal is what is refused with, of what refuses; nil for all else.
	Refusal *Refusal
}

// Refusal is what a refusal gives, as the code has it.
type Refusal struct {
	Error   string // by its name; "" where the message alone tells it
	Message string // as it is written, with the verbs and parts that are filled in; "" for none
}

// Place is a line and a text that stands on it.
type Place struct {
	File string
	Line int
	Text string
}

// Say puts the finding into words; lang is "en" or "zh".
func (f *Finding) Say(lang string) string {
	words := make([]any, len(f.Words))
	for i, w := range f.Words {
		words[i] = w
	}
	return fmt.Sprintf(wording.In(lang, f.Rule.En, f.Rule.Zh), words...)
}

// Module is the code that rules look at.
type Module struct {
	Merged   code.Skeleton
	Files    []*code.File      // neither tests, nor generated, nor another's
	files    map[string]bool   // their paths
	exported map[string]string // last parts of the names of functions -> the names
	callers  map[string][]string
	reached  map[string]bool           // by last parts of names
	named    map[string][]*code.Symbol // by qualified name; nil until it is asked for
	stopped  func() bool               // nobody wants to know any more
}

// Find applies every rule to the files of a module, merged in skeleton. Findings
// are sorted by rule, and then as they stand in the files.
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
		at := map[string]int{} // what says the same, of overloads, is one
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

// add joins a finding that says the same: of an overload, or of another symbol of that
// name.
func (f *Finding) add(more *Finding) {
	f.At = append(f.At, more.At...)
	f.When = append(f.When, more.When...)
	if more.Detail != "" && !strings.Contains(f.Detail, more.Detail) && len(f.Detail) < maxSaid {
		f.Detail = strings.TrimPrefix(f.Detail+" / "+more.Detail, " / ")
	}
}

// bodies calls see for each file whose bodies were read.
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

// symbolPlace is where a symbol is declared: the line of its name.
func symbolPlace(s *code.Symbol) Place {
	return Place{s.File, cmp.Or(s.NameLine, s.StartLine), code.ShortName(s.Name)}
}

// byPlace orders findings as they stand in the files.
func byPlace(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.At[0].File, b.At[0].File), cmp.Compare(a.At[0].Line, b.At[0].Line))
	})
}
