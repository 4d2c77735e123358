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
			e := &exit{claim: c, when: &c.When[j], at: at}
			if err := w.proposeOne(e); err != nil {
				w.leave(e, message.New("%v", err))
			}
		}
	}
	bySubject(w.cases)
	for _, c := range w.cases[min(len(w.cases), mostProposed):] {
		w.leave(c.exit, message.New("only %d tests are tried", mostProposed))
	}
	w.cases = w.cases[:min(len(w.cases), mostProposed)]
	for i, c := range w.cases {
		c.Number = i + 1
	}
}

// bySubject sorts tests so that those of one function follow each other.
func bySubject(list []*proposed) {
	slices.SortStableFunc(list, func(a, b *proposed) int { return strings.Compare(a.claim.Subject, b.claim.Subject) })
}

// folder reports whether the tests of a file go into the same file: of a package of Go.
func (w *writing) folder(file string) bool {
	return w.at.Tool == "go test" && w.now.Whole && path.Dir(file) == path.Dir(w.at.Source.Path)
}

// proposeOne makes a test of one exit.
func (w *writing) proposeOne(e *exit) error {
	c, when := e.claim, e.when
	f, call := w.function(c.Subject, e.at.File)
	switch {
	case len(when.All) == 0:
		return message.Errorf("the exit has no condition")
	case when.Later:
		return message.Errorf("it is in a function that the function returns")
	case call == nil && len(c.From) > 0:
		return message.Errorf("users do not call the function, but %s", strings.Join(c.From, ", "))
	case call == nil:
		return message.Errorf("it is no exported function that can be called by itself or on an object made of simple values")
	case len(call.TypeParameters) > 0 && f.Language == "go", call.Async && f.Language == "python":
		return message.Errorf("the function is generic or asynchronous")
	}
	made := w.caseOf(e)
	made.Function, made.Callee = call.Symbol, call.callee
	if err := call.solve(f.Language, made, when); err != nil {
		return err
	}
	w.cases = append(w.cases, made)
	return nil
}

// caseOf returns the test of an exit without the call.
func (w *writing) caseOf(e *exit) *proposed {
	o := e.claim.Outcome
	made := &proposed{exit: e, Case: proposal.Case{Function: &code.Symbol{}, Error: w.errorOf(o), Message: plainStart(o.Message), Panics: o.How == code.Panics}}
	if n := len(e.when.All); n > 0 {
		made.When = e.when.All[n-1].Text
	}
	return made
}

// errorOf returns the name of the error by which a test can tell it; "" for none.
func (w *writing) errorOf(o *evidence.Outcome) string {
	switch language := w.at.Source.Language; {
	case language == "python":
		return o.Error
	case language != "go" || strings.Contains(o.Error, "."):
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
