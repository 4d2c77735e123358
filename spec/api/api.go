// Package api writes the parts of a spec's interface section that come from the exported
// symbols of a [Module]: declarations, variants, re-exports, the JSON Schema of data
// structures, and diagrams. [Declaration] writes one symbol in the syntax of its language.
package api

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/diagram"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/schema"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Module is the module whose interface is written.
type Module struct {
	Name    string
	Lang    string         // "en" or "zh"
	Merged  *code.Skeleton // all files as one
	Files   []*code.File   // the module's files, tests included
	Sources []*code.File   // the same without tests
	Links   *resolve.Links // of Files
	// Internal and External are the imported modules, for the diagrams.
	Internal, External []string
}

// maxRows limits the rows of a table; the rest is counted.
const maxRows = 100

// Render returns sections 3.1 to 3.3 as Markdown.
func (m *Module) Render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", wording.In(m.Lang, "3.1 Interface definitions", "3.1 接口定义"))
	if len(m.Merged.Exports) == 0 {
		b.WriteString(wording.In(m.Lang, "Nothing is exported.", "没有导出任何符号。") + "\n\n")
	}
	m.values(&b)
	for i := range m.Merged.Exports {
		s := &m.Merged.Exports[i]
		if s.Kind != code.Const && s.Kind != code.Variable {
			m.definition(&b, s)
		}
	}
	m.variants(&b)
	m.reexports(&b)
	m.schemas(&b)
	fmt.Fprintf(&b, "### %s\n\n", wording.In(m.Lang, "3.3 Diagrams", "3.3 图示"))
	b.WriteString(m.diagrams())
	return b.String()
}

// definition writes one function or type.
func (m *Module) definition(b *strings.Builder, s *code.Symbol) {
	fmt.Fprintf(b, "#### `%s` · %s · `%s`\n\n", s.Name, s.Kind, Place(s))
	if s.Broken {
		fmt.Fprintf(b, "> [SYNTAX ERROR: %s]\n\n", wording.In(m.Lang, "the parser could not read all of it", "解析器未能完整读取"))
	}
	text := Declaration(s, m.languageOf(s.File))
	if text == "" {
		b.WriteString(wording.In(m.Lang, "The file is the component; no text declares what it takes.", "文件本身即为组件；没有文本声明其参数。") + "\n\n")
		return
	}
	b.WriteString(markdown.Fenced(m.languageOf(s.File), text) + "\n\n")
}

// values writes the exported constants and variables, a block for each file.
func (m *Module) values(b *strings.Builder) {
	byFile := map[string][]string{}
	var order []string
	for i := range m.Merged.Exports {
		s := &m.Merged.Exports[i]
		if s.Kind != code.Const && s.Kind != code.Variable {
			continue
		}
		if byFile[s.File] == nil {
			order = append(order, s.File)
		}
		byFile[s.File] = append(byFile[s.File], Declaration(s, m.languageOf(s.File)))
	}
	for _, file := range order {
		fmt.Fprintf(b, "#### %s · `%s`\n\n", wording.In(m.Lang, "Constants and variables", "常量与变量"), file)
		b.WriteString(markdown.Fenced(m.languageOf(file), strings.Join(byFile[file], "\n")) + "\n\n")
	}
}

// variants lists the symbols that exist only on other platforms.
func (m *Module) variants(b *strings.Builder) {
	var rows []string
	for i := range m.Merged.Variants {
		s := &m.Merged.Variants[i]
		if s.Exported && s.Constraint != "ignore" {
			signature, _, _ := strings.Cut(s.Signature, "\n")
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s` |", markdown.Code(s.Constraint), markdown.Cell(markdown.Code(signature)), Place(s)))
		}
	}
	if len(rows) == 0 {
		return
	}
	if left := len(rows) - maxRows; left > 0 { // the baseline holds them all
		rows = append(rows[:maxRows], fmt.Sprintf(wording.In(m.Lang, "| … | %d more | |", "| … | 另有 %d 项 | |"), left))
	}
	fmt.Fprintf(b, "#### %s\n\n| %s | %s | %s |\n|---|---|---|\n%s\n\n",
		wording.In(m.Lang, "Only on other platforms", "仅在其他平台"), wording.In(m.Lang, "Condition", "条件"),
		wording.In(m.Lang, "Declaration", "声明"), wording.In(m.Lang, "Place", "位置"), strings.Join(rows, "\n"))
}

// reexports lists the names that the module re-exports.
func (m *Module) reexports(b *strings.Builder) {
	var rows []string
	for _, f := range m.Sources {
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
		wording.In(m.Lang, "Re-exports", "再导出"), wording.In(m.Lang, "Names", "名称"), wording.In(m.Lang, "From", "来源"),
		wording.In(m.Lang, "Place", "位置"), strings.Join(rows, "\n"))
}

// schemas writes the JSON Schema of the data structures, if there are any.
func (m *Module) schemas(b *strings.Builder) {
	doc := schema.Of(m.Merged, m.languageOf, new(lang.Types).Of)
	if doc == nil {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", wording.In(m.Lang, "3.2 Data structures (JSON Schema)", "3.2 JSON Schema 定义"))
	b.WriteString(wording.In(m.Lang,
		"Draft 2020-12; each type is at `#/$defs/`. `$comment` has its place, and names what the code does not fix.",
		"采用 draft 2020-12；各类型位于 `#/$defs/`。`$comment` 给出其位置，并指出代码未确定之处。") + "\n\n")
	b.WriteString(markdown.Fenced("json", doc.Text) + "\n\n")
	if doc.Left > 0 {
		fmt.Fprintf(b, wording.In(m.Lang, "%d more are not shown.\n\n", "另有 %d 个未列出。\n\n"), doc.Left)
	}
}

// diagrams writes the diagrams of the module.
func (m *Module) diagrams() string {
	of := diagram.Module{Name: m.Name, Lang: m.Lang, Files: m.Sources, Exports: m.Merged.Exports, Links: m.Links, Internal: m.Internal, External: m.External}
	var out []string
	for _, d := range diagram.Diagrams(of) {
		out = append(out, d.Caption+"\n\n"+markdown.Fenced("mermaid", d.Text))
	}
	if len(out) == 0 {
		return wording.In(m.Lang, "There are neither types nor imports to draw.", "没有可绘制的类型或依赖。")
	}
	return strings.Join(out, "\n\n")
}

// languageOf returns the language of a file of the module.
func (m *Module) languageOf(file string) string {
	return cmp.Or(LanguageOf(m.Files, file), m.Merged.Language)
}
