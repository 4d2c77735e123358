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
}

// ofBehaviour are the kinds of claims that are compared. The others follow from declarations,
// which are compared themselves.
var ofBehaviour = []evidence.Kind{
	evidence.Route, evidence.Refusal, evidence.Input, evidence.Stored, evidence.Service, evidence.Topic, evidence.CacheKey, evidence.Command, evidence.Environment, evidence.Setting, evidence.Flag, evidence.Argument, evidence.ExitStatus, evidence.Signal, evidence.StandardInput,
	evidence.Exit, evidence.Choice, evidence.Effect, evidence.Table, evidence.TableKey, evidence.Hazard,
}

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
			if slices.Contains(ofBehaviour, c.Kind) && (c.Subject == "" || before[c.Subject] != nil && after[c.Subject] != nil) {
				out = append(out, c)
			}
		}
		return out
	}
	c := &claimDiffer{differ: d, symbols: after}
	c.compare(compared(base), compared(now))
}

// claimDiffer compares claims about symbols that are on both sides.
type claimDiffer struct {
	*differ
	symbols map[string]*code.Symbol // as they are now
}

func (d *claimDiffer) compare(base, now []*spec.RecordedClaim) {
	known := map[string]*spec.RecordedClaim{} // of base, by id
	for _, old := range base {
		known[old.ID()] = old
	}
	var added []*spec.RecordedClaim
	exits := map[exitKey]*spec.RecordedClaim{} // of added
	for _, c := range now {
		if old := known[c.ID()]; old != nil {
			delete(known, c.ID())
			d.changed(old, c)
			continue
		}
		added = append(added, c)
		if c.Kind == evidence.Exit {
			exits[exitOf(c)] = c
		}
	}
	became := map[*spec.RecordedClaim]bool{}
	for _, old := range base {
		if known[old.ID()] != old {
			continue
		}
		if c := exits[exitOf(old)]; c != nil && old.Kind == evidence.Exit && !became[c] {
			became[c] = true
			d.add("claim-changed", old, c, outcomeText(old), outcomeText(c))
			continue
		}
		d.add("claim-removed", old, old, d.sentence(old), "")
	}
	for _, c := range added {
		if !became[c] {
			d.add("claim-added", c, c, "", d.sentence(c))
		}
	}
}

// exitKey identifies an exit apart from its outcome, which may change.
type exitKey struct{ subject, conditions string }

func exitOf(c *spec.RecordedClaim) exitKey { return exitKey{c.Subject, unformatted(termsText(c))} }

// unformatted returns code without what formatters change: white space, the kind of quotes, parentheses and trailing
// commas. All parentheses and commas are dropped.
func unformatted(text string) string {
	return strings.NewReplacer("(", "", ")", "", ",", "", ";", "").Replace(squeeze(text))
}

// sorted sorts code in an order that does not depend on how it is formatted, without duplicates.
func sorted(list []string) []string {
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(unformatted(a), unformatted(b)) })
	return slices.Compact(list)
}

// changed reports what changed of a claim that is on both sides.
func (d *claimDiffer) changed(old, now *spec.RecordedClaim) {
	differ := func(part func(c *spec.RecordedClaim) string) bool {
		return unformatted(part(old)) != unformatted(part(now))
	}
	// An assignment is left out if it is long, which may depend on its format.
	assigned := len(assignments(old)) == len(assignments(now)) && differ(func(c *spec.RecordedClaim) string { return strings.Join(assignments(c), "\n") })
	if differ(termsText) || assigned {
		d.add("claim-changed", old, now, conditionsText(old), conditionsText(now))
		return
	}
	for _, part := range []func(c *spec.RecordedClaim) string{valuesText, defaultText} {
		if differ(part) {
			d.add("claim-changed", old, now, part(old), part(now))
			return
		}
	}
	if a, b := served(old), served(now); !slices.Equal(a, b) && a != nil && b != nil {
		d.add("claim-changed", old, now, onlyIn(a, b), onlyIn(b, a))
	}
}

// conditionsText returns the conditions of a claim; "" for none.
func conditionsText(c *spec.RecordedClaim) string {
	var list []string
	for _, when := range c.When {
		list = append(list, when.String())
	}
	return strings.Join(sorted(list), " || ")
}

// termsText is like conditionsText, without the assignments of variables.
func termsText(c *spec.RecordedClaim) string {
	var list []string
	for _, when := range c.When {
		var terms []string
		for _, t := range when.All {
			terms = append(terms, t.Text)
		}
		list = append(list, strings.Join(terms, " && "))
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
	return strings.Join(sorted(slices.Clone(c.Values)), ", ")
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
	parts := append([]string{c.Outcome.Error, c.Outcome.Status, c.Outcome.Message}, c.Outcome.Details...)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// add adds an item for the claim old, or what it became. Requirements are those of the spec.
func (d *claimDiffer) add(rule string, old, now *spec.RecordedClaim, before, after string) {
	r := ruleByID(rule)
	item := Item{
		Rule: r.ID, Severity: r.Severity, Category: r.Category, ChangeType: r.ChangeType,
		Breaking:   r.ChangeType == Removal && slices.Contains(ofUsers, old.Kind),
		SymbolName: cmp.Or(old.Subject, old.Name), OldValue: before, NewValue: after, DetectedBy: "structural",
		Location: d.place(now),
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
