package drift

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Text returns the change type for people.
func (c ChangeType) Text() message.Text {
	switch c {
	case Addition:
		return message.New("addition")
	case Removal:
		return message.New("removal")
	case Modification:
		return message.New("modification")
	}
	return message.New("%s", string(c))
}

// Text returns the category for people.
func (c Category) Text() message.Text {
	switch c {
	case Interface:
		return message.New("interface")
	case Behavior:
		return message.New("behaviour")
	case Constraint:
		return message.New("constraint")
	}
	return message.New("%s", string(c))
}

// detection describes how an item was found.
func (i *Item) detection() message.Text {
	if i.DetectedBy == "semantic" {
		return message.New("semantic analysis")
	}
	return message.New("structural comparison")
}

// head is the front matter of a report file.
type head struct {
	Type        string `yaml:"type"`
	SpecPath    string `yaml:"specPath"`
	SourcePath  string `yaml:"sourcePath"`
	GeneratedAt string `yaml:"generatedAt"`
	SpecVersion string `yaml:"specVersion"`
}

// Markdown returns the report file of the contract: front matter, a summary table, a section
// per item, and the recommendation.
func (r *Report) Markdown() []byte {
	var b bytes.Buffer
	front, err := yaml.Marshal(head{"drift-report", r.SpecPath, r.SourcePath, r.GeneratedAt, r.SpecVersion})
	if err == nil { // marshalling strings cannot fail
		fmt.Fprintf(&b, "---\n%s---\n\n", front)
	}
	in := func(t message.Text) string { return t.In(r.Lang) }
	fmt.Fprintf(&b, "# %s\n\n## %s\n\n| %s | %s |\n|------|------|\n", in(message.New("Drift report")), in(message.New("Counts")),
		in(message.New("Measure")), in(message.New("Number")))
	for _, row := range r.measures() {
		fmt.Fprintf(&b, "| %s | %d |\n", in(row.words), row.n)
	}
	if len(r.NoiseByKind) > 0 {
		fmt.Fprintf(&b, "\n%s\n", in(message.New("Noise by kind: %s", r.noise())))
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "\n> %s\n", in(message.New("warning: %s", text)))
	}
	if len(r.Items) > 0 {
		fmt.Fprintf(&b, "\n## %s\n", in(message.New("Drift items")))
	}
	for _, item := range r.Items {
		item.markdown(&b, r.Lang)
	}
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", in(message.New("Recommendation")), r.Recommendation)
	return b.Bytes()
}

// measure is a row of the summary table.
type measure struct {
	words message.Text
	n     int
}

func (r *Report) measures() []measure {
	s := r.Summary
	return []measure{
		{message.New("total changes"), s.TotalChanges},
		{message.New("%s", string(High)), s.High},
		{message.New("%s", string(Medium)), s.Medium},
		{message.New("%s", string(Low)), s.Low},
		{message.New("breaking"), s.Breaking},
		{Addition.Text(), s.Additions},
		{Removal.Text(), s.Removals},
		{Modification.Text(), s.Modifications},
		{message.New("noise filtered"), r.FilteredNoise},
	}
}

func (i *Item) markdown(b *bytes.Buffer, lang message.Lang) {
	breaking := message.New("no")
	if i.Breaking {
		breaking = message.New("yes")
	}
	fmt.Fprintf(b, "\n### %s — %s\n\n", i.Severity, i.Description)
	field := func(label message.Text, value string) {
		fmt.Fprintf(b, "- **%s**: %s\n", label.In(lang), value)
	}
	field(message.New("ID"), i.ID)
	field(message.New("Breaking"), breaking.In(lang))
	field(message.New("Category"), i.Category.Text().In(lang))
	field(message.New("Change type"), i.ChangeType.Text().In(lang))
	field(message.New("Rule"), i.Rule)
	field(message.New("Location"), "`"+i.Location+"`")
	if i.SymbolName != "" {
		field(message.New("Symbol"), "`"+i.SymbolName+"`")
	}
	value(b, message.New("Old value").In(lang), i.OldValue)
	value(b, message.New("New value").In(lang), i.NewValue)
	for _, row := range i.facts() {
		field(row.words, row.value)
	}
	field(message.New("Detected by"), i.detection().In(lang))
	field(message.New("Proposed update"), i.ProposedUpdate)
}

// fact is a line about an item.
type fact struct {
	words message.Text
	value string
}

// facts returns the code of both sides of an item, the statements of specs that say otherwise, and the tests of these.
func (i *Item) facts() []fact {
	var out []fact
	add := func(words message.Text, list []string) {
		if len(list) > 0 {
			out = append(out, fact{words, strings.Join(list, ", ")})
		}
	}
	source := func(s *Source) []string {
		if s == nil {
			return nil
		}
		return []string{strings.TrimSpace(s.Location + " " + short(s.Text))}
	}
	if i.Category == Behavior || len(i.Statements) > 0 {
		add(message.New("was"), source(i.Was))
		add(message.New("is now"), source(i.Is))
	}
	add(message.New("says otherwise"), statementWords(i.Statements))
	switch {
	case i.Rule == "body-changed" || i.Rule == "internal-changed":
		add(message.New("may no longer hold"), statementWords(i.Related))
	case i.Category == Behavior:
		add(message.New("says something about it"), statementWords(i.Related))
	}
	add(message.New("shown by the tests"), i.Tests)
	return out
}

// maxStatements limits the statements of an item in a text.
const maxStatements = 4

func statementWords(list []Statement) []string {
	var out []string
	for _, s := range list[:min(len(list), maxStatements)] {
		text := s.ID
		if s.Title != s.ID {
			text += " “" + short(s.Title) + "”"
		}
		out = append(out, text+" ("+s.Location+")")
	}
	if left := len(list) - len(out); left > 0 {
		out = append(out, fmt.Sprintf("+%d", left))
	}
	return out
}

// value formats an old or new value, inline or as a block if it has several lines.
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

// noise describes the amount and kinds of filtered noise.
func (r *Report) noise() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(r.NoiseByKind)) {
		parts = append(parts, fmt.Sprintf("%s %d", noiseWords(kind).In(r.Lang), r.NoiseByKind[kind]))
	}
	return strings.Join(parts, ", ")
}

// paint wraps text in terminal colours, or returns it unchanged if false.
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

// Text writes the report for a terminal: what was compared, the counts, the items by severity
// with old and new values, and the recommendation. Errors are those of w.
func (r *Report) Text(w io.Writer, color bool) error {
	var b strings.Builder
	p := paint(color)
	in := func(t message.Text) string { return t.In(r.Lang) }
	fmt.Fprintf(&b, "%s  %s %s → %s\n", p.as(bold, in(message.New("drift report"))), r.SpecPath, p.as(dim, r.SpecVersion), r.SourcePath)
	s := r.Summary
	counts := in(message.New("%v: %d HIGH, %d MEDIUM, %d LOW", message.Count(s.TotalChanges, "%d change", "%d changes"), s.High, s.Medium, s.Low))
	if s.Breaking > 0 {
		counts = in(message.New("%s, %s", counts, p.as(red, in(message.New("%d breaking", s.Breaking)))))
	}
	b.WriteString(counts + "\n")
	if r.FilteredNoise > 0 {
		fmt.Fprintf(&b, "%s\n", p.as(dim, in(message.New("noise filtered: %d (%s)", r.FilteredNoise, r.noise()))))
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "%s\n", p.as(yellow, in(message.New("warning: %s", text))))
	}
	r.parts(&b)
	for _, level := range []Severity{High, Medium, Low} {
		r.level(&b, level, p)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Recommendation)
	for _, u := range r.updates() {
		fmt.Fprintf(&b, "%s\n", in(message.New("statements rewritten in %s", u)))
	}
	if r.OutputPath != "" {
		fmt.Fprintf(&b, "%s\n", p.as(dim, in(message.New("report: %s", r.OutputPath))))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// parts writes which of several specs have changes.
func (r *Report) parts(b *strings.Builder) {
	for _, part := range r.Parts {
		if s := part.Summary; s.TotalChanges > 0 && !strings.HasPrefix(part.SpecPath, "git:") {
			text := message.New("%v, %d breaking", message.Count(s.TotalChanges, "%d change", "%d changes"), s.Breaking).In(r.Lang)
			fmt.Fprintf(b, "  %s: %s\n", part.SpecPath, text)
		}
	}
}

// level writes the items of one severity with aligned columns.
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
	items, inner := withoutInner(items)
	width = min(width, maxColumn)
	breaking := message.New("BREAKING").In(r.Lang)
	fmt.Fprintf(b, "\n%s\n", p.as(bold, fmt.Sprintf("%s (%d)", level, len(items))))
	for _, i := range items {
		sign, tint := changeSign(i)
		mark := strings.Repeat(" ", columns(breaking))
		if i.Breaking {
			mark = p.as(red, breaking)
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
		for _, row := range i.facts() {
			fmt.Fprintf(b, "      %s: %s\n", row.words.In(r.Lang), row.value)
		}
	}
	if inner > 0 {
		fmt.Fprintf(b, "  %s\n", p.as(dim, message.New("and %v of code behind the interface; --json lists them", message.Count(inner, "%d change", "%d changes")).In(r.Lang)))
	}
}

// maxInner is how many changes of the implementation alone are listed for a terminal.
const maxInner = 10

// withoutInner leaves out the items that are changes of the implementation alone, if there are many; left counts them.
func withoutInner(items []Item) (list []Item, left int) {
	for _, i := range items {
		if i.Rule == "body-changed" || i.Rule == "internal-changed" {
			left++
			continue
		}
		list = append(list, i)
	}
	if left <= maxInner {
		return items, 0
	}
	return list, left
}

// columns returns the width of text in a terminal; a Chinese character is two columns wide.
func columns(text string) int {
	n := 0
	for _, c := range text {
		n++
		if unicode.Is(unicode.Han, c) {
			n++
		}
	}
	return n
}

// maxColumn is the width up to which names are aligned.
const maxColumn = 48

// shown reports whether a value adds something to the item's description.
func shown(value string, i Item) bool {
	return value != "" && !bodyHash.MatchString(value) && !strings.Contains(i.Description, short(value))
}

// bodyHash matches the hash of a body, which tells a reader nothing.
var bodyHash = lazyregexp.New(`^[0-9a-f]{16}$`)

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
