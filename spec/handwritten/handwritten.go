// Package handwritten reads specs that people wrote: in the form of OpenSpec, of Spec Kit, of Kiro with EARS, or as plain
// Markdown with requirements. It splits a text into requirements and scenarios with ids and lines, and changes nothing.
package handwritten

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Form is the form of a spec.
type Form string

// The forms.
const (
	OpenSpec Form = "openspec"
	SpecKit  Form = "speckit"
	EARS     Form = "ears"  // as Kiro keeps it
	Plain    Form = "plain" // Markdown with sentences that demand something
)

// MaxSize limits specs, in bytes.
const MaxSize = 4 << 20

// ErrNone is returned for a text without a requirement.
var ErrNone = message.Errorf("no requirement was found in it: there is no heading “Requirement: …”, no FR-001, no acceptance criterion, and no sentence with SHALL or MUST")

// Spec is a spec that a person wrote.
type Spec struct {
	Path         string        `json:"path"`
	Form         Form          `json:"form"`
	Name         string        `json:"name"`              // of the capability or feature: the folder of spec.md, or the file
	Title        string        `json:"title,omitempty"`   // the first heading
	Purpose      string        `json:"purpose,omitempty"` // what it says before its requirements
	Requirements []Requirement `json:"requirements"`
}

// Requirement is a requirement of a spec. Texts are Markdown as it was written.
type Requirement struct {
	ID        string     `json:"id"` // stable as long as its title is: cli-list/task-counting, 001-login/FR-003, login/2
	Title     string     `json:"title"`
	Text      string     `json:"-"`
	Line      int        `json:"line"`
	EndLine   int        `json:"endLine"`
	Scenarios []Scenario `json:"scenarios"` // never nil
}

// Scenario is a scenario or an acceptance criterion of a requirement.
type Scenario struct {
	ID      string `json:"id"` // cli-list/task-counting/counting-tasks, login/2.1
	Title   string `json:"title"`
	Text    string `json:"-"`
	Line    int    `json:"line"`
	EndLine int    `json:"endLine"`
}

// Words returns all that the requirement says, with its scenarios.
func (r *Requirement) Words() string {
	var b strings.Builder
	b.WriteString(r.Title + "\n" + r.Text)
	for i := range r.Scenarios {
		b.WriteString("\n" + r.Scenarios[i].Title + "\n" + r.Scenarios[i].Text)
	}
	return b.String()
}

// Parse reads a spec. The error is [ErrNone].
func Parse(file string, text []byte) (*Spec, error) {
	blocks := read(text)
	s := &Spec{Path: file, Name: NameOf(file), Form: formOf(blocks), Requirements: []Requirement{}}
	p := &parser{spec: s, blocks: blocks, taken: map[string]int{}}
	p.opening()
	switch s.Form {
	case OpenSpec:
		p.openSpec()
	case SpecKit:
		p.specKit()
	case EARS:
		p.ears()
	case Plain:
		p.plain()
	}
	if len(s.Requirements) == 0 {
		return nil, ErrNone
	}
	return s, nil
}

// NameOf returns the name of the capability of a file: of the folder if the file is named for its kind.
func NameOf(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	dir := path.Base(path.Dir(file))
	if kind := strings.ToLower(base); (kind == "spec" || kind == "requirements" || kind == "readme") && dir != "." && dir != "/" {
		return dir
	}
	return base
}

// Patterns by which forms are known.
var (
	openSpecHeading = lazyregexp.New(`(?i)^requirement:\s*(.+)$`)
	scenarioHeading = lazyregexp.New(`(?i)^scenario:\s*(.+)$`)
	numberedHeading = lazyregexp.New(`^(?:(?i:requirement)|` + eastern.requirement + `)\s*(\d+)\s*[:：.\-–—]?\s*(.*)$`)
	criteriaHeading = lazyregexp.New(`^(?:(?i:acceptance criteria)|` + eastern.criteria + `)`)
	storyHeading    = lazyregexp.New(`(?i)^user story\s*(\d+)\s*[:：\-–—]?\s*(.*)$`)
	functional      = lazyregexp.New(`^\**((?:FR|NFR)-\d+[a-z]?)\**\s*[:：]\**\s*`)
	explicitID      = lazyregexp.New(`^[\[(*_]*([A-Z][A-Z0-9]{0,7}(?:-[A-Z0-9]{1,12}){0,3}-?\d+(?:\.\d+)*)[\])*_]*\s*[:：.)\-–—]?[*_]*\s+`)
	numberedLine    = lazyregexp.New(`^(\d+\.\d+)[.)]?\s+`)
	normative       = lazyregexp.New(`(?i:\b(?:shall|must|should|required to)\b)|` + eastern.normative)
)

// eastern are the words of Chinese and Japanese specs.
var eastern = struct{ requirement, criteria, normative string }{`需求|要求|要件`, `验收标准|受け入れ基準`, `必须|应当|应该|不得|须`}

func formOf(list []block) Form {
	count := map[Form]int{}
	for i := range list {
		b := &list[i]
		switch {
		case b.level > 0 && openSpecHeading.MatchString(b.text):
			count[OpenSpec]++
		case b.level > 0 && (numberedHeading.MatchString(b.text) || criteriaHeading.MatchString(b.text)):
			count[EARS]++
		case b.level > 0 && storyHeading.MatchString(b.text), b.level == 0 && functional.MatchString(b.text):
			count[SpecKit]++
		}
	}
	best := Plain
	for _, f := range []Form{OpenSpec, EARS, SpecKit} {
		if count[f] > count[best] {
			best = f
		}
	}
	return best
}

// parser reads the requirements of one spec.
type parser struct {
	spec   *Spec
	blocks []block
	taken  map[string]int // ids
}

// opening fills in the title and what is said before the first requirement.
func (p *parser) opening() {
	var said []string
	for i := range p.blocks {
		b := &p.blocks[i]
		switch {
		case b.level == 1 && p.spec.Title == "":
			p.spec.Title = b.text
		case b.level > 0 && (openSpecHeading.MatchString(b.text) || numberedHeading.MatchString(b.text) || storyHeading.MatchString(b.text)):
			p.spec.Purpose = strings.Join(said, "\n")
			return
		case b.level == 0 && p.spec.Form != Plain && len(said) < 3:
			said = append(said, b.text)
		}
	}
	p.spec.Purpose = strings.Join(said, "\n")
}

// section returns the blocks up to the next heading of a level or above, from a block on, and the index after them.
func (p *parser) section(from, level int) (list []block, end int) {
	end = from
	for end < len(p.blocks) && (p.blocks[end].level == 0 || p.blocks[end].level > level) {
		end++
	}
	return p.blocks[from:end], end
}

// joined returns the texts of blocks, and the last line.
func joined(list []block, last int) (text string, end int) {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].text + "\n")
		last = max(last, list[i].end)
	}
	return strings.TrimSpace(b.String()), last
}

func (p *parser) openSpec() {
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		if b.level > 0 && strings.HasPrefix(strings.ToUpper(b.text), "REMOVED ") {
			_, end := p.section(i+1, b.level)
			i = end - 1
			continue
		}
		m := openSpecHeading.FindStringSubmatch(b.text)
		if b.level == 0 || m == nil {
			continue
		}
		list, end := p.section(i+1, b.level)
		r := Requirement{ID: p.id("", m[1]), Title: m[1], Line: b.line}
		p.scenarios(&r, list, b.line)
		p.add(r)
		i = end - 1
	}
}

// scenarios splits the blocks of a requirement at the headings of its scenarios.
func (p *parser) scenarios(r *Requirement, list []block, line int) {
	n := 0
	for n < len(list) && (list[n].level == 0 || !scenarioHeading.MatchString(list[n].text)) {
		n++
	}
	r.Text, r.EndLine = joined(list[:n], line)
	for n < len(list) {
		head := list[n]
		end := n + 1
		for end < len(list) && (list[end].level == 0 || !scenarioHeading.MatchString(list[end].text)) {
			end++
		}
		title := scenarioHeading.FindStringSubmatch(head.text)[1]
		sc := Scenario{ID: p.id(r.ID, title), Title: title, Line: head.line}
		sc.Text, sc.EndLine = joined(list[n+1:end], head.line)
		r.Scenarios, r.EndLine = append(r.Scenarios, sc), sc.EndLine
		n = end
	}
}

func (p *parser) specKit() {
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		if m := functional.FindStringSubmatch(b.text); b.level == 0 && m != nil {
			text := strings.TrimSpace(b.text[len(m[0]):])
			p.add(Requirement{ID: p.numbered(m[1]), Title: m[1] + ": " + clip(text), Text: text, Line: b.line, EndLine: b.end})
			continue
		}
		m := storyHeading.FindStringSubmatch(b.text)
		if b.level == 0 || m == nil {
			continue
		}
		list, end := p.section(i+1, b.level)
		r := Requirement{ID: p.numbered("US" + m[1]), Title: strings.TrimSpace(m[2]), Line: b.line}
		p.criteria(&r, list, "US"+m[1], b.line)
		p.add(r)
		i = end - 1
	}
}

func (p *parser) ears() {
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		m := numberedHeading.FindStringSubmatch(b.text)
		if b.level == 0 || m == nil {
			continue
		}
		list, end := p.section(i+1, b.level)
		r := Requirement{ID: p.numbered(m[1]), Title: strings.TrimSpace(m[2]), Line: b.line}
		p.criteria(&r, list, m[1], b.line)
		if r.Title == "" {
			r.Title = clip(r.Text)
		}
		p.add(r)
		i = end - 1
	}
}

// criteria splits the blocks of a requirement into its text and numbered criteria: items of an ordered list, or lines that
// begin with a number of the requirement.
func (p *parser) criteria(r *Requirement, list []block, number string, line int) {
	var own []block
	r.EndLine = line
	n := 0
	add := func(id, text string, first, last int) {
		n++
		if id == "" {
			id = number + "." + strconv.Itoa(n)
		}
		r.Scenarios = append(r.Scenarios, Scenario{ID: p.numbered(id), Title: clip(text), Text: text, Line: first, EndLine: last})
	}
	for i := range list {
		b := &list[i]
		r.EndLine = max(r.EndLine, b.end)
		lines := strings.Split(b.text, "\n")
		switch {
		case b.level > 0:
		case numberedLine.MatchString(lines[0]):
			for j, l := range lines {
				if m := numberedLine.FindStringSubmatch(l); m != nil {
					add(m[1], strings.TrimSpace(l[len(m[0]):]), b.line+j, b.line+j)
				}
			}
		case b.ordered && b.depth == 1:
			add("", b.text, b.line, b.end)
		case b.depth > 1 && len(r.Scenarios) > 0:
			last := &r.Scenarios[len(r.Scenarios)-1]
			last.Text, last.EndLine = last.Text+"\n"+b.text, b.end
		default:
			own = append(own, *b)
		}
	}
	r.Text, _ = joined(own, line)
}

// plain finds sections whose heading has an id, and else each list item or paragraph that demands something.
func (p *parser) plain() {
	heading := ""
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		m := explicitID.FindStringSubmatch(b.text + " ")
		switch {
		case b.level > 0 && m != nil:
			list, end := p.section(i+1, b.level)
			r := Requirement{ID: p.numbered(m[1]), Title: strings.TrimSpace((b.text + " ")[len(m[0]):]), Line: b.line}
			r.Text, r.EndLine = joined(list, b.line)
			if r.Title == "" {
				r.Title = clip(r.Text)
			}
			p.add(r)
			i = end - 1
		case b.level > 0:
			heading = b.text
		case b.code:
		case m != nil && normative.MatchString(b.text):
			p.add(Requirement{ID: p.numbered(m[1]), Title: clip((b.text + " ")[len(m[0]):]), Text: b.text, Line: b.line, EndLine: b.end})
		case normative.MatchString(b.text):
			p.add(Requirement{ID: p.id("", heading), Title: clip(b.text), Text: heading + "\n" + b.text, Line: b.line, EndLine: b.end})
		}
	}
}

func (p *parser) add(r Requirement) {
	if r.Scenarios == nil {
		r.Scenarios = []Scenario{}
	}
	p.spec.Requirements = append(p.spec.Requirements, r)
}

// numbered returns the id of what has a number of its own.
func (p *parser) numbered(number string) string { return p.unused(p.spec.Name + "/" + number) }

// id returns the id of what has a title, within a requirement or the spec.
func (p *parser) id(within, title string) string {
	if within == "" {
		within = p.spec.Name
	}
	return p.unused(within + "/" + slug(title))
}

func (p *parser) unused(id string) string {
	free := id
	for p.taken[free] > 0 {
		p.taken[id]++
		free = id + "-" + strconv.Itoa(p.taken[id])
	}
	p.taken[free]++
	return free
}

// slugBytes limits the part of a title in an id.
const slugBytes = 64

// slug returns a title in small letters, digits and hyphens.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= slugBytes {
			break
		}
	}
	if out := strings.Trim(b.String(), "-"); out != "" {
		return out
	}
	return "requirement"
}

// clip returns the first sentence of a text, as a title.
func clip(text string) string {
	return markdown.Clip(strings.Join(strings.Fields(strings.NewReplacer("**", "", "`", "").Replace(text)), " "), markdown.TitleBytes)
}
