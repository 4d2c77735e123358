package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// unknownPath stands for a part of a path that is not constant.
const unknownPath = "…"

// joinTrimmed joins two parts of a path, without a slash at the end.
func joinTrimmed(prefix, path string) string {
	return "/" + strings.Trim(strings.TrimRight(prefix, "/")+"/"+strings.TrimLeft(path, "/"), "/")
}

// marksAt returns the annotations in a file within a symbol, "Type.method": its own and those of its parameters.
func (p *Project) marksAt(file, in string) []Call {
	if p.marked == nil {
		p.marked = map[string][]Call{}
		for _, f := range p.Files {
			for i := range f.Bodies.Calls {
				if c := &f.Bodies.Calls[i]; c.Mark {
					key := f.Path + "\x00" + c.In
					p.marked[key] = append(p.marked[key], Call{f, c})
				}
			}
		}
	}
	return p.marked[file+"\x00"+in]
}

// marksOn returns the annotations of a type or function.
func (p *Project) marksOn(n *resolve.Node) []Call {
	return slices.DeleteFunc(slices.Clone(p.marksAt(n.File, n.Path())), func(c Call) bool {
		return c.To != n.Name || c.Line > n.Line || p.FunctionAt(n.File, c.Line) != n
	})
}

// marksOfParameter returns the annotations of a parameter of a function.
func (p *Project) marksOfParameter(n *resolve.Node, name string) []Call {
	return slices.DeleteFunc(slices.Clone(p.marksAt(n.File, n.Path())), func(c Call) bool {
		return c.To != name || c.Line < n.StartLine || c.Line > n.EndLine
	})
}

// marksOfField returns the annotations of a field of a class.
func (p *Project) marksOfField(c *Class, name string) []Call {
	return p.marksAt(c.File.Path, c.Path+"."+name)
}

// marking returns the first annotation with one of the names.
func marking(list []Call, names ...string) (Call, bool) {
	for _, c := range list {
		if slices.Contains(names, markName(c)) {
			return c, true
		}
	}
	return Call{}, false
}

// markName returns the last name of an annotation, without the suffix that C# lets a use leave out.
func markName(c Call) string {
	name := Last(c.Value.Text)
	if c.File.Language == "csharp" && name != "Attribute" {
		name = strings.TrimSuffix(name, "Attribute")
	}
	return name
}

// typeAt returns the class of the project that a type written on some lines of a file names: the outermost, so that a list of
// a library is what it is a list of. It returns nil for other types.
func (p *Project) typeAt(file, text string, first, last int) *Class {
	for _, name := range slices.Backward(typeNames(text)) {
		if n := p.Named(file, first, last, Last(name)); n != nil && n.IsType() {
			if c := p.ofClass(n); c != nil {
				return c
			}
		}
		if list := p.classes[Last(name)]; len(list) == 1 {
			return &list[0]
		} else if c := p.nearest(list, file, name); c != nil {
			return c
		}
	}
	return nil
}

// nearest returns the class of a list whose qualified name ends as written: of the same file, one that the file imports, or
// else the one whose folder has the most in common with the file's; nil if none has.
func (p *Project) nearest(list []Class, file, name string) *Class {
	var out *Class
	most, same := 0, false
	for i := range list {
		c := &list[i]
		if !strings.HasSuffix("."+c.Path, "."+name) {
			continue
		}
		if c.File.Path == file || p.importsClass(file, c) {
			return c
		}
		switch n := commonFolders(c.File.Path, file); {
		case n > most:
			out, most, same = c, n, false
		case n == most:
			same = true
		}
	}
	if same {
		return nil
	}
	return out
}

// importsClass reports whether a file imports a class by its name.
func (p *Project) importsClass(file string, c *Class) bool {
	f := p.files[file]
	return f != nil && slices.ContainsFunc(f.Imports, func(i code.Import) bool { return i.Module == c.File.Package+"."+c.Path })
}

// commonFolders returns how many folders two paths have in common from the root.
func commonFolders(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n + 1
}

// typeArguments returns the types that the parameters of a generic class stand for where it is written.
func typeArguments(c *Class, text string) map[string]string {
	_, args, ok := strings.Cut(text, "<")
	if !ok || c == nil || len(c.Symbol.TypeParameters) == 0 {
		return nil
	}
	out := map[string]string{}
	depth, from, at := 0, 0, 0
	args = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(args, "?")), ">") + ","
	for i, r := range args {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth--
		case r == ',' && depth == 0 && at < len(c.Symbol.TypeParameters):
			name, _, _ := strings.Cut(c.Symbol.TypeParameters[at], " ")
			out[strings.Trim(name, ":")] = strings.TrimSpace(args[from:i])
			from, at = i+1, at+1
		}
	}
	return out
}

// argument returns the type that a type parameter stands for, and other types as they are.
func argument(args map[string]string, text string) string {
	if given := args[strings.Trim(text, "?!")]; given != "" {
		return given
	}
	return text
}

// typeNames returns the names in the text of a type, those of its arguments first: the elements are what a list is of.
func typeNames(text string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("<>,?[]() &", c) }) {
		if part != "" && part[0] != '@' && !strings.HasSuffix(part, ":") {
			out = append(out, part)
		}
	}
	slices.Reverse(out)
	return out
}

// basesOf returns the classes of the project that a class is derived from directly, and interfaces that it implements.
func (p *Project) basesOf(c *Class) []*Class {
	var out []*Class
	for _, base := range c.Symbol.Bases {
		base, _, _ = strings.Cut(base, "<")
		base, _, _ = strings.Cut(base, "(")
		if b := p.typeAt(c.File.Path, base, c.Symbol.StartLine, max(c.Symbol.NameLine, c.Symbol.StartLine)+8); b != nil && b.Symbol != c.Symbol {
			out = append(out, b)
		}
	}
	return out
}

// nodeOf returns the node of a class.
func (p *Project) nodeOf(c *Class) *resolve.Node {
	return p.Links.Find(c.File.Path, c.Path, c.Symbol.StartLine)
}

// methodsOf returns the methods of a class, in the order of the source.
func (p *Project) methodsOf(c *Class) []*resolve.Node {
	var out []*resolve.Node
	for _, n := range p.Links.Linked(c.File.Path) {
		if IsFunction(n) && n.Owner() == c.Path && c.Symbol.StartLine <= n.Line && n.Line <= c.Symbol.EndLine {
			out = append(out, n)
		}
	}
	return out
}

// symbolOf returns the declaration of a node; of overloads, the one at its line.
func (p *Project) symbolOf(n *resolve.Node) *code.Symbol {
	s := p.Symbol(n)
	if s == nil || len(s.Overloads) < 2 {
		return s
	}
	at := 0
	for _, o := range p.Links.Linked(n.File) {
		if o != n && IsFunction(o) && o.Path() == n.Path() && o.Line < n.Line {
			at++
		}
	}
	if at >= len(s.Overloads) {
		return s
	}
	out, o := *s, s.Overloads[at]
	out.Signature, out.Params, out.Returns, out.StartLine, out.EndLine, out.NameLine = o.Signature, o.Params, o.Returns, n.StartLine, n.EndLine, n.Line
	return &out
}
