package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// ecmaLanguages are the languages of the ECMAScript frameworks.
var ecmaLanguages = []string{"javascript", "typescript"}

// chains yields the chains of calls in a file, in the order of the source, each from its first call to its last.
func chains(f *code.File) [][]Call {
	followed := map[int]bool{} // by the index of a call
	for i := range f.Bodies.Calls {
		followed[f.Bodies.Calls[i].After-1] = true
	}
	var out [][]Call
	for i := range f.Bodies.Calls {
		if followed[i] {
			continue
		}
		var list []Call
		for at := i + 1; at > 0; at = f.Bodies.Calls[at-1].After {
			list = append(list, Call{f, &f.Bodies.Calls[at-1]})
		}
		slices.Reverse(list)
		out = append(out, list)
	}
	return out
}

// ecmaChains calls see for each chain of calls in the ECMAScript files of the project.
func (p *Project) ecmaChains(see func(chain []Call)) {
	for _, f := range p.Files {
		if slices.Contains(ecmaLanguages, f.Language) {
			for _, chain := range chains(f) {
				see(chain)
			}
		}
	}
}

// objectOfChain returns the identity of the object that a chain of calls makes: of the variable, the default export, or
// the place.
func (p *Project) objectOfChain(chain []Call) Object {
	last := chain[len(chain)-1]
	if last.To != "" {
		if receiver, field := CutLast(last.To); receiver == "this" {
			return p.memberObject(last.File, last.In, field)
		}
		if last.In != last.To && p.localTo(last) {
			return objectOf(last.File.Path, last.In, last.To)
		}
		return objectOf(last.File.Path, "", last.To)
	}
	for _, n := range p.Links.Nodes(last.File.Path) {
		if n.Name == "default" && n.StartLine <= chain[0].Line && chain[0].Line <= n.EndLine && !IsFunction(n) {
			return objectOf(last.File.Path, "", n.Name)
		}
	}
	return objectOf(last.File.Path, "", "@"+strconv.Itoa(chain[0].Line))
}

// localTo reports whether a call is in a function, whose variable gets its result.
func (p *Project) localTo(c Call) bool {
	for _, n := range p.Links.Nodes(c.File.Path) {
		if IsFunction(n) && n.Path() == c.In {
			return true
		}
	}
	return false
}

// memberObject returns the identity of the object in a field of the class around a method.
func (p *Project) memberObject(f *code.File, in, field string) Object {
	owner, _, _ := strings.Cut(in, ".")
	return objectOf(f.Path, owner, "this."+field)
}

// ecmaObject returns the identity of the object that a name holds at a line of a file, within the function in.
func (p *Project) ecmaObject(f *code.File, in, name string, line int) Object {
	name = strings.TrimSuffix(name, "!")
	if before, field := CutLast(name); before == "this" {
		return p.memberObject(f, in, field)
	}
	if n := p.NodeOf(f.Path, name, line); n != nil && !IsFunction(n) && !n.IsType() {
		return objectOf(n.File, "", n.Name)
	}
	if in != "" {
		for i := range f.Bodies.Calls {
			if c := &f.Bodies.Calls[i]; c.To == name && c.In == in && c.In != c.To {
				return objectOf(f.Path, in, name)
			}
		}
		if p.isParameter(f, in, name, line) {
			return objectOf(f.Path, in, name)
		}
	}
	return objectOf(f.Path, "", name)
}

// isParameter reports whether a name is a parameter of the function in at a line.
func (p *Project) isParameter(f *code.File, in, name string, line int) bool {
	for i := range f.Bodies.Functions {
		b := &f.Bodies.Functions[i]
		if b.In == in && b.Line <= line && line <= b.End && slices.ContainsFunc(b.Params, func(p string) bool { return p == name || strings.HasPrefix(p, "{") && code.Mentions(p, name) }) {
			return true
		}
	}
	return false
}

// literalBody returns the body of a function literal in a file; nil if it is not one.
func literalBody(f *code.File, v *code.Value) *code.Body {
	if v.Kind != code.ValueFunction {
		return nil
	}
	at, err := strconv.Atoi(v.Text)
	if err != nil {
		return nil
	}
	for i := range f.Bodies.Functions {
		if f.Bodies.Functions[i].At == at {
			return &f.Bodies.Functions[i]
		}
	}
	return nil
}

// importOf returns the module that a local name of a file is imported from, and the name there ("default" for the default
// import, "*" for the whole module); "" if it is not imported.
func importOf(f *code.File, name string) (module, imported string) {
	name, _, _ = strings.Cut(name, ".")
	for i := range f.Imports {
		imp := &f.Imports[i]
		switch {
		case imp.Default == name && name != "":
			return imp.Module, "default"
		case imp.Namespace == name && name != "":
			return imp.Module, "*"
		}
		for k, given := range imp.Named {
			local := given
			if k < len(imp.Aliases) && imp.Aliases[k] != "" {
				local = imp.Aliases[k]
			}
			if local == name {
				return imp.Module, given
			}
		}
	}
	return "", ""
}

// returnedBodies returns the bodies of the functions that a function returns.
func returnedBodies(p *Project, n *resolve.Node) []*code.Body {
	f := p.File(n.File)
	if f == nil {
		return nil
	}
	var out []*code.Body
	for i := range f.Bodies.Functions {
		b := &f.Bodies.Functions[i]
		if b.Use.Kind == code.UseReturned && b.Line >= n.StartLine && b.Line <= n.EndLine && (b.In == n.Path() || Last(b.In) == n.Name) {
			out = append(out, b)
		}
	}
	return out
}

// pathParameters returns the names of the parameters in a path: ":id", "{id}", "[id]".
func pathParameters(path string) []string {
	var out []string
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case strings.HasPrefix(part, ":"):
			name := strings.TrimLeft(part, ":")
			if i := strings.IndexAny(name, "({?*+"); i >= 0 {
				name = name[:i]
			}
			out = append(out, name)
		case len(part) > 2 && (part[0] == '{' || part[0] == '['):
			out = append(out, strings.Split(strings.Trim(part, "{}[]."), "}{")...)
		}
	}
	return out
}
