package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// click reads the Python packages click and, below it, typer.
type click struct {
	*parser
	file *code.File
	// declared are all functions and methods in the order of their lines.
	declared []located
}

// located is a symbol with its qualified name.
type located struct {
	name string
	*code.Symbol
}

func readClick(p *parser, f *code.File) {
	if f.Bodies == nil || !imports(f, "click", "typer", "flask", "rich_click", "asyncclick") && !slices.ContainsFunc(f.Bodies.Calls, isClickOption) {
		return
	}
	c := &click{parser: p, file: f}
	c.list("", f.Symbols)
	calls := f.Bodies.Calls
	for i := range calls {
		c.groups(&calls[i])
	}
	for i := range calls {
		if calls[i].Mark {
			c.command(&calls[i])
		}
	}
	for i := range calls {
		switch {
		case calls[i].Mark && isClickOption(calls[i]):
			c.option(&calls[i])
		case !calls[i].Mark:
			c.adds(&calls[i])
		}
	}
	c.reused()
	c.typed()
}

func isClickOption(c code.CallUse) bool {
	of, name := split(c.Value.Text)
	return of != "" && of != "typer" && (name == "option" || name == "argument" || name == "version_option" || name == "help_option" || name == "password_option" || name == "confirmation_option")
}

// list collects the functions of a file.
func (c *click) list(owner string, list []code.Symbol) {
	for i := range list {
		name := strings.TrimPrefix(owner+"."+list[i].Name, ".")
		if list[i].Kind == code.Function || list[i].Kind == code.Method {
			c.declared = append(c.declared, located{name, &list[i]})
		}
		c.list(name, list[i].Members)
	}
}

// decorated returns the function that a decorator on a line belongs to.
func (c *click) decorated(line int) *located {
	var out *located
	for i := range c.declared {
		s := &c.declared[i]
		first := s.NameLine
		if first == 0 {
			first = s.StartLine
		}
		if first > line && (out == nil || first < out.StartLine) {
			out = s
		}
	}
	return out
}

// groups reads groups that are not functions: typer.Typer(), AppGroup("name"), and those of classes of the module.
func (c *click) groups(u *code.CallUse) {
	_, name := split(u.Value.Text)
	if u.To == "" || u.Mark || u.In != "" && u.In != u.To || name != "Typer" && !strings.HasSuffix(name, "Group") {
		return
	}
	at := ctx{p: c.parser, file: c.file}
	v := argsOf(c.file, u)
	title, ok := at.text(v.Arg(0))
	if !ok {
		title, _ = at.text(v.Named("name"))
	}
	n := c.add(c.file, u.In, title, u.Line, u.To)
	n.Help = at.help(v.Named("help"))
	if short := at.help(v.Named("short_help")); short != "" {
		n.Help = short
	}
	n.Help = firstSentence(n.Help)
	n.implied = clickHelp
	c.holdAs(c.file, "", u.To, n)
	c.ofClass(n, name)
}

// ofClass adds the options that a class of the file gives its commands: module variables that hold options and are named in the
// class.
func (c *click) ofClass(n *node, class string) {
	at := slices.IndexFunc(c.file.Symbols, func(s code.Symbol) bool { return s.Name == class && s.Kind == code.Class })
	if at < 0 {
		return
	}
	for i := range c.file.Bodies.Calls {
		u := &c.file.Bodies.Calls[i]
		if u.In != class+".__init__" {
			continue
		}
		u.Value.All(func(v *code.Value) bool {
			if v.Kind == code.ValueName {
				c.variable(n, v.Text)
			}
			return true
		})
	}
}

// variable adds the option that a variable of the module holds.
func (c *click) variable(n *node, name string) {
	for i := range c.file.Bodies.Calls {
		u := &c.file.Bodies.Calls[i]
		if u.To == name && (u.In == "" || u.In == name) && !u.Mark {
			c.declareOption(n, u)
		}
	}
}

// declareOption adds the option that a call makes: click.Option([...]), click.option(...).
func (c *click) declareOption(n *node, u *code.CallUse) {
	_, name := split(u.Value.Text)
	switch name {
	case "Option", "option", "argument", "Argument", "version_option", "help_option", "password_option", "confirmation_option":
		c.declare(n, ctx{p: c.parser, file: c.file, in: u.In}, func(at ctx) []Param { return clickParam(at, u, name) })
	}
}

func clickHelp(*node) []Param {
	return []Param{{Name: "--help", Type: "bool", Help: "Show this message and exit."}}
}

// command reads @click.command(), @group.command("name") and @click.group().
func (c *click) command(u *code.CallUse) {
	of, name := split(u.Value.Text)
	if name != "command" && name != "group" && name != "callback" {
		return
	}
	s := c.decorated(u.Line)
	if s == nil {
		return
	}
	parent := c.lookup(c.file, "", of)
	if name == "callback" {
		if parent != nil {
			c.holdAs(c.file, "", s.name, parent)
		}
		return
	}
	at := ctx{p: c.parser, file: c.file}
	v := argsOf(c.file, u)
	title, ok := at.text(v.Arg(0))
	if !ok {
		if title, ok = at.text(v.Named("name")); !ok {
			title = clickName(s.Name)
		}
	}
	n := c.add(c.file, s.name, title, u.Line, title)
	if parent == nil && of == "click" && !ok {
		n.name = ""
	}
	for _, help := range []string{at.help(v.Named("short_help")), at.help(v.Named("help")), oneLine(firstParagraph(s.Doc))} {
		if n.Help == "" {
			n.Help = firstSentence(help)
		}
	}
	n.Hidden = at.holds(v.Named("hidden"))
	if h := v.Named("add_help_option"); h == nil || h.Text != "False" {
		n.implied = clickHelp
	}
	c.holdAs(c.file, "", s.name, n)
	c.below(parent, n)
	if class := v.Named("cls"); class != nil {
		c.ofClass(n, class.Text)
	}
}

// clickName returns the name of a command that has that of a function.
func clickName(function string) string {
	for _, end := range []string{"_command", "_cmd", "_group", "_grp"} {
		if base, ok := strings.CutSuffix(function, end); ok && base != "" {
			function = base
			break
		}
	}
	return strings.ToLower(strings.ReplaceAll(function, "_", "-"))
}

func firstParagraph(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "\f")
	return text
}

// firstSentence returns the first sentence without its full stop, as click shows it in lists of commands.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	return strings.TrimSuffix(text, ".")
}

// option reads a decorator that adds an option to the function below it.
func (c *click) option(u *code.CallUse) {
	if s := c.decorated(u.Line); s != nil {
		n := c.held[holder{c.file.Path, "", s.name}]
		if n == nil { // a function whose callers decorate it, or one that is registered elsewhere
			return
		}
		c.declareOption(n, u)
	}
}

// reused reads decorators without arguments that add options: variables and functions of the module.
func (c *click) reused() {
	for i := range c.declared {
		s := &c.declared[i]
		n := c.held[holder{c.file.Path, "", s.name}]
		if n == nil {
			continue
		}
		for _, d := range s.Decorators {
			name := strings.TrimSpace(strings.TrimPrefix(d, "@"))
			name, _, _ = strings.Cut(name, "(")
			if strings.ContainsAny(name, ".\n") {
				continue
			}
			c.variable(n, name)
			for j := range c.file.Bodies.Calls {
				if u := &c.file.Bodies.Calls[j]; u.In == name && isClickOption(*u) {
					c.declareOption(n, u)
				}
			}
		}
	}
}

// adds reads group.add_command(command, name) and app.add_typer(other, name="x").
func (c *click) adds(u *code.CallUse) {
	of, name := split(u.Value.Text)
	if list, _ := strings.CutSuffix(of, ".params"); list != of && (name == "insert" || name == "append" || name == "extend") {
		c.params(u, list)
	}
	if name != "add_command" && name != "add_typer" {
		return
	}
	v := argsOf(c.file, u)
	at := ctx{p: c.parser, file: c.file, in: u.In}
	c.late = append(c.late, func() {
		a := v.Arg(0)
		if a == nil {
			return
		}
		child := c.lookup(c.file, u.In, a.Text)
		if title, ok := at.text(v.Named("name")); ok && child != nil {
			child.name = title
		}
		parent := c.lookup(c.file, u.In, of)
		if parent == nil && of == "self" {
			parent = c.ofInstance(u.In)
		}
		c.below(parent, child)
	})
}

// params reads command.params.append(option).
func (c *click) params(u *code.CallUse, command string) {
	n := c.lookup(c.file, u.In, command)
	if n == nil {
		return
	}
	u.Value.All(func(v *code.Value) bool {
		if v.Kind == code.ValueName {
			c.variable(n, v.Text)
		}
		return true
	})
}

// ofInstance returns the command of a class whose method is in: a group that the file creates from that class.
func (c *click) ofInstance(in string) *node {
	class, _, _ := strings.Cut(in, ".")
	for i := range c.file.Bodies.Calls {
		if u := &c.file.Bodies.Calls[i]; u.Value.Text == class && u.To != "" {
			return c.held[holder{c.file.Path, "", u.To}]
		}
	}
	return nil
}

// clickParam reads the arguments of click.option and click.argument.
func clickParam(at ctx, u *code.CallUse, kind string) []Param {
	v := argsOf(at.file, u)
	f := Param{In: u.In, At: Place{at.file.Path, u.Line, ""}}
	var names []string
	for i := range v.Args {
		if v.Args[i].Name != "" {
			continue
		}
		names = append(names, at.texts(&v.Args[i])...)
	}
	switch kind {
	case "version_option":
		f.Type, f.Help = "bool", "Show the version and exit."
		if names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, "-") }); len(names) == 0 {
			names = []string{"--version"}
		}
	case "help_option":
		f.Type, f.Help = "bool", "Show this message and exit."
		if len(names) == 0 {
			names = []string{"--help"}
		}
	case "argument", "Argument":
		return clickArgument(at, f, v, names)
	}
	f.clickNames(names)
	f.clickTraits(at, v)
	return []Param{f}
}

func clickArgument(at ctx, f Param, v *code.Value, names []string) []Param {
	if len(names) == 0 {
		return nil
	}
	f.Name, f.At.Text = strings.ToUpper(strings.ReplaceAll(names[0], "-", "_")), names[0]
	if metavar := at.shown(v.Named("metavar")); metavar != "" {
		f.Name = metavar
	}
	f.Default = at.shown(v.Named("default"))
	required := v.Named("required")
	nargs := at.shown(v.Named("nargs"))
	f.Many = nargs != "" && nargs != "1"
	f.Required = f.Default == "" && nargs != "-1"
	if required != nil {
		f.Required = at.holds(required)
	}
	f.clickType(at, v.Named("type"))
	return []Param{f}
}

// clickNames sets the names of an option: "-h", "--host", "--debug/--no-debug", and "-o/-O"; one without dashes is of the program.
func (f *Param) clickNames(names []string) {
	var forms []string
	for _, name := range names {
		on, off, both := strings.Cut(name, "/")
		if strings.HasPrefix(name, "/") {
			both = false
		}
		on, off = strings.TrimSpace(on), strings.TrimSpace(off)
		if strings.HasPrefix(on, "-") {
			forms = append(forms, on)
		}
		if both {
			f.Type = "bool"
			f.Others = append(f.Others, off)
		}
	}
	if len(forms) == 0 {
		f.Name = ""
		return
	}
	f.setNames(forms)
	f.At.Text = forms[0]
}

// clickTraits sets the other properties of an option.
func (f *Param) clickTraits(at ctx, v *code.Value) {
	f.Default = at.shown(v.Named("default"))
	f.Required = at.holds(v.Named("required"))
	f.Many = at.holds(v.Named("multiple")) || at.holds(v.Named("count"))
	f.Hidden = at.holds(v.Named("hidden"))
	f.Value = at.shown(v.Named("metavar"))
	if help := at.help(v.Named("help")); help != "" {
		f.Help = help
	}
	f.Env = strings.Join(at.texts(v.Named("envvar")), ", ")
	if at.holds(v.Named("is_flag")) || v.Named("flag_value") != nil {
		f.Type = "bool"
	}
	if at.holds(v.Named("count")) {
		f.Type = "count"
	}
	if f.Type == "bool" && (f.Default == "False" || f.Default == "None") {
		f.Default = ""
	}
	f.clickType(at, v.Named("type"))
}

// clickType sets the type of a value.
func (f *Param) clickType(at ctx, v *code.Value) {
	if v == nil || f.Type == "bool" {
		return
	}
	_, name := split(v.Text)
	switch {
	case v.Kind == code.ValueCall && strings.HasSuffix(name, "Choice"):
		f.Type, f.Choices = "choice", at.choices(v.Arg(0))
	case v.Kind == code.ValueCall && (name == "Path" || name == "File"):
		f.Type = strings.ToLower(name)
	case v.Kind == code.ValueCall:
		f.Type = name
	default:
		f.Type = at.pythonType(v)
	}
}

// typed reads the parameters of typer commands.
func (c *click) typed() {
	if !imports(c.file, "typer") {
		return
	}
	for i := range c.declared {
		s := &c.declared[i]
		n := c.held[holder{c.file.Path, "", s.name}]
		if n == nil {
			continue
		}
		for _, param := range s.Params {
			c.declare(n, ctx{p: c.parser, file: c.file, in: s.name}, func(at ctx) []Param { return c.typerParam(at, s, param) })
		}
	}
}

// typerParam reads a parameter: typer.Option(default, "--name"), typer.Argument(), or an ordinary default.
func (c *click) typerParam(at ctx, s *located, param code.Param) []Param {
	if strings.Contains(param.Type, "Context") {
		return nil
	}
	f := Param{In: s.name, At: Place{c.file.Path, s.StartLine, ""}}
	dashed := strings.ReplaceAll(param.Name, "_", "-")
	_, f.Type = split(strings.Trim(param.Type, "\"'"))
	f.Type, _, _ = strings.Cut(f.Type, "|")
	if inner, ok := strings.CutPrefix(param.Type, "Annotated["); ok {
		f.Type, _, _ = strings.Cut(inner, ",")
	}
	f.Type = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(f.Type, "Optional["), "List["), "]"))
	if f.Type == "str" {
		f.Type = "string"
	}
	u := c.typerCall(s.name, param.Name)
	if u == nil {
		if f.Name = "--" + dashed; param.Default == "" {
			f.Name, f.Required = strings.ToUpper(param.Name), true
		}
		f.Default = strings.Trim(param.Default, "\"'")
		f.typerBool(dashed, nil)
		return []Param{f}
	}
	v := argsOf(c.file, u)
	_, kind := split(u.Value.Text)
	var names []string
	for i := range v.Args {
		if text, ok := at.text(&v.Args[i]); ok && v.Args[i].Name == "" && strings.HasPrefix(text, "-") {
			names = append(names, text)
		}
	}
	annotated := strings.HasPrefix(param.Type, "Annotated[")
	f.Required = annotated && param.Default == "" || !annotated && (v.Arg(0) == nil || v.Arg(0).Text == "...")
	f.Help, f.Env, f.Hidden = at.help(v.Named("help")), strings.Join(at.texts(v.Named("envvar")), ", "), at.holds(v.Named("hidden"))
	if f.Default = strings.Trim(param.Default, "\"'"); !annotated {
		f.Default = at.shown(v.Arg(0))
	}
	if f.Default == "None" {
		f.Default = ""
	}
	if kind == "Argument" {
		f.Name = strings.ToUpper(param.Name)
		return []Param{f}
	}
	f.typerBool(dashed, names)
	return []Param{f}
}

// typerBool sets the names of an option; those of a switch include its opposite.
func (f *Param) typerBool(dashed string, names []string) {
	if f.Name != "" && !strings.HasPrefix(f.Name, "-") {
		return
	}
	if len(names) == 0 {
		names = []string{"--" + dashed}
		if f.Type == "bool" {
			names[0] += "/--no-" + dashed
		}
	}
	f.Name = ""
	f.clickNames(names)
}

// typerCall returns the call that declares a parameter.
func (c *click) typerCall(in, param string) *code.CallUse {
	for i := range c.file.Bodies.Calls {
		u := &c.file.Bodies.Calls[i]
		if _, name := split(u.Value.Text); u.To == param && (u.In == in || u.In == "") && (name == "Option" || name == "Argument") {
			return u
		}
	}
	return nil
}
