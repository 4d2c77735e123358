package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// urfave reads the Go module github.com/urfave/cli.
type urfave struct {
	*parser
	file  *code.File
	nodes map[int]*node // the command that a literal is, by its number
}

func readUrfave(p *parser, f *code.File) {
	if f.Bodies == nil || !slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, "github.com/urfave/cli") }) {
		return
	}
	u := &urfave{p, f, map[int]*node{}}
	for i := range f.Bodies.Calls { // outer literals come first
		c := &f.Bodies.Calls[i]
		of, name := split(c.Value.Text)
		switch {
		case of != "cli":
		case c.Value.Kind == code.ValueObject && (name == "App" || name == "Command"), name == "NewApp":
			u.command(i, c, name)
		case c.Value.Kind == code.ValueObject && strings.HasSuffix(name, "Flag") && name != "Flag":
			u.flag(c, strings.TrimSuffix(name, "Flag"))
		}
	}
}

// command reads a literal of cli.App or cli.Command.
func (u *urfave) command(i int, c *code.CallUse, kind string) {
	at := ctx{p: u.parser, file: u.file, in: c.In}
	name, _ := at.text(c.Value.Named("Name"))
	n := u.add(u.file, c.In, name, c.Line, name)
	u.nodes[i+1] = n
	n.Help, n.Aliases, n.Hidden = at.help(c.Value.Named("Usage")), at.texts(c.Value.Named("Aliases")), at.holds(c.Value.Named("Hidden"))
	n.Usage = at.shown(c.Value.Named("ArgsUsage"))
	n.Args = usageArgs(n.Usage, n)
	version := c.Value.Named("Version") != nil
	n.implied = func(*node) []Param {
		out := []Param{{Name: "--help", Short: "-h", Type: "bool", Help: "show help"}}
		if version {
			out = append(out, Param{Name: "--version", Short: "-v", Type: "bool", Help: "print the version"})
		}
		return out
	}
	u.hold(u.file, c, n)
	u.below(u.around(c), n)
	u.given(n, c, at)
}

// around returns the innermost command around a literal.
func (u *urfave) around(c *code.CallUse) *node {
	for w := c.Within; w != 0; w = u.file.Bodies.Calls[w-1].Within {
		if n := u.nodes[w]; n != nil {
			return n
		}
	}
	return nil
}

// given connects flags and commands that are variables or results of functions.
func (u *urfave) given(n *node, c *code.CallUse, at ctx) {
	for _, field := range []string{"Flags", "Commands", "Subcommands"} {
		list, in := at.resolved(c.Value.Named(field))
		if list == nil {
			continue
		}
		for i := range list.Args {
			a := &list.Args[i]
			switch {
			case a.Kind == code.ValueName && field == "Flags":
				u.declare(n, in, func(at ctx) []Param { return u.named(at, a) })
			case a.Kind == code.ValueName:
				u.late = append(u.late, func() { u.below(n, u.lookup(u.file, c.In, a.Text)) })
			case a.Kind == code.ValueCall && field != "Flags":
				u.late = append(u.late, func() { u.below(n, u.result(u.file, &code.CallUse{In: c.In, Value: *a, Line: a.Line})) })
			case a.Kind == code.ValueObject && field == "Flags" && list != c.Value.Named(field):
				u.declare(n, in, func(at ctx) []Param { return u.literal(at, a) })
			}
		}
	}
}

// named returns the flag that a variable holds.
func (u *urfave) named(at ctx, a *code.Value) []Param {
	v, in := at.resolved(a)
	if v == nil || v.Kind != code.ValueObject {
		return nil
	}
	return u.literal(in, v)
}

func (u *urfave) literal(at ctx, v *code.Value) []Param {
	_, kind := split(v.Text)
	return urfaveFlag(at, v, strings.TrimSuffix(kind, "Flag"))
}

// flag reads a literal of a flag inside that of a command.
func (u *urfave) flag(c *code.CallUse, kind string) {
	n := u.around(c)
	if n == nil {
		return
	}
	u.declare(n, ctx{p: u.parser, file: u.file, in: c.In}, func(at ctx) []Param { return urfaveFlag(at, &c.Value, kind) })
}

// urfaveFlag reads the fields of a flag. In the first version its name holds all names: "verbose, v".
func urfaveFlag(at ctx, v *code.Value, kind string) []Param {
	text, ok := at.text(v.Named("Name"))
	if !ok {
		return nil
	}
	f := Param{Type: strings.ToLower(kind), In: at.in, At: Place{at.file.Path, v.Line, text}}
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		names = append(names, dashed(strings.TrimSpace(name)))
	}
	for _, name := range at.texts(v.Named("Aliases")) {
		names = append(names, dashed(name))
	}
	f.setNames(names)
	f.Default = at.shown(v.Named("Value"))
	if shown := at.shown(v.Named("DefaultText")); shown != "" {
		f.Default = shown
	}
	f.Help, f.Required, f.Hidden = at.help(v.Named("Usage")), at.holds(v.Named("Required")), at.holds(v.Named("Hidden"))
	env := v.Named("EnvVars", "EnvVar", "Sources")
	f.Env = strings.Join(at.texts(env), ", ")
	f.Many = strings.HasSuffix(f.Type, "slice")
	return []Param{f}
}
