package spec

import (
	"fmt"
	"iter"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/diagram"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// apiSection writes section 3: every exported declaration as the source has it.
func (m *material) apiSection() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", wording.In(m.lang, "3.1 Interface definitions", "3.1 接口定义"))
	if len(m.merged.Exports) == 0 {
		b.WriteString(wording.In(m.lang, "Nothing is exported.", "没有导出任何符号。") + "\n\n")
	}
	m.values(&b)
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		if s.Kind != code.Const && s.Kind != code.Variable {
			m.definition(&b, s)
		}
	}
	m.variants(&b)
	m.reexports(&b)
	m.schemas(&b)
	fmt.Fprintf(&b, "### %s\n\n", wording.In(m.lang, "3.3 Diagrams", "3.3 图示"))
	b.WriteString(m.pictures())
	fmt.Fprintf(&b, "\n\n### %s\n\n", wording.In(m.lang, "3.4 Compatibility and deprecation", "3.4 向后兼容性与弃用策略"))
	b.WriteString(m.deprecations())
	return strings.TrimSpace(b.String())
}

// definition writes one function or type.
func (m *material) definition(b *strings.Builder, s *code.Symbol) {
	fmt.Fprintf(b, "#### `%s` · %s · `%s`\n\n", s.Name, s.Kind, place(s))
	if s.Broken {
		fmt.Fprintf(b, "> [SYNTAX ERROR: %s]\n\n", wording.In(m.lang, "the parser could not read all of it", "解析器未能完整读取"))
	}
	text := declaration(s, m.languageOf(s.File))
	if text == "" {
		b.WriteString(wording.In(m.lang, "The file is the component; no text declares what it takes.", "文件本身即为组件；没有文本声明其参数。") + "\n\n")
		return
	}
	b.WriteString(markdown.Fenced(m.languageOf(s.File), text) + "\n\n")
}

// languageOf returns the language of a file of the tree.
func (m *material) languageOf(file string) string {
	for _, f := range m.tree.Files {
		if f.Path == file {
			return f.Language
		}
	}
	return m.merged.Language
}

// form is how a language writes a type with its members.
type form struct{ open, shut, comment, indent, empty string }

func formOf(language string) form {
	switch language {
	case "python":
		return form{":", "", "#", "    ", ""}
	case "ruby":
		return form{"", "\nend", "#", "  ", ""}
	case "c", "cpp":
		return form{" {", "\n};", "//", "  ", ""}
	case "go":
		return form{" {", "\n}", "//", "\t", "{}"}
	case "typescript", "javascript":
		return form{" {", "\n}", "//", "  ", " {}"}
	}
	return form{" {", "\n}", "//", "  ", ""}
}

// block writes the members of a type.
func (f form) block(b *strings.Builder, members []string) {
	if len(members) == 0 {
		return
	}
	b.WriteString(f.open)
	for _, m := range members {
		b.WriteString("\n" + f.indent + strings.ReplaceAll(m, "\n", "\n"+f.indent))
	}
	b.WriteString(f.shut)
}

// without is how a type is written that has no members to write.
func (f form) without(k code.Kind, members []string) string {
	if len(members) > 0 || !k.HoldsMembers() {
		return ""
	}
	return f.empty
}

// declaration writes a symbol's signature and, for a type, its exported members
// in the way of its language.
func declaration(s *code.Symbol, language string) string {
	f := formOf(language)
	head, tail := heads(s)
	companion := strings.Contains(tail, "object ")
	var inside, beside, after []string
	hidden := 0
	for i := range s.Members {
		m := &s.Members[i]
		switch {
		case s.Kind == code.Type && (language != "go" || m.Kind != code.Method): // the signature shows them
		case !m.Exported:
			hidden++
		case language == "go" && m.Kind == code.Method && m.Receiver != "":
			after = append(after, m.Signature)
		case companion && m.Static:
			beside = append(beside, declaration(m, language))
		default:
			inside = append(inside, declaration(m, language))
		}
	}
	if hidden > 0 && s.Kind.HoldsMembers() {
		inside = append(inside, fmt.Sprintf("%s %d not exported", f.comment, hidden))
	}
	var b strings.Builder
	b.WriteString(head)
	f.block(&b, inside)
	b.WriteString(f.without(s.Kind, inside))
	if tail != "" {
		b.WriteString("\n" + tail)
		f.block(&b, beside)
	}
	for _, line := range after {
		b.WriteString("\n\n" + line)
	}
	return b.String()
}

// heads splits the signature of a type after the declaration itself: what follows
// are the heads of a companion object or of extensions in the same file, whose
// members are the type's.
func heads(s *code.Symbol) (head, tail string) {
	if !s.Kind.HoldsMembers() {
		return s.Signature, ""
	}
	for at, row := range lines(s.Signature) {
		if at > 0 && strings.Contains(row, s.Name) && (strings.Contains(row, "extension ") || strings.Contains(row, "object ")) {
			return s.Signature[:at-1], s.Signature[at:]
		}
	}
	return s.Signature, ""
}

// lines yields the rows of a text that are not indented, and where they start.
func lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		at := 0
		for row := range strings.Lines(text) {
			if row[0] != ' ' && row[0] != '\t' && !yield(at, row) {
				return
			}
			at += len(row)
		}
	}
}

// values writes the exported constants and variables, a block for each file.
func (m *material) values(b *strings.Builder) {
	byFile := map[string][]string{}
	var order []string
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		if s.Kind != code.Const && s.Kind != code.Variable {
			continue
		}
		if byFile[s.File] == nil {
			order = append(order, s.File)
		}
		byFile[s.File] = append(byFile[s.File], declaration(s, m.languageOf(s.File)))
	}
	for _, file := range order {
		fmt.Fprintf(b, "#### %s · `%s`\n\n", wording.In(m.lang, "Constants and variables", "常量与变量"), file)
		b.WriteString(markdown.Fenced(m.languageOf(file), strings.Join(byFile[file], "\n")) + "\n\n")
	}
}

// variants lists what only other platforms have.
func (m *material) variants(b *strings.Builder) {
	var rows []string
	for i := range m.merged.Variants {
		s := &m.merged.Variants[i]
		if s.Exported && s.Constraint != "ignore" {
			signature, _, _ := strings.Cut(s.Signature, "\n")
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s` |", markdown.Code(s.Constraint), markdown.Cell(markdown.Code(signature)), place(s)))
		}
	}
	if len(rows) == 0 {
		return
	}
	if left := len(rows) - maxRows; left > 0 { // the baseline holds them all
		rows = append(rows[:maxRows], fmt.Sprintf(wording.In(m.lang, "| … | %d more | |", "| … | 另有 %d 项 | |"), left))
	}
	fmt.Fprintf(b, "#### %s\n\n| %s | %s | %s |\n|---|---|---|\n%s\n\n",
		wording.In(m.lang, "Only on other platforms", "仅在其他平台"), wording.In(m.lang, "Condition", "条件"),
		wording.In(m.lang, "Declaration", "声明"), wording.In(m.lang, "Place", "位置"), strings.Join(rows, "\n"))
}

// reexports lists what the module hands on from others.
func (m *material) reexports(b *strings.Builder) {
	var rows []string
	for _, f := range m.sources() {
		for _, i := range f.Imports {
			if i.Reexport {
				names := strings.Join(i.Named, ", ")
				if i.Namespace != "" {
					names = "* as " + i.Namespace
				}
				rows = append(rows, fmt.Sprintf("| %s | %s | `%s:%d` |", markdown.Cell(markdown.Code(names)), markdown.Code(i.Module), f.Path, i.Line))
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "#### %s\n\n| %s | %s | %s |\n|---|---|---|\n%s\n\n",
		wording.In(m.lang, "Re-exports", "再导出"), wording.In(m.lang, "Names", "名称"), wording.In(m.lang, "From", "来源"),
		wording.In(m.lang, "Place", "位置"), strings.Join(rows, "\n"))
}

// pictures writes the diagrams of the module.
func (m *material) pictures() string {
	of := diagram.Module{Name: m.name, Lang: m.lang, Files: m.sources(), Exports: m.merged.Exports}
	internal, external := m.imported()
	for _, d := range internal {
		of.Internal = append(of.Internal, d.module)
	}
	for _, d := range external {
		of.External = append(of.External, d.module)
	}
	var out []string
	for _, d := range diagram.Diagrams(of) {
		out = append(out, d.Caption+"\n\n"+markdown.Fenced("mermaid", d.Text))
	}
	if len(out) == 0 {
		return wording.In(m.lang, "There are neither types nor imports to draw.", "没有可绘制的类型或依赖。")
	}
	return strings.Join(out, "\n\n")
}

// deprecations lists what the code itself calls deprecated.
func (m *material) deprecations() string {
	var rows []string
	for _, s := range interfaceOf(m.merged.Exports) {
		if why, ok := deprecated(s.Symbol); ok {
			rows = append(rows, fmt.Sprintf("- `%s` (`%s`): %s", s.name, place(s.Symbol), why))
		}
	}
	if len(rows) == 0 {
		return wording.In(m.lang, "No deprecations are marked in the code.", "无弃用项。")
	}
	return strings.Join(rows, "\n")
}

// deprecated tells whether a symbol says so in its documentation or decorators.
func deprecated(s *code.Symbol) (why string, ok bool) {
	for _, mark := range []string{"Deprecated:", "@deprecated", ".. deprecated::"} {
		if _, rest, found := strings.Cut(s.Doc, mark); found {
			first, _ := markdown.Sentence(rest, titleBytes*2)
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
