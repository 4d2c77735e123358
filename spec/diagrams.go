package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// Bounds of diagrams: more cannot be read.
const (
	maxClasses  = 20
	maxMembers  = 12
	maxInternal = 15
	maxExternal = 10
)

func (m *material) diagrams() string {
	var out []string
	if d := m.classDiagram(); d != "" {
		out = append(out, fenced("mermaid", d))
	}
	if d := m.dependencyDiagram(); d != "" {
		out = append(out, fenced("mermaid", d))
	}
	if len(out) == 0 {
		return pick(m.lang, "There are neither types nor imports to draw.", "没有可绘制的类型或依赖。")
	}
	return strings.Join(out, "\n\n")
}

// classDiagram draws the exported types with their public members.
func (m *material) classDiagram() string {
	var types []*code.Symbol
	for i := range m.merged.Exports {
		if s := &m.merged.Exports[i]; holdsMembers(s.Kind) {
			types = append(types, s)
		}
	}
	if len(types) == 0 {
		return ""
	}
	left := max(0, len(types)-maxClasses)
	types = types[:len(types)-left]
	known := map[string]bool{}
	for _, s := range types {
		known[s.Name] = true
	}
	b := &strings.Builder{}
	b.WriteString("classDiagram")
	for _, s := range types {
		drawClass(b, s)
	}
	for _, s := range types {
		for _, base := range s.Bases {
			if name := baseName(base); known[name] && name != s.Name {
				fmt.Fprintf(b, "\n  %s <|-- %s", mermaidID(name), mermaidID(s.Name))
			}
		}
	}
	if left > 0 {
		fmt.Fprintf(b, "\n  %%%% %d more types are not drawn", left)
	}
	return b.String()
}

func drawClass(b *strings.Builder, s *code.Symbol) {
	fmt.Fprintf(b, "\n  class %s {", mermaidID(s.Name))
	if s.Kind == code.Interface || s.Kind == code.Enum || s.Kind == code.Trait {
		fmt.Fprintf(b, "\n    <<%s>>", s.Kind)
	}
	shown := 0
	for _, m := range s.Members {
		if !m.Exported || m.Kind == code.Embedded {
			continue
		}
		if shown++; shown > maxMembers {
			b.WriteString("\n    ...")
			break
		}
		mark := ""
		if m.Kind == code.Method || m.Kind == code.Constructor {
			mark = "()"
		}
		fmt.Fprintf(b, "\n    +%s%s", mermaidName(m.Name), mark)
	}
	b.WriteString("\n  }")
}

// baseName is the bare name of a base: Bar of pkg.Bar<T>.
func baseName(base string) string {
	base = strings.TrimLeft(base, "*&")
	if i := strings.IndexAny(base, "<[( "); i >= 0 {
		base = base[:i]
	}
	return base[strings.LastIndexByte(base, '.')+1:]
}

// mermaidID makes a name an identifier in a diagram.
func mermaidID(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
}

// mermaidName takes from a name what a diagram would stumble over.
func mermaidName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("{}()<>[]\"'`;:~$*", c) {
			return '_'
		}
		return c
	}, name)
}

// dependencyDiagram draws what the module imports.
func (m *material) dependencyDiagram() string {
	internal, external := m.imported()
	if len(internal)+len(external) == 0 {
		return ""
	}
	b := &strings.Builder{}
	b.WriteString("graph LR\n  M[\"" + m.name + "\"]")
	draw := func(list []dependency, limit int, arrow, prefix string) {
		for i, d := range list[:min(len(list), limit)] {
			fmt.Fprintf(b, "\n  M %s %s%d[\"%s\"]", arrow, prefix, i, strings.ReplaceAll(d.module, `"`, "'"))
		}
		if len(list) > limit {
			fmt.Fprintf(b, "\n  M %s %srest[\"… %d more\"]", arrow, prefix, len(list)-limit)
		}
	}
	draw(internal, maxInternal, "-->", "I")
	draw(external, maxExternal, "-.->", "E")
	b.WriteString("\n  style M fill:#f9f,stroke:#333,stroke-width:2px")
	return b.String()
}

// dependency is a module that is imported, and from how many files.
type dependency struct {
	module string
	names  []string
	files  int
	types  bool // only types are imported
}

// imported returns the modules that the sources import: those named relative to
// the file, and the others.
func (m *material) imported() (internal, external []dependency) {
	at := map[string]*dependency{}
	relative := map[string]bool{}
	var order []string
	for _, f := range m.sources() {
		seen := map[string]bool{}
		for _, i := range f.Imports {
			d := at[i.Module]
			if d == nil {
				d = &dependency{module: i.Module, types: true}
				at[i.Module], relative[i.Module] = d, i.Relative
				order = append(order, i.Module)
			}
			d.types = d.types && i.TypeOnly
			if !seen[i.Module] {
				seen[i.Module] = true
				d.files++
			}
			for _, n := range i.Named {
				if !slices.Contains(d.names, n) {
					d.names = append(d.names, n)
				}
			}
		}
	}
	slices.Sort(order)
	for _, module := range order {
		if relative[module] {
			internal = append(internal, *at[module])
		} else {
			external = append(external, *at[module])
		}
	}
	return internal, external
}
