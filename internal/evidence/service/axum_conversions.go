package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// axumFailing are calls of libraries whose errors say something of the request, by the crate of the errors, with the pattern
// that an implementation of From has for them; "" for any.
var axumFailing = []struct{ crate, name, pattern string }{
	{"jsonwebtoken", "decode", ""},
	{"sqlx", "fetch_one", "RowNotFound"},
}

// conversion returns the answers to the errors of a call of a library that implementations of From turn into the project's.
func (x *axumErrors) conversion(file *code.File, c Call) []Answer {
	text, _, _ := strings.Cut(c.Value.Text, "::<")
	receiver, name := CutLast(text)
	var out []Answer
	for _, l := range axumFailing {
		imported := slices.ContainsFunc(file.Imports, func(i code.Import) bool {
			return strings.HasPrefix(i.Module, l.crate) && slices.Contains(i.Named, name)
		})
		if l.name != name || l.pattern == "" && receiver != l.crate && !imported {
			continue
		}
		for owner := range inOrder(x.wrappers("")) {
			for _, from := range x.methods[owner+".from"] {
				if x.convertsFrom(from, l.crate) {
					out = append(out, x.converts(from, owner, l.pattern)...)
				}
			}
		}
	}
	return out
}

// convertsFrom reports whether an implementation of From takes an error of a crate.
func (x *axumErrors) convertsFrom(from *resolve.Node, crate string) bool {
	f := x.File(from.File)
	_, rest, _ := strings.Cut(from.Signature, ":")
	kind, _, ok := strings.Cut(rest, ")") // of the only parameter; several implementations have the same name
	if kind = strings.TrimSpace(kind); f == nil || !ok || x.Body(from) == nil {
		return false
	}
	if strings.HasPrefix(kind, crate+"::") {
		return true
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		for j, named := range imp.Named {
			local := named
			if j < len(imp.Aliases) && imp.Aliases[j] != "" {
				local = imp.Aliases[j]
			}
			if local == kind && strings.HasPrefix(imp.Module, crate) {
				return true
			}
		}
	}
	return false
}

// converts returns the answers of the variants that an implementation of From makes, in the arms with a pattern.
func (x *axumErrors) converts(from *resolve.Node, owner, pattern string) []Answer {
	var out []Answer
	take := func(s *code.Stmt) {
		if s.Value == nil {
			return
		}
		s.Value.All(func(v *code.Value) bool {
			before, name := CutLast(v.Text)
			if Last(before) != owner && before != "Self" {
				return true
			}
			for _, a := range x.statuses(owner, name, 0) {
				if a.Error = owner + "::" + name; a.Message == "" {
					a.Message = axumText(v.Arg(0))
				}
				if !slices.Contains(out, a) {
					out = append(out, a)
				}
			}
			return true
		})
	}
	code.AllStmts(bodyStmts(x.Body(from)), func(s *code.Stmt) {
		for i := range s.Arms {
			if pattern == "" || strings.Contains(strings.Join(s.Arms[i].Labels, " "), pattern) {
				code.AllStmts(s.Arms[i].Body, take)
			}
		}
	})
	return out
}
