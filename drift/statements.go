package drift

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// page is a spec and its text.
type page struct {
	*spec.Spec
	path  string
	lines []line
	ids   map[string]string // requirements by the ids of the claims that they state
}

// line is a line of a page, with the statement that it is a part of.
type line struct {
	text string
	in   string // REQ-AUTH-001, SC-AUTH-001, or the title of the section
	row  bool   // of a table
}

// explain adds to items the statements of specs that say otherwise, the tests that show these, and the code of both sides.
func (d *detection) explain(ctx context.Context, base, now Surface, items []Item) error {
	if len(items) == 0 {
		return nil
	}
	pages, err := d.pages(ctx)
	if err != nil {
		return err
	}
	places := d.places(ctx, base, items)
	base.redacted, now.redacted = map[string][]byte{}, map[string][]byte{}
	for i := range items {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		item := &items[i]
		item.sources(base, now, places)
		for _, p := range pages {
			p.explain(item)
		}
		if item.Was == nil && len(item.Statements) > 0 {
			item.Was = d.cited(pages, item)
		}
	}
	d.explainAdopted(ctx, base, now, items)
	return nil
}

// pages returns the specs of the target: the one that is compared, or those that the project has.
func (d *detection) pages(ctx context.Context) ([]*page, error) {
	if d.spec != nil {
		text, err := d.project.ReadUpTo(d.page, spec.MaxSize)
		if err != nil {
			return nil, err
		}
		return []*page{newPage(d.page, d.spec, text)}, nil
	}
	if d.opts.specs == nil {
		d.opts.specs = newTargets(d.project)
	}
	var out []*page
	for _, name := range d.opts.specs.of(ctx, d.target) {
		text, err := d.project.ReadUpTo(name, spec.MaxSize)
		if err != nil {
			continue // it is only shown
		}
		s, err := spec.Parse(text)
		if err != nil {
			continue
		}
		_ = s.ReadLock(d.project, name) // without one there are the lines of the page
		out = append(out, newPage(name, s, text))
	}
	return out, ctx.Err()
}

// places returns the places of the claims of the baseline by their ids. A lock has none: they are those of a commit that has the code.
func (d *detection) places(ctx context.Context, base Surface, items []Item) map[string][]evidence.Place {
	out := map[string][]evidence.Place{}
	add := func(list []spec.RecordedClaim) {
		for i := range list {
			if c := &list[i]; len(c.At) > 0 {
				out[c.ID()] = c.At
			}
		}
	}
	add(base.Claims)
	wanted := slices.ContainsFunc(items, func(i Item) bool { return i.old != nil && i.Rule != "claim-added" })
	if len(out) > 0 || !wanted || d.spec == nil || d.opts.Brief {
		return out
	}
	for _, commit := range d.candidates(ctx) {
		if commit == "" {
			continue
		}
		if s, err := d.readAt(ctx, commit); err == nil && s.Hash == base.Hash {
			add(s.Claims)
			break
		}
	}
	return out
}

// sources fills in the lines of the code of both sides.
func (i *Item) sources(base, now Surface, places map[string][]evidence.Place) {
	if i.old != nil {
		i.claimSources(base, now, places[i.old.ID()])
		return
	}
	old, is := i.symbols[0], i.symbols[1]
	if old != nil && is != nil && bodyHash.MatchString(i.OldValue) && base.text != nil && now.text != nil {
		if i.bodies(base.cleaned(old.File), now.cleaned(is.File)) {
			return
		}
	}
	if old != nil && old.StartLine > 0 && old.File != "" {
		i.Was = base.source(old.File, old.StartLine)
	}
	if is != nil && is.StartLine > 0 && is.File != "" {
		i.Is = now.source(is.File, is.StartLine)
	}
}

// claimSources does so for an item about a claim, whose old places are given.
func (i *Item) claimSources(base, now Surface, was []evidence.Place) {
	if len(was) > 0 && i.Rule != "claim-added" {
		p := placeOf(i.old, i.now, was)
		i.Was = base.source(p.File, p.Line)
	}
	if at := i.now.At; i.Rule != "claim-removed" && len(at) > 0 {
		p := placeOf(i.now, i.old, at)
		i.Is = now.source(p.File, p.Line)
	}
}

// source returns a line of a file, with its text if that is known.
func (s *Surface) source(file string, line int) *Source {
	out := &Source{Location: file + ":" + strconv.Itoa(line)}
	if s.text != nil {
		out.Text = lineOf(s.cleaned(file), line)
	}
	return out
}

// placeOf returns the place of a claim where it differs from another one: that of the row of a table, or the first.
func placeOf(c, other *spec.RecordedClaim, at []evidence.Place) evidence.Place {
	rows, others := mapped(c), mapped(other)
	if changed := differing(rows, others); len(rows) == len(at) && len(changed) > 0 {
		return at[slices.Index(rows, changed[0])]
	}
	return at[0]
}

// cleaned returns the text of a file without secrets.
func (s *Surface) cleaned(file string) []byte {
	text, known := s.redacted[file]
	if !known {
		text = source.Redacted(file, s.text(file))
		if s.redacted != nil {
			s.redacted[file] = text
		}
	}
	return text
}

// maxBodyLines limits the lines of a changed body that are shown of each side.
const maxBodyLines = 4

// bodies shows the lines in which two bodies differ; ok is false if a text is unknown.
func (i *Item) bodies(before, after []byte) (ok bool) {
	old, is := i.symbols[0], i.symbols[1]
	a := strings.Split(strings.TrimRight(linesOf(before, old.StartLine, old.EndLine), "\n"), "\n")
	b := strings.Split(strings.TrimRight(linesOf(after, is.StartLine, is.EndLine), "\n"), "\n")
	if len(a) < 2 && a[0] == "" || len(b) < 2 && b[0] == "" {
		return false
	}
	same := func(x, y string) bool { return unformatted(x) == unformatted(y) }
	first := 0
	for first < min(len(a), len(b)) && same(a[first], b[first]) {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && same(a[len(a)-1-last], b[len(b)-1-last]) {
		last++
	}
	side := func(list []string, file string, start int) (string, *Source) {
		part := list[first : len(list)-last]
		text := strings.TrimSpace(strings.Join(part[:min(len(part), maxBodyLines)], "\n"))
		at := min(first, len(list)-1)
		return text, &Source{Location: file + ":" + strconv.Itoa(start+at), Text: strings.TrimSpace(list[at])}
	}
	common := [2]int{first, last}
	i.Bodies = &[2]Body{{old.File, old.StartLine, a, common}, {is.File, is.StartLine, b, common}}
	var was, now string
	was, i.Was = side(a, old.File, old.StartLine)
	now, i.Is = side(b, is.File, is.StartLine)
	if was != "" || now != "" {
		i.OldValue, i.NewValue = was, now
	}
	return true
}

// cited returns the place that a statement cites.
func (d *detection) cited(pages []*page, item *Item) *Source {
	for _, p := range pages {
		for _, r := range p.Requirements {
			if r.ID == item.Statements[0].ID && len(r.Evidence) > 0 {
				return &Source{Location: r.Evidence[0].Place}
			}
		}
	}
	return nil
}

// heading matches the heading of a requirement or scenario.
var heading = lazyregexp.New(`^#{2,4} ((?:REQ|SC)-[^\s:：]+)[:：]`)

func newPage(name string, s *spec.Spec, text []byte) *page {
	p := &page{Spec: s, path: name, ids: map[string]string{}}
	in := ""
	for l := range strings.SplitSeq(string(text), "\n") {
		if m := heading.FindStringSubmatch(l); m != nil {
			in = m[1]
		} else if title := strings.TrimLeft(l, "#"); title != l && strings.HasPrefix(title, " ") {
			in = strings.TrimSpace(title)
		}
		p.lines = append(p.lines, line{l, in, strings.HasPrefix(l, "| ")})
	}
	for i := range s.Claims {
		p.ids[s.Claims[i].ID()] = s.Claims[i].Requirement
	}
	return p
}

// explain adds the statements of a page to an item, and their tests.
func (p *page) explain(item *Item) {
	if item.Rule == "claim-added" || item.ChangeType == Addition {
		return
	}
	item.Statements = append(item.Statements, p.otherwise(item)...)
	var otherwise []string
	for _, s := range item.Statements {
		otherwise = append(otherwise, s.ID)
	}
	subject := item.SymbolName
	var alone []string // the untrue requirements that state nothing about other symbols
	for i := range p.Requirements {
		r := &p.Requirements[i]
		if slices.Contains(otherwise, r.ID) {
			if item.old == nil || p.isAbout(r.ID, item.old.Subject) {
				alone = append(alone, r.ID)
				item.Tests = p.testsOf(r, item.Tests)
			}
		} else if subject != "" && (r.Symbol == subject || p.usedBy(otherwise, subject, r.Symbol)) {
			if also := p.statement(r.ID); !slices.Contains(item.Related, also) {
				item.Related = append(item.Related, also)
			}
		}
	}
	p.explainScenarios(item, otherwise, alone)
}

// isAbout reports whether all claims of a requirement are about one symbol. Of one that states the cases of several, the tests are of
// any of them.
func (p *page) isAbout(id, subject string) bool {
	for i := range p.Claims {
		if c := &p.Claims[i]; c.Requirement == id && c.Subject != subject {
			return false
		}
	}
	return true
}

// explainScenarios adds the scenarios of the symbol or of statements that are untrue and about it alone: those that quote an old value
// are untrue, too.
func (p *page) explainScenarios(item *Item, otherwise, alone []string) {
	subject, gone := item.SymbolName, onlyOld(item)
	for _, s := range p.Scenarios {
		about := slices.Contains(s.Symbols, subject) || slices.ContainsFunc(s.Covers, func(id string) bool { return slices.Contains(alone, id) })
		text := strings.Join([]string{s.Title, s.Text, s.Given, s.When, s.Then}, "\n")
		switch {
		case !about || slices.Contains(otherwise, s.ID):
		case quotes(text, gone):
			item.Statements = append(item.Statements, p.statement(s.ID))
			for _, e := range s.Evidence {
				item.Tests = withTest(item.Tests, e.Place)
			}
		case len(otherwise) > 0:
			item.Related = append(item.Related, p.statement(s.ID))
		}
	}
}

// otherwise returns the statements that an item makes untrue: the requirement of its claim, or the lines of the page that
// show the old value of what it is about.
func (p *page) otherwise(item *Item) []Statement {
	name := item.SymbolName[strings.LastIndexByte(item.SymbolName, '.')+1:]
	if c := item.old; c != nil {
		switch id := p.ids[c.ID()]; {
		case id != "" && p.has(id):
			return []Statement{p.statement(id)}
		case id != "":
			return []Statement{p.leftOut(id, c)}
		}
		name = cmp.Or(c.Name, name)
	}
	function := item.symbols[1] != nil && callable(item.symbols[1].Kind)
	if bodyHash.MatchString(item.OldValue) || item.Rule == "body-changed" || item.Rule == "internal-changed" && function {
		return nil // what a function does is stated by its claims
	}
	return p.quoting(item, name)
}

// quoting returns the statements that have a name and an old value of an item. Of an option that had no default those that
// have its name.
func (p *page) quoting(item *Item, name string) []Statement {
	gone := onlyOld(item)
	bare := len(gone) == 0 && item.old != nil && item.old.Name != "" && item.old.Option != nil
	var out []Statement
	for i, l := range p.lines {
		if fits := quotes(l.text, gone) || bare && l.row; !fits || !hasWord(l.text, name) {
			continue
		}
		numbered := isNumbered(l.in)
		known := slices.ContainsFunc(out, func(s Statement) bool { return s.ID == l.in })
		switch {
		case numbered && !known:
			out = append(out, p.statement(l.in))
		case !numbered && l.states():
			out = append(out, Statement{ID: l.in, Title: l.in, Location: p.path + ":" + strconv.Itoa(i+1)})
		}
	}
	return out
}

// isNumbered reports whether a part of a page is a requirement or a scenario.
func isNumbered(part string) bool {
	return strings.HasPrefix(part, "REQ-") || strings.HasPrefix(part, "SC-")
}

// states reports whether a line is a row of a table about behaviour: not of the interface, or of what covers what.
func (l *line) states() bool {
	return l.row && !strings.HasPrefix(l.in, "3") && !strings.HasPrefix(l.in, "5")
}

// usedBy reports whether a row of a table, among the statements, says that a symbol uses another one.
func (p *page) usedBy(statements []string, symbol, user string) bool {
	name := symbol[strings.LastIndexByte(symbol, '.')+1:]
	return user != "" && slices.ContainsFunc(p.lines, func(l line) bool {
		return l.row && slices.Contains(statements, l.in) && !strings.HasPrefix(l.in, "REQ-") && hasWord(l.text, name) && strings.Contains(l.text, "`"+user+"`")
	})
}

// onlyOld returns the words of the old value that the new one has not.
func onlyOld(item *Item) []string {
	after := wordsIn(item.NewValue)
	return slices.DeleteFunc(wordsIn(item.OldValue), func(w string) bool { return slices.Contains(after, w) })
}

// wordPattern matches words, numbers among them.
var wordPattern = lazyregexp.New(`[\pL\pN_$]+(?:\.\pN+)?`)

func wordsIn(text string) []string { return wordPattern.FindAllString(text, -1) }

// quotes reports whether a text has one of some words.
func quotes(text string, words []string) bool {
	return slices.ContainsFunc(wordsIn(text), func(w string) bool { return slices.Contains(words, w) })
}

func hasWord(text, word string) bool { return slices.Contains(wordsIn(text), word) }

// has reports whether the page has a requirement or scenario.
func (p *page) has(id string) bool {
	return slices.ContainsFunc(p.lines, func(l line) bool { return l.in == id })
}

// leftOut returns a requirement that only the lock has and `show --all` shows: in the words of its claim, at the line of the page
// that says what is left out.
func (p *page) leftOut(id string, c *spec.RecordedClaim) Statement {
	at := slices.IndexFunc(p.lines, func(l line) bool { return l.row && strings.Contains(l.text, "--all`") })
	return Statement{ID: id, Title: spec.Say(&c.Claim, p.Lang), Location: p.path + ":" + strconv.Itoa(max(at, 0)+1)}
}

// statement returns a requirement or scenario of the page.
func (p *page) statement(id string) Statement {
	s := Statement{ID: id, Title: id, Location: p.path + ":1"}
	for i, l := range p.lines {
		if l.in == id {
			s.Location = p.path + ":" + strconv.Itoa(i+1)
			break
		}
	}
	for _, r := range p.Requirements {
		if r.ID == id {
			s.Title = r.Title
		}
	}
	for _, c := range p.Scenarios {
		if c.ID == id {
			s.Title = c.Title
		}
	}
	return s
}

// testsOf adds the tests of a requirement to a list: those that it names, or those that its contract test runs.
func (p *page) testsOf(r *spec.Requirement, list []string) []string {
	for _, t := range r.Tests {
		list = withTest(list, t)
	}
	if len(r.Tests) > 0 {
		return list
	}
	for _, t := range p.ContractTests {
		for _, run := range t.Runs {
			for _, one := range run.Tests {
				if slices.Contains(one.Covers, r.ID) {
					list = withTest(list, run.File+" "+one.Name)
				}
			}
		}
	}
	return list
}

// maxTests limits the tests of an item.
const maxTests = 5

func withTest(list []string, test string) []string {
	if test == "" || slices.Contains(list, test) || len(list) == maxTests {
		return list
	}
	return append(list, test)
}

// targets are the specs of a project by what they describe. They are read when they are needed.
type targets struct {
	project *project.Project
	once    chan struct{}
	list    map[string][]string
}

func newTargets(p *project.Project) *targets {
	t := &targets{project: p, once: make(chan struct{}, 1)}
	t.once <- struct{}{}
	return t
}

// frontBytes is how much of a page is read for its front matter.
const frontBytes = 64 << 10

// of returns the specs of a module or file, of the files in it, and of the folder of a file.
func (t *targets) of(ctx context.Context, target string) []string {
	<-t.once
	defer func() { t.once <- struct{}{} }()
	if t.list == nil {
		t.list = map[string][]string{}
		names, _ := spec.Paths(ctx, t.project) // statements are only shown: without them there are the items
		for _, name := range names {
			text, err := t.project.ReadStart(name, frontBytes)
			if err != nil {
				continue
			}
			if front, err := spec.ParseFront(text); err == nil && front.SourceTarget != "" {
				of := path.Clean(front.SourceTarget)
				t.list[of] = append(t.list[of], name)
				if path.Ext(of) != "" && path.Dir(of) != of {
					t.list[path.Dir(of)] = append(t.list[path.Dir(of)], name)
				}
			}
		}
	}
	if list := t.list[target]; len(list) > 0 {
		return list
	}
	return t.list[path.Dir(target)]
}
