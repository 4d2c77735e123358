package drift

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The contract's words for categories, change types and ways of detection.
var (
	changeWords = []struct {
		kind  ChangeType
		words string
	}{
		{Addition, "新增 (addition)"}, {Removal, "移除 (removal)"}, {Modification, "修改 (modification)"},
	}
	categoryWords = []struct {
		kind  Category
		words string
	}{
		{Interface, "接口 (Interface)"}, {Behavior, "行为 (Behavior)"}, {Constraint, "约束 (Constraint)"},
	}
)

func (c ChangeType) words() string {
	for _, w := range changeWords {
		if w.kind == c {
			return w.words
		}
	}
	return string(c)
}

func (c Category) words() string {
	for _, w := range categoryWords {
		if w.kind == c {
			return w.words
		}
	}
	return string(c)
}

// head is the front matter of a report file.
type head struct {
	Type        string `yaml:"type"`
	SpecPath    string `yaml:"specPath"`
	SourcePath  string `yaml:"sourcePath"`
	GeneratedAt string `yaml:"generatedAt"`
	SpecVersion string `yaml:"specVersion"`
}

// Markdown returns the report as the contract's report file: front matter, a
// table that counts, a section per item, and the recommendation.
func (r *Report) Markdown() []byte {
	var b bytes.Buffer
	front, err := yaml.Marshal(head{"drift-report", r.SpecPath, r.SourcePath, r.GeneratedAt, r.SpecVersion})
	if err == nil { // strings always marshal
		fmt.Fprintf(&b, "---\n%s---\n\n", front)
	}
	fmt.Fprintf(&b, "# 漂移检测报告\n\n## 汇总统计\n\n| 指标 | 数量 |\n|------|------|\n")
	s := r.Summary
	for _, row := range []struct {
		words string
		n     int
	}{
		{"变更总数 (changes)", s.TotalChanges},
		{"HIGH", s.High},
		{"MEDIUM", s.Medium},
		{"LOW", s.Low},
		{"破坏性 (breaking)", s.Breaking},
		{Addition.words(), s.Additions},
		{Removal.words(), s.Removals},
		{Modification.words(), s.Modifications},
		{"已过滤噪声 (noise filtered)", r.FilteredNoise},
	} {
		fmt.Fprintf(&b, "| %s | %d |\n", row.words, row.n)
	}
	if len(r.NoiseByKind) > 0 {
		fmt.Fprintf(&b, "\n噪声分类 (noise by kind): %s\n", noiseText(r.NoiseByKind))
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "\n> 警告 (warning): %s\n", text)
	}
	if len(r.Items) > 0 {
		b.WriteString("\n## 漂移项\n")
	}
	for _, item := range r.Items {
		item.markdown(&b)
	}
	fmt.Fprintf(&b, "\n## 建议\n\n%s\n", r.Recommendation)
	return b.Bytes()
}

func (i Item) markdown(b *bytes.Buffer) {
	breaking := "否 (no)"
	if i.Breaking {
		breaking = "是 (yes)"
	}
	detected := "结构比较 (structural)"
	if i.DetectedBy == "semantic" {
		detected = "语义分析 (semantic)"
	}
	fmt.Fprintf(b, "\n### %s — %s\n\n", i.Severity, i.Description)
	fmt.Fprintf(b, "- **ID**: %s\n- **破坏性**: %s\n- **类别**: %s\n- **变更类型**: %s\n- **规则**: %s\n- **位置**: `%s`\n",
		i.ID, breaking, i.Category.words(), i.ChangeType.words(), i.Rule, i.Location)
	if i.SymbolName != "" {
		fmt.Fprintf(b, "- **符号**: `%s`\n", i.SymbolName)
	}
	value(b, "旧值", i.OldValue)
	value(b, "新值", i.NewValue)
	fmt.Fprintf(b, "- **检测方式**: %s\n- **建议更新**: %s\n", detected, i.ProposedUpdate)
}

// value writes an old or new value: in line, or as a block when it has lines.
func value(b *bytes.Buffer, label, text string) {
	switch {
	case text == "":
	case strings.ContainsAny(text, "\n`"):
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "- **%s**:\n\n  %s\n  %s\n  %s\n\n", label, fence, strings.ReplaceAll(text, "\n", "\n  "), fence)
	default:
		fmt.Fprintf(b, "- **%s**: `%s`\n", label, text)
	}
}

func noiseText(kinds map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, kinds[kind]))
	}
	return strings.Join(parts, ", ")
}

// paint wraps text in terminal colours, or leaves it as it is.
type paint bool

const (
	red    = "31"
	yellow = "33"
	green  = "32"
	dim    = "2"
	bold   = "1"
)

func (p paint) as(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Text writes the report for a terminal: what was compared, the counts, the
// items by severity with old and new values, and the recommendation. Errors are
// the writer's.
func (r *Report) Text(w io.Writer, color bool) error {
	var b strings.Builder
	p := paint(color)
	fmt.Fprintf(&b, "%s  %s %s → %s\n", p.as(bold, "漂移检测 (drift)"), r.SpecPath, p.as(dim, r.SpecVersion), r.SourcePath)
	s := r.Summary
	counts := fmt.Sprintf("%d 处变更 (changes): %d HIGH, %d MEDIUM, %d LOW", s.TotalChanges, s.High, s.Medium, s.Low)
	if s.Breaking > 0 {
		counts += ", " + p.as(red, fmt.Sprintf("%d 处破坏性 (breaking)", s.Breaking))
	}
	b.WriteString(counts + "\n")
	if r.FilteredNoise > 0 {
		fmt.Fprintf(&b, "%s\n", p.as(dim, fmt.Sprintf("已过滤噪声 (noise filtered): %d (%s)", r.FilteredNoise, noiseText(r.NoiseByKind))))
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "%s %s\n", p.as(yellow, "警告 (warning):"), text)
	}
	for _, level := range []Severity{High, Medium, Low} {
		r.level(&b, level, p)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Recommendation)
	if r.OutputPath != "" {
		fmt.Fprintf(&b, "%s\n", p.as(dim, "报告 (report): "+r.OutputPath))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// level writes the items of one severity, their columns aligned.
func (r *Report) level(b *strings.Builder, level Severity, p paint) {
	var items []Item
	width := 0
	for _, i := range r.Items {
		if i.Severity == level {
			items = append(items, i)
			width = max(width, utf8.RuneCountInString(i.SymbolName))
		}
	}
	if len(items) == 0 {
		return
	}
	width = min(width, maxColumn)
	fmt.Fprintf(b, "\n%s\n", p.as(bold, fmt.Sprintf("%s (%d)", level, len(items))))
	for _, i := range items {
		sign, tint := changeSign(i)
		mark := "        "
		if i.Breaking {
			mark = p.as(red, "BREAKING")
		}
		pad := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(i.SymbolName)))
		fmt.Fprintf(b, "  %s %s  %s%s  %s\n", p.as(tint, sign), mark, p.as(bold, i.SymbolName), pad, p.as(dim, i.ID+"  "+i.Location))
		fmt.Fprintf(b, "      %s\n", i.Description)
		if shown(i.OldValue, i) {
			fmt.Fprintf(b, "      %s\n", p.as(red, "- "+short(i.OldValue)))
		}
		if shown(i.NewValue, i) {
			fmt.Fprintf(b, "      %s\n", p.as(green, "+ "+short(i.NewValue)))
		}
	}
}

// maxColumn is the width up to which names are aligned.
const maxColumn = 48

// shown tells whether a value says more than the item's description does.
func shown(value string, i Item) bool {
	return value != "" && i.Rule != "body-changed" && !strings.Contains(i.Description, "`"+short(value)+"`")
}

func changeSign(i Item) (sign, tint string) {
	switch i.ChangeType {
	case Addition:
		return "+", green
	case Removal:
		return "-", red
	case Modification:
	}
	return "~", yellow
}
