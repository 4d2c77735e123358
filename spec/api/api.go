// Package api writes the parts of a spec's interface section that come from the exported
// symbols of a [Module]: declarations, variants, re-exports, the JSON Schema of data
// structures, and diagrams. [Declaration] writes one symbol in the syntax of its language.
package api

import (
	"cmp"
	"fmt"
	"strconv"
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
	// Short returns a place as the page writes it.
	Short func(place string) string
	// About returns what is known of a symbol beside its signature, on one line; "" for nothing.
	About func(s *code.Symbol) string
	// Schemas says that data structures cross the module's boundary: their JSON Schema is a part of the interface.
	Schemas bool
	// MaxLines limits the lines of the declarations; 0 for no limit. Left is set to the number of declarations that are left
	// out, wholly or in part.
	MaxLines, Left int
	// Compact writes the signatures of functions on one line.
	Compact bool
	// Bare leaves JSON Schema and diagrams out; LeftSchemas and LeftDiagrams are set if there are any.
	Bare                      bool
	LeftSchemas, LeftDiagrams bool

	drawn *string // the diagrams; nil until needed
}

// maxRows limits the rows of a table; the rest is counted.
const maxRows = 100

// Render returns sections 3.1 to 3.3 as Markdown, without those that are empty. It may be called again with other limits.
func (m *Module) Render() string {
	m.Left = 0
	var b strings.Builder
	m.definitions(&b)
	m.variants(&b)
	m.reexports(&b)
	if m.Schemas {
		var schemas strings.Builder
		if m.schemas(&schemas); !m.Bare {
			b.WriteString(schemas.String())
		}
		m.LeftSchemas = m.Bare && schemas.Len() > 0
	}
	text := m.diagrams()
	if m.LeftDiagrams = m.Bare && text != ""; text != "" && !m.Bare {
		fmt.Fprintf(&b, "### %s\n\n%s\n", wording.In(m.Lang, "3.3 Diagrams", "3.3 图示"), text)
	}
	return strings.TrimSpace(b.String())
}

// definitions writes the exported declarations, a block of code for each file.
func (m *Module) definitions(b *strings.Builder) {
	byFile := map[string][]string{}
	var order []string
	lines := 0
	for _, s := range m.ranked() {
		text := m.definition(s)
		if text == "" {
			continue
		}
		text = m.cut(text, formOf(m.languageOf(s.File)))
		if lines += strings.Count(text, "\n") + 1; m.MaxLines > 0 && lines > m.MaxLines && len(order) > 0 {
			m.Left++
			continue
		}
		if byFile[s.File] == nil {
			order = append(order, s.File)
		}
		byFile[s.File] = append(byFile[s.File], text)
	}
	if len(order) == 0 {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", wording.In(m.Lang, "3.1 Interface definitions", "3.1 接口定义"))
	for _, file := range order {
		b.WriteString(markdown.Fenced(m.languageOf(file), strings.Join(byFile[file], "\n")) + "\n\n")
	}
}

// ranked returns the exports in their order; where not all may be shown, types and functions come first.
func (m *Module) ranked() []*code.Symbol {
	var first, last []*code.Symbol
	for i := range m.Merged.Exports {
		s := &m.Merged.Exports[i]
		if m.MaxLines > 0 && (s.Kind == code.Const || s.Kind == code.Variable || s.Kind == code.TypeDef) {
			last = append(last, s)
		} else {
			first = append(first, s)
		}
	}
	return append(first, last...)
}

// cut shortens a declaration that would fill most of the interface.
func (m *Module) cut(text string, f form) string {
	most := m.MaxLines / 2
	rows := strings.Split(text, "\n")
	if m.MaxLines == 0 || len(rows) <= most+1 {
		return text
	}
	m.Left++
	for most > 1 && strings.Count(strings.Join(rows[:most], ""), "(") != strings.Count(strings.Join(rows[:most], ""), ")") { // not inside a signature
		most--
	}
	return strings.Join(rows[:most], "\n") + fmt.Sprintf(wording.In(m.Lang, "\n%s … %d more lines", "\n%s ……另有 %d 行"), f.comment, len(rows)-most)
}

// placeMark begins the comment above a declaration, with its place.
const placeMark = "@ "

// definition writes one declaration below a comment with its place and its documentation; "" for one without text.
func (m *Module) definition(s *code.Symbol) string {
	language := m.languageOf(s.File)
	text := declaration(m.compact(s), language, notes{m.Lang, m.member, true})
	f := formOf(language)
	note := m.Short(Place(s))
	if s.Broken {
		note += wording.In(m.Lang, " [SYNTAX ERROR: the parser could not read all of it]", " [SYNTAX ERROR: 解析器未能完整读取]")
	}
	if text == "" {
		note += wording.In(m.Lang, " the file is the component; no text declares what it takes", " 文件本身即为组件；没有文本声明其参数")
	}
	if about := m.About(s); about != "" {
		note += " " + about
	}
	return strings.TrimRight(f.comment+" "+placeMark+note+"\n"+text, "\n")
}

// member returns the comment of a member: what is known of it, and its line.
func (m *Module) member(s *code.Symbol) string {
	about := m.About(s)
	if s.Kind == code.Method || s.Kind == code.Constructor || s.Kind == code.Function {
		_, line, _ := strings.Cut(Place(s), ":")
		return strings.TrimSpace(":" + line + " " + about)
	}
	return about
}

// Declared is a declaration of a block that [Module.Render] wrote.
type Declared struct {
	Place     string // as written
	Signature string
}

// ReadDeclarations reads the declarations of a block of code.
func ReadDeclarations(block string) []Declared {
	var out []Declared
	for row := range strings.SplitSeq(block, "\n") {
		for _, comment := range []string{"// ", "# "} {
			rest, ok := strings.CutPrefix(row, comment+placeMark)
			if !ok {
				continue
			}
			place, _, _ := strings.Cut(rest, " ")
			out = append(out, Declared{Place: place})
			row = ""
		}
		if strings.HasPrefix(row, "@") && withoutDecorators(row+" ") == "" {
			continue
		}
		if last := len(out) - 1; last >= 0 && row != "" && out[last].Signature == "" {
			out[last].Signature = strings.TrimSuffix(strings.TrimSuffix(withoutDecorators(row), " {"), ":")
		}
	}
	return out
}

// variants lists the symbols that exist only on other platforms.
func (m *Module) variants(b *strings.Builder) {
	var rows []string
	for i := range m.Merged.Variants {
		s := &m.Merged.Variants[i]
		if s.Exported && s.Constraint != "ignore" {
			signature, _, _ := strings.Cut(s.Signature, "\n")
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s` |", markdown.Cell(markdown.Code(s.Constraint)), markdown.Cell(markdown.Code(signature)), m.Short(Place(s))))
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

// reexports lists the names that the module re-exports, a row for each module that they are from.
func (m *Module) reexports(b *strings.Builder) {
	var rows []string
	for _, f := range m.Sources {
		var from []string
		names, line := map[string][]string{}, map[string]int{}
		for i := range f.Imports {
			of := &f.Imports[i]
			if !of.Reexport {
				continue
			}
			if names[of.Module] == nil {
				from, line[of.Module] = append(from, of.Module), of.Line
			}
			names[of.Module] = append(names[of.Module], namesOf(of)...)
		}
		for _, module := range from {
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s` |", markdown.Cell(strings.Join(names[module], ", ")), markdown.Code(module), m.Short(f.Path+":"+strconv.Itoa(line[module]))))
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "#### %s\n\n| %s | %s | %s |\n|---|---|---|\n%s\n\n",
		wording.In(m.Lang, "Re-exports", "再导出"), wording.In(m.Lang, "Names", "名称"), wording.In(m.Lang, "From", "来源"),
		wording.In(m.Lang, "Place", "位置"), strings.Join(rows, "\n"))
}

// namesOf returns the names that an import binds, as code.
func namesOf(i *code.Import) []string {
	if i.Namespace != "" {
		return []string{markdown.Code("* as " + i.Namespace)}
	}
	var out []string
	for _, name := range i.Named {
		out = append(out, markdown.Code(name))
	}
	return out
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
	if m.drawn != nil {
		return *m.drawn
	}
	of := diagram.Module{Name: m.Name, Lang: m.Lang, Files: m.Sources, Exports: m.Merged.Exports, Links: m.Links}
	var out []string
	for _, d := range diagram.Diagrams(of) {
		if len(out) < maxDiagrams {
			out = append(out, d.Caption+"\n\n"+markdown.Fenced("mermaid", d.Text))
		}
	}
	text := strings.Join(out, "\n\n")
	m.drawn = &text
	return text
}

// maxDiagrams limits the diagrams of a page.
const maxDiagrams = 2

// languageOf returns the language of a file of the module.
func (m *Module) languageOf(file string) string {
	return cmp.Or(LanguageOf(m.Files, file), m.Merged.Language)
}
