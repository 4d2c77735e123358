package evidence

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// effects finds what the functions that users call change: fields of their receiver and of
// their arguments. What a constructor sets is not an effect. Of functions that these reach, in
// Go, it finds the exported fields.
var effects = Rule{
	Kind: Effect,
	find: func(m *Module, found func(Claim)) {
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Functions {
				body := &b.Functions[i]
				of := m.function(f.Path, body.In, body.Line)
				if body.Use.Kind != "" || body.Name != "" || of == nil || !m.reached[of] || isConstructor(body.In) {
					continue
				}
				inner := m.exported[of] == ""
				if inner && f.Language != "go" {
					continue
				}
				sym := m.symbol(f.Path, body.In, body.Line)
				if sym == nil {
					continue
				}
				receiver, _, _ := strings.Cut(strings.Trim(sym.Receiver, "()"), " ")
				params := untouched(sym.Params, body)
				changed := map[string]*Claim{}
				code.AllStmts(body.Stmts, func(s *code.Stmt) {
					for target := range strings.SplitSeq(s.Text, ",") {
						role, field := changes(target, receiver, params)
						if s.Op != code.StmtAssign || role == "" || inner && (role != OfReceiver || !token.IsExported(field)) {
							continue
						}
						if changed[role] == nil {
							changed[role] = &Claim{Subject: body.In, Role: role, From: m.users(of), At: []Place{{f.Path, s.Line, ""}}}
						}
						if c := changed[role]; !slices.Contains(c.Values, field) {
							c.Values = append(c.Values, field)
						}
					}
				})
				for _, role := range []string{OfReceiver, OfArgument} {
					if c := changed[role]; c != nil {
						found(*c)
					}
				}
			}
		})
		m.acts(found)
	},
}

// untouched returns the names of the parameters that stay what they were passed as.
func untouched(list []code.Param, body *code.Body) []string {
	var out []string
	for _, p := range list {
		out = append(out, strings.TrimLeft(p.Name, "$*&."))
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtAssign {
			for target := range strings.SplitSeq(s.Text, ",") {
				target = strings.TrimLeft(strings.TrimSpace(target), "$")
				out = slices.DeleteFunc(out, func(p string) bool { return p == target })
			}
		}
	})
	return out
}

// selves are the names of the receiver, in languages where it has a fixed one.
var selves = []string{"this", "self", "$this", "cls", "Self"}

// changes returns whose field an assignment changes, and the field: of the receiver its name,
// of an argument with the argument's name. The role is "" if it is neither.
func changes(target, receiver string, params []string) (role, field string) {
	target = strings.TrimLeft(strings.TrimSpace(target), "*(&")
	if name, ok := strings.CutPrefix(target, "@"); ok {
		return OfReceiver, fieldIn(name)
	}
	owner, rest, ok := strings.Cut(strings.ReplaceAll(target, "->", "."), ".")
	if owner, _, _ = strings.Cut(owner, "["); !ok || fieldIn(rest) == "" {
		return "", ""
	}
	switch {
	case slices.Contains(selves, owner), receiver != "" && owner == receiver:
		return OfReceiver, fieldIn(rest)
	case slices.Contains(params, strings.TrimLeft(owner, "$")):
		return OfArgument, owner + "." + fieldIn(rest)
	}
	return "", ""
}

// fieldIn returns the name that a text begins with.
func fieldIn(text string) string {
	end := strings.IndexFunc(text, func(c rune) bool {
		return c != '_' && c != '$' && c < 0x80 && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9')
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

// constructors are the last parts of constructors' names, beside that of the type itself.
var constructors = []string{"__init__", "__new__", "constructor", "initialize", "init", "__construct"}

func isConstructor(name string) bool {
	owner, last := cutLast(name)
	return slices.Contains(constructors, last) || last == lastName(owner)
}

// calls finds what the functions that users call use of other modules.
var calls = Rule{
	Kind: Call,
	find: func(m *Module, found func(Claim)) {
		list := map[string]*Claim{}
		for _, f := range m.Files {
			if m.stopped() {
				return
			}
			for _, n := range m.links.Linked(f.Path) {
				of := n
				if m.exported[of] == "" {
					of = n.Outer()
				}
				name := m.exported[of]
				if name == "" || of.IsType() {
					continue
				}
				for _, u := range m.links.Calls(n) {
					to := u.To.Outer()
					if m.files[u.To.File] || u.To.Test || !slices.Contains(strings.Split(to.Path(), "."), u.Name) { // not by its name: super(), an alias
						continue
					}
					list[name] = called(list[name], name, to.Path(), Place{n.File, u.Line, ""})
				}
			}
			m.imported(f, func(name, to string, line int) { list[name] = called(list[name], name, to, Place{f.Path, line, ""}) })
		}
		var out []Claim
		for _, c := range list {
			out = append(out, *c)
		}
		slices.SortFunc(out, func(a, b Claim) int {
			return cmp.Or(cmp.Compare(a.At[0].File, b.At[0].File), cmp.Compare(a.At[0].Line, b.At[0].Line), cmp.Compare(a.Subject, b.Subject))
		})
		for _, c := range out {
			found(c)
		}
	},
}

// called adds a call to the claim of a function; nil for none yet. The place is that of the first call.
func called(c *Claim, subject, to string, at Place) *Claim {
	if c == nil {
		c = &Claim{Subject: subject, At: []Place{at}}
	}
	if at.Line < c.At[0].Line {
		c.At[0] = at
	}
	if !slices.Contains(c.Values, to) {
		c.Values = append(c.Values, to)
	}
	return c
}

// imported calls see for the calls of exported functions on what their file imports of the project by name, where what is
// called is a member that no name resolves to: Jwt.verify, where Jwt is an object with functions.
func (m *Module) imported(f *code.File, see func(name, to string, line int)) {
	if f.Whole == nil || len(m.links.Imports(f.Path)) == 0 {
		return
	}
	for i := range f.Whole.Calls {
		c := &f.Whole.Calls[i]
		root, rest := rootOf(c.Value.Text)
		if rest == "" || rest[0] != '.' || c.Mark || c.In == "" || !importsOwn(f, root) || strings.ContainsAny(c.Value.Text, "([ ") {
			continue
		}
		if of := m.function(f.Path, c.In, c.Line); of != nil && m.exported[of] != "" {
			see(m.exported[of], c.Value.Text, c.Line)
		}
	}
}

// importsOwn reports whether a name is imported from a path of the project.
func importsOwn(f *code.File, name string) bool {
	return name != "" && slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return strings.HasPrefix(i.Module, ".") && slices.Contains(i.Named, name)
	})
}
