package spec

import (
	"encoding/json"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Schemas returns the JSON Schemas in the interface section: its code blocks with a JSON
// object that has "$schema", in order.
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

// isSchema reports whether text is a JSON object with "$schema".
func isSchema(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object["$schema"] != nil
}
