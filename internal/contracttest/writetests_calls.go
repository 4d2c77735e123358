package contracttest

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
)

// call is how a test calls a function.
type call struct {
	*code.Symbol
	callee string
	class  *code.Symbol // of a method that is called on an object; nil for what is called by itself
	self   string       // the name of the object in the method
	maker  *code.Symbol // makes the object; nil for a constructor without parameters
}

// function returns how a test can call a function; nil if it cannot.
func (w *writing) function(subject, file string) (*code.File, *call) {
	i := slices.IndexFunc(w.now.Files, func(f *code.File) bool { return f.Path == file })
	if i < 0 {
		return nil, nil
	}
	f := w.now.Files[i]
	owner, member, isMember := strings.Cut(subject, ".")
	class := w.symbol(f, owner)
	switch {
	case class == nil || !class.Exported && f.Language != "go": // tests of Go are in the package
		return f, nil
	case !isMember && class.Kind == code.Function && class.Receiver == "":
		return f, &call{Symbol: class, callee: owner}
	case !isMember:
		return f, nil
	}
	m := w.method(f, class, subject, member)
	switch {
	case m == nil:
		return f, nil
	case f.Language == "go":
		return f, w.onStruct(f, class, m)
	case m.Visibility == code.Private || m.Visibility == code.Protected || strings.HasPrefix(member, "#"):
		return f, nil
	}
	own := *withoutSelf(m)
	own.Default = class.Default
	if callee := calleeOf(f.Language, class.Name, m); callee != "" {
		return f, &call{Symbol: &own, callee: callee}
	}
	return f, onInstance(class, &own)
}

// symbol returns a symbol of a file by its name, or of Go's package.
func (w *writing) symbol(f *code.File, name string) *code.Symbol {
	for _, other := range w.now.Files {
		if other != f && (f.Language != "go" || path.Dir(other.Path) != path.Dir(f.Path)) {
			continue
		}
		for i := range other.Symbols {
			if s := &other.Symbols[i]; s.Name == name {
				return s
			}
		}
	}
	return nil
}

// method returns a method of a class, which Go may declare in another file.
func (w *writing) method(f *code.File, class *code.Symbol, subject, member string) *code.Symbol {
	for i := range class.Members {
		if m := &class.Members[i]; m.Name == member && m.Kind != code.Property {
			return m
		}
	}
	return w.symbol(f, subject)
}

// calleeOf returns how a member of a class is called without an object; "" if it cannot be.
func calleeOf(language, class string, m *code.Symbol) string {
	decorated := slices.ContainsFunc(m.Decorators, func(d string) bool {
		return strings.Contains(d, "classmethod") || strings.Contains(d, "staticmethod")
	})
	switch {
	case language == "python" && m.Name == "__init__":
		return class
	case m.Kind == code.Constructor:
		return "new " + class
	case m.Static || decorated:
		return class + "." + m.Name
	}
	return ""
}

// onInstance returns how a method of a class of Python or ECMAScript is called on an object that its constructor makes.
func onInstance(class, m *code.Symbol) *call {
	if class.Kind != code.Class || class.Abstract || m.Name == "constructor" {
		return nil
	}
	c := &call{Symbol: m, callee: m.Name, class: class, self: "this"}
	for i := range class.Members {
		switch x := &class.Members[i]; {
		case x.Name == "__init__":
			c.maker, c.self = withoutSelf(x), "self"
		case x.Kind == code.Constructor:
			c.maker = x
		}
	}
	return c
}

// onStruct returns how a method of Go is called on a struct: on what its constructor returns, if there is one that takes
// simple values, or else on a literal.
func (w *writing) onStruct(f *code.File, class, m *code.Symbol) *call {
	name, _, named := strings.Cut(strings.Trim(m.Receiver, "() "), " ")
	if len(class.TypeParameters) > 0 || class.Kind != code.Struct {
		return nil
	}
	c := &call{Symbol: m, callee: m.Name[strings.LastIndex(m.Name, ".")+1:], class: class}
	if named {
		c.self = name
	}
	for _, name := range []string{"New" + class.Name, "New"} {
		if s := w.symbol(f, name); s != nil && s.Kind == code.Function && len(s.TypeParameters) == 0 && strings.TrimPrefix(s.Returns, "*") == class.Name && simple(s.Params) {
			c.maker = s
			break
		}
	}
	return c
}

// simple reports whether all parameters of a function of Go take simple values.
func simple(params []code.Param) bool {
	kinds, err := proposal.Kinds("go", params)
	return err == nil && !slices.ContainsFunc(kinds, func(k proposal.Kind) bool { return k == proposal.Opaque })
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

// solve sets the arguments of a call with which a condition holds, and those of its object: a field of the object is what the
// constructor is given by its name, or in Go what a literal sets.
func (c *call) solve(language string, made *proposed, when *evidence.Condition) error {
	params := slices.Clone(c.Params)
	fields := c.fields(language, when)
	for _, f := range fields {
		params = append(params, f.param)
	}
	kinds, err := proposal.Kinds(language, params)
	if err != nil {
		return err
	}
	values, err := proposal.Solve(params, kinds, when.All)
	if err != nil {
		return err
	}
	made.Args = values[:len(c.Params)]
	if c.class == nil {
		return nil
	}
	o := &proposal.Object{Class: c.class.Name, Make: c.maker}
	made.Object = o
	if language == "go" && len(fields) > 0 {
		o.Make = nil // the fields of a literal can be set
	}
	if o.Make != nil {
		o.Args = slices.Repeat([]any{proposal.Any{}}, len(o.Make.Params))
	}
	for i, f := range fields {
		value := values[len(c.Params)+i]
		switch {
		case value == any(proposal.Any{}):
		case o.Make != nil:
			o.Args[f.at] = value
		default:
			o.Fields = append(o.Fields, proposal.Field{Name: f.name, Type: f.param.Type, Value: value})
		}
	}
	return nil
}

// objectField is a field of an object that a condition names.
type objectField struct {
	name  string
	at    int // the parameter of the constructor that sets it
	param code.Param
}

// fields returns the fields of the object that a condition names and a test can set.
func (c *call) fields(language string, when *evidence.Condition) []objectField {
	var out []objectField
	mentions := func(name string) bool {
		for _, t := range when.All {
			if mentioned(t.Text, name) || mentioned(t.Where, name) || mentioned(t.Origin, name) {
				return true
			}
		}
		return false
	}
	add := func(name string, at int, typ string) {
		if full := c.self + "." + name; mentions(full) {
			out = append(out, objectField{name, at, code.Param{Name: full, Type: typ}})
		}
	}
	switch {
	case c.class == nil || c.self == "":
	case language == "go":
		for i := range c.class.Members {
			if m := &c.class.Members[i]; m.Kind == code.Property {
				add(m.Name, 0, m.Returns)
			}
		}
	case c.maker != nil:
		for i, p := range c.maker.Params {
			add(p.Name, i, p.Type)
			add("_"+p.Name, i, p.Type)
		}
	}
	return out
}

// mentioned reports whether a text has a dotted name as a whole.
func mentioned(text, name string) bool {
	for {
		_, rest, found := strings.Cut(text, name)
		if !found {
			return false
		}
		if rest == "" || !strings.ContainsAny(rest[:1], "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
			return true
		}
		text = rest
	}
}
