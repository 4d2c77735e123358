package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// commands finds the commands of command-line programs.
var commands = Rule{
	Kind: Command,
	find: func(m *Module, found func(Claim)) {
		m.programCommands(found)
		known := m.inPrograms()
		facts(found, func(add func(fact, string, string)) {
			m.uses(func(u use) {
				if t, ok := command(u); ok && !known[[2]string{u.file.Path, t.name}] {
					add(t, u.In, u.file.Path)
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				if t, ok := markedCommand(s); ok && !known[[2]string{s.File, t.name}] {
					add(t, name, s.File)
				}
			})
		})
	},
}

// commandMaker describes how a library creates a command: the function or type (a suffix if it
// begins with a dot), the argument with the command's name ("" for the first), the argument
// with its description (or else the second), and the required import.
type commandMaker struct {
	languages []string
	of, name  string
	help      []string
	imports   string
}

var commandMakers = []commandMaker{
	{[]string{"go"}, "cobra.Command", "Use", []string{"Short"}, ""},
	{[]string{"go"}, "cli.Command", "Name", []string{"Usage"}, ""},
	{[]string{"python"}, ".add_parser", "", []string{"help", "description"}, ""},
	{ecma, ".command", "", []string{"description", "describe"}, ""},
	{[]string{"kotlin"}, "CliktCommand", "name", []string{"help"}, ""},
	{[]string{"ruby"}, "desc", "", nil, "thor"},
	{[]string{"rust"}, "Command.new", "", nil, "clap"},
}

func (c *commandMaker) makes(u use) bool {
	of := dotted(u.Of)
	return slices.Contains(c.languages, u.file.Language) && (of == c.of || c.of[0] == '.' && strings.HasSuffix(of, c.of)) &&
		(c.imports == "" || u.imports(c.imports))
}

func command(u use) (fact, bool) {
	if u.file.Language == "python" && u.Mark && strings.HasSuffix(u.Of, ".command") {
		return pythonCommand(u)
	}
	i := slices.IndexFunc(commandMakers, func(c commandMaker) bool { return c.makes(u) })
	if i < 0 {
		return fact{}, false
	}
	c := &commandMakers[i]
	a, _ := u.at(0)
	if c.name != "" {
		a, _ = u.Named(c.name)
	}
	help, ok := u.Named(c.help...)
	if !ok && c.name == "" {
		help, _ = u.at(1)
	}
	name, _, _ := strings.Cut(a.Text, " ")
	named := a.Plain && isWord(name) && !strings.ContainsAny(name[:1], "-[.@#$*")
	return fact{name: name, option: optionOf("", "", textOf(help)), on: name, line: a.Line}, named
}

// pythonCommand reads @cli.command("name") of click and typer.
func pythonCommand(u use) (fact, bool) {
	a, _ := u.at(0)
	if named, ok := u.Named("name"); ok {
		a = named
	}
	help, _ := u.Named("help", "short_help")
	return tell(a.Text, a, optionOf("", "", textOf(help))), a.Plain && isWord(a.Text) && (u.imports("click") || u.imports("typer") || u.imports("flask"))
}

// markedCommand reads commands declared by annotations and attributes: picocli, clap, Symfony.
func markedCommand(s *code.Symbol) (fact, bool) {
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.Trim(d, "@#[]"), "(")
		rest, named := "", false
		switch lastName(head) {
		case "Command", "AsCommand":
			_, rest, named = strings.Cut(args, "name")
		}
		if list := quotedIn(rest); named && len(list) > 0 && isWord(strings.ReplaceAll(list[0], ":", ".")) {
			return fact{name: list[0], on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
		}
	}
	if name := strings.Trim(s.Value, "'\""); s.Kind == code.Property && s.Static && strings.TrimPrefix(s.Name, "$") == "defaultName" { // Symfony before attributes
		return fact{name: name, on: "defaultName", line: s.StartLine}, isWord(strings.ReplaceAll(name, ":", "."))
	}
	return fact{}, false
}
