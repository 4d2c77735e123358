package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// maxRows limits the rows of a list; the rest is counted.
const maxRows = 100

// rows joins at most maxRows rows and counts the rest.
func (m *material) rows(list []string, none, noneZH string) string {
	if len(list) == 0 {
		return wording.In(m.lang, none, noneZH)
	}
	left := len(list) - maxRows
	if left > 0 {
		list = append(slices.Clone(list[:maxRows]), fmt.Sprintf(wording.In(m.lang, "- … and %d more", "- …另有 %d 项"), left))
	}
	return strings.Join(list, "\n")
}

// intent returns the module's own documentation and a summary of its contents.
func (m *material) intent() string {
	var out []string
	for _, f := range m.sources() {
		if f.Doc != "" && (f.Constraint == "" || f.Constraint == "documentation") && !slices.Contains(out, markdown.Quoted(f.Doc)) && len(out) < 5 {
			out = append(out, markdown.Quoted(proseOf(f.Doc)))
		}
	}
	if len(out) == 0 {
		out = append(out, wording.In(m.lang, "The code documents no purpose. What it shows:", "代码中没有模块说明。代码所示："))
	}
	out = append(out, fmt.Sprintf(wording.In(m.lang,
		"`%s` is %d files of %s, %d lines; it exports %s.",
		"`%s`：%d 个文件（%s），共 %d 行；导出 %s。"),
		m.name, len(m.tree.Files), m.merged.Language, m.merged.LOC, cmp.Or(kinds(m.merged.Exports), wording.In(m.lang, "nothing", "无"))))
	return strings.Join(out, "\n\n")
}

// logic lists the program entry points and the calls between the module's functions.
func (m *material) logic() string {
	var rows []string
	for _, e := range m.merged.Entries {
		name := wording.In(m.lang, "the file's own statements", "文件自身的语句")
		if e.Name != "" {
			name = "`" + e.Name + "`"
		}
		rows = append(rows, fmt.Sprintf("- %s (`%s:%d`)", name, e.File, e.Line))
	}
	if len(rows) == 0 {
		return m.callees() + m.decisions()
	}
	return wording.In(m.lang, "Programs start at:\n\n", "程序入口：\n\n") + m.rows(rows, "", "") + "\n\n" + m.callees() + m.decisions()
}

// callees lists calls between functions of the same file, by unqualified name.
func (m *material) callees() string {
	functions := map[string]bool{}
	for _, list := range [][]code.Symbol{m.merged.Exports, m.merged.Internals} {
		for _, s := range list {
			if s.Kind == code.Function {
				functions[s.Name] = true
			}
		}
	}
	var rows []string
	for _, f := range m.sources() {
		callees := map[string][]string{}
		var order []string
		for _, c := range f.Calls {
			if c.In == "" || c.Receiver != "" || !functions[c.Name] || c.Name == c.In {
				continue
			}
			if callees[c.In] == nil {
				order = append(order, c.In)
			}
			if name := "`" + c.Name + "`"; !slices.Contains(callees[c.In], name) {
				callees[c.In] = append(callees[c.In], name)
			}
		}
		for _, caller := range order {
			rows = append(rows, fmt.Sprintf("- `%s` (`%s`) → %s", caller, f.Path, strings.Join(callees[caller], ", ")))
		}
	}
	head := wording.In(m.lang, "Which function rests on which (calls by name inside the module):\n\n", "函数之间的调用（模块内按名称）：\n\n")
	if len(rows) == 0 {
		head = ""
	}
	return head + m.rows(rows, "No function of the module calls another by name.", "模块内没有按名称的函数调用。")
}

// decisions lists the values on which functions branch.
func (m *material) decisions() string {
	rows := m.minedRows(evidence.Logic)
	if len(rows) == 0 {
		return ""
	}
	return "\n\n" + wording.In(m.lang, "How functions choose:\n\n", "分支依据：\n\n") + strings.Join(rows, "\n")
}

// constraints lists constants and platform constraints.
func (m *material) constraints() string {
	var rows []string
	for _, f := range m.tree.Files {
		if f.Constraint != "" {
			rows = append(rows, fmt.Sprintf(wording.In(m.lang, "- `%s` is built only for %s", "- `%s` 仅在 %s 下构建"), f.Path, markdown.Code(f.Constraint)))
		}
	}
	mined := m.minedRows(evidence.Constraint)
	for _, list := range [][]code.Symbol{m.merged.Exports, m.merged.Internals} {
		for i := range list {
			if s := &list[i]; s.Kind == code.Const && !evidence.IsLimit(s) && s.Value != "" && len(s.Value) <= markdown.TitleBytes {
				rows = append(rows, fmt.Sprintf("- `%s` = %s (`%s`)", s.Name, markdown.Code(s.Value), api.Place(s)))
			}
		}
	}
	if len(rows) == 0 && len(mined) > 0 {
		return strings.Join(mined, "\n")
	}
	text := m.rows(rows, "No constant values or platform conditions were found.", "未发现常量或平台条件。")
	if len(mined) == 0 {
		return text
	}
	return strings.Join(mined, "\n") + "\n" + text
}

// failureWords are words with which documentation describes failures.
var failureWords = []string{"panic", "an error", "error if", "errors if", "error when", "throw", "raise", "fails", "must not", "is undefined"}

// edgeCases quotes documentation and signatures about failures.
func (m *material) edgeCases() string {
	var rows []string
	for _, s := range interfaceOf(m.merged.Exports) {
		if isErrorName(s.Symbol) {
			rows = append(rows, fmt.Sprintf("- `%s` · %s (`%s`)", s.name, s.Kind, api.Place(s.Symbol)))
		}
		if i := strings.Index(s.Signature, " throws "); i >= 0 && s.Kind != code.Variable {
			rows = append(rows, fmt.Sprintf("- `%s` %s (`%s`)", s.name, markdown.Code(s.Signature[i+1:]), api.Place(s.Symbol)))
		}
		for _, text := range failures(s.Doc) {
			rows = append(rows, fmt.Sprintf("- `%s`: %s (`%s`)", s.name, text, api.Place(s.Symbol)))
		}
	}
	rows = append(m.minedRows(evidence.EdgeCase), rows...)
	return m.rows(rows, "The documentation names no failure.", "文档未说明失败情形。")
}

func isErrorName(s *code.Symbol) bool {
	last := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
	return s.Kind == code.Variable && strings.HasPrefix(last, "Err") ||
		s.Kind == code.Class && (strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Exception"))
}

// failures returns up to two sentences of doc about failures.
func failures(doc string) []string {
	var out []string
	doc = strings.ReplaceAll(doc, "\n@", "\n\n@") // each tag starts a sentence
	for doc != "" && len(out) < 2 {
		var first string
		before := len(doc)
		first, doc = markdown.Sentence(doc, 400)
		if len(doc) >= before { // too long to cut; use it whole
			return out
		}
		low := strings.ToLower(first)
		if !strings.HasPrefix(first, "@") && slices.ContainsFunc(failureWords, func(w string) bool { return strings.Contains(low, w) }) {
			out = append(out, strings.ReplaceAll(markdown.Quoted(first), "\n", " "))
		}
	}
	return out
}

// debt lists TODO notes, deprecated symbols and unparsable text.
func (m *material) debt() string {
	var rows []string
	for _, e := range m.merged.ParseErrors {
		touched := ""
		if len(e.Affected) > 0 {
			touched = " · `" + strings.Join(e.Affected, "`, `") + "`"
		}
		rows = append(rows, fmt.Sprintf("- [SYNTAX ERROR: `%s:%d:%d` %s]%s", e.File, e.Line, e.Column, markdown.Quoted(markdown.Cell(e.Message)), touched))
	}
	for _, f := range m.tree.Files {
		for _, n := range f.Notes {
			rows = append(rows, fmt.Sprintf("- **%s** %s (`%s:%d`)", n.Marker, markdown.Quoted(markdown.Cell(n.Text)), f.Path, n.Line))
		}
	}
	rows = append(rows, m.secretRows()...)
	rows = append(rows, m.minedRows(evidence.Debt)...)
	return m.rows(rows, "No TODO, FIXME or like note, and no syntax error, was found.", "未发现 TODO、FIXME 等标记或语法错误。")
}

// coverage counts the tests and lists the functions that no test calls.
func (m *material) coverage() string {
	var rows []string
	called := map[string]bool{}
	for _, f := range slices.Concat(m.tests(), m.elsewhere) {
		for _, c := range f.Calls {
			called[c.Name] = true
		}
		if len(f.Tests) > 0 {
			rows = append(rows, fmt.Sprintf("- `%s`: %s (%s)", f.Path, wording.Count(len(f.Tests), "case"), f.Tests[0].Runner))
		}
	}
	text := m.rows(rows, "No tests were found beside the code.", "未发现测试。") + m.furtherTests() + m.unprovenRows()
	if len(rows) == 0 {
		return text
	}
	var open []string
	for _, s := range interfaceOf(m.merged.Exports) {
		if (s.Kind == code.Function || s.Kind == code.Method) && !called[cases.LastName(s.name)] {
			open = append(open, fmt.Sprintf("- `%s` (`%s`)", s.name, api.Place(s.Symbol)))
		}
	}
	if len(open) == 0 {
		return text + "\n\n" + wording.In(m.lang, "Every exported function and method is called by name in a test.", "所有导出的函数和方法都在测试中被按名称调用。")
	}
	return text + "\n\n" + wording.In(m.lang, "Called by name in no test:\n\n", "没有测试按名称调用：\n\n") + m.rows(open, "", "")
}

// inventory lists the files, each with its purpose: its documentation or its exports.
func (m *material) inventory() []InventoryFile {
	var out []InventoryFile
	for _, f := range m.tree.Files {
		purpose, _ := markdown.Sentence(f.Doc, markdown.TitleBytes)
		if f.Test {
			purpose = cmp.Or(purpose, wording.In(m.lang, "tests", "测试"))
		}
		if purpose == "" {
			var names []string
			for _, s := range f.Symbols {
				if s.Exported && len(names) < 5 {
					names = append(names, s.Name)
				}
			}
			purpose = strings.Join(names, ", ")
		}
		if f.Generated {
			purpose += " (generated)"
		}
		if f.Vendored {
			purpose += " (vendored)"
		}
		out = append(out, InventoryFile{f.Path, f.LOC, strings.TrimSpace(strings.ReplaceAll(markdown.Cell(purpose), `\|`, "|"))})
	}
	return out
}
