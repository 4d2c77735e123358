package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
)

// flags finds command-line options.
var flags = Rule{
	Kind: Flag,
	find: func(m *Module, found func(Claim)) {
		m.programParams(found, func(c *program.Command) []program.Param { return c.Flags })
		known := m.inPrograms()
		facts(found, func(add func(fact, string, string)) {
			m.uses(func(u use) {
				for _, read := range []func(use) (fact, bool){goFlag, goFlagLiteral, namedOption, dashedOption} {
					if t, ok := read(u); ok {
						if !known[[2]string{u.file.Path, strings.TrimLeft(t.name, "-")}] {
							add(t, u.In, u.file.Path)
						}
						break
					}
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				if t, ok := markedOption(s); ok && !known[[2]string{s.File, strings.TrimLeft(t.name, "-")}] {
					add(t, name, s.File)
				}
			})
		})
	},
}

// goFlagSets are common names of Go flag sets.
var goFlagSets = []string{"flag", "pflag", "fs", "flags", "flagSet", "flagset", "fset"}

// goFlagTypes are the types in the method names of a flag set.
var goFlagTypes = []string{
	"String", "Bool", "Int", "Int32", "Int64", "Uint", "Uint64", "Float64", "Duration", "StringSlice", "StringArray", "IntSlice",
	"StringToString", "Func", "BoolFunc", "Text", "Count", "IP", "",
}

// goFlag reads a flag of the packages flag and pflag: fs.StringVarP(&x, "name", "n",
// "default", "help").
func goFlag(u use) (fact, bool) {
	of, name := u.of()
	if u.file.Language != "go" || !isFlagSet(u, of) {
		return fact{}, false
	}
	base, short := strings.CutSuffix(name, "P")
	if name == "IP" {
		base, short = name, false
	}
	base, at := cutVar(base)
	if !slices.Contains(goFlagTypes, base) || base == "" && at == 0 {
		return fact{}, false
	}
	a, _ := u.at(at)
	if short {
		at++
	}
	value, _ := u.at(at + 1)
	help, ok := u.at(at + 2)
	if slices.Contains(withoutDefault, base) {
		help, ok, value = value, true, code.Argument{}
	}
	kind := strings.ToLower(strings.Replace(base, "Func", "", 1))
	return tell(goDashes(u, of, a.Text), a, optionOf(kind, valueOf(value), textOf(help))), ok && a.Plain && isWord(a.Text)
}

// cutVar removes Var from the name of a method, which then has a pointer before the name of
// the flag.
func cutVar(method string) (base string, before int) {
	if base, ok := strings.CutSuffix(method, "Var"); ok {
		return base, 1
	}
	return method, 0
}

// withoutDefault are the types of flags without a default.
var withoutDefault = []string{"", "Func", "BoolFunc", "Count"}

// goDashes formats a flag as users write it; package flag has one dash.
func goDashes(u use, of, name string) string {
	if u.imports("flag") && !strings.HasSuffix(of, "Flags()") || len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// isFlagSet reports whether a receiver is a Go flag set, by its name or by what created it.
func isFlagSet(u use, of string) bool {
	if slices.Contains(goFlagSets, of) || strings.HasSuffix(of, "Flags()") {
		return true
	}
	by, ok := u.made(of)
	return ok && strings.HasSuffix(by.Of, ".NewFlagSet")
}

// goFlagLiteral reads &cli.StringFlag{Name: "x", Usage: "…", Value: "…"}.
func goFlagLiteral(u use) (fact, bool) {
	of, name := u.of()
	kind, ok := strings.CutSuffix(name, "Flag")
	a, _ := u.Named("Name")
	if !ok || of != "cli" || u.file.Language != "go" || !a.Plain {
		return fact{}, false
	}
	value, _ := u.Named("Value")
	help, _ := u.Named("Usage")
	on, _, _ := strings.Cut(a.Text, ",")
	return fact{name: "--" + on, option: optionOf(strings.ToLower(kind), valueOf(value), textOf(help)), on: on, line: a.Line}, isWord(on)
}

// optionWords are the keys with which options are described; one of them marks an object as an
// option.
var optionWords = []string{"type", "describe", "description", "desc", "alias", "default", "help", "choices", "demandOption"}

// namedOption reads options that are declared without dashes: yargs, Thor, Symfony and clap.
func namedOption(u use) (fact, bool) {
	a, _ := u.at(0)
	if !a.Plain || !isWord(a.Text) || strings.HasPrefix(a.Text, "-") {
		return fact{}, false
	}
	_, name := u.of()
	_, described := u.Named(optionWords...)
	option := namedOptionOf(u)
	is := false
	switch u.file.Language {
	case "javascript", "typescript":
		is = described && name == "option" && (u.imports("yargs") || strings.Contains(u.Of, "yargs"))
	case "ruby":
		is = described && (name == "method_option" || name == "class_option")
	case "rust":
		is, option = name == "long" && strings.Contains(u.Of, "Arg"), nil
	case "php":
		help, _ := u.at(3)
		value, _ := u.at(4)
		is, option = name == "addOption" || name == "InputOption", optionOf("", valueOf(value), textOf(help))
	}
	return tell("--"+a.Text, a, option), is
}

// namedOptionOf returns what the named arguments of an option say.
func namedOptionOf(u use) *Option {
	kind, _ := u.Named("type")
	value, _ := u.Named("default")
	help, ok := u.Named("help", "describe", "description", "desc")
	if !ok {
		for _, a := range u.Args { // the first text that is not a form of the option
			if a.Name == "" && a.Plain && !strings.HasPrefix(a.Text, "-") && strings.Contains(a.Text, " ") {
				help = a
				break
			}
		}
	}
	word := kind.Text
	if !isWord(word) {
		word = ""
	}
	return optionOf(word, valueOf(value), textOf(help))
}

// optionMakers are functions of argument parsers that declare options with their dashes.
var optionMakers = []string{"add_argument", "option", "add_option", "addOption", "requiredOption", "Option", "on", "add_flag", "flag"}

// dashedOption reads options that are declared with dashes.
func dashedOption(u use) (fact, bool) {
	_, name := u.of()
	if !slices.Contains(optionMakers, name) || u.file.Language == "go" {
		return fact{}, false
	}
	form, a := longForm(u)
	if len(form) < 2 || !isWord(strings.Trim(form, "[]-")) {
		return fact{}, false
	}
	return fact{name: form, option: namedOptionOf(u), on: form, line: a.Line}, true
}

// longForm returns the last form of an option in a call and its argument: "--verbose" for
// "-v", "--verbose" and for "-v, --verbose <level>".
func longForm(u use) (form string, in code.Argument) {
	for _, a := range u.Args {
		if a.Name != "" || !strings.HasPrefix(a.Text, "-") || !a.Plain {
			continue
		}
		for word := range strings.FieldsFuncSeq(a.Text, func(c rune) bool { return strings.ContainsRune(" ,|=/", c) }) {
			if strings.HasPrefix(word, "--") && !strings.HasPrefix(form, "--") || form == "" && strings.HasPrefix(word, "-") {
				form, in = word, a
			}
		}
	}
	return form, in
}

// markedOption reads a field that annotations or attributes make an option, as in picocli and
// clap.
func markedOption(s *code.Symbol) (fact, bool) {
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.Trim(d, "@#[]"), "(")
		switch head = lastName(head); {
		case head == "Option" && strings.Contains(args, "names"), head == "Parameter" && strings.Contains(args, "names"):
			for _, form := range slices.Backward(quotedIn(args)) {
				if strings.HasPrefix(form, "--") {
					return fact{name: form, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
				}
			}
		case (head == "arg" || head == "clap") && s.Kind == code.Property && hasWord(args, "long"):
			form := strings.ReplaceAll(lastName(s.Name), "_", "-")
			if _, rest, named := strings.Cut(args, "long ="); named && len(quotedIn(rest)) > 0 {
				form = quotedIn(rest)[0]
			}
			first, _, _ := strings.Cut(s.Doc, "\n")
			return fact{name: "--" + form, option: optionOf("", "", first), on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, true
		}
	}
	return fact{}, false
}

// hasWord reports whether the arguments of an attribute include a word.
func hasWord(args, word string) bool {
	return slices.Contains(strings.FieldsFunc(args, func(c rune) bool { return strings.ContainsRune(" ,()=\"", c) }), word)
}

// valueOf returns a default as written; "" for none.
func valueOf(a code.Argument) string {
	switch a.Text {
	case "nil", "None", "null", "undefined", "...":
		return ""
	}
	return a.Text
}

// textOf returns the text of a string argument.
func textOf(a code.Argument) string {
	if a.Plain {
		return a.Text
	}
	return ""
}
