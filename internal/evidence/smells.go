package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// smells finds what surprises readers: a guard on a parameter of which a member is read before, and a member of an object
// literal that a spread after it may replace.
var smells = Rule{
	Kind: Smell,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.Files {
			if f.Whole == nil || m.stopped() {
				continue
			}
			for i := range f.Whole.Functions {
				body := &f.Whole.Functions[i]
				if of := m.function(f.Path, body.In, body.Line); of == nil || !m.reached[of] || body.In == "" {
					continue
				}
				m.lateGuards(f, body, found)
				m.overridden(f, body, found)
			}
		}
	},
}

// guardLanguages are the languages in which reading a member of a missing value fails at run time.
var guardLanguages = []string{"javascript", "typescript", "jsx", "tsx", "python", "java", "php", "ruby", "csharp"}

// lateGuards finds parameters that are read before the guard on them. Only statements that always run count.
func (m *Module) lateGuards(f *code.File, body *code.Body, found func(Claim)) {
	if !slices.Contains(guardLanguages, f.Language) {
		return
	}
	read := map[string]*code.Value{} // by parameter: its first member that is read
	for i := range body.Stmts {
		s := &body.Stmts[i]
		if s.Op == code.StmtIf && len(s.Body) > 0 && s.Body[len(s.Body)-1].Op == code.StmtError {
			for _, p := range body.Params {
				if v := read[p]; v != nil && guards(s.Cond, p) {
					found(Claim{Subject: body.In, Role: LateGuard, Name: p, Values: []string{v.Text}, At: []Place{{f.Path, v.Line, ""}, {f.Path, s.Line, ""}}})
				}
			}
			continue
		}
		switch s.Op {
		case code.StmtAssign, code.StmtCall:
			for _, p := range body.Params {
				if assigns(s, p) {
					return
				}
				if v := memberRead(s.Value, p); v != nil && read[p] == nil {
					read[p] = v
				}
			}
		case code.StmtClosure:
		default:
			return
		}
	}
}

func assigns(s *code.Stmt, name string) bool {
	return s.Op == code.StmtAssign && slices.Contains(strings.FieldsFunc(s.Text, func(c rune) bool { return strings.ContainsRune(" ,({[]})", c) }), name)
}

// memberRead returns the first part of a value that is a member of a parameter and is always read; nil for none.
func memberRead(v *code.Value, param string) *code.Value {
	if v == nil || param == "" || v.Kind == code.ValueFunction {
		return nil
	}
	if v.Kind == code.ValueName && strings.HasPrefix(v.Text, param+".") && !strings.ContainsAny(v.Text, "? (") {
		return v
	}
	for i := range alwaysRead(v) {
		if at := memberRead(&v.Args[i], param); at != nil {
			return at
		}
	}
	return nil
}

// alwaysRead returns the parts of a value that are read whatever the others are.
func alwaysRead(v *code.Value) []code.Value {
	switch {
	case v.Kind != code.ValueOther:
		return v.Args
	case len(v.Args) == 0 || v.Text == code.CondFirst || v.Text == code.CondSecond:
		return nil
	}
	return v.Args[:1]
}

// guards reports whether a condition holds where a parameter is missing.
func guards(c *code.Cond, param string) bool {
	switch c.Op {
	case code.CondOr:
		return slices.ContainsFunc(c.Args, func(a code.Cond) bool { return guards(&a, param) })
	case code.CondNot:
		return c.Args[0].Op == code.CondAtom && c.Args[0].Text == param
	case code.CondAtom:
		left, right, ok := strings.Cut(strings.NewReplacer("===", "==", " is None", " == null", "None", "null", "undefined", "null", "nil", "null").Replace(c.Text), " == ")
		return ok && left == param && right == "null"
	default:
		return false
	}
}

// overridden finds members of object literals that come from a parameter and that a spread after them may replace. A
// constant before a spread is a default, and no smell.
func (m *Module) overridden(f *code.File, body *code.Body, found func(Claim)) {
	params := slices.Clone(body.Params)
	for _, s := range m.returnedOf(f) {
		if s.body == body {
			params = s.params
		}
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtAssign && s.Op != code.StmtReturn && s.Op != code.StmtCall || s.Value == nil {
			return
		}
		s.Value.All(func(v *code.Value) bool {
			if v.Kind != code.ValueObject {
				return true
			}
			for i := range v.Args {
				part := &v.Args[i]
				root, rest := rootOf(part.Text)
				if spread := spreadAfter(v.Args[i+1:]); spread != "" && part.Kind == code.ValueName && part.Name != "" && rest != "" && slices.Contains(params, root) {
					found(Claim{Subject: body.In, Role: Overridden, Name: part.Name, Values: []string{part.Text, spread}, At: []Place{{f.Path, part.Line, ""}}})
				}
			}
			return true
		})
	})
}

// spreadAfter returns the first variable that is spread among the members of an object; "" for none.
func spreadAfter(members []code.Value) string {
	for i := range members {
		if spread, ok := strings.CutPrefix(members[i].Text, "..."); ok && members[i].Kind == code.ValueName {
			return spread
		}
	}
	return ""
}
