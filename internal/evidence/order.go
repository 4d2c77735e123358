package evidence

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// orderPhrases are the words with which documentation demands another call, and whether what is called precedes them.
var orderPhrases = []struct {
	words   string
	precede bool
}{
	{"must be called", true},
	{"must eventually be called", true},
	{"should be called", true},
	{"needs to be called", true},
	{"has to be called", true},
	{"have to be called", true},
	{"should always be called", true},
	{"must always be called", true},
	{"must call", false},
	{"must also call", false},
	{"must eventually call", false},
	{"must then call", false},
	{"should call", false},
	{"should then call", false},
	{"should also call", false},
	{"be sure to call", false},
	{"responsible for calling", false},
	{"responsibility to call", false},
	{"by calling", false},
	{"have to call", false},
	{"has to call", false},
	{"needs to call", false},
	{"to check if", false},
	{"must use", false},
}

// callOrders finds the calls that documentation demands after or before others, with the order that an example shows.
var callOrders = Rule{
	Kind: CallOrder,
	find: func(m *Module, found func(Claim)) {
		usual := m.usualOrders()
		m.exports(func(name string, s *code.Symbol) {
			if s.Doc == "" || !m.own(s.File) || len(s.Doc) > maxOrderDoc {
				return
			}
			for _, text := range docSentences(s.Doc) {
				if callee := m.demanded(text, name); callee != "" {
					owner, last := cutLast(callee)
					c := Claim{Subject: name, Name: callee, Text: said(text), At: []Place{symbolPlace(s)}}
					for _, u := range usual {
						if at := slices.Index(u.calls, last); at > 0 && (owner == "" || u.has(owner)) {
							c.Values, c.At = u.calls, append(c.At, u.at)
							break
						}
					}
					found(c)
				}
			}
		})
	},
}

// demanded returns the function that a sentence demands to be called; "" for none.
func (m *Module) demanded(text, self string) string {
	if len(text) > maxFailureText {
		return ""
	}
	low := strings.ToLower(text)
	if strings.Contains(low, "either ") || strings.Contains(low, "no need") { // one of several, or none
		return ""
	}
	for _, p := range orderPhrases {
		at := strings.Index(low, p.words)
		if at < 0 || len(low) != len(text) || p.words == "by calling" && !strings.Contains(low[:at], "should") && !strings.Contains(low[:at], "must") {
			continue
		}
		if p.precede {
			if list := m.namedIn(text[:at], self); len(list) > 0 {
				return list[len(list)-1]
			}
		} else if list := m.namedIn(text[at+len(p.words):], self); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// maxOrderDoc is the maximum length of documentation that is searched for demanded calls, in bytes.
const maxOrderDoc = 20_000

// namedIn returns the exported functions and methods of the module that a sentence names as code or followed by
// parentheses, other than self. A bare name of a method is that of the type of self.
func (m *Module) namedIn(text, self string) []string {
	owner, _ := cutLast(self)
	if owner == "" {
		owner = self
	}
	var out []string
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" \t,;!?", c) }) {
		bare := strings.TrimRight(strings.Trim(word, "`[]*\"'<>"), ".")
		called := strings.HasSuffix(bare, "()")
		bare = strings.TrimPrefix(strings.Trim(strings.ReplaceAll(strings.TrimSuffix(bare, "()"), "#", "."), "`[]*\"'.()"), "self.")
		marked := called || strings.ContainsAny(word[:1], "`[*#{") || strings.HasPrefix(word, "(`")
		if !isWord(bare) || bare == "" || !marked && !m.isGoName(bare) {
			continue
		}
		for _, name := range []string{bare, owner + "." + bare} {
			if name != self && m.isFunction(name) && !slices.Contains(out, name) {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// isGoName reports whether a name is that of an exported Go function or method as documentation writes it, without marks.
func (m *Module) isGoName(name string) bool {
	return m.Merged.Language == "go" && name[0] >= 'A' && name[0] <= 'Z'
}

// isFunction reports whether a qualified name is that of an exported function or method.
func (m *Module) isFunction(name string) bool {
	return slices.ContainsFunc(m.namedSymbols(name), func(s *code.Symbol) bool {
		return s.Exported && (s.Kind == code.Function || s.Kind == code.Method) && m.own(s.File)
	})
}

// usual is the order of the calls in an example.
type usual struct {
	test   string
	symbol string   // that the example documents; "" for the whole package
	calls  []string // exported functions and methods of the module, by their last names
	output string   // that is checked; "" if none is
	at     Place
}

// has reports whether an example calls a function that makes a type, by its name.
func (u *usual) has(typ string) bool {
	return u.symbol == typ || strings.HasPrefix(u.symbol, typ+".") || slices.Contains(u.calls, "New"+typ)
}

// usualOrders returns the calls of the module's functions in Go's examples, in order.
func (m *Module) usualOrders() []usual {
	names := map[string]bool{}
	m.exports(func(name string, s *code.Symbol) {
		if s.Kind == code.Function || s.Kind == code.Method {
			names[lastName(name)] = true
		}
	})
	var out []usual
	for _, f := range m.All {
		if f.Language != "go" || !f.Test {
			continue
		}
		for _, t := range f.Tests {
			symbol, ok := documentedBy(t.Name)
			if !ok {
				continue
			}
			u := usual{test: t.Name, symbol: symbol, at: Place{f.Path, t.Line, t.Name}}
			for _, c := range inOrder(f, t.Name) {
				if names[c.Name] && !slices.Contains(u.calls, c.Name) && m.isOf(f, c) {
					u.calls = append(u.calls, c.Name)
				}
			}
			u.output = output(f, t)
			out = append(out, u)
		}
	}
	return out
}

// inOrder returns the calls of a function in the order in which they run: those of one line from the innermost, deferred
// ones at the end.
func inOrder(f *code.File, function string) []code.Call {
	var out, deferred []code.Call
	for _, c := range f.Calls {
		switch {
		case c.In != function:
		case f.Bodies != nil && slices.Contains(f.Bodies.Deferred, c.Line):
			deferred = append(deferred, c)
		default:
			at := len(out)
			for at > 0 && out[at-1].Line == c.Line {
				at--
			}
			out = slices.Insert(out, at, c)
		}
	}
	slices.Reverse(deferred)
	return append(out, deferred...)
}

// isOf reports whether a call in a test is one of the module: not of another package that the file imports, and, of a
// package under its own name, only that of the module.
func (m *Module) isOf(f *code.File, c code.Call) bool {
	head, _, _ := strings.Cut(c.Receiver, ".")
	if head == "" {
		return f.Package == "" || !strings.HasSuffix(f.Package, "_test")
	}
	if !bindsImport(f, head) {
		return true // a variable
	}
	return head == strings.TrimSuffix(f.Package, "_test")
}

// documentedBy returns what an example of Go documents: "Reader.ReadAll" for ExampleReader_ReadAll_empty; ok is false for
// other tests.
func documentedBy(test string) (symbol string, ok bool) {
	rest, ok := strings.CutPrefix(test, "Example")
	if !ok {
		return "", false
	}
	parts := strings.Split(rest, "_")
	if last := parts[len(parts)-1]; len(parts) > 1 && last != "" && last[0] >= 'a' && last[0] <= 'z' {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "."), true
}

// output returns the output that an example is checked against.
func output(f *code.File, t code.Test) string {
	if f.Bodies == nil {
		return ""
	}
	for _, s := range f.Bodies.Steps {
		if text, ok := strings.CutPrefix(s.Text, "prints "); ok && t.Line <= s.Line && s.Line <= t.EndLine+1 {
			return text
		}
	}
	return ""
}

// usages finds the calls that examples with checked output show.
var usages = Rule{
	Kind: Usage,
	find: func(m *Module, found func(Claim)) {
		for _, u := range m.usualOrders() {
			if u.output != "" && len(u.calls) > 0 {
				found(Claim{Subject: u.symbol, Name: u.test, Values: u.calls, Text: u.output, At: []Place{u.at}})
			}
		}
	},
}

// zeroValues finds types whose zero value lacks a member that only the constructor sets, and that methods call.
var zeroValues = Rule{
	Kind: ZeroValue,
	find: func(m *Module, found func(Claim)) {
		r := newFieldReader(m)
		checked := map[string]bool{}
		assigned := map[string]bool{} // members, anywhere
		m.bodies(func(_ *code.File, b *code.Bodies) {
			for _, name := range b.Checked {
				checked[name] = true
			}
			for i := range b.Functions {
				code.AllStmts(b.Functions[i].Stmts, func(s *code.Stmt) {
					if s.Op == code.StmtAssign {
						for target := range strings.SplitSeq(s.Text, ",") {
							assigned[lastName(strings.TrimSpace(target))] = true
						}
					}
				})
			}
		})
		makers := r.makers()
		for _, key := range slices.Sorted(maps.Keys(makers)) {
			file, name, _ := strings.Cut(key, " ")
			for _, s := range m.namedSymbols(name) {
				if s.File != file || s.Kind != code.Struct || !s.Exported || m.language[file] != "go" {
					continue
				}
				c := r.unset(s, makers[key], func(member string) bool { return checked[member] || assigned[member] })
				if len(c.Values) > 0 && !r.madeElsewhere(name, makers[key]) {
					found(c)
				}
			}
		}
	},
}

// unset returns the claim with the members of a type that are set only by its constructor; other reports whether a member
// is compared with nil or assigned.
func (r *fieldReader) unset(s *code.Symbol, maker *code.Literal, other func(member string) bool) Claim {
	c := Claim{Subject: s.Name, Of: maker.In, At: []Place{symbolPlace(s)}}
	for i := range s.Members {
		f := &s.Members[i]
		if f.Kind != code.Property || f.Exported || !isReference(f.Returns) || other(f.Name) || !sets(maker, f.Name) {
			continue
		}
		if at, ok := r.calledOn(r.holders[s.Name], f.Name); ok {
			c.Values, c.At = append(c.Values, f.Name), append(c.At, at)
		}
	}
	return c
}

// isReference reports whether a Go type is a pointer, a function, or an interface of package io: calling a method of its
// zero value, or the zero value itself, panics unless the type allows it.
func isReference(typ string) bool {
	return strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "func(") || strings.HasPrefix(typ, "io.")
}

// sets reports whether a literal has a field.
func sets(l *code.Literal, name string) bool {
	return slices.ContainsFunc(l.Fields, func(f code.Argument) bool { return f.Name == name && f.Text != "nil" })
}

// calledOn returns a place where a method calls a member of its receiver.
func (m *Module) calledOn(holders []holder, member string) (at Place, ok bool) {
	for _, f := range m.Files {
		for _, c := range f.Calls {
			if slices.ContainsFunc(holders, func(h holder) bool {
				return h.function == c.In && h.file == f.Path && c.Receiver == h.variable+"."+member
			}) {
				return Place{f.Path, c.Line, ""}, true
			}
		}
	}
	return Place{}, false
}

// madeElsewhere reports whether another function of the module makes a type with fields.
func (r *fieldReader) madeElsewhere(typ string, maker *code.Literal) bool {
	for _, f := range r.Files {
		if f.Bodies == nil {
			continue
		}
		for i := range f.Bodies.Literals {
			if l := &f.Bodies.Literals[i]; l != maker && baseType(l.Of) == typ {
				return true
			}
		}
	}
	return false
}
