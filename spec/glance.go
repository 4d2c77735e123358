package spec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// openingSentences is how much of a module's own documentation opens its spec.
const openingSentences = 3

// opening says what the module does, in its own words or else by what it shows, what it uses and who uses it.
func (m *material) opening() string {
	text := m.ownWords()
	if text == "" {
		text = m.shows()
	}
	return text + m.usesLine()
}

// ownWords returns the first sentences of the module's documentation with their place; "" if there is none: the
// documentation of the package or of its entry file, the README of the folder, the first sentence of the one symbol that it
// exports.
func (m *material) ownWords() string {
	for _, f := range m.entryFiles() {
		if f.Doc == "" || f.Constraint != "" && f.Constraint != "documentation" {
			continue
		}
		doc := prose.Doc(f.Doc, f.Language)
		if text := firstSentences(doc.Text); text != "" {
			return fmt.Sprintf("%s (doc `%s`)", text, m.short(fmt.Sprintf("%s:%d", f.Path, m.docLine(f))))
		}
	}
	if m.tree.Scope != "file" && m.target != "." {
		if text := model.FolderPurpose(m.project, m.target); text != "" {
			return text
		}
	}
	return m.onlyExport()
}

// onlyExport returns the first sentences of the documentation of the one function or type that the module exports; "" if
// there are more or none.
func (m *material) onlyExport() string {
	var one *code.Symbol
	for i := range m.merged.Exports {
		if s := &m.merged.Exports[i]; s.Kind != code.Const && s.Kind != code.Variable && s.Kind != code.TypeDef {
			if one != nil {
				return ""
			}
			one = s
		}
	}
	if one == nil {
		return ""
	}
	if text := firstSentences(prose.Doc(one.Doc, m.languageOf(one.File)).Text); text != "" {
		return fmt.Sprintf("%s (doc `%s`)", text, m.short(fmt.Sprintf("%s:%d", one.File, one.StartLine)))
	}
	return ""
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

// shows says what a module without documentation serves, runs or exports.
func (m *material) shows() string {
	var routes, commands []string
	for _, c := range m.ofKind(evidence.Route) {
		routes = append(routes, c.Name)
	}
	for _, c := range m.ofKind(evidence.Command) {
		commands = append(commands, c.Name)
	}
	switch {
	case len(routes) > 0:
		return fmt.Sprintf(wording.In(m.lang, "Serves %[1]s: %[2]s.", "提供 %[3]d 条路由：%[2]s。"), wording.Count(len(routes), "route"), m.sum(routes), len(routes))
	case len(commands) > 0:
		return m.exports() + " " + fmt.Sprintf(wording.In(m.lang, "A program with %[1]s: %[2]s.", "含 %[3]d 条命令的程序：%[2]s。"), wording.Count(len(commands), "command"), m.sum(commands), len(commands))
	}
	return m.exports()
}

// exports says what a module exports.
func (m *material) exports() string {
	var names, values []string
	for _, s := range m.merged.Exports {
		if s.Kind == code.Const || s.Kind == code.Variable || s.Kind == code.TypeDef {
			values = append(values, s.Name)
		} else {
			names = append(names, s.Name)
		}
	}
	if names = append(names, values...); len(names) == 0 {
		return wording.In(m.lang, "Exports nothing.", "不导出任何符号。")
	}
	return fmt.Sprintf(wording.In(m.lang, "Exports %[1]s: %[2]s.", "导出 %[2]s。"), kinds(m.merged.Exports), m.sum(names))
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

// usesLine names the folders of the project that the module uses; "" for none.
func (m *material) usesLine() string {
	own := map[string]bool{}
	for _, f := range m.sources() {
		own[path.Dir(f.Path)] = true
	}
	var uses []string
	for _, f := range m.sources() {
		for _, file := range m.tree.Links.Imports(f.Path) {
			if dir := path.Dir(file); !own[dir] && dir != "." {
				uses = appendNew(uses, []string{dir})
			}
		}
	}
	if len(uses) == 0 {
		return ""
	}
	slices.Sort(uses)
	return "\n\n" + fmt.Sprintf(wording.In(m.lang, "Uses %s.", "使用 %s。"), m.sum(uses))
}

// glance returns the summary of what users meet first: the routes of a service; "" for a module of which the requirements
// are the summary.
func (m *material) glance() string { return m.routeTables() }
