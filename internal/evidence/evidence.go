// Package evidence extracts from parsed code what a module does, as values: error conditions,
// configuration, routes, commands and flags, branching, limits, documented promises, resources
// and complexity. [Find] applies a table of [Rule] values to a module; each [Claim] names the
// lines that show it. Package spec puts claims into words, and package drift compares them.
package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Rule finds the claims of one kind.
type Rule struct {
	Kind Kind
	find func(m *Module, found func(Claim))
}

// Rules returns the table of rules, in the order of their claims.
func Rules() []Rule {
	return []Rule{
		routes, refusals, inputs, answerBodies, stored, hazards, tableKeys, requests, services, topics, caches, commands, environment, settingKeys, flags, arguments, exitStatuses, signals, standardInputs, exits, fields, sentinelErrors, errorFields, errorTexts, errorsMade,
		callOrders, usages, zeroValues, properties, predicates, docGaps,
		choices, effects, calls, smells,
		entries, platforms, lookups, results, builtTexts, limits, constants, enums, constGroups, defaults, tables, resources,
		documentedParams, documentedErrors, documentedFailure, documentedPanic, documentedSafety,
		errorValues, declaredErrors, failureNotes,
		deprecations, deprecatedUses, complexFunctions, notes,
	}
}

// Module is the code that rules inspect.
type Module struct {
	Merged    code.Skeleton
	All       []*code.File
	Files     []*code.File      // without tests, generated and vendored files
	files     map[string]bool   // their paths
	language  map[string]string // of Files, by path
	links     *resolve.Links
	reader    paths.Reader
	exported  map[*resolve.Node]string // qualified names
	callers   map[*resolve.Node][]*resolve.Node
	reached   map[*resolve.Node]bool
	named     map[string][]*code.Symbol // by qualified name; nil until needed
	serves    []service.Endpoint        // that the module registers or handles
	declares  []*database.Table         // that other modules' routes read or write
	programs  []*program.Command
	commanded map[[2]string]string // see commandsOf; nil until needed
	texts     []settings.Text
	sharing   []*code.File
	declared  *settings.Declared         // see settingsOf; nil until needed
	errors    map[[2]string]*code.Symbol // see sentinels; nil until needed
	exitList  []exitOf                   // see exits; nil until needed
	returned  map[string][]span          // see returnedOf; nil until needed
	claimed   []Claim                    // by the rules before the current one
	stopped   func() bool                // reports whether the caller cancelled
}

// Known is what else is known of a module. The zero value is nothing.
type Known struct {
	Endpoints []service.Endpoint // of the web service that the module is a part of
	Commands  []*program.Command // that the module declares
	Settings  []settings.Text    // the configuration files around the module
	Sharing   []*code.File       // files of other modules that may share settings with the module, with whole bodies
}

// Find applies every rule to the files of a module, merged in skeleton; links are those of the files. Claims are sorted
// by rule and then by place; their IDs are unique.
func Find(ctx context.Context, files []*code.File, skeleton code.Skeleton, links *resolve.Links, known Known) []Claim {
	m := &Module{
		Merged: skeleton, All: files, links: links, files: map[string]bool{}, language: map[string]string{},
		programs: known.Commands, texts: known.Settings, sharing: known.Sharing, stopped: func() bool { return ctx.Err() != nil },
	}
	for _, f := range files {
		if !f.Test && !f.Generated && !f.Vendored && f.Constraint != "ignore" {
			m.Files = append(m.Files, f)
			m.files[f.Path], m.language[f.Path] = true, f.Language
		}
	}
	for _, e := range known.Endpoints {
		if m.files[e.At.File] || m.files[e.Handler.At.File] {
			m.serves = append(m.serves, e)
			continue
		}
		for _, t := range e.Tables {
			if m.files[t.At.File] && !slices.Contains(m.declares, t) {
				m.declares = append(m.declares, t)
			}
		}
	}
	m.reach()
	var out []Claim
	at := map[string]int{}
	for _, rule := range Rules() {
		rule.find(m, func(c Claim) {
			c.Kind = rule.Kind
			id := c.ID()
			if first, known := at[id]; known {
				out[first].add(&c)
				return
			}
			at[id] = len(out)
			out = append(out, c)
		})
		m.claimed = out
	}
	return out
}

// bodies calls see for each file whose bodies were parsed.
func (m *Module) bodies(see func(f *code.File, b *code.Bodies)) {
	for _, f := range m.Files {
		if f.Bodies != nil && !m.stopped() {
			see(f, f.Bodies)
		}
	}
}

// calls calls see for every call in the module's files, in the order of the source.
func (m *Module) calls(see func(f *code.File, c *code.CallUse)) {
	for _, f := range m.Files {
		if f.Whole == nil || m.stopped() {
			continue
		}
		for i := range f.Whole.Calls {
			if m.stopped() {
				return
			}
			see(f, &f.Whole.Calls[i])
		}
	}
}

// symbols calls see for every symbol of the module with its qualified name.
func (m *Module) symbols(see func(name string, s *code.Symbol)) {
	for _, list := range [][]code.Symbol{m.Merged.Exports, m.Merged.Internals} {
		walk("", list, func(name string, s *code.Symbol) {
			if !m.stopped() {
				see(name, s)
			}
		})
	}
}

// walk calls see for symbols and their members, with qualified names.
func walk(owner string, list []code.Symbol, see func(name string, s *code.Symbol)) {
	for i := range list {
		name := strings.TrimPrefix(owner+"."+list[i].Name, ".")
		see(name, &list[i])
		walk(name, list[i].Members, see)
	}
}

// namedSymbols returns the symbols with a qualified name.
func (m *Module) namedSymbols(name string) []*code.Symbol {
	if m.named == nil {
		m.named = map[string][]*code.Symbol{}
		m.symbols(func(name string, s *code.Symbol) { m.named[name] = append(m.named[name], s) })
	}
	return m.named[name]
}

// symbol returns the symbol of a file with a qualified name that contains a line; nil for none.
func (m *Module) symbol(file, name string, line int) *code.Symbol {
	for _, s := range m.namedSymbols(name) {
		if s.File == file && s.StartLine <= line && line <= s.EndLine {
			return s
		}
	}
	return nil
}

// symbolPlace returns the line of a symbol's name.
func symbolPlace(s *code.Symbol) Place {
	return Place{s.File, cmp.Or(s.NameLine, s.StartLine), code.ShortName(s.Name)}
}

// byPlace sorts claims by file and line.
func byPlace(list []Claim) {
	slices.SortStableFunc(list, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(a.At[0].File, b.At[0].File), cmp.Compare(a.At[0].Line, b.At[0].Line))
	})
}
