package spec

import (
	"fmt"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// A module behind the routes of a service, such as its repositories and schemas, is met by users through the routes alone:
// their page tells what it does to a request, and its own page is short.

// behind reports whether the module is part of a service without serving any of its routes.
func (m *material) behind() bool {
	m.readBehind()
	return len(m.behindRoutes) > 0
}

// readBehind sets what the endpoints in front of the module say, once.
func (m *material) readBehind() {
	if m.asking != nil {
		return
	}
	m.asking, m.askingFiles, m.answeredAt = map[string]bool{}, map[string]bool{}, map[string]bool{}
	m.behindRoutes = m.tree.Behind()
	for _, e := range m.behindRoutes {
		for _, r := range e.Requests {
			m.asking[placeIn(r.TestAt)], m.askingFiles[r.TestAt.File] = true, true
		}
		for i := range e.Refusals {
			m.answeredAt[placeIn(e.Refusals[i].At)] = true
		}
	}
}

func placeIn(at service.Place) string { return fmt.Sprintf("%s:%d", at.File, at.Line) }

// ofRoutes reports whether a test is one of the routes in front of the module: it shows what these answer.
func (m *material) ofRoutes(c *cases.Case) bool {
	return m.behind() && m.asking[c.Place()]
}

// behindLine says which routes the module is behind; "" for none.
func (m *material) behindLine() string {
	if !m.behind() {
		return ""
	}
	var dirs []string
	for _, e := range m.behindRoutes {
		dirs = appendNew(dirs, []string{markdown.Code(path.Dir(e.At.File))})
	}
	text := strings.Join(dirs[:min(len(dirs), usedFolders)], wording.In(m.lang, ", ", "、"))
	if left := len(dirs) - usedFolders; left > 0 {
		text += fmt.Sprintf(wording.In(m.lang, " and %[1]s", " 等 %[2]d 个目录"), wording.Count(left, "other folder"), len(dirs))
	}
	return "\n\n" + fmt.Sprintf(wording.In(m.lang, "Behind the routes of %s, whose specs say what requests are answered.", "位于 %s 的路由之后；对请求的应答见其规约。"), text)
}
