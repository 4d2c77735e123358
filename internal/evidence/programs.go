package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
)

// programCommands finds the commands that package program has read.
func (m *Module) programCommands(found func(Claim)) {
	for _, c := range m.programs {
		claim := Claim{Subject: c.In, Name: c.Path, Option: optionOf("", "", c.Help), Values: c.Aliases, Text: c.Usage, At: []Place{programPlace(c.At)}}
		if c.Parent != nil {
			claim.Of = c.Parent.Path
		}
		if c.Hidden {
			claim.Role = Hidden
		}
		found(claim)
	}
}

// programParams finds the flags, or else the positional arguments, of the commands that package program has read.
func (m *Module) programParams(found func(Claim), list func(c *program.Command) []program.Param) {
	for _, c := range m.programs {
		for _, f := range list(c) {
			found(paramClaim(c, &f))
		}
	}
}

func paramClaim(c *program.Command, f *program.Param) Claim {
	claim := Claim{
		Subject: f.In, Name: f.Name, Of: c.Path, Values: f.Choices, At: []Place{programPlace(f.At)},
		Option: &Option{
			Type: f.Type, Default: f.Default, Help: f.Help, Short: f.Short, Also: strings.Join(f.Others, ", "), Value: f.Value, Env: f.Env,
			Required: f.Required, Many: f.Many, Global: f.Global,
		},
	}
	switch {
	case f.Hidden:
		claim.Role = Hidden
	case f.Implied:
		claim.Role = Implied
	}
	return claim
}

func programPlace(p program.Place) Place { return Place{p.File, p.Line, p.Text} }

// arguments finds the positional arguments of commands.
var arguments = Rule{
	Kind: Argument,
	find: func(m *Module, found func(Claim)) {
		m.programParams(found, func(c *program.Command) []program.Param { return c.Args })
	},
}

// inPrograms returns the names of what package program has read, with the files: those are not claimed again.
func (m *Module) inPrograms() map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, c := range m.programs {
		words := strings.Fields(c.Path)
		if len(words) > 0 {
			out[[2]string{c.At.File, words[len(words)-1]}] = true
		}
		for _, f := range c.Flags {
			for _, name := range append([]string{f.Name, f.Short}, f.Others...) {
				out[[2]string{f.At.File, strings.TrimLeft(name, "-")}] = true
			}
		}
	}
	return out
}
