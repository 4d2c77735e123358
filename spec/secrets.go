package spec

import (
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// secretRows lists the secrets in source files as technical debt, because everyone who reads
// the code has them.
func (m *material) secretRows() []string {
	var rows []string
	for _, f := range m.sources() {
		for _, s := range f.Redactions {
			rows = append(rows, fmt.Sprintf(wording.In(m.lang, "- **SECRET** the code holds one: `%s` (`%s:%d`)", "- **SECRET** 代码中含有敏感信息：`%s`（`%s:%d`）"), s.Type, f.Path, s.Line))
		}
	}
	return rows
}
