package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// picocli reads the annotations of the Java library picocli.
type picocli struct {
	*parser
	file *code.File
}

func readPicocli(p *parser, f *code.File) {
	if !imports(f, "picocli") {
		return
	}
	r := &picocli{p, f}
	r.walk(f.Symbols)
}

func (r *picocli) walk(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		if s.Kind == code.Class || s.Kind == code.Method || s.Kind == code.Object {
			r.command(s)
		}
		r.walk(s.Members)
	}
}

// command reads a class or a method with @Command.
func (r *picocli) command(s *code.Symbol) {
	i := slices.IndexFunc(s.Decorators, func(d string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(d, "@"), "(")
		_, name = split(name)
		return name == "Command"
	})
	if i < 0 {
		return
	}
	attrs := attributesOf(s.Decorators[i:i+1], "Command")
	n := r.add(r.file, s.Name, attrs.text("name"), s.StartLine, s.Name)
	n.Help = oneLine(strings.Join(attrs.texts("description"), " "))
	n.Aliases = attrs.texts("aliases")
	n.Hidden = attrs.value("hidden") == "true"
	help := attrs.value("mixinStandardHelpOptions") == "true"
	n.implied = func(*node) []Param {
		if !help {
			return nil
		}
		return []Param{
			{Name: "--help", Short: "-h", Type: "bool", Help: "Show this help message and exit."},
			{Name: "--version", Short: "-V", Type: "bool", Help: "Print version information and exit."},
		}
	}
	r.holdAs(r.file, "", s.Name, n)
	for _, child := range splitList(strings.Trim(attrs.value("subcommands"), "{}")) {
		name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(child), ".class"), "::class")
		_, name = split(name)
		r.late = append(r.late, func() { r.below(n, r.lookup(r.file, "", name)) })
	}
	r.fields(n, s, 0)
}

// fields reads the options and parameters of a class, of those that it extends, and of its mixins.
func (r *picocli) fields(n *node, s *code.Symbol, level int) {
	if level > maxDepth {
		return
	}
	for _, base := range s.Bases {
		if t := r.typeNamed(base); t != nil {
			r.fields(n, t, level+1)
		}
	}
	for i := range s.Members {
		m := &s.Members[i]
		for _, d := range m.Decorators {
			name, _, _ := strings.Cut(strings.TrimPrefix(d, "@"), "(")
			switch _, name = split(strings.TrimSpace(name)); name {
			case "Option", "Parameters":
				r.param(n, m, attributesOf([]string{d}, name), name)
			case "Mixin", "ArgGroup":
				if t := r.typeNamed(m.Returns); t != nil {
					r.fields(n, t, level+1)
				}
			case "Command":
			}
		}
	}
}

func (r *picocli) typeNamed(name string) *code.Symbol {
	name, _, _ = strings.Cut(name, "<")
	_, name = split(name)
	for _, f := range append([]*code.File{r.file}, r.source.Files...) {
		for i := range f.Symbols {
			if f.Symbols[i].Name == name && f.Symbols[i].Kind == code.Class {
				return &f.Symbols[i]
			}
			for j := range f.Symbols[i].Members {
				if m := &f.Symbols[i].Members[j]; m.Name == name && m.Kind == code.Class {
					return m
				}
			}
		}
	}
	return nil
}

// param reads @Option and @Parameters.
func (r *picocli) param(n *node, m *code.Symbol, attrs attributes, kind string) {
	f := Param{
		Help: oneLine(strings.Join(attrs.texts("description"), " ")), Default: attrs.text("defaultValue"), Value: attrs.text("paramLabel"),
		Required: attrs.value("required") == "true", Hidden: attrs.value("hidden") == "true", Global: strings.HasSuffix(attrs.value("scope"), "INHERIT"),
		In: n.In, At: Place{r.file.Path, m.StartLine, m.Name},
	}
	if m.File != "" {
		f.At.File = m.File
	}
	f.Type = strings.ToLower(m.Returns)
	f.Many = strings.ContainsAny(m.Returns, "[<")
	if m.Returns == "boolean" || m.Returns == "Boolean" || m.Returns == "boolean[]" {
		f.Type = "bool"
	}
	arity := attrs.text("arity")
	if kind == "Parameters" {
		f.Name = either(f.Value, "<"+m.Name+">")
		f.Required = f.Default == "" && !strings.HasPrefix(arity, "0") && !f.Many
	} else {
		f.setNames(attrs.texts("names"))
		if f.Default == "" && m.Value != "" && m.Value != "false" && m.Value != "null" && isName(strings.Trim(m.Value, `"`)) {
			f.Default = strings.Trim(m.Value, `"`)
		}
	}
	f.Help = strings.NewReplacer("${DEFAULT-VALUE}", f.Default, "%n", " ").Replace(f.Help)
	r.declare(n, ctx{p: r.parser, file: r.file}, func(ctx) []Param { return []Param{f} })
}
