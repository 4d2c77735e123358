package ruby

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// doc returns the comment directly above n without its marks, and the types in RBS
// comments: "#: (Integer) -> String".
func (r *reader) doc(n syntax.Node) (text string, rbs []string) {
	return r.docAbove(n.Line() - 1)
}

func (r *reader) docAbove(line int) (text string, rbs []string) {
	var block []syntax.Node
	for c, ok := r.comments[line]; ok; c, ok = r.comments[line] {
		block = append(block, c)
		line = c.Line() - 1
	}
	slices.Reverse(block)
	var rows []string
	hidden := false // between #-- and #++, which RDoc omits
	for _, c := range block {
		for _, row := range commentRows(c.Text()) {
			switch mark := strings.TrimSpace(row); {
			case strings.HasPrefix(row, ":") && c.Begins("#:") || strings.HasPrefix(row, "|") && len(rbs) > 0 && len(rows) == 0:
				rbs = append(rbs, "#"+row)
			case mark == "--" || mark == "++":
				hidden = mark == "--"
			case !hidden && !isMagic(row):
				rows = append(rows, strings.TrimPrefix(row, " "))
			}
		}
	}
	return strings.TrimSpace(strings.Join(rows, "\n")), rbs
}

// commentRows returns the lines of a comment without # or =begin and =end.
func commentRows(text string) []string {
	if strings.HasPrefix(text, "=begin") {
		rows := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		if len(rows) < 2 {
			return nil
		}
		if strings.HasPrefix(rows[len(rows)-1], "=end") {
			rows = rows[:len(rows)-1]
		}
		return rows[1:]
	}
	text = strings.TrimRight(strings.TrimPrefix(text, "#"), " \t\r\n")
	if strings.Trim(text, "#") == "" {
		text = ""
	}
	return []string{text}
}

// magic are the words before the colon in comments addressed to the interpreter and to
// tools.
var magic = []string{
	"frozen_string_literal", "encoding", "coding", "fileencoding", "warn_indent", "warn_past_scope", "shareable_constant_value",
	"typed", "rubocop", "standard", "steep", "rbs_inline", "vim", "syntax_tree", "stree-ignore",
}

// isMagic reports whether a comment line is not documentation.
func isMagic(row string) bool {
	text := strings.TrimSpace(row)
	for _, mark := range []string{"!", "-*-", ":markup:", ":stopdoc:", ":startdoc:", ":enddoc:"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	word, value, ok := strings.Cut(text, ":")
	if !ok || value == "" {
		return false
	}
	word = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), "-", "_")
	return slices.Contains(magic, word) && (word != "encoding" && word != "typed" || !strings.Contains(strings.TrimSpace(value), " "))
}

// fileDoc returns the first comment of the file, unless it documents a declaration or
// is a licence.
func (r *reader) fileDoc() string {
	first := r.Root().First()
	before := r.File.LOC + 1
	if first.Ok() {
		before = first.Line()
	}
	for line := 1; line < before; line++ {
		_, ok := r.comments[line]
		if _, more := r.comments[line+1]; !ok || more {
			continue
		}
		text, _ := r.docAbove(line)
		if text == "" || isLicence(text) {
			continue
		}
		if line+1 == before && !isRequire(first) {
			return ""
		}
		return text
	}
	return ""
}

func isLicence(text string) bool {
	return strings.Contains(text, "Copyright") || strings.Contains(text, "SPDX-License-Identifier")
}

func isRequire(n syntax.Node) bool {
	return n.Is("call") && slices.Contains(requires, n.Field("method").Text())
}
