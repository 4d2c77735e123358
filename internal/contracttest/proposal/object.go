package proposal

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Object is what a method is called on: a value made by a constructor, or in Go a struct with some of its fields set.
type Object struct {
	Class  string
	Make   *code.Symbol // the constructor; nil for one without parameters, and for a literal of Go
	Args   []any        // of Make; see [Case]
	Fields []Field      // of a literal
}

// Field is a field of a literal.
type Field struct {
	Name, Type string
	Value      any
}

// target returns what a case calls, as it is written in a language.
func (c *Case) target(language string, imports map[string]bool) string {
	o := c.Object
	if o == nil {
		return c.Callee
	}
	maker := Case{Function: o.Make, Args: o.Args}
	if o.Make == nil {
		maker.Function = &code.Symbol{}
	}
	made := ""
	switch {
	case language == "go" && o.Make != nil:
		made = o.Make.Name + "(" + strings.Join(goArguments(&maker, imports), ", ") + ")"
	case language == "go":
		var fields []string
		for _, f := range o.Fields {
			fields = append(fields, f.Name+": "+goValue(f.Value, f.Type, imports))
		}
		made = "(&" + o.Class + "{" + strings.Join(fields, ", ") + "})"
	case language == "python":
		made = o.Class + "(" + pythonInline(&maker) + ")"
	default:
		made = "new " + o.Class + "(" + strings.Join(ecmaArguments(&maker, ""), ", ") + ")"
	}
	return made + "." + c.Callee
}

// subject returns the name of the function, with its class.
func (c *Case) subject() string {
	if c.Object == nil {
		return c.Callee
	}
	return c.Object.Class + "." + c.Callee
}
