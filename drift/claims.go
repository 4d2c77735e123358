package drift

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Surface is what [Compare] compares: declarations, and what the code behind them does.
type Surface struct {
	code.Skeleton
	Claims []spec.RecordedClaim // nil if unknown

	text    func(file string) []byte                       // the text of a file, or nil; nil if no text is known
	outside func(folder, importPath string) *code.Skeleton // a package of Go outside the surface, or nil; nil if none is known
	scripts scripts
	// redacted are texts without secrets, by file; nil to remember none.
	redacted map[string][]byte
}

// scripts reads the files of JavaScript and TypeScript around a surface. The zero value knows none.
type scripts struct {
	of     func(file string) *code.Skeleton    // the declarations and imports of a file, or nil
	target func(file, specifier string) string // the file that an import of a file means; "" for one that is not known
	found  map[string]foundAlias               // file and name -> what was read of it
}

// ofBehaviour are the kinds of claims that are compared. The others follow from declarations,
// which are compared themselves.
var ofBehaviour = []evidence.Kind{
	evidence.Route, evidence.Refusal, evidence.Input, evidence.Stored, evidence.Service, evidence.Topic, evidence.CacheKey, evidence.Command, evidence.Environment, evidence.Setting, evidence.Flag, evidence.Argument, evidence.ExitStatus, evidence.Signal, evidence.StandardInput,
	evidence.Exit, evidence.Choice, evidence.Effect, evidence.Table, evidence.TableKey, evidence.Hazard,
}

// ofStatements are kinds that are compared where both sides have the claim, or a requirement states it: a function may
// gain and lose them by being written in another way.
var ofStatements = []evidence.Kind{evidence.Result, evidence.Field, evidence.Lookup, evidence.Predicate, evidence.AnswerBody, evidence.Built}

// ofUsers are the kinds whose removal breaks users.
var ofUsers = []evidence.Kind{evidence.Route, evidence.Service, evidence.Command, evidence.Flag}

// claims compares what the code did with what it does. A claim about a symbol that is not on
// both sides is part of the removal or addition of the symbol.
func (d *differ) claims(base, now []spec.RecordedClaim) {
	if base == nil || now == nil {
		return
	}
	before, after := symbolsByName(d.base), symbolsByName(d.now)
	compared := func(list []spec.RecordedClaim) []*spec.RecordedClaim {
		var out []*spec.RecordedClaim
		for i := range list {
			c := &list[i]
			known := slices.Contains(ofBehaviour, c.Kind) || slices.Contains(ofStatements, c.Kind)
			if known && (c.Subject == "" || before[c.Subject] != nil && after[c.Subject] != nil) {
				out = append(out, c)
			}
		}
		return out
	}
	c := &claimDiffer{differ: d, before: before, symbols: after, renamed: map[string]*renaming{}, was: base, is: now}
	c.compare(compared(base), compared(now))
	c.explainBodies()
}

// claimDiffer compares claims about symbols that are on both sides.
type claimDiffer struct {
	*differ
	before  map[string]*code.Symbol
	symbols map[string]*code.Symbol // as they are now
	renamed map[string]*renaming    // by subject
	told    map[string]bool         // the subjects of changed claims
	was, is []spec.RecordedClaim    // all claims on both sides
}

func (d *claimDiffer) compare(base, now []*spec.RecordedClaim) {
	d.told = map[string]bool{}
	known := map[string]*spec.RecordedClaim{} // of base, by id
	for _, old := range base {
		known[old.ID()] = old
	}
	var removed, added []*spec.RecordedClaim
	for _, c := range now {
		if old := known[c.ID()]; old != nil {
			delete(known, c.ID())
			d.changed(old, c)
			continue
		}
		added = append(added, c)
	}
	for _, old := range base {
		if known[old.ID()] == old {
			removed = append(removed, old)
		}
	}
	became := d.pairUp(removed, added)
	for _, old := range removed {
		c := became[old]
		switch {
		case c != nil:
			d.became(old, c)
		case !slices.Contains(ofStatements, old.Kind) || old.Requirement != "":
			d.add("claim-removed", old, old, d.sentence(old), "")
		}
	}
	paired := map[*spec.RecordedClaim]bool{}
	for _, c := range became {
		paired[c] = true
	}
	for _, c := range added {
		if !paired[c] && !slices.Contains(ofStatements, c.Kind) {
			d.add("claim-added", c, c, "", d.sentence(c))
		}
	}
}

// became reports a claim that another one replaces.
func (d *claimDiffer) became(old, now *spec.RecordedClaim) {
	if old.Outcome == nil || now.Outcome == nil {
		if d.equal(old.Subject, d.written(old), d.written(now)) {
			return
		}
		d.add("claim-changed", old, now, d.sentence(old), d.sentence(now))
		return
	}
	before, after := outcomeText(old), outcomeText(now)
	if a, b := d.termsText(old), d.termsText(now); !d.equal(old.Subject, a, b) {
		before, after = when(before, conditionsText(old)), when(after, conditionsText(now))
	}
	if !d.equal(old.Subject, before, after) {
		d.add("claim-changed", old, now, before, after)
	}
}

// written returns what a claim says, with its conditions. Assignments in them are left out: if they are long, they are not known.
func (d *claimDiffer) written(c *spec.RecordedClaim) string {
	list := append([]string{c.Name, c.Role, c.Text, d.termsText(c), defaultText(c)}, c.Values...)
	return strings.Join(append(list, served(c)...), "\n")
}

// when adds the conditions to an outcome.
func when(outcome, conditions string) string {
	if conditions == "" {
		return outcome
	}
	return outcome + " (" + conditions + ")"
}

// unformatted returns code without what formatters change: white space, the kind of quotes, parentheses and trailing
// commas. All parentheses and commas are dropped. Several ways to write the same are one: see [rewritten].
func unformatted(text string) string {
	words := slices.DeleteFunc(rewritten(split(direct(text))), func(w string) bool { return w == "(" || w == ")" || w == "," || w == ";" })
	return strings.Join(words, " ")
}

// sorted sorts code in an order that does not depend on how it is formatted, without duplicates.
func sorted(list []string) []string {
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(unformatted(a), unformatted(b)) })
	return slices.Compact(list)
}

// changed reports what changed of a claim that is on both sides.
func (d *claimDiffer) changed(old, now *spec.RecordedClaim) {
	differ := func(part func(c *spec.RecordedClaim) string) bool { return !d.equal(old.Subject, part(old), part(now)) }
	// An assignment is left out if it is long, which may depend on its format.
	assigned := len(assignments(old)) == len(assignments(now)) && differ(func(c *spec.RecordedClaim) string { return strings.Join(assignments(c), "\n") })
	if len(mapped(old)) > 0 && len(mapped(now)) > 0 {
		d.changedRows(old, now)
		return
	}
	if old.Kind == evidence.Lookup || old.Kind == evidence.AnswerBody {
		if a, b := differing(old.Values, now.Values), differing(now.Values, old.Values); len(a)+len(b) > 0 {
			d.add("claim-changed", old, now, strings.Join(a, "; "), strings.Join(b, "; "))
		}
		return
	}
	if differ(d.termsText) || assigned {
		if !d.saysSame(old, now) {
			d.changedTerms(old, now)
		}
		return
	}
	d.changedParts(old, now, differ)
}

// changedTerms reports the terms of conditions that differ, or all where one side has only more of them.
func (d *claimDiffer) changedTerms(old, now *spec.RecordedClaim) {
	a, b := differing(termList(old), termList(now)), differing(termList(now), termList(old))
	if len(a) == 0 || len(b) == 0 {
		d.add("claim-changed", old, now, conditionsText(old), conditionsText(now))
		return
	}
	d.add("claim-changed", old, now, strings.Join(a, " && "), strings.Join(b, " && "))
}

// changedParts reports values, a default, a text or answers of a route that differ.
func (d *claimDiffer) changedParts(old, now *spec.RecordedClaim, differ func(part func(c *spec.RecordedClaim) string) bool) {
	for _, part := range []func(c *spec.RecordedClaim) string{valuesText, defaultText, textOf} {
		// Whether a default of a field is found may depend on how the code is written.
		if found := old.Kind != evidence.Field || part(old) != "" && part(now) != ""; found && differ(part) {
			d.add("claim-changed", old, now, part(old), part(now))
			return
		}
	}
	if a, b := served(old), served(now); !slices.Equal(a, b) && a != nil && b != nil {
		d.add("claim-changed", old, now, onlyIn(a, b), onlyIn(b, a))
	}
}

// changedRows reports the conditions that give other values. An assignment that only one side knows, such as the value of a
// variable that is a constant now, is no difference.
func (d *claimDiffer) changedRows(old, now *spec.RecordedClaim) {
	rows := func(c *spec.RecordedClaim) []string { return mapped(c) }
	if len(assignments(old)) != len(assignments(now)) {
		rows = func(c *spec.RecordedClaim) []string { return rowsOf(c, terms) }
	}
	a, b := differing(rows(old), rows(now)), differing(rows(now), rows(old))
	same := func(c *spec.RecordedClaim) string {
		return strings.Join(rowsOf(c, func(w evidence.Condition) string { return comparable(w, d.isLoose(c)) }), "\n")
	}
	all := func(part func(c *spec.RecordedClaim) []string) bool {
		return d.equal(old.Subject, strings.Join(part(old), "\n"), strings.Join(part(now), "\n"))
	}
	if len(a)+len(b) > 0 && !all(rows) && (!all(assignments) || !d.equal(old.Subject, same(old), same(now))) {
		d.add("claim-changed", old, now, strings.Join(a, "; "), strings.Join(b, "; "))
	}
}

// terms returns a condition without the assignments of variables.
func terms(w evidence.Condition) string {
	var list []string
	for _, t := range w.All {
		list = append(list, t.Text)
	}
	return strings.Join(list, " && ")
}

// mapped returns the conditions of a claim with the values that they give; nil if its values have no conditions.
func mapped(c *spec.RecordedClaim) []string { return rowsOf(c, evidence.Condition.String) }

// rowsOf is [mapped] with the conditions as a function writes them.
func rowsOf(c *spec.RecordedClaim, text func(evidence.Condition) string) []string {
	if len(c.Values) != len(c.When) || c.Kind != evidence.Choice && c.Kind != evidence.Result && c.Kind != evidence.Built {
		return nil
	}
	var out []string
	for i, w := range c.When {
		row := c.Values[i]
		if when := text(w); when != "" {
			row = when + " → " + row
		}
		out = append(out, row)
	}
	return out
}

// differing returns the elements of a list that another one has not.
func differing(list, other []string) []string {
	var out []string
	for _, s := range list {
		if !slices.ContainsFunc(other, func(o string) bool { return unformatted(o) == unformatted(s) }) {
			out = append(out, s)
		}
	}
	return out
}

// textOf returns the text that an error has or a status prints. Other texts are documentation.
func textOf(c *spec.RecordedClaim) string {
	if c.Kind == evidence.ExitStatus || c.Kind == evidence.Effect {
		return c.Text
	}
	return ""
}

// conditionsText returns the conditions of a claim; "" for none.
func conditionsText(c *spec.RecordedClaim) string {
	var list []string
	for _, when := range c.When {
		list = append(list, when.String())
	}
	return strings.Join(sorted(list), " || ")
}

// termList returns the terms of all conditions of a claim.
func termList(c *spec.RecordedClaim) []string {
	var list []string
	for _, when := range c.When {
		for _, t := range when.All {
			list = append(list, t.String())
		}
	}
	return sorted(list)
}

// isLoose reports whether a claim is about a language in which == compares more than a switch does.
func (d *claimDiffer) isLoose(c *spec.RecordedClaim) bool {
	if s := d.symbols[c.Subject]; s != nil {
		return d.compat(s).openTypes
	}
	return true
}

// termsText is like conditionsText, for comparisons: without the assignments of variables, comparisons with constants in one form.
func (d *claimDiffer) termsText(c *spec.RecordedClaim) string {
	var list []string
	for _, when := range c.When {
		list = append(list, comparable(when, d.isLoose(c)))
	}
	return strings.Join(sorted(list), " || ")
}

// assignments returns the assignments of variables in the conditions of a claim.
func assignments(c *spec.RecordedClaim) []string {
	var list []string
	for _, when := range c.When {
		for _, t := range when.All {
			if t.Where != "" {
				list = append(list, t.Where)
			}
		}
	}
	return sorted(list)
}

// valuesText returns the values of a claim in any order: the cases of a switch have none.
func valuesText(c *spec.RecordedClaim) string {
	list := slices.DeleteFunc(slices.Clone(c.Values), func(v string) bool { // what documentation says of a field
		return c.Kind == evidence.Field && strings.HasSuffix(v, ".") && strings.Contains(v, " ")
	})
	return strings.Join(sorted(list), ", ")
}

// defaultText returns the default of an option; its help text is not behaviour.
func defaultText(c *spec.RecordedClaim) string {
	if c.Option == nil {
		return ""
	}
	return c.Option.Default
}

// served returns what a route answers, refusals in their order; nil if that is not known.
func served(c *spec.RecordedClaim) []string {
	if c.Served == nil {
		return nil
	}
	list := slices.Concat([]string{}, c.Served.Guards, c.Served.Success, c.Served.Refusals)
	if c.Served.Shadowed {
		list = append(list, "shadowed")
	}
	return list
}

// onlyIn returns the elements of a list that another one has not; all of them if only the order differs.
func onlyIn(list, other []string) string {
	own := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
	if len(own) == 0 && len(list) == len(other) {
		own = list
	}
	return strings.Join(own, ", ")
}

// outcomeText returns the error, the status and the texts of an exit.
func outcomeText(c *spec.RecordedClaim) string {
	parts := append([]string{c.Outcome.Error, c.Outcome.Member, c.Outcome.Status, c.Outcome.Message}, c.Outcome.Details...)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// add adds an item for the claim old, or what it became. Requirements are those of the spec.
func (d *claimDiffer) add(rule string, old, now *spec.RecordedClaim, before, after string) {
	if d.same[old.Subject] && !d.fromElsewhere(old, now) {
		return
	}
	r := ruleByID(rule)
	item := Item{
		Rule: r.ID, Severity: r.Severity, Category: r.Category, ChangeType: r.ChangeType,
		Breaking:   breaksUsers(r, old, before),
		SymbolName: cmp.Or(old.Subject, old.Name), OldValue: before, NewValue: after, DetectedBy: "structural",
		Location: d.place(now), old: old, now: now,
	}
	stated := ""
	if old.Requirement != "" {
		stated = " (" + old.Requirement + ")"
	}
	fill := strings.NewReplacer("{what}", d.sentence(old), "{old}", orNone(short(before)), "{new}", orNone(short(after)), "{more}", stated)
	item.Description = fill.Replace(message.Translate(d.lang, r.Words))
	item.ProposedUpdate = fill.Replace(message.Translate(d.lang, r.Update))
	item.complete()
	d.items = append(d.items, item)
	d.told[old.Subject] = true
}

// breaksUsers reports whether a change of a claim breaks users: what they reach by name is gone, or an answer lacks fields that
// it had, which before lists.
func breaksUsers(r Rule, old *spec.RecordedClaim, before string) bool {
	if old.Kind == evidence.AnswerBody {
		return r.ID == "claim-changed" && before != ""
	}
	return r.ChangeType == Removal && slices.Contains(ofUsers, old.Kind)
}

// sentence puts a claim into words.
func (d *claimDiffer) sentence(c *spec.RecordedClaim) string {
	return spec.Say(&c.Claim, string(d.lang))
}

// place returns file:line of a claim in the current code, or of its symbol, or the target.
func (d *claimDiffer) place(c *spec.RecordedClaim) string {
	if len(c.At) > 0 {
		return c.At[0].File + ":" + strconv.Itoa(c.At[0].Line)
	}
	if s := d.symbols[c.Subject]; s != nil {
		return d.location(pair{now: s})
	}
	return d.now.FilePath + ":1"
}

// symbolsByName returns the symbols of a skeleton by qualified name; the first of several.
func symbolsByName(s *code.Skeleton) map[string]*code.Symbol {
	out := map[string]*code.Symbol{}
	var add func(owner string, list []code.Symbol)
	add = func(owner string, list []code.Symbol) {
		for i := range list {
			name := owner + list[i].Name
			if out[name] == nil {
				out[name] = &list[i]
			}
			add(name+".", list[i].Members)
		}
	}
	add("", s.Exports)
	add("", s.Internals)
	return out
}
