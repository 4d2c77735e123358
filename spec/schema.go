package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/schema"
)

// schemaHeading is over the JSON Schema of the module's data structures.
var schemaHeading = label{"3.2 Data structures (JSON Schema)", "3.2 JSON Schema 定义"}

// schemas writes the JSON Schema of the data structures, where there are any.
func (m *material) schemas(b *strings.Builder) {
	doc := schema.Of(&m.merged, m.languageOf)
	if doc == nil {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", schemaHeading.in(m.lang))
	b.WriteString(pick(m.lang,
		"Draft 2020-12; each type is at `#/$defs/`. `$comment` has its place, and names what the code does not fix.",
		"采用 draft 2020-12；各类型位于 `#/$defs/`。`$comment` 给出其位置，并指出代码未确定之处。") + "\n\n")
	b.WriteString(fenced("json", doc.Text) + "\n\n")
	if doc.Left > 0 {
		fmt.Fprintf(b, pick(m.lang, "%d more are not shown.\n\n", "另有 %d 个未列出。\n\n"), doc.Left)
	}
}

// Schema returns the JSON Schema that stands in the spec's section of interfaces,
// as text; "" when there is none.
func (s *Spec) Schema() string {
	_, list := blocks(s.Interface, 3)
	for _, b := range list {
		if b.title == schemaHeading.en || b.title == schemaHeading.zh {
			_, rest, _ := strings.Cut(b.text, "```json\n")
			text, _, _ := strings.Cut(rest, "\n```")
			return text
		}
	}
	return ""
}
