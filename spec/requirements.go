package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// requirements makes one requirement of each documented part of the interface:
// its documentation is its promise. Constants and variables are in the API
// section; a requirement each would bury the others.
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
		if title == "" || strings.HasPrefix(prose, "- @") { // tags alone make no title
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

// inherited are the docs that say no more than: see there.
var inherited = []string{"inheritdoc", "{@inheritdoc}", "@inheritdoc", "<inheritdoc/>", "<inheritdoc />", ":nodoc:"}

// plainDoc takes from a doc comment what is addressed to the tool that renders it:
// RDoc's directives, headings and escapes. A doc that only points elsewhere is
// empty.
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

// proseOf writes the tags of a doc comment as a list, and leaves out those that
// say nothing to a reader.
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

// numbering gives out ids: the old one to what had one, else the next.
type numbering struct {
	prefix string // "REQ-AUTH"
	old    map[string]string
	used   map[string]bool
	next   int
}

func newNumbering(prefix string) *numbering {
	return &numbering{prefix: prefix, old: map[string]string{}, used: map[string]bool{}, next: 1}
}

// keep remembers that key had id; ids of another module name are not kept.
func (n *numbering) keep(key, id string) {
	number := 0
	if _, err := fmt.Sscanf(strings.TrimPrefix(id, n.prefix), "-%d", &number); err != nil || !strings.HasPrefix(id, n.prefix+"-") || n.used[id] {
		return
	}
	n.old[key] = id
	n.used[id] = true
	n.next = max(n.next, number+1)
}

func (n *numbering) of(key string) string {
	if id, ok := n.old[key]; ok {
		return id
	}
	id := fmt.Sprintf("%s-%03d", n.prefix, n.next)
	n.next++
	n.old[key] = id
	return id
}
