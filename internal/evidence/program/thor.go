package program

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// thor reads classes of the Ruby gem thor: desc and option come before the method of their command.
func readThor(p *parser, f *code.File) {
	if f.Bodies == nil || !imports(f, "thor") {
		return
	}
	program := map[string]*node{}
	at := ctx{p: p, file: f}
	of := func(class string, line int) *node {
		if program[class] == nil {
			program[class] = p.add(f, class, "", line, "")
			p.holdAs(f, "", class, program[class])
		}
		return program[class]
	}
	var current *node
	var pending []func(n *node)
	for i := range f.Bodies.Calls {
		c := &f.Bodies.Calls[i]
		class, _, _ := strings.Cut(c.In, "#")
		v := argsOf(f, c)
		switch c.Value.Text {
		case "desc":
			usage, _ := at.text(v.Arg(0))
			name, args, _ := strings.Cut(usage, " ")
			if name == "" {
				continue
			}
			current = p.add(f, c.In, name, c.Line, name)
			current.Help, current.Usage = at.help(v.Arg(1)), args
			current.Args = usageArgs(args, current)
			p.below(of(class, c.Line), current)
			for _, add := range pending {
				add(current)
			}
			pending = nil
		case "option", "method_option":
			add := func(n *node) {
				p.declare(n, at, func(at ctx) []Param { return thorOption(at, c, false) })
			}
			if current != nil {
				add(current)
			} else {
				pending = append(pending, add)
			}
		case "class_option":
			p.declare(of(class, c.Line), at, func(at ctx) []Param { return thorOption(at, c, true) })
		case "subcommand":
			name, _ := at.text(v.Arg(0))
			if target := v.Arg(1); target != nil {
				p.late = append(p.late, func() {
					if child := p.lookup(f, "", target.Text); child != nil {
						child.name = name
						p.below(of(class, c.Line), child)
					}
				})
			}
		}
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
