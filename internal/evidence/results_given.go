package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// given returns the parameter of which constructor a field has, if only the constructor sets it, by itself or through one
// method that nothing else calls.
func (r *resulter) given(text string) (param, constructor string, ok bool) {
	if !r.isField(text) {
		return "", "", false
	}
	field := memberOf(text)
	owner, _ := cutLast(r.body.In)
	var sets []*code.Stmt
	var in []*code.Body
	for _, f := range r.Files {
		if f.Whole == nil {
			continue
		}
		for i := range f.Whole.Functions {
			b := &f.Whole.Functions[i]
			if of, _ := cutLast(b.In); of != owner {
				continue
			}
			code.AllStmts(b.Stmts, func(s *code.Stmt) {
				if s.Op == code.StmtAssign && ofMember(s.Text, field) {
					sets, in = append(sets, s), append(in, b)
				}
			})
		}
	}
	if len(sets) != 1 || sets[0].Value == nil || sets[0].Value.Kind != code.ValueName || memberOf(sets[0].Text) != field || owner == "" {
		return "", "", false
	}
	name := sets[0].Value.Text
	if !r.isParameter(in[0], name) {
		return "", "", false
	}
	if isConstructor(in[0].In) {
		return plainName(name), in[0].In, true
	}
	return r.handedOn(in[0], name)
}

// ofMember reports whether an assignment changes a member with a name: of the object itself, or of a copy of it.
func ofMember(target, field string) bool {
	target, _, _ = strings.Cut(target, "[")
	return lastName(strings.NewReplacer("->", ".", "@", ".", "?.", ".").Replace(target)) == field
}

// memberOf returns the member of the object itself that a text names; "" for others.
func memberOf(text string) string {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		return name
	}
	owner, rest, _ := strings.Cut(strings.ReplaceAll(text, "->", "."), ".")
	if !slices.Contains(selves, owner) {
		return ""
	}
	return rest
}

// isParameter reports whether a name is that of a parameter that a body does not assign.
func (r *resulter) isParameter(b *code.Body, name string) bool {
	names := namesOfBody(b, r.file.Language)
	return slices.Contains(names.params, plainName(name)) && len(names.assigned[plainName(name)]) == 0
}

// handedOn returns the parameter that a constructor hands to a method that it alone calls.
func (r *resulter) handedOn(method *code.Body, param string) (name, constructor string, ok bool) {
	of := r.function(r.file.Path, method.In, method.Line)
	at := slices.IndexFunc(method.Params, func(p string) bool { return plainName(p) == plainName(param) })
	if of == nil || len(r.callers[of]) != 1 || at < 0 || !isConstructor(r.callers[of][0].Path()) {
		return "", "", false
	}
	_, last := cutLast(method.In)
	for i := range r.file.Whole.Functions {
		b := &r.file.Whole.Functions[i]
		if b.In != r.callers[of][0].Path() {
			continue
		}
		code.AllStmts(b.Stmts, func(s *code.Stmt) {
			if s.Op == code.StmtCall && s.Value != nil && lastName(strings.ReplaceAll(callee(s.Value), "->", ".")) == last && at < len(s.Value.Args) {
				if v := &s.Value.Args[at]; v.Kind == code.ValueName && r.isParameter(b, v.Text) {
					name, constructor, ok = plainName(v.Text), b.In, true
				}
			}
		})
	}
	return name, constructor, ok
}
