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
		var list []Claim
		for n, name := range m.exported {
			if n.IsType() {
				continue
			}
			c := Claim{Subject: name}
			for _, u := range m.links.Calls(n) {
				to := u.To.Outer()
				if m.files[u.To.File] || u.To.Test || !slices.Contains(strings.Split(to.Path(), "."), u.Name) { // not by its name: super(), an alias
					continue
				}
				if len(c.At) == 0 {
					c.At = []Place{{n.File, u.Line, ""}}
				}
				if !slices.Contains(c.Values, to.Path()) {
					c.Values = append(c.Values, to.Path())
				}
			}
			if len(c.Values) > 0 {
				list = append(list, c)
			}
		}
		slices.SortFunc(list, func(a, b Claim) int {
			return cmp.Or(cmp.Compare(a.At[0].File, b.At[0].File), cmp.Compare(a.At[0].Line, b.At[0].Line), cmp.Compare(a.Subject, b.Subject))
		})
		for _, c := range list {
			found(c)
		}
	},
}
