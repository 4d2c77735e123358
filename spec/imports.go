package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxNames limits the names listed per module.
const maxNames = 12

// dependencies returns a table of the imports.
func (m *material) dependencies() string {
	internal, external := m.imported()
	if len(internal)+len(external) == 0 {
		return wording.In(m.lang, "Nothing is imported.", "没有导入。")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %s |\n|---|---|---|", wording.In(m.lang, "Module", "模块"), wording.In(m.lang, "Names", "名称"), wording.In(m.lang, "Files", "文件数"))
	for _, d := range slices.Concat(internal, external) {
		names := d.names
		more := ""
		if len(names) > maxNames {
			more = fmt.Sprintf(" … +%d", len(names)-maxNames)
			names = names[:maxNames]
		}
		fmt.Fprintf(&b, "\n| %s | %s | %d |", markdown.Code(d.module), markdown.Cell(strings.Join(names, ", ")+more), d.files)
	}
	return b.String()
}

// dependency is an imported module.
type dependency struct {
	module string
	names  []string
	files  int
}

// imported returns the modules that the sources import: relative imports and all others.
func (m *material) imported() (internal, external []dependency) {
	at := map[string]*dependency{}
	relative := map[string]bool{}
	var order []string
	for _, f := range m.sources() {
		seen := map[string]bool{}
		for k, i := range f.Imports {
			d := at[i.Module]
			if d == nil {
				d = &dependency{module: i.Module}
				at[i.Module], relative[i.Module] = d, i.Relative
				order = append(order, i.Module)
			}
			if !seen[i.Module] {
				seen[i.Module] = true
				d.files++
			}
			names := i.Named
			if len(names) == 0 { // of a package as a whole
				names = m.tree.Links.Used(f.Path, k)
			}
			for _, n := range names {
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
