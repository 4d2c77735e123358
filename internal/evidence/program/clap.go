package program

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// clap reads the builders of the Rust crate clap.
type clap struct {
	*parser
	file  *code.File
	chain map[int]*node // the command that a chain makes, by the number of its last call
}

func readClap(p *parser, f *code.File) {
	if f.Bodies == nil || !imports(f, "clap") && !strings.Contains(f.Path, "clap") {
		return
	}
	c := &clap{p, f, map[int]*node{}}
	lastOfChains(f, c.read)
}

// read reads a chain of calls that makes a command or adds to one.
func (c *clap) read(i int, last *code.CallUse) {
	calls, on := chainOf(c.file, last)
	if n := c.start(calls[0], on, last); n != nil {
		for _, u := range calls {
			c.step(n, u)
		}
		c.chain[i+1] = n
		if last.To != "" {
			c.holdAs(c.file, last.In, last.To, n)
		}
		if key := (holder{c.file.Path, last.In, ""}); last.Within == 0 && c.made[key] == nil {
			c.made[key] = n
		}
	}
}

// start returns the command on which a chain begins; nil if it makes something else.
func (c *clap) start(first *code.CallUse, on string, last *code.CallUse) *node {
	_, name := split(first.Value.Text)
	switch in, of := split(on); {
	case of == "Command" && (in == "process" || strings.HasSuffix(in, ":process") || in == "" && importsProcess(c.file)):
		return nil // it runs another program
	case name == "new" && (of == "Command" || of == "App" || of == "SubCommand"), name == "with_name" && (of == "App" || of == "SubCommand"):
	case name == "command!" || name == "app_from_crate!":
	default:
		return c.variable(first, on)
	}
	return c.make(first, last)
}

// importsProcess reports whether Command is the one that runs programs: std::process::Command, tokio::process::Command.
func importsProcess(f *code.File) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return strings.HasSuffix(i.Module, "::process::Command") || strings.HasSuffix(i.Module, "::process") && slices.Contains(i.Named, "Command")
	})
}

// variable returns the command that a variable or a parameter holds; nil for others.
func (c *clap) variable(first *code.CallUse, on string) *node {
	if on == "" || on == "Arg" || strings.HasSuffix(on, "::Arg") {
		return nil
	}
	if n := c.held[holder{c.file.Path, first.In, on}]; n != nil {
		return n
	}
	for _, p := range c.paramsOf(c.file, first.In) {
		if p.Name == on && (strings.Contains(p.Type, "Command") || strings.Contains(p.Type, "App")) {
			return c.lookup(c.file, first.In, on)
		}
	}
	return nil
}

// make returns the command that a chain creates.
func (c *clap) make(first, last *code.CallUse) *node {
	at := ctx{p: c.parser, file: c.file, in: first.In}
	text, _ := at.text(first.Value.Arg(0))
	n := c.add(c.file, first.In, text, first.Line, text)
	version := false
	for _, u := range c.callsOf(last) {
		if _, name := split(u.Value.Text); name == "version" || name == "long_version" {
			version = true
		}
	}
	n.implied = func(n *node) []Param { return clapImplied(version && n.parent == nil) }
	if around := c.around(last); around != nil {
		c.late = append(c.late, func() { c.below(around(), n) })
	}
	return n
}

func (c *clap) callsOf(last *code.CallUse) []*code.CallUse {
	calls, _ := chainOf(c.file, last)
	return calls
}

// clapImplied returns the flags that clap adds.
func clapImplied(version bool) []Param {
	out := []Param{{Name: "--help", Short: "-h", Type: "bool", Help: "Print help"}}
	if version {
		out = append(out, Param{Name: "--version", Short: "-V", Type: "bool", Help: "Print version"})
	}
	return out
}

// around returns what finds the command to which .subcommand(...) adds a command; nil if it is not an argument of that.
func (c *clap) around(last *code.CallUse) func() *node {
	if last.Within == 0 {
		return nil
	}
	u := &c.file.Bodies.Calls[last.Within-1]
	if _, name := split(u.Value.Text); name != "subcommand" && name != "subcommands" {
		return nil
	}
	return func() *node {
		for _, i := range slices.Sorted(maps.Keys(c.chain)) {
			if slices.Contains(c.callsOf(&c.file.Bodies.Calls[i-1]), u) {
				return c.chain[i]
			}
		}
		return nil
	}
}

// step reads one call on a command.
func (c *clap) step(n *node, u *code.CallUse) {
	_, name := split(u.Value.Text)
	v := argsOf(c.file, u)
	at := ctx{p: c.parser, file: c.file, in: u.In}
	switch name {
	case "about":
		n.Help = at.help(v.Arg(0))
	case "long_about":
		if n.Help == "" {
			n.Help = at.help(v.Arg(0))
		}
	case "bin_name", "name":
		if text, ok := at.text(v.Arg(0)); ok {
			n.name = text
		}
	case "hide":
		n.Hidden = at.holds(v.Arg(0))
	case "visible_alias", "visible_aliases":
		n.Aliases = append(n.Aliases, at.texts(v.Arg(0))...)
	case "arg", "args":
		c.declare(n, at, func(at ctx) []Param { return c.params(at, u) })
	case "subcommand":
		if a := v.Arg(0); a != nil && a.Kind == code.ValueCall && a.Text != "" && !strings.Contains(a.Text, "(") {
			c.late = append(c.late, func() { c.below(n, c.result(c.file, &code.CallUse{In: u.In, Value: *a, Line: a.Line})) })
		}
	}
}

// params reads the options among the arguments of a call: the chains that begin with Arg::new.
func (c *clap) params(at ctx, u *code.CallUse) []Param {
	number := 0
	for i := range c.file.Bodies.Calls {
		if &c.file.Bodies.Calls[i] == u {
			number = i + 1
		}
	}
	var out []Param
	lastOfChains(c.file, func(_ int, last *code.CallUse) {
		if last.Within != number {
			return
		}
		calls, on := chainOf(c.file, last)
		_, name := split(calls[0].Value.Text)
		if _, of := split(on); of != "Arg" || name != "new" && name != "with_name" {
			return
		}
		out = append(out, c.param(at, calls))
	})
	return out
}

// param reads the chain of calls that makes an option.
func (c *clap) param(at ctx, calls []*code.CallUse) Param {
	first := calls[0]
	f := Param{In: first.In}
	id, _ := at.text(first.Value.Arg(0))
	takes, positional, short := clapTakes{}, true, ""
	for _, u := range calls[1:] {
		_, name := split(u.Value.Text)
		v := argsOf(c.file, u)
		switch text := at.shown(v.Arg(0)); name {
		case "long":
			f.Name, positional = "--"+text, false
		case "short":
			short, positional = "-"+strings.Trim(text, "'"), false
		default:
			f.clapTrait(at, v, name, text, &takes)
		}
	}
	switch {
	case positional:
		if f.Name = id; f.Value != "" {
			f.Name = f.Value
		}
	case f.Name == "":
		f.Name = short
	default:
		f.Short = short
	}
	takes.settle(&f, positional)
	f.At = Place{c.file.Path, first.Line, id}
	return f
}

// clapTakes is what is said of an option's value.
type clapTakes struct{ is, not bool }

func (t clapTakes) settle(f *Param, positional bool) {
	switch {
	case f.Type == "count":
	case t.not && !positional:
		f.Type = "bool"
	case f.Type == "":
		f.Type = "string"
	}
}

// clapTrait reads a method of Arg, or an attribute of the same name.
func (f *Param) clapTrait(at ctx, v *code.Value, name, text string, takes *clapTakes) {
	switch name {
	case "help", "about":
		f.Help = at.help(v.Arg(0))
	case "long_help":
		if f.Help == "" {
			f.Help = oneLine(firstParagraph(strings.ReplaceAll(at.help(v.Arg(0)), `\n`, "\n")))
		}
	case "value_name":
		f.Value, takes.is = text, true
	case "default_value", "default_value_t", "default_values":
		f.Default, takes.is = text, true
	case "value_parser", "possible_values":
		f.Choices = at.literals(v.Arg(0))
	case "env":
		f.Env = text
	case "action":
		f.clapAction(text, takes)
	case "num_args", "multiple_values", "number_of_values":
		f.Many = text != "1" && text != "0"
		takes.not = text == "0"
	case "takes_value":
		takes.not = text == "false"
	case "visible_alias", "visible_aliases":
		for _, alias := range at.texts(v.Arg(0)) {
			f.Others = append(f.Others, "--"+alias)
		}
	case "visible_short_alias":
		f.Others = append(f.Others, "-"+strings.Trim(text, "'"))
	default:
		f.clapMark(at, v, name)
	}
}

// clapMark reads a method of Arg that says yes or no.
func (f *Param) clapMark(at ctx, v *code.Value, name string) {
	is := v.Arg(0) == nil || at.holds(v.Arg(0))
	switch name {
	case "required":
		f.Required = is
	case "hide", "hidden":
		f.Hidden = is
	case "global":
		f.Global = is
	case "multiple", "multiple_occurrences":
		f.Many = is
	}
}

// clapAction reads an ArgAction.
func (f *Param) clapAction(text string, takes *clapTakes) {
	_, action := split(text)
	switch action {
	case "SetTrue", "SetFalse", "Help", "HelpShort", "HelpLong", "Version":
		takes.not = true
	case "Count":
		f.Type, f.Many = "count", true
	case "Append":
		f.Many, takes.is = true, true
	}
}

// literals returns the strings of a list of literals; nil for other values.
func (at ctx) literals(v *code.Value) []string {
	v, at = at.resolved(v)
	if v == nil || len(v.Args) == 0 {
		return nil
	}
	if v.Kind == code.ValueCall {
		if _, name := split(v.Text); name != "new" && name != "from" {
			return nil
		}
		return at.literals(&v.Args[0])
	}
	var out []string
	for i := range v.Args {
		text, ok := at.text(&v.Args[i])
		if !ok {
			return nil
		}
		out = append(out, text)
	}
	return out
}
