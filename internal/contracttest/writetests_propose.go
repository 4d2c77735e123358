package contracttest

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// propose makes a test for each exit that no test asserts on.
func (w *writing) propose() {
	for i := range w.now.Claims {
		c := &w.now.Claims[i]
		own := func(test string) bool { return strings.HasPrefix(test, w.at.Path+":") }
		if c.Kind != evidence.Exit || slices.ContainsFunc(c.Tests, func(t string) bool { return !own(t) }) {
			continue
		}
		for j := range c.When {
			at := c.At[min(j, len(c.At)-1)]
			if at.File != w.at.Source.Path && !w.folder(at.File) {
				continue
			}
			if err := w.proposeOne(c, &c.When[j], at); err != nil {
				w.refuse(&c.Claim, at, message.New("%v", err))
			}
		}
	}
	slices.SortStableFunc(w.cases, func(a, b *proposed) int { return strings.Compare(a.Callee, b.Callee) })
	for _, c := range w.cases[min(len(w.cases), mostProposed):] {
		w.refuse(&c.claim.Claim, c.at, message.New("only %d tests are tried", mostProposed))
	}
	w.cases = w.cases[:min(len(w.cases), mostProposed)]
	for i, c := range w.cases {
		c.Number = i + 1
	}
}

// folder reports whether the tests of a file go into the same file: of a package of Go.
func (w *writing) folder(file string) bool {
	return w.at.Tool == "go test" && w.now.Whole && path.Dir(file) == path.Dir(w.at.Source.Path)
}

// proposeOne makes a test of one exit.
func (w *writing) proposeOne(c *spec.CurrentClaim, when *evidence.Condition, at evidence.Place) error {
	f, s, callee := w.function(c.Subject, at.File)
	switch {
	case len(when.All) == 0:
		return message.Errorf("the exit has no condition")
	case when.Later:
		return message.Errorf("it is in a function that the function returns")
	case s == nil && len(c.From) > 0:
		return message.Errorf("users do not call the function, but %s", strings.Join(c.From, ", "))
	case s == nil:
		return message.Errorf("it is no exported function that can be called by itself")
	case len(s.TypeParameters) > 0 && f.Language == "go", s.Async && f.Language == "python":
		return message.Errorf("the function is generic or asynchronous")
	}
	kinds, err := proposal.Kinds(f.Language, s.Params)
	if err != nil {
		return err
	}
	args, err := proposal.Solve(s.Params, kinds, when.All)
	if err != nil {
		return err
	}
	made := &proposed{claim: c, at: at, Case: proposal.Case{When: when.All[len(when.All)-1].Text, Function: s, Callee: callee, Args: args}}
	made.Error, made.Message, made.Panics = w.errorOf(f, c.Outcome), plainStart(c.Outcome.Message), c.Outcome.How == code.Panics
	if w.at.Module == "" && f.Language != "go" {
		w.at.Module, w.at.Requires = w.imported(f)
	}
	w.cases = append(w.cases, made)
	return nil
}

// function returns a function that can be called by itself, with how it is called; nil if there is none.
func (w *writing) function(subject, file string) (f *code.File, s *code.Symbol, callee string) {
	i := slices.IndexFunc(w.now.Files, func(f *code.File) bool { return f.Path == file })
	if i < 0 {
		return nil, nil, ""
	}
	f = w.now.Files[i]
	owner, member, isMember := strings.Cut(subject, ".")
	for j := range f.Symbols {
		top := &f.Symbols[j]
		switch {
		case top.Name != owner || !top.Exported:
		case !isMember && top.Kind == code.Function && top.Receiver == "":
			return f, top, owner
		case isMember && f.Language != "go":
			for k := range top.Members {
				if m := &top.Members[k]; m.Name == member {
					if callee := calleeOf(f.Language, top.Name, m); callee != "" {
						return f, withoutSelf(m), callee
					}
				}
			}
		}
	}
	return f, nil, ""
}

// calleeOf returns how a member of a class is called without an object; "" if it cannot be.
func calleeOf(language, class string, m *code.Symbol) string {
	decorated := slices.ContainsFunc(m.Decorators, func(d string) bool {
		return strings.Contains(d, "classmethod") || strings.Contains(d, "staticmethod")
	})
	switch {
	case m.Visibility == code.Private || m.Visibility == code.Protected || strings.HasPrefix(m.Name, "#"):
		return ""
	case language == "python" && m.Name == "__init__":
		return class
	case m.Kind == code.Constructor:
		return "new " + class
	case m.Static || decorated:
		return class + "." + m.Name
	}
	return ""
}

// withoutSelf returns a method of Python without the parameter for its object or class.
func withoutSelf(m *code.Symbol) *code.Symbol {
	if len(m.Params) > 0 && slices.Contains([]string{"self", "cls"}, m.Params[0].Name) {
		own := *m
		own.Params = m.Params[1:]
		return &own
	}
	return m
}

// errorOf returns the name of the error by which a test can tell it; "" for none.
func (w *writing) errorOf(f *code.File, o *evidence.Outcome) string {
	switch {
	case f.Language == "python":
		return o.Error
	case f.Language != "go" || strings.Contains(o.Error, "."):
		return ""
	}
	for _, other := range w.now.Files {
		for i := range other.Symbols {
			if s := &other.Symbols[i]; s.Name == o.Error && s.Kind == code.Variable {
				return o.Error
			}
		}
	}
	return ""
}

// plainStart returns the start of a message up to what varies.
func plainStart(text string) string {
	if i := strings.IndexAny(text, `%{\…`); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " $")
}

// imported returns how tests import a file of Python or ECMAScript.
func (w *writing) imported(f *code.File) (module string, requires bool) {
	name := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	if f.Language == "python" {
		folder := path.Dir(name)
		for folder != "." && w.has(path.Join(folder, "__init__.py")) {
			folder = path.Dir(folder)
		}
		module = strings.ReplaceAll(strings.TrimPrefix(name, folder+"/"), "/", ".")
		return strings.TrimSuffix(module, ".__init__"), false
	}
	suffix := ""
	for _, t := range w.now.Tests {
		for _, im := range t.Imports {
			if !im.Relative {
				continue
			}
			suffix = cmp.Or(suffix, path.Ext(im.Module))
			requires = requires || im.Kind == code.RequireImport
		}
	}
	if !slices.Contains([]string{".js", ".ts", ".mjs", ".cjs"}, suffix) {
		suffix = ""
	}
	rel := relative(path.Dir(w.at.Path), name)
	return rel + suffix, requires
}

func (w *writing) has(name string) bool {
	_, err := w.p.ReadFile(name)
	return err == nil
}

// relative returns a path as an import names it from a folder.
func relative(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	if from == "." {
		a = nil
	}
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	up := strings.Repeat("../", len(a))
	return cmp.Or(up, "./") + strings.Join(b, "/")
}
