package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// rustWrappers are types that are used as what they hold.
var rustWrappers = []string{"Arc", "Rc", "Box", "Extension", "State", "Option", "Data", "Mutex", "RwLock"}

// heldType returns the last name of the type that a type as written holds: "UserService" for &Arc<dyn UserService>.
func heldType(kind string) string {
	for range maxSteps {
		kind = strings.TrimSpace(strings.TrimLeft(kind, "&"))
		for _, word := range []string{"mut ", "dyn ", "impl "} {
			kind = strings.TrimPrefix(kind, word)
		}
		name, inner := cutGeneric(kind)
		if !slices.Contains(rustWrappers, name) {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
		kind = splitTop(inner)[0]
	}
	return ""
}

// called returns the methods of the project that a call of a method may run, by the type of the parameter or field that it is
// called on: the type's own, or those of what implements a trait.
func (x *axumErrors) called(n *resolve.Node, c Call) []*resolve.Node {
	receiver, name := c.Of()
	kind := x.receiverType(n, receiver)
	if kind == "" {
		return x.only(receiver, name)
	}
	var out []*resolve.Node
	add := func(list []*resolve.Node) {
		for _, m := range list {
			if x.Body(m) != nil {
				out = append(out, m)
			}
		}
	}
	if add(x.methods[kind+"."+name]); len(out) > 0 {
		return out
	}
	for owner, list := range inOrder(x.classes) {
		for i := range list {
			if list[i].File.Language == "rust" && slices.ContainsFunc(list[i].Symbol.Bases, func(b string) bool { return Last(b) == kind }) {
				add(x.methods[owner+"."+name])
			}
		}
	}
	return out
}

// only returns the method that a call on a variable means, if only one in the project has its name, of three words or more.
func (x *axumErrors) only(receiver, name string) []*resolve.Node {
	if strings.ContainsAny(receiver, "(:<!?[") || receiver == "" || strings.Count(name, "_") < 2 {
		return nil
	}
	list := slices.DeleteFunc(x.functionsNamed(name, "rust"), func(m *resolve.Node) bool { return x.Body(m) == nil })
	if len(list) != 1 {
		return nil
	}
	return list
}

// receiverType returns the type of what a method is called on: self.field, a parameter, or a field of one.
func (x *axumErrors) receiverType(n *resolve.Node, receiver string) string {
	if strings.ContainsAny(receiver, "(:<!?[") || receiver == "" {
		return ""
	}
	parts := strings.Split(strings.ReplaceAll(receiver, " ", ""), ".")
	kind := ""
	if parts[0] == "self" {
		kind = Last(n.Owner())
	} else if s := x.Symbol(n); s != nil {
		for _, p := range s.Params {
			_, bound, _ := strings.Cut(strings.TrimSuffix(p.Name, ")"), "(")
			if p.Name == parts[0] || strings.TrimPrefix(bound, "mut ") == parts[0] {
				kind = x.aliased(heldType(p.Type))
			}
		}
	}
	for _, field := range parts[1:] {
		kind = x.fieldType(kind, field)
	}
	return kind
}

// fieldType returns the type of a field of a type of the project; "" if it is not known.
func (x *axumErrors) fieldType(kind, field string) string {
	for i := range x.classes[kind] {
		for _, m := range x.classes[kind][i].Symbol.Members {
			if m.Name == field && x.classes[kind][i].File.Language == "rust" {
				return x.aliased(heldType(m.Returns))
			}
		}
	}
	return ""
}

// aliased returns the type that an alias of the project stands for, or the type itself.
func (x *axumErrors) aliased(kind string) string {
	if kind == "" || len(x.classes[kind]) > 0 {
		return kind
	}
	for _, f := range x.Files {
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if _, of, ok := strings.Cut(s.Signature, "="); ok && s.Name == kind && s.Kind == code.TypeDef && f.Language == "rust" {
				return heldType(strings.TrimRight(of, "; "))
			}
		}
	}
	return kind
}
