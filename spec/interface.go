package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
)

// apiSection returns section 3: every exported declaration as the source has it.
func (m *material) apiSection() string {
	of := api.Module{Name: m.name, Lang: m.lang, Merged: &m.merged, Files: m.tree.Files, Sources: m.sources(), Links: m.tree.Links}
	internal, external := m.imported()
	for _, d := range internal {
		of.Internal = append(of.Internal, d.module)
	}
	for _, d := range external {
		of.External = append(of.External, d.module)
	}
	heading := wording.In(m.lang, "3.4 Compatibility and deprecation", "3.4 向后兼容性与弃用策略")
	return strings.TrimSpace(of.Render() + fmt.Sprintf("\n\n### %s\n\n", heading) + m.deprecations())
}

// deprecations lists the symbols that are marked as deprecated.
func (m *material) deprecations() string {
	return m.section(SecInterface, "No deprecations are marked in the code.", "无弃用项。")
}
