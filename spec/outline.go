package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// Outline is what the claims about a module say, as data for the formats of other tools. It does not depend on what the page
// has room for. All texts are Markdown on one line, in the language Lang, unless it says otherwise.
type Outline struct {
	Module   string // the target of the spec
	Lang     string
	Purpose  string      // what the module's own documentation says; "" for nothing
	Parts    []string    // what the documentation of the first exports says: "`Signer`: signs bytes."
	Provides []string    // routes, commands or exported names, plain, those that most tests reach first
	Serves   Served      // what they are
	Rules    []Rule      // what matters most to users first
	Entities []Entity    // data that the module declares: tables, and exported types with documentation
	Gaps     []OpenPoint // what the code leaves undecided
}

// Served is what a module provides to its users.
type Served int

// Kinds of what a module provides.
const (
	Names Served = iota // functions and types that other code uses
	Routes
	Commands
)

// Rule is a requirement: one thing that users can observe.
type Rule struct {
	Key   string // identifies it within its module, whatever it says: "exits Signer.unsign"
	Name  string // plain text
	Says  string // a sentence with SHALL
	Note  string // a further sentence; "" for none
	Of    string // the symbol, plain; "" for the module
	Files []string
	// Places are where the code or its documentation shows it, file:line.
	Places []string
	Tests  []string // files of tests that show it
	Cases  []RuleCase
	More   int // the number of cases that are left out
	// Examples are tests that show it.
	Examples []Example
	Claims   []string // ids of the claims behind it
}

// RuleCase is what happens under one condition.
type RuleCase struct {
	Name string // a few words, plain
	When string // the event with the condition, without "when": "`f` is called and `x` is empty"
	Then string // what happens: "it raises `E`"
	Do   string // the same as the system's duty, after "shall": "raise `E`"
	Kind CaseKind
	// Trigger and If are the parts of When of a [State] or [Optional] case, if it has two; else "".
	Trigger, If string
	At          string // file:line; "" if unknown
}

// split notes the parts of the event of a case: what happens, and under which condition.
func (c *RuleCase) split(trigger, when string) {
	if when != "" && (c.Kind == State || c.Kind == Optional) {
		c.Trigger, c.If = trigger, when
	}
}

// CaseKind is how a case is triggered, by which EARS chooses its keyword.
type CaseKind int

// Kinds of cases.
const (
	Event    CaseKind = iota // something happens
	Unwanted                 // something that is refused or fails
	State                    // a state of the system holds
	Optional                 // a setting or option is given, or not
)

// Example is a test in words.
type Example struct {
	Name  string // plain
	Given []string
	When  string
	Then  []string
	At    string // file:line
}

// Entity is data with named parts.
type Entity struct {
	Name, Doc string
	Fields    []string // plain: "id Int not null"
	At        string   // file:line
}

// OpenPoint is a question that the code leaves open.
type OpenPoint struct{ Question, At string }

// Limits of an outline.
const (
	mostCases    = 24
	mostExamples = 2
	mostEntities = 12
	nameBytes    = 90
)

// ruleDraft is a rule with what orders it and the places of its tests.
type ruleDraft struct {
	Rule
	score   int
	tests   []string          // file:line
	asked   []*evidence.Claim // routes and refusals, which tests with requests show
	quoted  bool              // tests are its own if they assert its errors
	byTests bool              // its cases are what tests assert
}

// outline returns what the claims say.
func (m *material) outline() *Outline {
	m.limits = limits{rows: mostCases}
	o := &Outline{Module: m.target, Lang: m.lang, Entities: m.entities(), Gaps: m.openPoints()}
	if o.Purpose, _, _ = m.ownText(); strings.HasSuffix(o.Purpose, ":") { // it introduces something else
		o.Purpose = ""
	}
	o.Provides, o.Serves = m.provided()
	o.Parts = m.describedParts()
	documented := m.documentedRules()
	drafts := slices.Concat(m.servedRules(), m.refusedRules(), m.commandRules(), m.saidRules(), m.exitRules(), m.callRules(), m.pickRules(), m.resultRules(),
		m.settingRules(), m.usageRules(), documented, m.testedRules(documented))
	drafts = slices.DeleteFunc(drafts, func(d ruleDraft) bool { return len(d.Cases) == 0 })
	slices.SortStableFunc(drafts, func(a, b ruleDraft) int { return strings.Compare(a.Key, b.Key) })
	m.giveExamples(drafts)
	for i := range drafts {
		if d := &drafts[i]; d.byTests && len(d.Examples) > 0 { // which say the same in more words
			d.Cases = nil
		}
	}
	slices.SortStableFunc(drafts, func(a, b ruleDraft) int { return cmp.Compare(b.score, a.score) })
	for i := range drafts {
		d := &drafts[i]
		o.Rules = append(o.Rules, m.finished(d))
	}
	distinctNames(o.Rules)
	return o
}

// finished returns the rule of a draft with its lists cut and its names told apart.
func (m *material) finished(d *ruleDraft) Rule {
	r := d.Rule
	if len(r.Cases) > mostCases {
		r.More, r.Cases = len(r.Cases)-mostCases, r.Cases[:mostCases]
	}
	for i := range r.Cases {
		r.Cases[i].Name = shortName(r.Cases[i].Name)
	}
	distinctCases(&r)
	r.Name = shortName(r.Name)
	r.Says = closed(r.Says, m.lang)
	m.tidyRule(&r)
	for _, at := range r.Places {
		file, _, _ := strings.Cut(at, ":")
		r.Files = appendNew(r.Files, []string{file})
	}
	for _, at := range d.tests {
		file, _, _ := strings.Cut(at, ":")
		r.Tests = appendNew(r.Tests, []string{file})
	}
	return r
}

// tidyRule removes the spaces that composing Chinese text of phrases leaves.
func (m *material) tidyRule(r *Rule) {
	texts := []*string{&r.Says, &r.Note}
	for i := range r.Cases {
		c := &r.Cases[i]
		texts = append(texts, &c.When, &c.Then, &c.Do, &c.Trigger, &c.If)
	}
	for i := range r.Examples {
		e := &r.Examples[i]
		texts = append(texts, &e.When)
		for j := range e.Given {
			texts = append(texts, &e.Given[j])
		}
		for j := range e.Then {
			texts = append(texts, &e.Then[j])
		}
	}
	for _, t := range texts {
		*t = wording.Tidy(m.lang, *t)
	}
}

// shortName returns a name on one line, short, without marks, beginning with a capital letter if it is a word.
func shortName(name string) string {
	name = markdown.Title(strings.NewReplacer("`", "", "**", "", "\\", "").Replace(name))
	name = strings.TrimRight(strings.Replace(markdown.Clip(name, nameBytes), ",…", "…", 1), " .:,;")
	first, _, _ := strings.Cut(name, " ")
	if first != "" && strings.ToLower(first) == first && !strings.ContainsAny(first, "._-/:#<>()[]{}\"'$@=") && !strings.ContainsAny(first, "0123456789") {
		r := []rune(name)
		name = strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	return name
}

// closed ends a text with a full stop.
func closed(text, lang string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + wording.In(lang, ".", "。")
}

// numbered tells a name from the ones before it.
func numbered(name string, n int) string { return name + " (" + strconv.Itoa(n) + ")" }

// distinctNames numbers rules of one name.
func distinctNames(list []Rule) {
	seen := map[string]int{}
	for i := range list {
		key := strings.ToLower(list[i].Name)
		if seen[key]++; seen[key] > 1 {
			list[i].Name = numbered(list[i].Name, seen[key])
		}
	}
}

// distinctCases numbers cases and examples of one name.
func distinctCases(r *Rule) {
	seen := map[string]int{}
	for i := range r.Cases {
		key := strings.ToLower(r.Cases[i].Name)
		if seen[key]++; seen[key] > 1 {
			r.Cases[i].Name = numbered(r.Cases[i].Name, seen[key])
		}
	}
	for i := range r.Examples {
		key := strings.ToLower(r.Examples[i].Name)
		if seen[key]++; seen[key] > 1 {
			r.Examples[i].Name = numbered(r.Examples[i].Name, seen[key])
		}
	}
}

// provided returns what users of the module meet: its routes, else its commands, else what it exports.
func (m *material) provided() (list []string, what Served) {
	for _, c := range m.ofKind(evidence.Route) {
		list = appendNew(list, []string{c.Name})
	}
	if len(list) > 0 {
		return list, Routes
	}
	for _, c := range m.ofKind(evidence.Command) {
		list = appendNew(list, []string{c.Name})
	}
	if len(list) > 0 {
		return list, Commands
	}
	for _, s := range m.byWeight() {
		list = appendNew(list, []string{s.Name})
	}
	return list, Names
}

// describedParts returns what the documentation of the exports that most tests reach says.
func (m *material) describedParts() []string {
	var out []string
	for _, s := range m.byWeight() {
		doc := prose.Doc(s.Doc, m.languageOf(s.File))
		said, _, _ := strings.Cut(doc.Text, "```") // an example may follow without an empty line
		if text := firstSentence(strings.TrimSpace(said)); text != "" && !doc.Internal && len(out) < described {
			out = append(out, markdown.Code(s.Name)+colon(m.lang)+text)
		}
	}
	return out
}

// entities returns the tables of the database and the exported types with parts.
func (m *material) entities() []Entity {
	var out []Entity
	for _, c := range m.ofKind(evidence.Table) {
		e := Entity{Name: c.Name, Fields: c.Values}
		if len(c.At) > 0 {
			e.At = placeOf(c)
		}
		out = append(out, e)
	}
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		if s.Kind != code.Struct && s.Kind != code.Class && s.Kind != code.Interface && s.Kind != code.TypeDef {
			continue
		}
		e := Entity{Name: s.Name, Doc: firstSentence(prose.Doc(s.Doc, m.languageOf(s.File)).Text), At: fmt.Sprintf("%s:%d", s.File, s.StartLine)}
		for j := range s.Members {
			if f := &s.Members[j]; f.Exported && f.Kind == code.Property {
				e.Fields = append(e.Fields, f.Name)
			}
		}
		if len(e.Fields) > 0 {
			out = append(out, e)
		}
	}
	return out[:min(len(out), mostEntities)]
}

// openPoints returns what the code leaves undecided: a conflict that nothing handles, rows in no order, notes of its authors.
func (m *material) openPoints() []OpenPoint {
	var out []OpenPoint
	for _, c := range m.ofKind(evidence.Hazard) {
		if text := m.question(c); text != "" && len(c.At) > 0 {
			out = append(out, OpenPoint{text, placeOf(c)})
		}
	}
	for _, c := range m.ofKind(evidence.Note) {
		if len(c.At) > 0 && c.Text != "" {
			out = append(out, OpenPoint{Say(c, m.lang), placeOf(c)})
		}
	}
	return out[:min(len(out), mostEntities)]
}

// question asks what a hazard of the database leaves open; "" for one that only costs time.
func (m *material) question(c *evidence.Claim) string {
	route, table := codeSpan(c.Of), codeSpan(c.Name)
	switch c.Role {
	case evidence.Conflict:
		return fmt.Sprintf(wording.In(m.lang, "what shall %[1]s answer when a row of %[2]s has the same %[3]s? No code handles the conflict", "当 %[2]s 中已有相同的 %[3]s 时，%[1]s 应如何应答？没有代码处理该冲突"), route, table, listed(c.Values))
	case evidence.Separate:
		return fmt.Sprintf(wording.In(m.lang, "may a part of what %[1]s writes stay when a later write fails? The writes are in no transaction", "当后面的写入失败时，%[1]s 已写入的部分可否保留？这些写入不在同一事务中"), route)
	case evidence.Unordered:
		return fmt.Sprintf(wording.In(m.lang, "in which order shall %[1]s return the rows of %[2]s? The code gives none", "%[1]s 应以何种顺序返回 %[2]s 的行？代码未指定"), route, table)
	}
	return ""
}
