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
	boxes, known := newBoxes(types)
	b := &strings.Builder{}
	b.WriteString("classDiagram")
	for i, s := range types {
		drawClass(b, s, boxes[i])
	}
	for i, s := range types {
		for _, base := range s.Bases {
			if box := boxOf(known, base, s.Name); box != "" && box != boxes[i] {
				fmt.Fprintf(b, "\n  %s <|-- %s", box, boxes[i])
			}
		}
	}
	if left > 0 {
		fmt.Fprintf(b, "\n  %%%% %d more types are not drawn", left)
	}
	return b.String()
}

// newBoxes returns the identifier of each type's box, and those of each name:
// types of one name differ in their type parameters, or stand in two packages.
func newBoxes(types []*code.Symbol) (boxes []string, known map[string]string) {
	known = map[string]string{}
	used := map[string]int{}
	for _, s := range types {
		box := mermaidID(s.Name)
		if used[box]++; used[box] > 1 {
			box += "_" + itoa(used[box])
		}
		boxes = append(boxes, box)
		if known[s.Name] == "" {
			known[s.Name] = box
		}
	}
	return boxes, known
}

// boxOf returns the box of a base as written in a type: by its whole name, by that
// name in a namespace around the type, or by its last part; "" when it is not drawn.
func boxOf(known map[string]string, base, owner string) string {
	name := bareBase(base)
	for scope := owner; ; {
		i := strings.LastIndex(scope, "::")
		if i < 0 {
			break
		}
		scope = scope[:i]
		if box := known[scope+"::"+name]; box != "" {
			return box
		}
	}
	if box := known[name]; box != "" {
		return box
	}
	return known[baseName(base)]
}

// bareBase is a base without the words of access and the arguments around it.
func bareBase(base string) string {
	words := strings.Fields(base)
	for len(words) > 1 && slices.Contains([]string{"public", "protected", "private", "virtual"}, words[0]) {
		words = words[1:]
	}
	base = strings.Join(words, " ")
	base = strings.TrimLeft(base, "*&:\\")
	if i := strings.IndexAny(base, "<[( "); i >= 0 {
		base = base[:i]
	}
	return base
}

func drawClass(b *strings.Builder, s *code.Symbol, box string) {
	fmt.Fprintf(b, "\n  class %s", box)
	if box != s.Name { // "::" makes no identifier, nor does a name that is taken
		title := s.Name
		if len(s.TypeParameters) > 0 && !strings.Contains(title, "<") {
			title += "<" + strings.Join(s.TypeParameters, ", ") + ">"
		}
		fmt.Fprintf(b, "[\"%s\"]", strings.ReplaceAll(title, `"`, "'"))
	}
	b.WriteString(" {")
	stereotypes := []code.Kind{code.Interface, code.Enum, code.Trait, code.Module, code.Object, code.Extension}
	if slices.Contains(stereotypes, s.Kind) {
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
		access, mark := access(m.Visibility), ""
		if m.Kind == code.Method || m.Kind == code.Constructor {
			mark = "()"
		}
		fmt.Fprintf(b, "\n    %s%s%s", access, mermaidName(m.Name), mark)
	}
	b.WriteString("\n  }")
}

// access is the mark of who may use a member.
func access(v code.Visibility) string {
	switch v {
	case code.Protected:
		return "#"
	case code.Package:
		return "~"
	case code.Public, code.Private:
	}
	return "+"
}

// baseName is the bare name of a base: Bar of pkg.Bar<T>.
func baseName(base string) string {
	base = bareBase(base)
	return base[strings.LastIndexAny(base, `.:\`)+1:]
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
