package drift

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec"
)

// leastAlike is how much of their words two claims must share if neither is the only one of its kind.
const leastAlike = 0.5

// pairUp finds what claims that are gone became: the most alike of the new ones of the same kind and subject.
func (d *claimDiffer) pairUp(removed, added []*spec.RecordedClaim) map[*spec.RecordedClaim]*spec.RecordedClaim {
	gone, fresh := countClaims(removed), countClaims(added)
	var list []succession
	for _, old := range removed {
		for _, c := range added {
			if old.Kind != c.Kind || old.Subject != c.Subject || old.Of != c.Of && c.Kind != evidence.Field {
				continue
			}
			alike, key := d.alike(old, c), claimGroup{c.Kind, c.Subject}
			if alike >= leastAlike || gone[key] == 1 && fresh[key] == 1 && old.Subject != "" {
				list = append(list, succession{old, c, alike})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b succession) int { return cmp.Compare(b.alike, a.alike) })
	out, taken := map[*spec.RecordedClaim]*spec.RecordedClaim{}, map[*spec.RecordedClaim]bool{}
	for _, c := range list {
		if out[c.old] == nil && !taken[c.now] {
			out[c.old], taken[c.now] = c.now, true
		}
	}
	return out
}

// succession is a claim that may have become another one.
type succession struct {
	old, now *spec.RecordedClaim
	alike    float64
}

// claimGroup is what claims have in common that may succeed each other.
type claimGroup struct {
	kind    evidence.Kind
	subject string
}

func countClaims(list []*spec.RecordedClaim) map[claimGroup]int {
	out := map[claimGroup]int{}
	for _, c := range list {
		out[claimGroup{c.Kind, c.Subject}]++
	}
	return out
}

// alike returns how much two claims have in common, from 0 to 1.
func (d *claimDiffer) alike(a, b *spec.RecordedClaim) float64 {
	if a.Outcome == nil || b.Outcome == nil {
		return overlap(saidBy(a), saidBy(b))
	}
	if d.equal(a.Subject, d.termsText(a), d.termsText(b)) {
		return 2 // an exit is known by its conditions
	}
	if outcomeText(a) == outcomeText(b) {
		return 1 + overlap(split(d.termsText(a)), split(d.termsText(b)))
	}
	return (overlap(split(d.termsText(a)), split(d.termsText(b))) + overlap(strings.Fields(outcomeText(a)), strings.Fields(outcomeText(b)))) / 2
}

// saidBy returns the words of a claim.
func saidBy(c *spec.RecordedClaim) []string {
	list := []string{c.Name, c.Role, valuesText(c), conditionsText(c), defaultText(c), c.Text}
	if c.Option != nil {
		list = append(list, c.Option.Type)
	}
	return split(strings.Join(append(list, served(c)...), " "))
}

// overlap returns the part of the words of two lists that both have.
func overlap(a, b []string) float64 {
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	common := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// renaming is what may be called otherwise in a function: the words that are gone from its text, and the new ones.
// Locals that are members of something else are known on both sides.
type renaming struct {
	gone, fresh   map[string]bool
	before, after map[string][]string
}

// equal reports whether two texts of claims about a symbol are the same except for their format and the names of locals.
func (d *claimDiffer) equal(subject, a, b string) bool {
	x, y := unformatted(a), unformatted(b)
	if x == y {
		return true
	}
	r := d.renamingOf(subject)
	before, after := membersFor(split(x), r.before), membersFor(split(y), r.after)
	return r.fits(before, after) || sameBare(before, after)
}

// fits reports whether words are others except for names that may be called otherwise, each always the same.
func (r *renaming) fits(before, after []string) bool {
	if len(before) != len(after) {
		return false
	}
	to, from := map[string]string{}, map[string]string{}
	for i, w := range before {
		v := after[i]
		switch {
		case w == v && to[w] == "" && from[v] == "":
		case r.gone[w] && r.fresh[v] && (to[w] == "" || to[w] == v) && (from[v] == "" || from[v] == w) && isVariable(before, i):
			to[w], from[v] = v, w
		default:
			return false
		}
	}
	return true
}

// isVariable reports whether a word may be the name of a variable: it is neither a member nor called nor like a type or constant.
func isVariable(words []string, i int) bool {
	member := i > 0 && words[i-1] == "." || i > 1 && words[i-1] == ":" && words[i-2] == ":"
	call := i+1 < len(words) && words[i+1] == "("
	return !member && !call && !unicode.IsUpper([]rune(words[i])[0])
}

// renamingOf returns what may be called otherwise in the text of a symbol; nothing if its texts are not known.
func (d *claimDiffer) renamingOf(subject string) *renaming {
	if r := d.renamed[subject]; r != nil {
		return r
	}
	r := &renaming{gone: map[string]bool{}, fresh: map[string]bool{}}
	d.renamed[subject] = r
	was, is := textOfSymbol(d.oldText, d.before[subject]), textOfSymbol(d.nowText, d.symbols[subject])
	if was == "" || is == "" {
		return r
	}
	before, after := namesIn(was), namesIn(is)
	if d.compat(d.symbols[subject]).openTypes {
		r.before, r.after = destructured(was), destructured(is)
	}
	for w := range before {
		if !after[w] && d.before[w] == nil {
			r.gone[w] = true
		}
	}
	for w := range after {
		if !before[w] && d.symbols[w] == nil {
			r.fresh[w] = true
		}
	}
	return r
}

// textOfSymbol returns the text of a symbol; "" if it is not known.
func textOfSymbol(read func(file string) []byte, s *code.Symbol) string {
	if read == nil || s == nil {
		return ""
	}
	return linesOf(read(s.File), s.StartLine, s.EndLine)
}

// namesIn returns the names in a text.
func namesIn(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range split(text) {
		if r := []rune(w)[0]; wordRune(r) && (r < '0' || r > '9') {
			out[w] = true
		}
	}
	return out
}

// fromElsewhere reports whether a claim about a function that means the same names something else that changed: a constant.
func (d *claimDiffer) fromElsewhere(old, now *spec.RecordedClaim) bool {
	words := map[string]bool{}
	for _, c := range []*spec.RecordedClaim{old, now} {
		for _, w := range append(saidBy(c), split(strings.Join(assignments(c), " "))...) {
			words[w] = true
		}
	}
	return slices.ContainsFunc(d.items, func(i Item) bool {
		return i.old == nil && words[i.SymbolName[strings.LastIndexByte(i.SymbolName, '.')+1:]] && i.SymbolName != old.Subject
	})
}

// explainBodies removes the items about a changed body where a claim says what changed, and those about options, tables and
// results of which another item says the same.
func (d *claimDiffer) explainBodies() {
	said, declared := map[string]bool{}, map[string]bool{}
	replaced := map[string]bool{} // something that was known is not so any more, which says more of a value with code than what is new
	for _, i := range d.items {
		replaced[i.SymbolName] = replaced[i.SymbolName] || i.old != nil && i.Rule != "claim-added"
		switch {
		case i.old == nil:
			declared[i.SymbolName] = declared[i.SymbolName] || !i.ofBody()
		case !slices.Contains(ofStatements, i.old.Kind):
			said[i.SymbolName] = true
		}
	}
	d.items = slices.DeleteFunc(d.items, func(i Item) bool {
		switch {
		case i.old == nil:
			return d.told[i.SymbolName] && i.isExplained(replaced)
		case !slices.Contains(ofStatements, i.old.Kind) || i.old.Requirement != "":
			return false
		}
		return declared[i.SymbolName] || declared[i.old.Subject+"."+i.old.Name] || said[i.SymbolName] && i.old.Kind != evidence.Field
	})
}

// isExplained reports whether what is told of a symbol says what changed of its body: of a value with code, only if something was replaced.
func (i *Item) isExplained(replaced map[string]bool) bool {
	said := replaced[i.SymbolName] || i.symbols[1] == nil || callable(i.symbols[1].Kind)
	return said && bodyHash.MatchString(i.OldValue) && i.ofBody()
}

// ofBody reports whether an item is about the implementation alone.
func (i *Item) ofBody() bool { return i.Rule == "body-changed" || i.Rule == "internal-changed" }
