package mine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// commands are the commands of programs.
var commands = Rule{
	ID: "command", Evidence: "route", Section: Requirement,
	En: "The command %s MUST be there", Zh: "必须提供命令 %s",
	find: func(m *Module, found func(Finding)) {
		m.once(found, func(add func(told, string, string)) {
			m.uses(func(u use) {
				if t, ok := command(u); ok {
					add(t, u.In, u.file.Path)
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				if t, ok := markedCommand(s); ok {
					add(t, name, s.File)
				}
			})
		})
	},
}

// commandMakers are how commands are made: what is called or made, by its end, and
// the name of the argument that is the command's name; "" for the first argument.
var commandMakers = []struct {
	languages []string
	of, name  string
	help      []string
}{
	{[]string{"go"}, "cobra.Command", "Use", []string{"Short"}},
	{[]string{"go"}, "cli.Command", "Name", []string{"Usage"}},
	{[]string{"python"}, ".add_parser", "", []string{"help", "description"}},
	{ecma, ".command", "", []string{"description", "describe"}},
	{[]string{"kotlin"}, "CliktCommand", "name", []string{"help"}},
	{[]string{"ruby"}, "desc", "", nil}, // Thor's: desc "name ARG", "what it does"
	{[]string{"rust"}, "Command.new", "", nil},
}

func command(u use) (told, bool) {
	of := dotted(u.Of)
	if u.file.Language == "python" && u.Mark && strings.HasSuffix(of, ".command") {
		return pythonCommand(u)
	}
	for _, c := range commandMakers {
		if !slices.Contains(c.languages, u.file.Language) || of != c.of && (c.of[0] != '.' || !strings.HasSuffix(of, c.of)) {
			continue
		}
		a, _ := u.at(0)
		if c.name != "" {
			a, _ = u.Named(c.name)
		}
		name, _, _ := strings.Cut(a.Text, " ")
		help, _ := u.Named(c.help...)
		if second, ok := u.at(1); ok && c.name == "" && help.Text == "" {
			help = second
		}
		switch {
		case !a.Plain || !isWord(name) || strings.ContainsAny(name[:1], "-[.@#$*"):
			return told{}, false
		case c.of == "desc" && (!u.imports("thor") || textOf(help) == ""):
			return told{}, false
		case c.of == "Command.new" && !u.imports("clap"):
			return told{}, false
		}
		return told{name: name, detail: detail("", "", textOf(help)), on: name, line: a.Line}, true
	}
	return told{}, false
}

// pythonCommand reads @cli.command("name") of click and typer.
func pythonCommand(u use) (told, bool) {
	a, _ := u.at(0)
	if named, ok := u.Named("name"); ok {
		a = named
	}
	help, _ := u.Named("help", "short_help")
	return tell(a.Text, a, detail("", "", textOf(help))), a.Plain && isWord(a.Text) && (u.imports("click") || u.imports("typer") || u.imports("flask"))
}

// markedCommand reads the commands that annotations and attributes make: picocli's,
// clap's, Symfony's.
func markedCommand(s *code.Symbol) (told, bool) {
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.Trim(d, "@#[]"), "(")
		rest, named := "", false
		switch lastName(head) {
		case "Command", "AsCommand":
			_, rest, named = strings.Cut(args, "name")
		}
		if list := quotedIn(rest); named && len(list) > 0 && isWord(strings.ReplaceAll(list[0], ":", ".")) {
			return told{name: list[0], on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
		}
	}
	return told{}, false
}
