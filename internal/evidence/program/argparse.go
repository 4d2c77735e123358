package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// argparse reads the Python packages argparse and optparse.
type argparse struct {
	*parser
	file *code.File
}

func readArgparse(p *parser, f *code.File) {
	if f.Bodies == nil {
		return
	}
	a := &argparse{p, f}
	for i := range f.Bodies.Calls {
		c := &f.Bodies.Calls[i]
		of, name := split(c.Value.Text)
		switch {
		case name == "ArgumentParser", name == "OptionParser":
			a.program(c)
		case name == "add_parser":
			a.sub(c, of)
		case name == "add_subparsers", name == "add_argument_group", name == "add_mutually_exclusive_group", name == "add_option_group":
			a.alias(c, of)
		case name == "OptionGroup" && len(c.Value.Args) > 0:
			a.alias(c, c.Value.Args[0].Text)
		case name == "add_argument", name == "add_option":
			a.param(c, of)
		case !c.Mark:
			a.passes(c)
		}
	}
}

func (a *argparse) at(c *code.CallUse) ctx { return ctx{p: a.parser, file: a.file, in: c.In} }

// program reads the creation of a parser.
func (a *argparse) program(c *code.CallUse) {
	v := argsOf(a.file, c)
	at := a.at(c)
	name := at.shown(v.Named("prog"))
	if strings.ContainsAny(name, "(%") {
		name = ""
	}
	n := a.add(a.file, c.In, name, c.Line, "")
	n.Help = at.help(v.Named("description"))
	a.created(n, c, v, at)
	a.hold(a.file, c, n)
}

// created sets what parsers of programs and of commands have in common.
func (a *argparse) created(n *node, c *code.CallUse, v *code.Value, at ctx) {
	if h := v.Named("add_help", "add_help_option"); h == nil || h.Text != "False" {
		_, by := split(c.Value.Text)
		n.implied = func(*node) []Param {
			f := Param{Name: "--help", Short: "-h", Type: "bool", Help: "show this help message and exit"}
			out := []Param{f}
			if by == "OptionParser" && v.Named("version") != nil {
				out = append(out, Param{Name: "--version", Type: "bool", Help: "show program's version number and exit"})
			}
			return out
		}
	}
	if parents := v.Named("parents"); parents != nil {
		list, in := at.resolved(parents)
		a.late = append(a.late, func() {
			for i := range list.Args {
				if t := a.lookup(in.file, in.in, list.Args[i].Text); t != nil && t != n {
					n.applied = append(n.applied, application{template: t, at: in, call: c})
				}
			}
		})
	}
}

// sub reads the creation of the parser of a command.
func (a *argparse) sub(c *code.CallUse, of string) {
	v := argsOf(a.file, c)
	at := a.at(c)
	name, ok := at.text(v.Arg(0))
	if !ok || !isName(name) {
		return
	}
	n := a.add(a.file, c.In, name, c.Line, name)
	help := v.Named("help")
	if help == nil {
		help = v.Named("description")
	}
	n.Help, n.Aliases = at.help(help), at.texts(v.Named("aliases"))
	a.created(n, c, v, at)
	a.hold(a.file, c, n)
	a.below(a.lookup(a.file, c.In, of), n)
}

// alias reads a variable for a part of a parser.
func (a *argparse) alias(c *code.CallUse, of string) {
	if n := a.lookup(a.file, c.In, of); n != nil {
		a.holdAs(a.file, c.In, c.To, n)
	}
}

// param reads the declaration of an option or argument.
func (a *argparse) param(c *code.CallUse, of string) {
	var n *node
	if c.After != 0 { // parser.add_argument_group(...).add_argument(...)
		before, _ := split(a.file.Bodies.Calls[c.After-1].Value.Text)
		n = a.lookup(a.file, c.In, before)
	} else {
		n = a.lookup(a.file, c.In, of)
	}
	if n == nil {
		return
	}
	a.declare(n, a.at(c), func(at ctx) []Param { return argparseParam(at, c) })
}

// argparseParam reads the arguments of add_argument.
func argparseParam(at ctx, c *code.CallUse) []Param {
	v := argsOf(at.file, c)
	f := Param{In: c.In}
	var names []string
	for i := range v.Args {
		if name, ok := at.text(&v.Args[i]); ok && v.Args[i].Name == "" {
			names = append(names, name)
		}
	}
	if dest, ok := at.text(v.Named("dest")); ok && len(names) == 0 {
		names = append(names, dest)
	}
	if len(names) == 0 || !isName(strings.TrimLeft(names[0], "-")) {
		return nil
	}
	f.setNames(names)
	f.At = Place{at.file.Path, c.Line, names[0]}
	f.Type = at.pythonType(v.Named("type"))
	f.Default = at.shown(v.Named("default"))
	f.Choices = at.choices(v.Named("choices"))
	f.Required = at.holds(v.Named("required"))
	f.Value = at.shown(v.Named("metavar"))
	help := v.Named("help")
	f.Help = oneLine(strings.ReplaceAll(at.expanded(help, &f), "%%", "%"))
	f.Hidden = help != nil && strings.Contains(help.Text, "SUPPRESS")
	action, _ := at.text(v.Named("action"))
	if n := v.Named("action"); action == "" && n != nil {
		_, action = split(n.Text)
	}
	f.setAction(action)
	nargs := at.shown(v.Named("nargs"))
	if !strings.HasPrefix(f.Name, "-") {
		f.Required = nargs != "?" && nargs != "*"
		if metavar := f.Value; metavar != "" && !strings.Contains(metavar, ",") {
			f.Name = metavar
		}
	}
	f.Many = f.Many || nargs == "*" || nargs == "+"
	return []Param{f}
}

// expanded returns the help of an option with the values of its placeholders.
func (at ctx) expanded(help *code.Value, f *Param) string {
	text, _ := at.text(help)
	if !strings.Contains(text, "%(") {
		return text
	}
	return strings.NewReplacer("%(default)s", f.Default, "%(default)r", "'"+f.Default+"'", "%(choices)s", strings.Join(f.Choices, ", "), "%(metavar)s", f.Value, "%(default)d", f.Default).Replace(text)
}

// setNames sets the names of a flag: the first long one, the first short one, others.
func (f *Param) setNames(names []string) {
	for _, name := range names {
		switch {
		case !strings.HasPrefix(name, "-"):
			if f.Name == "" {
				f.Name = name
			}
		case strings.HasPrefix(name, "--") && !strings.HasPrefix(f.Name, "--"):
			if f.Name != "" && f.Short == "" {
				f.Short = f.Name
			}
			f.Name = name
		case !strings.HasPrefix(name, "--") && f.Short == "" && f.Name != "":
			f.Short = name
		case f.Name == "":
			f.Name = name
		default:
			f.Others = append(f.Others, name)
		}
	}
}

// setAction sets what an action of argparse says.
func (f *Param) setAction(action string) {
	switch action {
	case "store_true", "store_false", "store_const", "version", "help", "append_const":
		f.Type, f.Value = "bool", ""
		if f.Default == "False" || f.Default == "True" {
			f.Default = ""
		}
		if action == "version" && f.Help == "" {
			f.Help = "show program's version number and exit"
		}
	case "count":
		f.Type, f.Many = "count", true
	case "append", "extend":
		f.Many = true
	case "BooleanOptionalAction":
		f.Type = "bool"
		f.Others = append(f.Others, "--no-"+strings.TrimPrefix(f.Name, "--"))
	}
}

// pythonType returns the name of a type or of the function that converts a value.
func (at ctx) pythonType(v *code.Value) string {
	if v == nil {
		return ""
	}
	if text, ok := at.text(v); ok && v.Kind == code.ValueString {
		return text
	}
	_, name := split(v.Text)
	switch name {
	case "str":
		return "string"
	case "INT":
		return "int"
	case "FLOAT":
		return "float"
	case "BOOL":
		return "bool"
	case "STRING":
		return "string"
	}
	if !isName(name) {
		return ""
	}
	return name
}

// choices returns the allowed values of a list; nil if one of them is not known.
func (at ctx) choices(v *code.Value) []string {
	v, in := at.resolved(v)
	if v == nil || v.Kind == code.ValueCall && len(v.Args) != 1 {
		return nil
	}
	var out []string
	for i := range v.Args {
		text := in.shown(&v.Args[i])
		if text == "" || v.Args[i].Kind == code.ValueName && strings.Contains(v.Args[i].Text, ".") {
			return nil
		}
		if v.Kind == code.ValueObject && v.Args[i].Name != "" {
			text = v.Args[i].Name
		}
		out = append(out, text)
	}
	return out
}

// passes reads a call that gives a parser to a function.
func (a *argparse) passes(c *code.CallUse) {
	v := argsOf(a.file, c)
	for i := range v.Args {
		if v.Args[i].Kind != code.ValueName {
			continue
		}
		key := holder{a.file.Path, c.In, v.Args[i].Text}
		n := a.held[key]
		if n == nil && !slices.ContainsFunc(a.paramsOf(a.file, c.In), func(p code.Param) bool { return p.Name == key.name }) {
			n = a.lookup(a.file, c.In, key.name)
		}
		if n != nil {
			a.gives(a.file, c, n, i)
		}
	}
}

// isName reports whether a text can be the name of a command or flag.
func isName(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t\n()[]{}<>\"'`$%,;…")
}
