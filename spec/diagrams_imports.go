package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of the dependency diagram: more cannot be read.
const (
	maxInternal = 15
	maxExternal = 10
)

// dependencyDiagram draws what the module imports.
func (m *material) dependencyDiagram() []diagram {
	internal, external := m.imported()
	if len(internal)+len(external) == 0 {
		return nil
	}
	b := &strings.Builder{}
	b.WriteString("graph LR\n  M[\"" + mermaidText(m.name) + "\"]")
	draw := func(list []dependency, limit int, arrow, prefix string) {
		for i, d := range list[:min(len(list), limit)] {
			fmt.Fprintf(b, "\n  M %s %s%d[\"%s\"]", arrow, prefix, i, mermaidText(d.module))
		}
		if len(list) > limit {
			fmt.Fprintf(b, "\n  M %s %srest[\"… %d more\"]", arrow, prefix, len(list)-limit)
		}
	}
	draw(internal, maxInternal, "-->", "I")
	draw(external, maxExternal, "-.->", "E")
	b.WriteString("\n  style M fill:#f9f,stroke:#333,stroke-width:2px")
	caption := pick(m.lang, "What the module imports; dashed what is named as a package and not by a path%s:", "模块的导入；虚线为按包名而非路径引用者%s：")
	left := max(0, len(internal)-maxInternal) + max(0, len(external)-maxExternal)
	return []diagram{{fmt.Sprintf(caption, m.notDrawn(left)), b.String()}}
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
