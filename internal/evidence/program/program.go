// Package program finds the commands of command-line programs with their flags and arguments, as the libraries that parse
// command lines declare them. It reads the calls of files that were parsed with lang.Calls.
package program

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Command is one command of a program.
type Command struct {
	Path    string // the names from the program down, "remote add"; the program itself is its name, or "" if it has none
	Usage   string // the arguments as the usage line shows them; "" if they are only declared one by one
	Help    string
	Aliases []string
	Hidden  bool
	In      string // the symbol that declares it
	At      Place
	Parent  *Command // nil for the program
	Flags   []Param  // of this command and, if Global, those below
	Args    []Param  // positional, in order
}

// Param is a flag or a positional argument.
type Param struct {
	Name     string   // with its dashes, "--port"; a positional argument's has none
	Short    string   // "-p"; "" for none
	Others   []string // more names of the flag
	Type     string   // of the value: "bool", "string", "int"; a library's word for others; "" if unknown
	Value    string   // the placeholder of the value in the help; "" for the library's
	Default  string   // as users would write it; "" for none
	Help     string
	Env      string   // the environment variable that sets it
	Choices  []string // the allowed values; nil for any
	Required bool
	Many     bool // may be given more than once, or takes several values
	Hidden   bool // not in the help
	Global   bool // also a flag of the commands below
	Implied  bool // added by the library, such as --help
	In       string
	At       Place
}

// Place is a line of a file and some text on it.
type Place struct {
	File string
	Line int
	Text string
}

// Source is where commands are looked for.
type Source struct {
	Files []*code.File // the module's, parsed with lang.Calls
	Links *resolve.Links
	// Other returns a file outside the module parsed with lang.Calls; nil if it cannot. It may be nil.
	Other func(path string) *code.File
}

// Find returns the commands that the files declare, parents first, else in source order. Flags of a command may be declared in
// functions of other files.
func Find(s Source) []*Command {
	p := newParser(s)
	for _, f := range s.Files {
		p.scan(f)
	}
	p.follow()
	return p.commands()
}

// libraries are the modules that parse command lines, by language.
var libraries = map[string][]string{
	"go":         {"flag", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/urfave/cli"},
	"python":     {"argparse", "optparse", "click", "typer", "flask.cli", "flask", "rich_click"},
	"javascript": {"commander", "yargs"},
	"typescript": {"commander", "yargs", "@commander-js/extra-typings"},
	"rust":       {"clap", "structopt"},
	"java":       {"picocli"},
	"kotlin":     {"picocli"},
	"ruby":       {"thor"},
}

// Uses reports whether a file has code of a library for command lines.
func Uses(f *code.File) bool {
	ecma := f.Language == "javascript" || f.Language == "typescript"
	return imports(f, libraries[f.Language]...) || ecma && usesCommander(f)
}

// readersOf returns what reads the calls of a file.
func readersOf(language string) []func(p *parser, f *code.File) {
	switch language {
	case "go":
		return []func(p *parser, f *code.File){readGoFlags, readUrfave}
	case "python":
		return []func(p *parser, f *code.File){readArgparse, readClick}
	case "javascript", "typescript":
		return []func(p *parser, f *code.File){readCommander, readYargs}
	case "rust":
		return []func(p *parser, f *code.File){readClap, readClapDerive}
	case "java", "kotlin":
		return []func(p *parser, f *code.File){readPicocli}
	case "ruby":
		return []func(p *parser, f *code.File){readThor}
	default:
		return nil
	}
}

// scan reads the commands of a file.
func (p *parser) scan(f *code.File) {
	if p.scanned[f.Path] {
		return
	}
	p.scanned[f.Path] = true
	for _, read := range readersOf(f.Language) {
		read(p, f)
	}
}

// commands returns the commands of the module's files.
func (p *parser) commands() []*Command {
	own := map[string]bool{}
	for _, f := range p.source.Files {
		own[f.Path] = true
	}
	for _, n := range p.nodes {
		if !n.template && own[n.At.File] {
			p.expand(n, nil, n, 0)
			p.settle(n)
		}
	}
	for _, n := range p.nodes {
		if !n.template && own[n.At.File] {
			n.imply()
		}
	}
	var out []*Command
	for _, n := range p.nodes {
		if n.template || !own[n.At.File] || n.nameless() {
			continue
		}
		n.Path, n.Parent = n.path(0), nil
		if n.parent != nil {
			n.Parent = &n.parent.Command
		}
		out = append(out, &n.Command)
	}
	slices.SortStableFunc(out, func(a, b *Command) int { return cmp.Compare(depth(a.Path), depth(b.Path)) })
	return out
}

func depth(path string) int { return strings.Count(path, " ") }

// nameless reports whether nothing is known of a command: a variable whose options are declared elsewhere.
func (n *node) nameless() bool {
	return n.name == "" && n.Help == "" && len(n.Args) == 0 && !slices.ContainsFunc(n.Flags, func(f Param) bool { return !f.Implied })
}

// maxDepth limits the nesting of commands and of functions that declare flags.
const maxDepth = 8

func (n *node) path(level int) string {
	if n.parent == nil || level > maxDepth {
		if n.name != "" {
			return n.name
		}
		return n.fileName()
	}
	return strings.TrimSpace(n.parent.path(level+1) + " " + n.name)
}

// fileName returns the name of a program that gives itself none: that of its folder in Go, else of its file, unless that is one
// of the usual names.
func (n *node) fileName() string {
	dir, file := path.Split(n.At.File)
	stem, _, _ := strings.Cut(file, ".")
	switch {
	case strings.HasSuffix(file, ".go"), stem == "main", stem == "__main__", stem == "cli", stem == "index", stem == "app", stem == "cmd":
		if dir = path.Base(dir); dir != "." && dir != "/" && dir != "src" && dir != "" {
			return dir
		}
	}
	return stem
}

// settle removes flags that are declared twice.
func (p *parser) settle(n *node) {
	for _, list := range []*[]Param{&n.Flags, &n.Args} {
		seen := map[string]bool{}
		*list = slices.DeleteFunc(*list, func(f Param) bool {
			known := seen[f.Name]
			seen[f.Name] = true
			return known
		})
	}
	for name, set := range n.marks {
		for i := range n.Flags {
			if f := &n.Flags[i]; strings.TrimLeft(f.Name, "-") == name || f.Name == name {
				set(f)
			}
		}
	}
}

// imply adds the flags that the library adds, unless the command or one above has them.
func (n *node) imply() {
	if n.implied == nil {
		return
	}
	for _, f := range n.implied(n) {
		if n.has(func(g Param) bool { return g.Name == f.Name }) {
			continue
		}
		if f.Short != "" && n.has(func(g Param) bool { return g.Short == f.Short || g.Name == f.Short }) {
			f.Short = ""
		}
		f.Implied, f.At = true, n.At
		n.Flags = append(n.Flags, f)
	}
}

// has reports whether the command has a flag, or one above has it for all below.
func (n *node) has(is func(f Param) bool) bool {
	level := 0
	for at := n; at != nil && level <= maxDepth; at = at.parent {
		if slices.ContainsFunc(at.Flags, func(f Param) bool { return (at == n || f.Global) && is(f) }) {
			return true
		}
		level++
	}
	return false
}
