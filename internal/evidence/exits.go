package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// exits finds places where the module rejects something: a condition in the code and the
// error that follows.
var exits = Rule{
	Kind: Exit,
	find: func(m *Module, found func(Claim)) {
		var list []Claim
		m.exits(func(f *code.File, x *paths.Exit) {
			of := m.function(f.Path, x.In, x.Line)
			if m.refused(f.Path, x.Line) || x.In == "" || !m.reached[of] || x.PassesOn || endsLoop(x) || ofCallback(x) || x.Message == "" && len(x.When) == 0 {
				return
			}
			outcome := m.outcomeOf(f, x)
			list = append(list, Claim{Subject: x.In, Outcome: &outcome, When: []Condition{{m.withOrigins(f, x.In, x.Line, m.withValues(of, x.When)), x.Partial, m.later(f, x.In, x.Line)}}, From: m.users(of), At: []Place{exitPlace(f, x)}})
		})
		byPlace(list)
		for _, direct := range []bool{true, false} { // those that users call come first
			for _, c := range list {
				if direct == (c.From == nil) {
					found(c)
				}
			}
		}
	},
}

// exitOf is an error exit with its file.
type exitOf struct {
	file *code.File
	exit paths.Exit
}

// exits calls see for every error exit of the module. They must not be changed.
func (m *Module) exits(see func(f *code.File, x *paths.Exit)) {
	if m.exitList == nil {
		var files []*code.File
		var bodies [][]code.Body
		m.bodies(func(f *code.File, b *code.Bodies) {
			files, bodies = append(files, f), append(bodies, b.Functions)
		})
		m.exitList = []exitOf{}
		for i, list := range paths.Exits(bodies) {
			for j := range list {
				m.exitList = append(m.exitList, exitOf{files[i], list[j]})
			}
		}
	}
	for i := range m.exitList {
		see(m.exitList[i].file, &m.exitList[i].exit)
	}
}

// wrapped returns the module's own errors in the value of an error, other than the value itself.
func (m *Module) wrapped(f *code.File, v *code.Value) []string {
	if v == nil || v.Kind != code.ValueObject && v.Kind != code.ValueCall {
		return nil
	}
	var out []string
	for i := range v.Args {
		v.Args[i].All(func(part *code.Value) bool {
			if part.Kind == code.ValueName && m.sentinelNamed(f, part.Text) != nil && !slices.Contains(out, part.Text) {
				out = append(out, part.Text)
			}
			return true
		})
	}
	return out
}

// endsLoop reports whether an exit says that an iterator has no more elements.
func endsLoop(x *paths.Exit) bool {
	return x.Error == "StopIteration" || x.Error == "StopAsyncIteration"
}

// ofCallback reports whether an exit is the error result of a function given to another one,
// which decides what becomes of it.
func ofCallback(x *paths.Exit) bool { return x.Use.Kind == code.UseArgument && x.Kind == code.Fails }

// namelessErrors are constructors of errors that are identified by their message only.
var namelessErrors = []string{
	"errors.New", "fmt.Errorf", "panic", "Error", // Go and ECMAScript
	"panic!", "bail!", "ensure!", "assert!", "anyhow!", "anyhow.bail!", "anyhow.ensure!", "anyhow.anyhow!", "todo!", // Rust
	"fatalError", "preconditionFailure", "precondition", // Swift
}

// nameless reports whether an error is identified by its message only.
func nameless(f *code.File, r *paths.Exit) bool {
	if r.Error == "Error" && f.Language == "go" { // a type of the package
		return false
	}
	return r.Message != "" && (slices.Contains(namelessErrors, r.Error) || strings.Contains(r.Error, `"`))
}

// maxDetails is the maximum number of texts of one answer, beside its message, that are claimed.
const maxDetails = 3

// outcomeOf returns the error of an exit. The other texts are those of an answer with a status.
func (m *Module) outcomeOf(f *code.File, r *paths.Exit) Outcome {
	out := Outcome{Error: r.Error, Message: r.Message, Status: r.Status, How: r.Kind, By: r.By, Beside: r.Beside, Wraps: m.wrapped(f, r.Value)}
	if nameless(f, r) {
		out.Error = ""
	}
	m.fillIn(&out, f, r)
	m.nameMember(&out, f, r)
	if r.Status != "" {
		out.Details = r.Details[:min(len(r.Details), maxDetails)]
	}
	return out
}

// exitPlace returns the line of an exit's message, or that of the exit.
func exitPlace(f *code.File, x *paths.Exit) Place {
	if x.MessageLine > 0 {
		return Place{f.Path, x.MessageLine, strings.TrimSuffix(cmp.Or(x.MessagePart, x.Message), "…")}
	}
	return Place{f.Path, x.Line, ""}
}
