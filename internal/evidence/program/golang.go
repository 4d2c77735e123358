package program

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

const (
	cobraModule = "github.com/spf13/cobra"
	pflagModule = "github.com/spf13/pflag"
)

// flagSets are methods that return the flags of a command of cobra, and whether those below have them, too.
var flagSets = map[string]bool{
	"Flags": false, "LocalFlags": false, "LocalNonPersistentFlags": false, "PersistentFlags": true, "InheritedFlags": true,
}

// goFlags reads the packages flag, pflag and cobra.
type goFlags struct {
	*parser
	file   *code.File
	global map[*node]bool // flag sets whose flags the commands below have, too
}

func readGoFlags(p *parser, f *code.File) {
	if !imports(f, "flag", cobraModule, pflagModule) || f.Bodies == nil {
		return
	}
	g := &goFlags{parser: p, file: f, global: map[*node]bool{}}
	calls := f.Bodies.Calls
	for i := range calls { // commands before what is called on them
		g.creates(&calls[i])
	}
	for i := range calls {
		c := &calls[i]
		of, name := split(c.Value.Text)
		if c.Value.Kind != code.ValueCall {
			continue
		}
		switch {
		case g.flag(c, of, name), g.extends(c, of, name):
		default:
			g.passes(c)
		}
	}
}

// creates reads a literal of a command, a new flag set, or a variable for the flags of a command.
func (g *goFlags) creates(c *code.CallUse) {
	at := ctx{p: g.parser, file: g.file, in: c.In}
	of, name := split(c.Value.Text)
	switch {
	case c.Value.Kind == code.ValueObject && name == "Command" && of != "cli" && imports(g.file, cobraModule):
		g.command(c, at)
	case name == "NewFlagSet" && (of == "flag" || of == "pflag"):
		n := g.add(g.file, c.In, g.flagSetName(at, c), c.Line, c.Value.Text)
		g.hold(g.file, c, n)
	case c.Value.Kind == code.ValueCall && c.To != "":
		if _, known := flagSets[name]; known {
			if n := g.owner(c.In, of); n != nil {
				set := &node{}
				*set = node{name: "", template: true}
				g.late = append(g.late, func() { n.applied = append(n.applied, application{template: set, at: at, call: c}) })
				g.global[set] = flagSets[name]
				g.holdAs(g.file, c.In, c.To, set)
			}
		}
	}
}

// flagSetName returns the name of a new flag set; "" for the program's.
func (g *goFlags) flagSetName(at ctx, c *code.CallUse) string {
	name, _ := at.text(c.Value.Arg(0))
	if strings.ContainsAny(name, " %/") {
		return ""
	}
	return name
}

// command reads a literal of cobra.Command.
func (g *goFlags) command(c *code.CallUse, at ctx) {
	use, _ := at.text(c.Value.Named("Use"))
	name, usage, _ := strings.Cut(oneLine(use), " ")
	n := g.add(g.file, c.In, name, c.Line, name)
	n.Usage = usage
	n.Help = at.help(c.Value.Named("Short"))
	if n.Help == "" {
		n.Help, _, _ = strings.Cut(at.help(c.Value.Named("Long")), ". ")
	}
	n.Aliases = at.texts(c.Value.Named("Aliases"))
	n.Hidden = at.holds(c.Value.Named("Hidden"))
	version := c.Value.Named("Version") != nil
	n.implied = func(*node) []Param {
		out := []Param{{Name: "--help", Short: "-h", Type: "bool", Help: "help for " + name}}
		if version {
			out = append(out, Param{Name: "--version", Short: "-v", Type: "bool", Help: "version for " + name})
		}
		return out
	}
	n.Args = usageArgs(usage, n)
	g.hold(g.file, c, n)
}

// usageArgs returns the positional arguments of a usage line: <one>, [another], more...
func usageArgs(usage string, n *node) []Param {
	var out []Param
	for _, word := range usageWords(usage) {
		name := strings.Trim(word, "<>[]{}.")
		inner := strings.Trim(word, "[]")
		if name == "" || strings.EqualFold(name, "flags") || strings.EqualFold(name, "options") || strings.HasPrefix(inner, "-") || strings.HasPrefix(inner, "<flags>") || strings.HasPrefix(inner, "<options>") {
			continue
		}
		out = append(out, Param{Name: name, Required: word[0] != '[', Many: strings.Contains(word, "..."), In: n.In, At: n.At})
	}
	return out
}

// usageWords splits a usage line at spaces outside brackets.
func usageWords(usage string) []string {
	var out []string
	level, from := 0, 0
	for i, c := range usage + " " {
		switch c {
		case '[', '<', '{', '(':
			level++
		case ']', '>', '}', ')':
			level--
		case ' ':
			if level <= 0 {
				if from < i {
					out = append(out, usage[from:i])
				}
				from = i + 1
			}
		}
	}
	return out
}

// owner returns the command of an expression: a variable, the parameter of a function, or the flags of one of these.
func (g *goFlags) owner(in, of string) *node {
	before, name := split(strings.TrimSuffix(of, "()"))
	if _, known := flagSets[name]; known && strings.HasSuffix(of, "()") {
		return g.owner(in, before)
	}
	switch {
	case of == "flag" && imports(g.file, "flag"), of == "flag.CommandLine", of == "pflag", of == "pflag.CommandLine", of == "flag" && imports(g.file, pflagModule):
		return g.program()
	}
	return g.lookup(g.file, in, of)
}

// program returns the command of a program with the flags of package flag: that of its folder.
func (g *goFlags) program() *node {
	key := holder{path.Dir(g.file.Path), "", "flag.CommandLine"}
	if g.held[key] == nil {
		g.held[key] = g.add(g.file, "", "", 0, "")
	}
	return g.held[key]
}

// flag reads a call that declares a flag, and reports whether it is one.
func (g *goFlags) flag(c *code.CallUse, of, name string) bool {
	shape, ok := goFlagShape(name)
	if !ok || len(c.Value.Args) < shape.args() {
		return false
	}
	n := g.owner(c.In, of)
	if n == nil {
		return false
	}
	if n.At.Line == 0 && !n.template {
		n.At, n.In = Place{g.file.Path, c.Line, name}, c.In
	}
	single := imports(g.file, "flag") && !imports(g.file, pflagModule) && !strings.HasSuffix(of, "Flags()") && !imports(g.file, cobraModule)
	global := g.global[n] || strings.HasSuffix(of, "PersistentFlags()")
	g.declare(n, ctx{p: g.parser, file: g.file, in: c.In}, func(at ctx) []Param {
		f, ok := shape.read(at, c)
		if !ok {
			return nil
		}
		f.Global, f.In = global, c.In
		f.Name = "--" + f.Name
		if single {
			f.Name = f.Name[1:]
		}
		return []Param{f}
	})
	return true
}

// goFlagCall is the order of the arguments of a method that declares a flag.
type goFlagCall struct {
	kind                       string
	variable, short, noDefault bool
}

// goFlagKinds are the types in the names of methods that declare flags.
var goFlagKinds = []string{
	"String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Float32", "Float64", "Duration",
	"StringSlice", "StringArray", "IntSlice", "BoolSlice", "UintSlice", "DurationSlice", "StringToString", "StringToInt", "Func", "BoolFunc", "Text", "Count",
	"IP", "IPNet", "IPMask", "BytesHex", "",
}

func goFlagShape(name string) (goFlagCall, bool) {
	var s goFlagCall
	base := name
	if base == "VarPF" { // returns the flag
		base = "VarP"
	}
	if base != "IP" {
		base, s.short = strings.CutSuffix(base, "P")
	}
	base, s.variable = strings.CutSuffix(base, "Var")
	if !slices.Contains(goFlagKinds, base) || base == "" && !s.variable {
		return s, false
	}
	s.kind = strings.ToLower(base[:min(1, len(base))]) + base[min(1, len(base)):]
	s.noDefault = base == "" || base == "Func" || base == "BoolFunc" || base == "Count"
	return s, true
}

// args returns the number of arguments.
func (s goFlagCall) args() int {
	n := 3
	for _, more := range []struct {
		is bool
		by int
	}{{s.variable, 1}, {s.short, 1}, {s.noDefault, -1}, {s.kind == "func" || s.kind == "boolFunc", 1}} {
		if more.is {
			n += more.by
		}
	}
	return n
}

// read returns the flag that a call declares, its name without dashes.
func (s goFlagCall) read(at ctx, c *code.CallUse) (Param, bool) {
	i := 0
	if s.variable {
		i++
	}
	name, ok := at.text(c.Value.Arg(i))
	f := Param{Name: name, Type: s.kind, At: Place{at.file.Path, c.Line, name}}
	if !ok || name == "" || strings.ContainsAny(name, " =") {
		return f, false
	}
	if i++; s.short {
		if short, _ := at.text(c.Value.Arg(i)); short != "" {
			f.Short = "-" + short
		}
		i++
	}
	if !s.noDefault {
		f.Default = at.shown(c.Value.Arg(i))
		i++
	}
	f.Help = at.help(c.Value.Arg(i))
	switch s.kind {
	case "boolFunc":
		f.Type = "bool"
	case "func", "text":
		f.Type = "value"
	case "count":
		f.Many = true
	case "":
		if f.Type = "value"; at.isSwitch(c) {
			f.Type = "bool"
		}
	}
	f.Many = f.Many || strings.HasSuffix(s.kind, "Slice") || strings.HasSuffix(s.kind, "Array")
	if hidden := f.Default == "false" || f.Default == "0" || f.Default == `""`; hidden {
		f.Default = ""
	}
	return f, true
}

// isSwitch reports whether a flag that is a variable needs no value: its NoOptDefVal is set.
func (at ctx) isSwitch(c *code.CallUse) bool {
	found := false
	for i := range at.file.Bodies.Functions {
		b := &at.file.Bodies.Functions[i]
		if b.In != c.In || c.To == "" {
			continue
		}
		code.AllStmts(b.Stmts, func(s *code.Stmt) {
			found = found || s.Op == code.StmtAssign && s.Text == c.To+".NoOptDefVal"
		})
	}
	return found
}

// extends reads what is said of a command or of its flags after their declaration.
func (g *goFlags) extends(c *code.CallUse, of, name string) bool {
	at := ctx{p: g.parser, file: g.file, in: c.In}
	first := 0
	if of == "cobra" && (name == "MarkFlagRequired" || name == "MarkFlagHidden") && len(c.Value.Args) > 1 {
		of, first = strings.TrimSuffix(c.Value.Args[0].Text, "()"), 1
		of, _ = split(of)
	}
	var set func(f *Param)
	switch name {
	case "MarkFlagRequired", "MarkPersistentFlagRequired":
		set = func(f *Param) { f.Required = true }
	case "MarkHidden", "MarkDeprecated", "MarkFlagHidden":
		set = func(f *Param) { f.Hidden = true }
	case "AddCommand":
		g.children(c, of)
		return true
	default:
		return false
	}
	if n := g.owner(c.In, of); n != nil {
		if flag, ok := at.text(c.Value.Arg(first)); ok {
			if n.marks == nil {
				n.marks = map[string]func(*Param){}
			}
			n.marks[flag] = set
		}
	}
	return true
}

// children reads the arguments of AddCommand.
func (g *goFlags) children(c *code.CallUse, of string) {
	file, in := g.file, c.In
	g.late = append(g.late, func() {
		parent := g.lookup(file, in, of)
		for i := range c.Value.Args {
			a := &c.Value.Args[i]
			switch a.Kind {
			case code.ValueName:
				g.below(parent, g.lookup(file, in, a.Text))
			case code.ValueCall:
				g.below(parent, g.result(file, &code.CallUse{In: in, Value: *a, Line: a.Line}))
			}
		}
	})
}

// passes reads a call that gives a command or its flags to a function.
func (g *goFlags) passes(c *code.CallUse) {
	for i := range c.Value.Args {
		a := &c.Value.Args[i]
		of := a.Text
		switch _, name := split(a.Text); {
		case a.Kind == code.ValueCall && len(a.Args) == 0:
			if _, known := flagSets[name]; !known {
				continue
			}
			of += "()"
		case a.Kind != code.ValueName:
			continue
		}
		if n := g.owner(c.In, of); n != nil {
			g.gives(g.file, c, n, i)
			if a.Kind == code.ValueName && len(c.Value.Args) > 1 {
				g.adopts(c, n, i)
			}
		}
	}
}

// adopts reads a call of a function that adds commands, its other arguments, to that at index arg.
func (g *goFlags) adopts(c *code.CallUse, parent *node, arg int) {
	file := g.file
	g.late = append(g.late, func() {
		to, name := g.callee(file, c)
		if to == nil {
			return
		}
		params := g.paramsOf(to, name)
		if arg >= len(params) || !slices.ContainsFunc(to.Bodies.Calls, func(u code.CallUse) bool {
			return u.In == name && u.Value.Text == params[arg].Name+".AddCommand"
		}) {
			return
		}
		for i := range c.Value.Args {
			switch a := &c.Value.Args[i]; {
			case i == arg:
			case a.Kind == code.ValueName:
				g.below(parent, g.lookup(file, c.In, a.Text))
			case a.Kind == code.ValueCall:
				g.below(parent, g.result(file, &code.CallUse{In: c.In, Value: *a, Line: a.Line}))
			}
		}
	})
}
