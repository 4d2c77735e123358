package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// apiSection returns section 3: every exported declaration as the source has it.
func (m *material) apiSection() string {
	of := api.Module{Name: m.name, Lang: m.lang, Merged: &m.merged, Files: m.tree.Files, Sources: m.sources()}
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
	var rows []string
	for _, s := range interfaceOf(m.merged.Exports) {
		if why, ok := deprecated(s.Symbol); ok {
			rows = append(rows, fmt.Sprintf("- `%s` (`%s`): %s", s.name, api.Place(s.Symbol), why))
		}
	}
	if len(rows) == 0 {
		return wording.In(m.lang, "No deprecations are marked in the code.", "无弃用项。")
	}
	return strings.Join(rows, "\n")
}

// deprecated reports whether the documentation or a decorator marks a symbol as deprecated,
// and returns the text of the mark.
func deprecated(s *code.Symbol) (why string, ok bool) {
	for _, mark := range []string{"Deprecated:", "@deprecated", ".. deprecated::"} {
		if _, rest, found := strings.Cut(s.Doc, mark); found {
			first, _ := markdown.Sentence(rest, markdown.TitleBytes*2)
			return markdown.Quoted(first), true
		}
	}
	for _, d := range s.Decorators {
		if strings.Contains(strings.ToLower(d), "deprecated") {
			return markdown.Code(d), true
		}
	}
	return "", false
}
