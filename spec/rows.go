package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// shared joins the rows of a table that the specs of other modules refer to: behind the routes of a service the page has all.
func (m *material) shared(list []string) string {
	if m.behind() {
		return strings.Join(list, "\n")
	}
	return m.rows(list)
}

// rows joins the rows of a table or a list, as many as the page shows, and counts the rest.
func (m *material) rows(list []string) string { return m.rowsUpTo(list, 0) }

// rowsUpTo is like rows for a table of which the page shows at least so many rows.
func (m *material) rowsUpTo(list []string, least int) string {
	if most := max(m.limits.rows, least); m.limits.rows > 0 && len(list) > most+1 {
		left := len(list) - most
		m.left.rows += left
		more := fmt.Sprintf(wording.In(m.lang, "… and %d more", "……另有 %d 项"), left)
		if columns := strings.Count(strings.ReplaceAll(list[0], `\|`, ""), "|") - 1; strings.HasPrefix(list[0], "|") && columns > 0 {
			more = "| " + more + " |" + strings.Repeat(" |", columns-1)
		} else {
			more = "- " + more
		}
		list = append(slices.Clone(list[:most]), more)
	}
	return strings.Join(list, "\n")
}
