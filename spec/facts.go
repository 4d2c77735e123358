package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
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
	exported := cmp.Or(kinds(m.merged.Exports), wording.In(m.lang, "nothing", "无"))
	out = append(out, wording.In(m.lang,
		fmt.Sprintf("`%s` is %s of %s, %s; it exports %s.", m.name, wording.Count(len(m.tree.Files), "file"), m.merged.Language, wording.Count(m.merged.LOC, "line"), exported),
		fmt.Sprintf("`%s`：%d 个文件（%s），共 %d 行；导出 %s。", m.name, len(m.tree.Files), m.merged.Language, m.merged.LOC, exported)))
	return strings.Join(out, "\n\n")
}

// logic lists the program entry points and the calls between the module's functions.
func (m *material) logic() string {
	rows := m.claimRows(evidence.Entry)
	if len(rows) == 0 {
		return m.callees() + m.decisions()
	}
	return wording.In(m.lang, "Programs start at:\n\n", "程序入口：\n\n") + strings.Join(rows, "\n") + "\n\n" + m.callees() + m.decisions()
}

// callees lists the calls between the functions of the module, in the order of the callers and of their lines.
func (m *material) callees() string {
	own := map[string]bool{}
	for _, f := range m.sources() {
		own[f.Path] = true
	}
	var rows []string
	for _, f := range m.sources() {
		var callers []string
		callees := map[string][]string{}
		for _, n := range m.tree.Links.Linked(f.Path) {
			from := n.Outer().Path()
			for _, u := range m.tree.Links.Calls(n) {
				to := u.To.Outer()
				if from == "" || !own[to.File] || to == n.Outer() || u.Rule == resolve.Implementation {
					continue
				}
				if callees[from] == nil {
					callers = append(callers, from)
				}
				if name := markdown.Code(to.Path()); !slices.Contains(callees[from], name) {
					callees[from] = append(callees[from], name)
				}
			}
		}
		for _, from := range callers {
			rows = append(rows, fmt.Sprintf("- %s (`%s`) → %s", markdown.Code(from), f.Path, strings.Join(callees[from], ", ")))
		}
	}
	head := wording.In(m.lang, "Which function calls which inside the module:\n\n", "模块内函数之间的调用：\n\n")
	if len(rows) == 0 {
		head = ""
	}
	return head + m.rows(rows, "No function of the module calls another.", "模块内没有函数之间的调用。")
}

// decisions lists what functions change, call elsewhere, and branch on.
func (m *material) decisions() string {
	var text strings.Builder
	for _, list := range []struct {
		head label
		kind evidence.Kind
	}{
		{label{"What functions change:", "函数所作的更改："}, evidence.Effect},
		{label{"What they call in other modules:", "对其他模块的调用："}, evidence.Call},
		{label{"How functions choose:", "分支依据："}, evidence.Choice},
	} {
		if rows := m.claimRows(list.kind); len(rows) > 0 {
			text.WriteString("\n\n" + list.head.in(m.lang) + "\n\n" + strings.Join(rows, "\n"))
		}
	}
	return text.String()
}

// constraints lists the platforms, limits and values that the module depends on.
func (m *material) constraints() string {
	return m.section(SecConstraints, "No constant values or platform conditions were found.", "未发现常量或平台条件。")
}

// edgeCases quotes documentation and signatures about failures.
func (m *material) edgeCases() string {
	return m.section(SecEdgeCases, "The documentation names no failure.", "文档未说明失败情形。")
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
	rows = append(rows, m.claimRows(evidence.Note)...)
	rows = append(rows, m.secretRows()...)
	rows = append(rows, m.claimRows(evidence.DeprecatedUse, evidence.Complex)...)
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
			row := fmt.Sprintf("- `%s`: %s (%s)", f.Path, wording.Count(len(f.Tests), "case"), f.Tests[0].Runner)
			if n := m.reach[f.Path]; n < len(f.Tests) {
				row += fmt.Sprintf(wording.In(m.lang, "; the module is reached by %d of them", "，其中 %d 个到达本模块"), n)
			}
			rows = append(rows, row)
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
