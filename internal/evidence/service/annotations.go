package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

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

// typeAt returns the class of the project that a type written on some lines of a file names, without its type arguments;
// with a list of classes as its argument, that of its elements. It returns nil for other types.
func (p *Project) typeAt(file, text string, first, last int) *Class {
	for _, name := range typeNames(text) {
		if n := p.Named(file, first, last, Last(name)); n != nil && n.IsType() {
			if c := p.ofClass(n); c != nil {
				return c
			}
		}
		if list := p.classes[Last(name)]; len(list) == 1 {
			return &list[0]
		} else if c := nearest(list, file, name); c != nil {
			return c
		}
	}
	return nil
}

// nearest returns the class of a list whose qualified name ends as written, of the same file or package; nil for none.
func nearest(list []Class, file, name string) *Class {
	folder := file[:strings.LastIndexByte(file, '/')+1]
	var out *Class
	for i := range list {
		c := &list[i]
		switch {
		case c.File.Path == file && (c.Path == name || strings.HasSuffix(c.Path, "."+name)):
			return c
		case strings.HasPrefix(c.File.Path, folder) && strings.HasSuffix("."+c.Path, "."+name) && out == nil:
			out = c
		}
	}
	return out
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
