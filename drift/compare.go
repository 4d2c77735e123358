// Package drift compares a spec with the code it describes and reports what was removed,
// changed and added, whom it breaks, and which differences are noise.
//
// [Compare] compares two skeletons; each item of its [Result] is an instance of a rule in
// rules.go. [Detect] finds the two skeletons, the spec's baseline or a git revision and the
// current code, and writes the [Report].
package drift

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/equivalent"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Compare returns what changed between two surfaces of the same target.
//
// Symbols are paired by name and kind, with the file as a tie-breaker. Equal signature hashes
// mean equal signatures, whatever the text. Without hashes, as in a baseline rebuilt from
// headings, texts are compared without white space and the items are marked as inferred.
// Severity follows the contract (HIGH for removals only); Breaking follows the language:
// golang.org/x/exp/apidiff for Go, assignability for TypeScript. Descriptions and proposals
// are in lang. When ctx is done the comparison ends, with what it found until then.
func Compare(ctx context.Context, base, now Surface, lang message.Lang) Result {
	d := newDiffer(&base, &now)
	d.lang, d.oldText, d.nowText = lang, base.text, now.text
	d.stopped = func() bool { return ctx.Err() != nil }
	d.exports()
	d.reexports()
	d.variants()
	d.internals()
	d.claims(base.Claims, now.Claims)
	d.consequences()
	d.finish()
	return Result{Items: d.items, Noise: d.noise}
}

// differ collects the items of a comparison.
type differ struct {
	base, now *code.Skeleton
	lang      message.Lang // of descriptions and proposals
	types     *lang.Types
	goBase    goTypes
	goNow     goTypes
	javaWas   javaTypes // nil before the first use
	javaIs    javaTypes
	aliases   map[aliasScope]tsAliases
	guess     bool // the baseline was rebuilt from a spec's text
	digests   bool // both sides have digests of their files
	items     []Item
	noise     map[string]int
	broken    map[string]bool // files with parse errors now
	reported  map[string]bool // rule and symbol of each item
	// same are the names of functions that mean the same although their bodies differ.
	same             map[string]bool
	oldText, nowText func(file string) []byte    // nil if the texts are unknown
	texts            map[string]*equivalent.Text // see textOf
	stopped          func() bool                 // reports whether the caller wants no more
	scripts          map[*code.Skeleton]scripts
	near             map[aliasScope]*neighbourhood
	typeKeys         map[string]string // what types of TypeScript mean, by their texts
}

func newDiffer(was, is *Surface) *differ {
	types := new(lang.Types)
	base, now := userView(&was.Skeleton), userView(&is.Skeleton)
	if was.outside == nil || is.outside == nil { // what only one side knows would look new or gone
		was.outside, is.outside = nil, nil
	}
	if was.scripts.of == nil || is.scripts.of == nil {
		was.scripts, is.scripts = scripts{}, scripts{}
	}
	d := &differ{
		base: base, now: now, types: types, goBase: newGoTypes(base, types, was.outside), goNow: newGoTypes(now, types, is.outside),
		guess:   base.ParserUsed == Reconstructed,
		digests: len(base.Files) > 0 && len(now.Files) > 0,
		items:   []Item{}, noise: noise(base, now), broken: map[string]bool{}, reported: map[string]bool{}, same: map[string]bool{},
		aliases: map[aliasScope]tsAliases{}, scripts: map[*code.Skeleton]scripts{base: was.scripts, now: is.scripts}, typeKeys: map[string]string{}, near: map[aliasScope]*neighbourhood{},
		texts: map[string]*equivalent.Text{}, stopped: func() bool { return false },
	}
	for _, e := range now.ParseErrors {
		d.broken[cmp.Or(e.File, now.FilePath)] = true
	}
	d.goNow.formerNames(d.goBase)
	return d
}

// Reconstructed is the ParserUsed of a baseline rebuilt from a spec's interface section
// because none was recorded.
const Reconstructed = "reconstructed"

// pair is a symbol before and now; one of them is nil if it was added or removed.
type pair struct {
	old, now *code.Symbol
	name     string       // qualified: "Class.method"
	owner    *code.Symbol // the enclosing type as it is now; nil at top level
	owned    *code.Symbol // the enclosing type as it was; nil at top level or if unknown
	compat   compatRules
	// unexported: not part of the interface, so that no change breaks a user.
	unexported bool
}

// symbol returns the current symbol, or the old one if it was removed.
func (p pair) symbol() *code.Symbol {
	if p.now != nil {
		return p.now
	}
	return p.old
}

// verdict reports whether a change breaks users, if the rule alone does not decide.
type verdict int

const (
	byRule verdict = iota
	breaks
	compatible
)

// verdictIf returns breaks or compatible.
func verdictIf(broken bool) verdict {
	if broken {
		return breaks
	}
	return compatible
}

// change is the part of an item that its rule and symbol do not determine.
type change struct {
	what, old, now string
	more           message.Text // appended to the description
	verdict        verdict
	severity       Severity // "" for the rule's, raised to MEDIUM if breaking
}

// add records one item under a rule.
func (d *differ) add(rule string, p pair, c change) {
	r := ruleByID(rule)
	item := Item{
		Rule: r.ID, Severity: r.Severity, Breaking: r.Breaking, Category: r.Category, ChangeType: r.ChangeType,
		Location: d.location(p), SymbolName: p.name, OldValue: c.old, NewValue: c.now, DetectedBy: "structural",
		symbols: [2]*code.Symbol{p.old, p.now},
	}
	switch c.verdict {
	case breaks:
		item.Breaking = true
		if item.Severity == Low {
			item.Severity = Medium
		}
	case compatible:
		item.Breaking = false
	case byRule:
	}
	if c.severity != "" {
		item.Severity = c.severity
	}
	fill := strings.NewReplacer(
		"{symbol}", p.name, "{what}", d.shown(c.what), "{old}", orNone(d.shown(c.old)), "{new}", orNone(d.shown(c.now)),
		"{signature}", short(p.symbol().Signature), "{more}", c.more.In(d.lang))
	item.Description = fill.Replace(message.Translate(d.lang, r.Words)) + d.doubts(p)
	if r.Update == updateSignature && p.old != nil && p.now != nil && p.old.Signature != p.now.Signature {
		item.OldValue, item.NewValue = p.old.Signature, p.now.Signature
	}
	item.complete()
	item.ProposedUpdate = fill.Replace(message.Translate(d.lang, r.Update))
	d.items = append(d.items, item)
	d.reported[id(rule, p.name)] = true
}

// shown shortens a value for a description, and translates it if it is one of our words for a
// form of declaration.
func (d *differ) shown(value string) string {
	if slices.Contains(modifierWords(), value) {
		return message.Translate(d.lang, value)
	}
	return short(value)
}

// complete ensures that an item has a value. A declaration that could not be read has only its
// name.
func (i *Item) complete() {
	switch {
	case i.OldValue != "" || i.NewValue != "":
	case i.ChangeType == Removal:
		i.OldValue = i.SymbolName
	default:
		i.NewValue = i.SymbolName
	}
}

// doubts lists the reasons why an item is uncertain.
func (d *differ) doubts(p pair) string {
	text := ""
	if c := p.symbol().Constraint; c != "" {
		text += " (" + c + ")"
	}
	if d.guess && p.old != nil {
		text += message.New(" [inferred: the baseline was rebuilt from the spec's text]").In(d.lang)
	}
	lost := p.now == nil && d.broken[cmp.Or(p.old.File, d.base.FilePath)]
	if lost || p.old != nil && p.old.Broken || p.now != nil && p.now.Broken {
		text += message.New(" [unclear: near a syntax error]").In(d.lang)
	}
	return text
}

// location returns file:line, in the current code if the symbol still exists.
func (d *differ) location(p pair) string {
	skeleton := d.now
	if p.now == nil {
		skeleton = d.base
	}
	file := p.symbol().File
	if file == "" {
		file = skeleton.FilePath
	}
	return file + ":" + strconv.Itoa(max(p.symbol().StartLine, 1))
}

// compat returns the compatibility rules of a symbol's language.
func (d *differ) compat(s *code.Symbol) compatRules {
	file := s.File
	if file == "" {
		file = d.now.FilePath
	}
	h := compatOf(file, d.now.Language)
	h.stopped = d.stopped
	if h.openTypes {
		h.known = d.typeKeys
	}
	return h
}

// weight orders severities, the most severe first.
func weight(s Severity) int {
	switch s {
	case High:
		return 0
	case Medium:
		return 1
	case Low:
	}
	return 2
}

// finish sorts and numbers the items.
func (d *differ) finish() {
	slices.SortStableFunc(d.items, func(a, b Item) int {
		af, al := splitLocation(a.Location)
		bf, bl := splitLocation(b.Location)
		return cmp.Or(
			boolLast(a.Breaking, b.Breaking),
			cmp.Compare(weight(a.Severity), weight(b.Severity)),
			cmp.Compare(af, bf), cmp.Compare(al, bl),
			cmp.Compare(a.SymbolName, b.SymbolName))
	})
	for i := range d.items {
		d.items[i].ID = fmt.Sprintf("DRIFT-%03d", i+1)
	}
}

func boolLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func splitLocation(location string) (file string, line int) {
	i := strings.LastIndexByte(location, ':')
	if i < 0 {
		return location, 0
	}
	line, err := strconv.Atoi(location[i+1:])
	if err != nil {
		return location, 0
	}
	return location[:i], line
}

// maxShown limits quoted text in a sentence, in characters.
const maxShown = 160

// short returns text on one line, cut to fit into a sentence.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxShown {
		return string(r[:maxShown-1]) + "…"
	}
	return text
}

func orNone(text string) string {
	if text == "" {
		return "∅"
	}
	return text
}
