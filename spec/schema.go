package spec

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/schema"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
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
	b.WriteString(wording.In(m.lang,
		"Draft 2020-12; each type is at `#/$defs/`. `$comment` has its place, and names what the code does not fix.",
		"采用 draft 2020-12；各类型位于 `#/$defs/`。`$comment` 给出其位置，并指出代码未确定之处。") + "\n\n")
	b.WriteString(markdown.Fenced("json", doc.Text) + "\n\n")
	if doc.Left > 0 {
		fmt.Fprintf(b, wording.In(m.lang, "%d more are not shown.\n\n", "另有 %d 个未列出。\n\n"), doc.Left)
	}
}

// Schemas returns the JSON Schemas that stand in the spec's section of interfaces:
// its code blocks that hold a JSON object with "$schema", in their order.
func (s *Spec) Schemas() []json.RawMessage {
	var out []json.RawMessage
	fence := ""
	var block []string
	for line := range strings.SplitSeq(s.Interface, "\n") {
		before := fence
		fence = markdown.FenceAfter(fence, line)
		switch {
		case before == "":
			block = nil
		case fence != "":
			block = append(block, line)
		default:
			if text := strings.Join(block, "\n"); isSchema(text) {
				out = append(out, json.RawMessage(text))
			}
		}
	}
	return out
}

// isSchema tells whether a text is a JSON Schema that says so.
func isSchema(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object["$schema"] != nil
}
