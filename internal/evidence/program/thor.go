package program

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// thor reads classes of the Ruby gem thor: desc and option come before the method of their command.
type thor struct {
	*parser
	file     *code.File
	programs map[string]*node // by class
	commands map[int]*node    // by the line of their method
}

func readThor(p *parser, f *code.File) {
	if f.Bodies == nil || !imports(f, "thor") {
		return
	}
	t := &thor{p, f, map[string]*node{}, map[int]*node{}}
	for i := range f.Bodies.Calls {
		if c := &f.Bodies.Calls[i]; c.Value.Text == "desc" {
			t.command(c)
		}
	}
	for i := range f.Bodies.Calls {
		t.option(&f.Bodies.Calls[i])
	}
}

// of returns the command of a class.
func (t *thor) of(c *code.CallUse) *node {
	if t.programs[c.In] == nil {
		t.programs[c.In] = t.add(t.file, c.In, "", c.Line, "")
		t.holdAs(t.file, "", c.In, t.programs[c.In])
	}
	return t.programs[c.In]
}

// method returns the line of the next method after a line; 0 for none.
func (t *thor) method(line int) int {
	out := 0
	var walk func(list []code.Symbol)
	walk = func(list []code.Symbol) {
		for i := range list {
			if s := &list[i]; s.Kind == code.Method && s.StartLine > line && (out == 0 || s.StartLine < out) {
				out = s.StartLine
			}
			walk(list[i].Members)
		}
	}
	walk(t.file.Symbols)
	return out
}

// command reads desc "sell THING", "Sells a thing".
func (t *thor) command(c *code.CallUse) {
	v := argsOf(t.file, c)
	at := ctx{p: t.parser, file: t.file}
	usage, _ := at.text(v.Arg(0))
	name, args, _ := strings.Cut(usage, " ")
	if name == "" {
		return
	}
	n := t.add(t.file, c.In, name, c.Line, name)
	n.Help, n.Usage = at.help(v.Arg(1)), args
	n.Args = usageArgs(args, n)
	t.commands[t.method(c.Line)] = n
	t.below(t.of(c), n)
}

// option reads an option of the next method, or of all methods of a class.
func (t *thor) option(c *code.CallUse) {
	at := ctx{p: t.parser, file: t.file}
	v := argsOf(t.file, c)
	switch c.Value.Text {
	case "option", "method_option":
		if n := t.commands[t.method(c.Line)]; n != nil {
			t.declare(n, at, func(at ctx) []Param { return thorOption(at, c, false) })
		}
	case "class_option":
		t.declare(t.of(c), at, func(at ctx) []Param { return thorOption(at, c, true) })
	case "subcommand":
		name, _ := at.text(v.Arg(0))
		target := v.Arg(1)
		if target == nil {
			return
		}
		t.late = append(t.late, func() {
			if child := t.lookup(t.file, "", target.Text); child != nil {
				child.name = name
				t.below(t.of(c), child)
			}
		})
	}
}

// thorOption reads option :name, type: :string, default: 1, desc: "help", aliases: "-n".
func thorOption(at ctx, c *code.CallUse, global bool) []Param {
	v := argsOf(at.file, c)
	name := strings.TrimPrefix(at.shown(v.Arg(0)), ":")
	if !isName(name) {
		return nil
	}
	f := Param{Global: global, In: c.In, At: Place{at.file.Path, c.Line, name}}
	names := []string{"--" + strings.ReplaceAll(name, "_", "-")}
	for _, alias := range at.texts(v.Named("aliases")) {
		if alias = strings.TrimPrefix(alias, ":"); !strings.HasPrefix(alias, "-") {
			alias = dashed(alias)
		}
		names = append(names, alias)
	}
	f.setNames(names)
	f.Type = strings.TrimPrefix(at.shown(v.Named("type")), ":")
	switch f.Type {
	case "boolean":
		f.Type = "bool"
		f.Others = append(f.Others, "--no-"+strings.TrimPrefix(f.Name, "--"))
	case "":
		f.Type = "string"
	}
	f.Default, f.Help = at.shown(v.Named("default")), at.help(v.Named("desc", "banner"))
	f.Required, f.Many = at.holds(v.Named("required")), f.Type == "array" || at.holds(v.Named("repeatable"))
	f.Choices = at.choices(v.Named("enum"))
	return []Param{f}
}
