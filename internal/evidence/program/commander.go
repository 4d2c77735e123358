package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// commander reads the npm package commander.
type commander struct {
	*parser
	file *code.File
	at   map[int]*node // the command that a call returns, by its index
}

func readCommander(p *parser, f *code.File) {
	if f.Bodies == nil || !usesCommander(f) {
		return
	}
	c := &commander{p, f, map[int]*node{}}
	lastOfChains(f, func(_ int, last *code.CallUse) { c.chain(last) })
}

// usesCommander reports whether a file imports commander, or declares options of a program that it is given.
func usesCommander(f *code.File) bool {
	return imports(f, "commander", "@commander-js/extra-typings") || slices.ContainsFunc(f.Calls, func(c code.Call) bool {
		return (c.Name == "option" || c.Name == "requiredOption" || c.Name == "parse" || c.Name == "parseAsync") && c.Receiver == "program"
	})
}

// chain reads a chain of calls on a command.
func (c *commander) chain(last *code.CallUse) {
	calls, on := chainOf(c.file, last)
	n := c.start(calls[0], on)
	if n == nil {
		return
	}
	for _, u := range calls {
		_, name := split(u.Value.Text)
		n = c.step(n, u, name)
	}
	if last.To != "" {
		c.holdAs(c.file, last.In, last.To, n)
	}
}

// start returns the command on which a chain begins; nil if it begins on something else.
func (c *commander) start(first *code.CallUse, on string) *node {
	_, name := split(first.Value.Text)
	if on == "" && (name == "Command" || name == "createCommand") {
		title, _ := ctx{p: c.parser, file: c.file, in: first.In}.text(first.Value.Arg(0))
		n := c.command(first, title)
		return n
	}
	if n := c.lookupHeld(first.In, on); n != nil {
		return n
	}
	if !c.isProgram(on) {
		return nil
	}
	n := c.command(first, "")
	c.holdAs(c.file, "", on, n)
	return n
}

// lookupHeld returns the command of a variable, but makes no parameter one.
func (c *commander) lookupHeld(in, name string) *node {
	for _, key := range []holder{{c.file.Path, in, name}, {c.file.Path, "", name}} {
		if n := c.held[key]; n != nil {
			return n
		}
	}
	if name != "program" && name != "command" && name != "cmd" && name != "cli" {
		return nil
	}
	if slices.ContainsFunc(c.paramsOf(c.file, in), func(p code.Param) bool { return p.Name == name }) {
		return c.lookup(c.file, in, name)
	}
	return nil
}

// isProgram reports whether a name is the program that the package exports.
func (c *commander) isProgram(name string) bool {
	for _, i := range c.file.Imports {
		if i.Module != "commander" && i.Module != "@commander-js/extra-typings" {
			continue
		}
		if i.Default == name || i.Namespace == name && name == "program" || name == "program" {
			return true
		}
	}
	of, last := split(name)
	return last == "program" && (of == "commander" || of == "")
}

func (c *commander) command(u *code.CallUse, name string) *node {
	n := c.add(c.file, u.In, name, u.Line, "")
	n.implied = func(n *node) []Param {
		out := []Param{{Name: "--help", Short: "-h", Type: "bool", Help: "display help for command"}}
		return out
	}
	return n
}

// step reads one call on a command, and returns the command on which the next one is made.
func (c *commander) step(n *node, u *code.CallUse, name string) *node {
	v := argsOf(c.file, u)
	at := ctx{p: c.parser, file: c.file, in: u.In}
	text, _ := at.text(v.Arg(0))
	switch name {
	case "command":
		return c.sub(n, u, v, at)
	case "name":
		if text != "" {
			n.name = text
		}
	case "description", "summary":
		if text != "" && (n.Help == "" || name == "summary") {
			n.Help = oneLine(text)
		}
		if args := v.Arg(1); args != nil { // {file: "the file"}
			n.describe(at, args)
		}
	case "usage":
		n.Usage = text
	case "alias", "aliases":
		n.Aliases = append(n.Aliases, at.texts(v.Arg(0))...)
	case "argument", "arguments":
		n.commanderArgs(at, u, v, text, name)
	case "option", "requiredOption", "version", "helpOption":
		c.declare(n, at, func(at ctx) []Param { return commanderOption(at, u, v, name) })
	case "addOption":
		c.declare(n, at, func(at ctx) []Param { return c.built(at, u, v) })
	case "addCommand":
		c.later(n, u, v)
	}
	return n
}

// sub reads .command("serve <dir>", description?). With a description the program runs another one.
func (c *commander) sub(n *node, u *code.CallUse, v *code.Value, at ctx) *node {
	text, ok := at.text(v.Arg(0))
	if !ok {
		return n
	}
	name, args, _ := strings.Cut(strings.TrimSpace(text), " ")
	child := c.command(u, name)
	child.At.Text = name
	child.Args = usageArgs(args, child)
	c.below(n, child)
	if opts := v.Arg(len(v.Args) - 1); opts != nil && opts.Kind == code.ValueObject {
		child.Hidden = at.holds(opts.Named("hidden"))
	}
	if help, ok := at.text(v.Arg(1)); ok {
		child.Help = oneLine(help)
		return n
	}
	return child
}

// describe sets the help of arguments from an object.
func (n *node) describe(at ctx, v *code.Value) {
	for i := range v.Args {
		for j := range n.Args {
			if n.Args[j].Name == v.Args[i].Name {
				n.Args[j].Help = at.help(&v.Args[i])
			}
		}
	}
}

// commanderArgs reads .argument("<file>", "help", default) and .arguments("<a> [b]").
func (n *node) commanderArgs(at ctx, u *code.CallUse, v *code.Value, text, name string) {
	args := usageArgs(text, n)
	for i := range args {
		args[i].At = Place{at.file.Path, u.Line, args[i].Name}
	}
	if name == "argument" && len(args) == 1 {
		args[0].Help = at.help(v.Arg(1))
		args[0].Required = strings.HasPrefix(text, "<") || !strings.HasPrefix(text, "[")
		if d := v.Arg(len(v.Args) - 1); len(v.Args) > 2 {
			args[0].Default = at.shown(d)
		}
	}
	n.Args = append(n.Args, args...)
}

// commanderOption reads .option("-p, --port <number>", "help", parser?, default?) and .version("1", "-v, --version", "help").
func commanderOption(at ctx, u *code.CallUse, v *code.Value, name string) []Param {
	f := Param{In: u.In, Required: name == "requiredOption"}
	forms, help, rest := 0, 1, 2
	switch name {
	case "version":
		forms, help, rest = 1, 2, 3
		f.Help = "output the version number"
	case "helpOption":
		f.Help = "display help for command"
	}
	text, ok := at.text(v.Arg(forms))
	if !ok && name == "version" {
		text, ok = "-V, --version", true
	}
	if !ok {
		return nil
	}
	f.setForms(text)
	f.At = Place{at.file.Path, u.Line, f.Name}
	if shown := at.help(v.Arg(help)); shown != "" {
		f.Help = shown
	}
	for i := rest; v.Arg(i) != nil; i++ {
		d, _ := at.resolved(v.Arg(i))
		switch d.Kind {
		case code.ValueString, code.ValueNumber:
			f.Default = at.shown(d)
		case code.ValueName:
			if d.Text == "true" {
				f.Default = d.Text
			}
		case code.ValueOther, code.ValueObject:
			if len(d.Args) > 0 {
				f.Default = at.shown(d)
			}
		}
	}
	return []Param{f}
}

// setForms sets the names of a flag and its value from text such as "-p, --port <number>".
func (f *Param) setForms(text string) {
	var names []string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == '|' || c == '=' }) {
		switch {
		case strings.HasPrefix(word, "-"):
			names = append(names, word)
		case strings.HasPrefix(word, "<"), strings.HasPrefix(word, "["):
			f.Value = strings.Trim(word, "<>[].")
			f.Type = "string"
			f.Many = strings.Contains(word, "...")
		}
	}
	if f.Type == "" {
		f.Type = "bool"
	}
	f.setNames(names)
}

// built reads .addOption(new Option("-c <x>", "help").choices([...]).default(x)).
func (c *commander) built(at ctx, u *code.CallUse, v *code.Value) []Param {
	number := 0
	for i := range c.file.Bodies.Calls {
		if &c.file.Bodies.Calls[i] == u {
			number = i + 1
		}
	}
	for i := range c.file.Bodies.Calls {
		o := &c.file.Bodies.Calls[i]
		if o.Within != number || number == 0 {
			continue
		}
		calls, _ := chainOf(c.file, o)
		if _, name := split(calls[0].Value.Text); name != "Option" && name != "createOption" {
			continue
		}
		return c.option(at, calls)
	}
	return nil
}

// option reads the chain of calls that makes an option.
func (c *commander) option(at ctx, calls []*code.CallUse) []Param {
	list := commanderOption(at, calls[0], &calls[0].Value, "option")
	if len(list) == 0 {
		return nil
	}
	f := &list[0]
	for _, u := range calls[1:] {
		v := argsOf(c.file, u)
		switch _, name := split(u.Value.Text); name {
		case "choices":
			f.Choices = at.choices(v.Arg(0))
		case "default":
			if f.Default = at.shown(v.Arg(0)); v.Arg(1) != nil {
				f.Default = at.shown(v.Arg(1))
			}
		case "env":
			f.Env = at.shown(v.Arg(0))
		case "makeOptionMandatory":
			f.Required = v.Arg(0) == nil || at.holds(v.Arg(0))
		case "hideHelp":
			f.Hidden = v.Arg(0) == nil || at.holds(v.Arg(0))
		}
	}
	return list
}

// later reads .addCommand(child).
func (c *commander) later(n *node, u *code.CallUse, v *code.Value) {
	c.late = append(c.late, func() {
		a := v.Arg(0)
		switch {
		case a == nil:
		case a.Kind == code.ValueName:
			c.below(n, c.lookupHeld(u.In, a.Text))
		case a.Kind == code.ValueCall:
			c.below(n, c.result(c.file, &code.CallUse{In: u.In, Value: *a, Line: a.Line}))
		}
	})
}
