package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// statement is a requirement before it has an id: one rule that users can observe, made of the claims that show it.
type statement struct {
	title  string // a sentence with SHALL
	text   string
	symbol string
	claims []*evidence.Claim
	keys   []string // identify it across regenerations, the most specific first
	at     []Evidence
	tests  []string // places of tests that show it
	reach  int      // the number of tests that only reach it
	shown  Shown    // how they show it, if that was measured
	score  int      // how much it matters to users
	one    *exitRow // the one case that it is about; nil for other statements
	tabled bool     // the text is a table that cites each case and its tests
	table  situated // the table in the text, if it is one of cases of a function
}

// statements returns what the claims say, what matters most to users first.
func (m *material) statements() []statement {
	out := slices.Concat(m.served(), m.refused(), m.commandStatements(), m.sentences(), m.exits(), m.effects(), m.picks(), m.results(), m.built(), m.rules(), m.documented())
	stated := map[string]stating{}
	for i := range out {
		if name := nameOfKey(out[i].symbol).Qualified; len(out[i].claims) == 0 {
			stated[name] = byDocumentation
		} else if stated[name] == 0 {
			stated[name] = byClaims
		}
	}
	out = append(out, m.shownByTests(stated)...)
	entrance := m.entrance()
	for i := range out {
		owner, _, _ := strings.Cut(nameOfKey(out[i].symbol).Qualified, ".")
		if entrance[owner] {
			out[i].score += scoreEntrance
		}
	}
	slices.SortStableFunc(out, func(a, b statement) int { return cmp.Compare(b.score, a.score) })
	return out
}

// stating says by what there is a statement about a function; the zero value is for nothing.
type stating int

const (
	byClaims stating = iota + 1
	byDocumentation
)

// Scores order the statements of a spec. What a program's users meet comes before what its parts do.
const (
	scoreServed   = 1000
	scoreRefused  = 900
	scoreCommand  = 800
	scoreSaid     = 700
	scoreExit     = 100
	scoreEntrance = 40 // of what the module's entry file gives to users
	scoreSecurity = 60
	scoreStatus   = 40
	scoreCase     = 4 // each case of a decision table, up to maxScored
	scoreTest     = 2 // each test, up to maxScored
	maxScored     = 10
)

// entrance returns the names that the entry files of the module export from its other files: what users of a library meet first.
func (m *material) entrance() map[string]bool {
	out := map[string]bool{}
	for _, f := range m.sources() {
		if entryRank(f.Path) == len(entries) {
			continue
		}
		for _, i := range f.Imports {
			if i.Reexport {
				for _, name := range i.Named {
					out[name] = true
				}
			}
		}
	}
	return out
}

// requirements numbers the statements.
func (m *material) requirements(ids *numbering) []Requirement {
	var out []Requirement
	for _, s := range m.statements() {
		places, tests := s.at, testsShown
		if s.tabled {
			places, tests = s.at[:min(len(s.at), 1)], 1
		}
		r := Requirement{Title: markdown.Title(s.title), Text: s.text, Symbol: s.symbol, Evidence: places, Tests: s.tests[:min(len(s.tests), tests)], Reach: s.reach, Shown: s.shown}
		r.More = len(s.tests) - len(r.Tests)
		keys := slices.Clone(s.keys)
		for _, c := range s.claims {
			keys = append(keys, c.ID())
		}
		r.ID = ids.of(keys...)
		m.stated[r.ID], m.showing[r.ID], m.tables[r.ID] = s.claims, s.tests, s.table
		out = append(out, r)
	}
	return out
}

// sentences returns a statement for each claim that has a sentence of its own.
func (m *material) sentences() []statement {
	var out []statement
	for i := range m.claims {
		c := &m.claims[i]
		if sentences[c.Kind].section != SecRequirements || !slices.Contains(alone, c.Kind) {
			continue
		}
		s := statement{title: Say(c, m.lang), text: markdown.Quoted(details(c, m.lang)), symbol: c.Subject, claims: []*evidence.Claim{c}, at: m.evidenceOf(c), score: scoreSaid}
		out = append(out, s)
	}
	return out
}

// alone are the kinds of claims of which each is a statement.
var alone = []evidence.Kind{evidence.Service, evidence.Topic, evidence.DocumentedSafety}

// evidenceOf lists the places of a claim.
func (m *material) evidenceOf(c *evidence.Claim) []Evidence {
	var out []Evidence
	for _, p := range c.At[:min(len(c.At), maxPlaces)] {
		out = append(out, Evidence{c.Evidence(), fmt.Sprintf("%s:%d", p.File, p.Line)})
	}
	return out
}

// words returns a writer for the source text of a file.
func (m *material) words(file string) prose.Writer {
	return prose.Writer{Lang: m.lang, Code: m.languageOf(file)}
}

// wordsOf returns a writer for the source text of a claim.
func (m *material) wordsOf(c *evidence.Claim) prose.Writer {
	if len(c.At) == 0 {
		return m.words("")
	}
	return m.words(c.At[0].File)
}

// commandStatements returns a statement for each command of a program.
func (m *material) commandStatements() []statement {
	var out []statement
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Command {
			continue
		}
		out = append(out, statement{
			title: m.commandTitle(c), text: m.commandTable(c), symbol: c.Subject, claims: []*evidence.Claim{c}, at: m.evidenceOf(c), score: scoreCommand,
		})
	}
	return out
}

// commandTitle says what a command does, in the words of its help.
func (m *material) commandTitle(c *evidence.Claim) string {
	if c.Option == nil || c.Option.Help == "" {
		return Say(c, m.lang)
	}
	help, _ := markdown.Sentence(c.Option.Help, markdown.TitleBytes)
	if shall := prose.Shall(help, ""); shall != "" && m.lang != "zh" {
		return codeSpan(c.Name) + " SHALL " + shall
	}
	return Say(c, m.lang) + wording.In(m.lang, ": ", "：") + escaped(help)
}

// mostNamed limits the names in a sentence.
const mostNamed = 4

// sum lists names as code, at most a few.
func (m *material) sum(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), mostNamed)] {
		out = append(out, markdown.Code(name))
	}
	switch left := len(names) - mostNamed; {
	case left > 0:
		return strings.Join(out, wording.In(m.lang, ", ", "、")) + fmt.Sprintf(wording.In(m.lang, " and %[1]s", " 等 %[2]d 项"), wording.Count(left, "other"), len(names))
	case len(out) > 1:
		return strings.Join(out[:len(out)-1], wording.In(m.lang, ", ", "、")) + wording.In(m.lang, " and ", " 和 ") + out[len(out)-1]
	}
	return strings.Join(out, "")
}
