package program

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// yargs reads the npm package yargs.
type yargs struct {
	*parser
	file     *code.File
	children map[int]*node // the command that a call of .command declares, by its number
	program  *node
}

func readYargs(p *parser, f *code.File) {
	if f.Bodies == nil || !imports(f, "yargs", "yargs/yargs") {
		return
	}
	y := &yargs{parser: p, file: f, children: map[int]*node{}}
	for i := range f.Bodies.Calls { // outer calls come first
		y.call(i, &f.Bodies.Calls[i])
	}
}

// yargsMethods are methods that only yargs has in such a chain, and those that belong to a chain with one of them.
var yargsMethods = map[string]bool{
	"option": true, "options": true, "command": true, "positional": true, "demandOption": true, "alias": true, "describe": true,
	"default": true, "boolean": true, "string": true, "number": true, "usage": true, "scriptName": true, "choices": true, "count": true, "array": true,
	"hide": true, "version": true, "help": true,
}

// call reads one call on the parser.
func (y *yargs) call(i int, c *code.CallUse) {
	_, name := split(c.Value.Text)
	if !yargsMethods[name] || !y.onParser(c) {
		return
	}
	n := y.owner(c)
	v := argsOf(y.file, c)
	at := ctx{p: y.parser, file: y.file, in: c.In}
	text, _ := at.text(v.Arg(0))
	switch name {
	case "command":
		y.children[i+1] = y.command(n, c, v, at)
	case "scriptName":
		n.name = text
	case "usage":
		n.Usage = strings.TrimSpace(strings.TrimPrefix(oneLine(text), "$0"))
	case "option", "positional", "options":
		y.declare(n, at, func(at ctx) []Param { return yargsOptions(at, c, v, name) })
	default:
		n.yargsMark(at, v, name)
	}
}

// onParser reports whether the chain of a call begins on yargs, or on the parameter of a builder.
func (y *yargs) onParser(c *code.CallUse) bool {
	calls, on := chainOf(y.file, c)
	_, first := split(calls[0].Value.Text)
	if on == "" && (first == "yargs" || first == "require") || strings.Contains(on, "yargs") || on == "argv" {
		return true
	}
	if c.Within == 0 {
		return y.lookupProgram(on)
	}
	return y.children[c.Within] != nil && !strings.Contains(on, ".")
}

// lookupProgram reports whether a variable was made by yargs.
func (y *yargs) lookupProgram(name string) bool {
	for i := range y.file.Bodies.Calls {
		u := &y.file.Bodies.Calls[i]
		if u.To != name || name == "" {
			continue
		}
		calls, on := chainOf(y.file, u)
		if _, first := split(calls[0].Value.Text); first == "yargs" || strings.Contains(on, "yargs") {
			return true
		}
	}
	return false
}

// owner returns the command to which a call belongs: that of the builder around, or else the program.
func (y *yargs) owner(c *code.CallUse) *node {
	for at := c.Within; at != 0; at = y.file.Bodies.Calls[at-1].Within {
		if n := y.children[at]; n != nil {
			return n
		}
	}
	if y.program == nil {
		y.program = y.add(y.file, c.In, "", c.Line, "")
		y.program.implied = func(*node) []Param {
			return []Param{
				{Name: "--help", Type: "bool", Help: "Show help", Global: true},
				{Name: "--version", Type: "bool", Help: "Show version number", Global: true},
			}
		}
	}
	return y.program
}

// command reads .command("get <src> [dest]", "help", builder, handler), also with aliases or false for hidden ones.
func (y *yargs) command(n *node, c *code.CallUse, v *code.Value, at ctx) *node {
	list := at.texts(v.Arg(0))
	help, builder := v.Arg(1), v.Arg(2)
	if a := v.Arg(0); a != nil && a.Kind == code.ValueObject {
		list, help, builder = at.texts(a.Named("command")), a.Named("describe", "desc", "description"), a.Named("builder")
	}
	if len(list) == 0 || list[0] == "" {
		return nil
	}
	name, args, _ := strings.Cut(list[0], " ")
	if name == "$0" || name == "*" {
		n.Help, n.Usage = at.help(help), args
		n.Args = append(n.Args, usageArgs(args, n)...)
		y.options(n, c, at, builder)
		return n
	}
	child := y.add(y.file, c.In, name, c.Line, name)
	child.Aliases, child.Help = list[1:], at.help(help)
	child.Hidden = help != nil && help.Text == "false"
	child.Args = usageArgs(args, child)
	y.below(n, child)
	y.options(child, c, at, builder)
	return child
}

// options reads a builder that is an object.
func (y *yargs) options(n *node, c *code.CallUse, at ctx, builder *code.Value) {
	if builder == nil || builder.Kind != code.ValueObject {
		return
	}
	y.declare(n, at, func(at ctx) []Param { return yargsOptions(at, c, &code.Value{Args: []code.Value{*builder}}, "options") })
}

// yargsOptions reads .option("name", {...}) and .options({name: {...}}).
func yargsOptions(at ctx, c *code.CallUse, v *code.Value, method string) []Param {
	var out []Param
	if first, in := at.resolved(v.Arg(0)); first != nil && first.Kind == code.ValueObject {
		for i := range first.Args {
			if f, ok := yargsOption(in, c, first.Args[i].Name, &first.Args[i]); ok {
				out = append(out, f)
			}
		}
		return out
	}
	name, ok := at.text(v.Arg(0))
	if !ok {
		return nil
	}
	f, ok := yargsOption(at, c, name, v.Arg(1))
	if ok && method == "positional" {
		f.Name = strings.TrimLeft(f.Name, "-")
	}
	if !ok {
		return nil
	}
	return append(out, f)
}

// yargsOption reads the properties of an option.
func yargsOption(at ctx, c *code.CallUse, name string, v *code.Value) (Param, bool) {
	if !isName(name) {
		return Param{}, false
	}
	f := Param{In: c.In, At: Place{at.file.Path, c.Line, name}}
	names := []string{dashed(name)}
	v, at = at.resolved(v)
	if v == nil {
		v = &code.Value{}
	}
	if v.Line > 0 {
		f.At.Line = v.Line
	}
	for _, alias := range at.texts(v.Named("alias", "aliases")) {
		names = append(names, dashed(alias))
	}
	f.setNames(names)
	f.Type, _ = at.text(v.Named("type"))
	for _, kind := range []string{"boolean", "count", "array", "number", "string"} {
		if at.holds(v.Named(kind)) {
			f.Type = kind
		}
	}
	if f.Type == "boolean" {
		f.Type = "bool"
	}
	f.Many = f.Type == "array" || f.Type == "count"
	f.Default = at.shown(v.Named("default", "defaultDescription"))
	if f.Default == "false" && f.Type == "bool" {
		f.Default = ""
	}
	f.Help = at.help(v.Named("describe", "description", "desc"))
	f.Choices = at.choices(v.Named("choices"))
	required := v.Named("demandOption", "demand", "required", "require")
	f.Required = required != nil && required.Text != "false"
	f.Hidden = at.holds(v.Named("hidden"))
	return f, true
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// yargsMark reads what is said of options elsewhere: .demandOption(["a"]), .boolean("b"), .describe("a", "help").
func (n *node) yargsMark(at ctx, v *code.Value, method string) {
	var set func(f *Param)
	switch second := v.Arg(1); method {
	case "demandOption":
		set = func(f *Param) { f.Required = true }
	case "boolean":
		set = func(f *Param) { f.Type = "bool" }
	case "string", "number", "array", "count":
		set = func(f *Param) { f.Type = method }
	case "describe":
		set = func(f *Param) { f.Help = at.help(second) }
	case "default":
		set = func(f *Param) { f.Default = at.shown(second) }
	case "choices":
		set = func(f *Param) { f.Choices = at.choices(second) }
	case "hide":
		set = func(f *Param) { f.Hidden = true }
	case "alias":
		set = func(f *Param) { f.setNames([]string{dashed(at.shown(second))}) }
	default:
		return
	}
	for _, name := range at.texts(v.Arg(0)) {
		before := n.marks[name]
		n.marks[name] = func(f *Param) {
			if before != nil {
				before(f)
			}
			set(f)
		}
	}
}
