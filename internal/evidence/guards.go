package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// guards finds places where the module rejects something: a condition in the code and the
// error that follows.
var guards = Rule{
	ID: "guard", Evidence: "guard", Section: Requirement,
	En: "%s MUST refuse with %s", Zh: "%s 必须以 %s 拒绝",
	find: func(m *Module, found func(Finding)) {
		var list []Finding
		at := map[string]int{}
		m.bodies(func(f *code.File, b *code.Bodies) {
			for _, r := range b.Guards {
				if r.In == "" || !m.reached[lastName(r.In)] || passesOn(r) || r.Message == "" && len(r.When) == 0 {
					continue
				}
				key := r.In + "\x00" + refusalWords(r)
				if _, known := at[key]; !known {
					at[key] = len(list)
					list = append(list, Finding{Symbol: r.In, Words: []string{quote(r.In), refusalWords(r)}, Refusal: refusalOf(r)})
				}
				g := &list[at[key]]
				g.At = append(g.At, Place{f.Path, r.Line, refusalText(r)})
				g.When = append(g.When, r.When)
			}
		})
		byPlace(list)
		for _, users := range []bool{true, false} { // those that users call come first
			for _, f := range list {
				if _, direct := m.exported[lastName(f.Symbol)]; direct == users {
					f.From = m.users(f.Symbol)
					found(f)
				}
			}
		}
	},
}

// passesOn reports whether a guard only returns the error of another call, so that it says
// nothing about what is rejected here.
func passesOn(r code.Guard) bool {
	if r.Kind == code.Throws {
		isVariable := r.Message == "" && lastName(r.Error) != "" && strings.ToLower(lastName(r.Error)[:1]) == lastName(r.Error)[:1]
		return isVariable || r.Error == "StopIteration" || r.Error == "StopAsyncIteration" // the end of a loop
	}
	if len(r.When) == 0 {
		return strings.Contains(r.Message, "%w")
	}
	last := r.When[len(r.When)-1]
	return strings.HasSuffix(strings.ToLower(last), "err != nil")
}

// namelessErrors are constructors of errors that are identified by their message only.
var namelessErrors = []string{
	"errors.New", "fmt.Errorf", "panic", "Error", // Go and ECMAScript
	"panic!", "bail!", "ensure!", "assert!", "anyhow!", "anyhow.bail!", "anyhow.ensure!", "anyhow.anyhow!", "todo!", // Rust
	"fatalError", "preconditionFailure", "precondition", // Swift
}

// nameless reports whether an error is identified by its message only.
func nameless(r code.Guard) bool {
	return r.Message != "" && (slices.Contains(namelessErrors, r.Error) || strings.Contains(r.Error, `"`))
}

// refusalOf returns the error of a guard.
func refusalOf(r code.Guard) *Refusal {
	if nameless(r) {
		return &Refusal{Message: r.Message}
	}
	return &Refusal{Error: r.Error, Message: r.Message}
}

// refusalWords describes the error, by its message if there is one.
func refusalWords(r code.Guard) string {
	switch {
	case r.Message == "":
		return quote(r.Error)
	case nameless(r):
		return "«" + plain(r.Message) + "»"
	default:
		return quote(r.Error) + " «" + plain(r.Message) + "»"
	}
}

// refusalText returns the text on the guard's line.
func refusalText(r code.Guard) string {
	text := cmp.Or(r.Message, r.By)
	if text == "" {
		return lastName(r.Error)
	}
	return strings.TrimSuffix(text, "…")
}

// plain escapes a message for Markdown.
func plain(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "`", "\\`").Replace(clip(text))
}
