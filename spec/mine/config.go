package mine

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// environment are the environment variables that the module reads.
var environment = Rule{
	ID: "environment", Evidence: "config", Section: Requirement,
	En: "The environment variable %s MUST be honoured", Zh: "必须遵循环境变量 %s",
	find: textRule(func(_ *code.File, u code.TextUse) (string, bool) {
		return first(u), slices.Contains(environmentReaders, u.Of) && isWord(first(u))
	}),
}

// environmentReaders are what reads the environment; the name comes first.
var environmentReaders = []string{
	"os.Getenv", "os.LookupEnv", "syscall.Getenv", // Go
	"os.environ", "os.environ.get", "os.getenv", "os.environ.setdefault", "os.environ.pop", // Python
	"process.env", "import.meta.env", "Bun.env", "Deno.env.get", // ECMAScript
	"System.getenv", "Environment.GetEnvironmentVariable", "env::var", "std::env::var", "std.env::var",
}

// flags are the options of programs.
var flags = Rule{
	ID: "flag", Evidence: "config", Section: Requirement,
	En: "The option %s MUST be accepted", Zh: "必须接受选项 %s",
	find: textRule(func(f *code.File, u code.TextUse) (string, bool) {
		return option(f, u)
	}),
}

// option returns the name of the option that a call defines.
func option(f *code.File, u code.TextUse) (string, bool) {
	of, name := cutLast(u.Of)
	switch {
	case f.Language != "go":
		return longForm(u), slices.Contains(optionMakers, name) && longForm(u) != ""
	case slices.Contains(goFlags, strings.TrimSuffix(strings.TrimSuffix(name, "P"), "Var")) &&
		(slices.Contains(goFlagSets, of) || strings.HasSuffix(of, "Flags()")):
		i := slices.IndexFunc(u.Args, func(a code.Argument) bool { return a.Plain && a.Text != "" })
		return "--" + u.Args[i].Text, isWord(u.Args[i].Text)
	}
	return "", false
}

// optionMakers are the methods by which parsers of arguments are told of options.
var optionMakers = []string{"add_argument", "option", "add_option", "addOption", "requiredOption"}

// longForm is the last form of an option that a call names: "--verbose" of "-v",
// "--verbose" and of "-v, --verbose <level>".
func longForm(u code.TextUse) string {
	name := ""
	for _, a := range u.Args {
		for word := range strings.FieldsSeq(strings.ReplaceAll(a.Text, ",", " ")) {
			if !strings.HasPrefix(a.Text, "-") {
				break // a text to read
			}
			if strings.HasPrefix(word, "-") {
				name = word
			}
		}
	}
	return name
}

// goFlagSets are what Go's flags are defined on.
var goFlagSets = []string{"flag", "pflag", "fs", "flags"}

var goFlags = []string{
	"String", "Bool", "Int", "Int64", "Uint", "Uint64", "Float64", "Duration", "StringSlice", "StringArray", "Func", "Text", "Count", "",
}

// textRule makes a rule's function of what tells a use of a text: each text is
// found once, with all its places.
func textRule(tell func(f *code.File, u code.TextUse) (text string, ok bool)) func(*Module, func(Finding)) {
	return func(m *Module, found func(Finding)) {
		at := map[string]int{}
		var list []Finding
		m.bodies(func(f *code.File, b *code.Bodies) {
			for _, u := range b.Texts {
				text, ok := tell(f, u)
				if !ok {
					continue
				}
				if _, known := at[text]; !known {
					at[text] = len(list)
					list = append(list, Finding{Symbol: u.In, Words: []string{quote(text)}})
				}
				g := &list[at[text]]
				g.At = append(g.At, Place{f.Path, u.Line, strings.TrimLeft(text[strings.LastIndexByte(text, ' ')+1:], "-")})
			}
		})
		for _, f := range list {
			found(f)
		}
	}
}

func first(u code.TextUse) string { return u.Plain(0) }

// isWord tells a text that can be a name.
func isWord(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t/\\$%{}()<>\"'`:,;")
}
