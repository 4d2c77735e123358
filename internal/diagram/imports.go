package diagram

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// Limits of the import diagram, for readability.
const (
	maxInternal = 15
	maxExternal = 10
)

// importDiagram draws what the module imports.
func (m Module) importDiagram() []Diagram {
	if len(m.Internal)+len(m.External) == 0 {
		return nil
	}
	b := &strings.Builder{}
	b.WriteString("graph LR\n  M[\"" + mermaidText(m.Name) + "\"]")
	draw := func(list []string, limit int, arrow, prefix string) {
		for i, module := range list[:min(len(list), limit)] {
			fmt.Fprintf(b, "\n  M %s %s%d[\"%s\"]", arrow, prefix, i, mermaidText(module))
		}
		if len(list) > limit {
			fmt.Fprintf(b, "\n  M %s %srest[\"… %d more\"]", arrow, prefix, len(list)-limit)
		}
	}
	draw(m.Internal, maxInternal, "-->", "I")
	draw(m.External, maxExternal, "-.->", "E")
	b.WriteString("\n  style M fill:#f9f,stroke:#333,stroke-width:2px")
	caption := wording.In(m.Lang, "What the module imports; dashed what is named as a package and not by a path%s:", "模块的导入；虚线为按包名而非路径引用者%s：")
	left := max(0, len(m.Internal)-maxInternal) + max(0, len(m.External)-maxExternal)
	return []Diagram{{fmt.Sprintf(caption, m.notDrawn(left)), b.String()}}
}
