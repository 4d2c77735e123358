package spec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// openingSentences is how much of a module's own documentation opens its spec.
const openingSentences = 3

// opening says what the module does, in its own words or else by what its parts say and do, what it uses, and where each is
// shown.
func (m *material) opening() string {
	text := m.ownWords()
	does := m.does()
	switch {
	case text == "" && does == "":
		text = m.shows()
	case text == "":
		text = does
	case does != "":
		text += "\n\n" + does
	}
	return text + m.usesLine() + m.behindLine()
}

// ownWords returns the first sentences of the module's documentation with their place; "" if there is none: the
// documentation of the package or of its entry file, the README of the folder, that of a project with its name, the first sentence of the one symbol that it
// exports.
func (m *material) ownWords() string {
	text, at, documented := m.ownText()
	switch {
	case text == "":
		return ""
	case documented:
		return text + " (doc `" + at + "`)"
	}
	return text + " (`" + at + "`)"
}

// ownText is [material.ownWords] without the place, and the place; documented says that it is from a comment in the code.
func (m *material) ownText() (text, at string, documented bool) {
	for _, f := range m.entryFiles() {
		if f.Doc == "" || f.Constraint != "" && f.Constraint != "documentation" || !m.speaks(f) {
			continue
		}
		text, notices := withoutNotices(f.Doc, path.Base(f.Path))
		doc := prose.Doc(text, f.Language)
		if text := firstSentences(doc.Text); text != "" {
			return text, m.short(fmt.Sprintf("%s:%d", f.Path, m.docLine(f)+notices)), true
		}
	}
	if m.tree.Scope != "file" && m.target != "." {
		for _, words := range []func(p *project.Project, folder string) (said, at string){model.FolderWords, model.ProjectWords} {
			if text, at := words(m.project, m.target); text != "" {
				return text, at, false
			}
		}
	}
	text, at = m.onlyExport()
	return text, at, true
}

// notices are how the lines of documentation begin that say whose a file is.
var notices = []string{"(c)", "©", "copyright", "author", "@author", "@copyright", "@license", "license:", "licence:", "spdx-"}

// withoutNotices returns the documentation of a file without the lines at its start that only name the file, its author or
// its licence, and the number of these lines.
func withoutNotices(doc, file string) (text string, lines int) {
	for rest := doc; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		line = strings.ToLower(strings.TrimSpace(line))
		notice := slices.ContainsFunc(notices, func(n string) bool { return strings.HasPrefix(line, n) })
		if line != "" && line != strings.ToLower(file) && !notice {
			return rest, lines
		}
		rest = after
		lines++
	}
	return "", lines
}

// speaks reports whether the documentation of a file is about the module: that of its only source, of its entry file, of a
// file with its name, of the one with all its routes, or of a Go package.
func (m *material) speaks(f *code.File) bool {
	name, _, _ := strings.Cut(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".")
	routes := m.ofKind(evidence.Route)
	if len(routes) > 0 && !slices.ContainsFunc(routes, func(c *evidence.Claim) bool { return c.At[0].File != f.Path }) {
		return true
	}
	return f.Language == "go" || entryRank(f.Path) < len(entries) || len(m.sources()) == 1 || name == m.target[strings.LastIndexByte(m.target, '/')+1:]
}

// onlyExport returns the first sentences of the documentation of the one function or type that the module exports, and their
// place; "" if there are more or none.
func (m *material) onlyExport() (text, at string) {
	var one *code.Symbol
	for i := range m.merged.Exports {
		if s := &m.merged.Exports[i]; s.Kind != code.Const && s.Kind != code.Variable && s.Kind != code.TypeDef {
			if one != nil {
				return "", ""
			}
			one = s
		}
	}
	if one == nil {
		return "", ""
	}
	if text := firstSentences(prose.Doc(one.Doc, m.languageOf(one.File)).Text); text != "" {
		return text, m.short(fmt.Sprintf("%s:%d", one.File, one.StartLine))
	}
	return "", ""
}

// entries are the names of the files that speak for their folder, without extensions.
var entries = []string{"doc", "index", "mod", "lib", "__init__", "main", "package-info"}

// entryFiles returns the sources, those that speak for the module first.
func (m *material) entryFiles() []*code.File {
	list := m.sources()
	slices.SortStableFunc(list, func(a, b *code.File) int { return entryRank(a.Path) - entryRank(b.Path) })
	return list
}

func entryRank(file string) int {
	name, _, _ := strings.Cut(file[strings.LastIndexByte(file, '/')+1:], ".")
	if i := slices.Index(entries, name); i >= 0 {
		return i
	}
	return len(entries)
}

// firstSentences returns the first sentences of the first paragraph of a text; "" for a text without prose.
func firstSentences(text string) string {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	if strings.HasPrefix(strings.TrimSpace(paragraph), "#") || len(strings.Fields(paragraph)) < 3 {
		return ""
	}
	var out []string
	for rest := paragraph; rest != "" && len(out) < openingSentences; {
		var sentence string
		sentence, rest = markdown.Sentence(rest, len(rest))
		out = append(out, sentence)
	}
	return markdown.QuotedRow(markdown.Clip(strings.Join(out, " "), maxDocumentation))
}

// shows says what a module without documentation serves or runs, else what it exports, in the words of these.
func (m *material) shows() string {
	var list []string
	text := ""
	claims := m.ofKind(evidence.Route)
	if len(claims) > 0 {
		for _, c := range claims {
			list = append(list, c.Name)
		}
		return fmt.Sprintf(wording.In(m.lang, "Serves %[1]s: %[2]s.", "提供 %[3]d 条路由：%[2]s。"), wording.Count(len(list), "route"), m.sum(list), len(list)) + m.firstPlace(claims[0])
	}
	if claims = m.ofKind(evidence.Command); len(claims) > 0 {
		for _, c := range claims {
			list = append(list, c.Name)
		}
		text = " " + fmt.Sprintf(wording.In(m.lang, "A program with %[1]s: %[2]s.", "含 %[3]d 条命令的程序：%[2]s。"), wording.Count(len(list), "command"), m.sum(list), len(list)) + m.firstPlace(claims[0])
	}
	return m.exports() + text
}

// described is how many exports the opening describes.
const described = 3

// exports says what a module exports: the first sentences of the documentation of its types and functions, else their names.
func (m *material) exports() string {
	list := m.byWeight()
	if len(list) == 0 {
		return wording.In(m.lang, "Exports nothing.", "不导出任何符号。")
	}
	var names, said []string
	for _, s := range list {
		names = append(names, s.Name)
		doc := prose.Doc(s.Doc, m.languageOf(s.File))
		if text := firstSentence(doc.Text); text != "" && len(said) < described && !doc.Internal {
			said = append(said, fmt.Sprintf("- %s: %s (doc %s)", markdown.Code(s.Name), text, m.place(fmt.Sprintf("%s:%d", s.File, s.StartLine))))
		}
	}
	text := fmt.Sprintf(wording.In(m.lang, "Exports %[1]s: %[2]s.", "导出 %[2]s。"), kinds(m.merged.Exports), m.sum(names)) +
		" (" + m.place(fmt.Sprintf("%s:%d", list[0].File, list[0].StartLine)) + ")"
	return above(text, strings.Join(said, "\n"))
}

// byWeight returns the exports, types and functions before values, and those that more tests reach first.
func (m *material) byWeight() []*code.Symbol {
	var list []*code.Symbol
	weight := map[*code.Symbol]int{}
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		list = append(list, s)
		switch {
		case s.Kind == code.Const || s.Kind == code.Variable || s.Kind == code.TypeDef:
			weight[s] = -1
		case strings.HasSuffix(s.Name, "Error") || strings.HasSuffix(s.Name, "Exception"):
		case m.reaching == nil: // the tests were not read
			weight[s] = 1 + len(s.Members)
		default:
			weight[s] = 1 + len(s.Members) + len(m.reaching.Of(s.File, s.Name, s.StartLine))
		}
	}
	slices.SortStableFunc(list, func(a, b *code.Symbol) int { return weight[b] - weight[a] })
	return list
}

// firstSentence returns the first sentence of a text; "" for a text without prose.
func firstSentence(text string) string {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	if strings.HasPrefix(strings.TrimSpace(paragraph), "#") || len(strings.Fields(paragraph)) < 3 {
		return ""
	}
	sentence, _ := markdown.Sentence(paragraph, maxDocumentation)
	return markdown.QuotedRow(sentence)
}

// docLine returns the line of a file on which its documentation begins; 1 if it is not found.
func (m *material) docLine(f *code.File) int {
	text, err := m.project.ReadFile(f.Path)
	first := strings.TrimSpace(strings.SplitN(f.Doc, "\n", 2)[0])
	if err != nil || first == "" {
		return 1
	}
	i := strings.Index(string(text), first)
	return strings.Count(string(text[:max(i, 0)]), "\n") + 1
}

// glance returns the summary of what users meet first: the routes of a service, else what the main function of the module
// answers in which situation; "" for a module without either.
func (m *material) glance() string {
	if routes := m.routeTables(); routes != "" {
		return routes
	}
	return m.situations()
}
