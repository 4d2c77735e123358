package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// requirements returns a requirement for each documented exported symbol: its documentation is
// its promise. Constants and variables are listed in the API section only, because they would
// crowd out the others.
func (m *material) requirements(ids *numbering) []Requirement {
	var out []Requirement
	seen := map[string]bool{}
	for _, s := range interfaceOf(m.merged.Exports) {
		if s.Doc == "" || seen[s.key] || !promises(s.Kind) {
			continue
		}
		seen[s.key] = true
		prose := proseOf(plainDoc(s.Doc, m.languageOf(s.File)))
		if prose == "" {
			continue
		}
		title, rest := markdown.Sentence(prose, markdown.TitleBytes)
		if title == "" || strings.HasPrefix(prose, "- @") { // a doc of tags only has no title
			title, rest = s.name, prose
		}
		out = append(out, Requirement{
			ID: ids.of(s.key), Title: markdown.Title(title), Text: markdown.Quoted(rest), Symbol: s.key,
			Evidence: []Evidence{{"doc", api.Place(s.Symbol)}},
		})
	}
	return out
}

func promises(k code.Kind) bool {
	switch k {
	case code.Const, code.Variable, code.Property, code.EnumMember, code.Embedded:
		return false
	default:
		return true
	}
}

// inherited lists docs that only refer to another symbol.
var inherited = []string{"inheritdoc", "{@inheritdoc}", "@inheritdoc", "<inheritdoc/>", "<inheritdoc />", ":nodoc:"}

// plainDoc removes markup for documentation tools from a doc comment: RDoc's directives,
// headings and escapes. It returns "" for a doc that only refers to another.
func plainDoc(doc, language string) string {
	if slices.Contains(inherited, strings.ToLower(strings.TrimSpace(doc))) {
		return ""
	}
	if language != "ruby" {
		return doc
	}
	var out []string
	for row := range strings.SplitSeq(doc, "\n") {
		text := strings.TrimSpace(row)
		directive, _, _ := strings.Cut(strings.TrimPrefix(text, ":"), ":")
		switch {
		case strings.HasPrefix(text, ":") && directive != "" && !strings.ContainsAny(directive, " ,.("):
			continue
		case strings.HasPrefix(text, "="):
			row = strings.TrimSpace(strings.TrimLeft(text, "="))
			if len(out) == 0 || out[len(out)-1] != "" {
				out = append(out, "")
			}
			out = append(out, row, "")
			continue
		}
		out = append(out, row)
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(out, "\n"), " \\", " "))
}

// proseOf formats the tags of a doc comment as a list and drops tags without information for a
// reader.
func proseOf(doc string) string {
	if !strings.Contains(doc, "@") {
		return doc
	}
	var out []string
	listed := false
	for row := range strings.SplitSeq(doc, "\n") {
		tag, _, _ := strings.Cut(row, " ")
		switch {
		case slices.Contains([]string{"@module", "@packageDocumentation", "@file", "@fileoverview"}, tag):
			continue
		case strings.HasPrefix(row, "@"):
			if !listed && len(out) > 0 {
				out = append(out, "")
			}
			row, listed = "- "+row, true
		case row == "":
			listed = false
		}
		out = append(out, row)
	}
	return strings.Join(out, "\n")
}

// numbering assigns ids: the previous id of a key, or else the next number.
type numbering struct {
	prefix string // "REQ-AUTH"
	old    map[string]string
	used   map[string]bool
	next   int
}

func newNumbering(prefix string) *numbering {
	return &numbering{prefix: prefix, old: map[string]string{}, used: map[string]bool{}, next: 1}
}

// keep records the id of a key. Ids with another prefix, and those of another key, are ignored.
func (n *numbering) keep(key, id string) {
	number := 0
	if _, err := fmt.Sscanf(strings.TrimPrefix(id, n.prefix), "-%d", &number); err != nil || !strings.HasPrefix(id, n.prefix+"-") || n.used[id] {
		return
	}
	n.old[key] = id
	n.used[id] = true
	n.next = max(n.next, number+1)
}

// of returns the id of the first known key, or else the next one, which it records for the
// first key.
func (n *numbering) of(keys ...string) string {
	for _, key := range keys {
		if id, ok := n.old[key]; ok {
			return id
		}
	}
	id := fmt.Sprintf("%s-%03d", n.prefix, n.next)
	n.next++
	n.old[keys[0]] = id
	return id
}
