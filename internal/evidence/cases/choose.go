package cases

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// PerClaim is the maximum number of tests per claim.
const PerClaim = 2

// Claim is a statement that tests may cover.
type Claim struct {
	ID string
	Of Name
	// Inside says that the claim was found in a body; a test covers it by its message or error.
	// Other claims are covered by each use of their symbol.
	Inside  bool
	Error   string // the error that Of returns; "" for none
	Message string // a distinctive part of its text; "" for none
	// Names are those by which a test of Reaching tells the error from others, all of them; nil for none.
	Names    []string
	Reaching []*Case // the tests that reach Of
}

// Name identifies a declaration of a module: the qualified name and, if that is ambiguous, its
// parameters or file.
type Name struct {
	Qualified  string
	Overloaded bool
	Params     string // types of an overload's parameters, separated by commas
	File       string // if several files have the name; otherwise ""
}

// candidate is a test that may cover a claim.
type candidate struct {
	*Case
	score int
}

// Choose selects for each claim the tests that cover it best, at most [PerClaim], and returns
// the ids of the claims by test. further counts the tests that use the module and were not
// chosen.
func Choose(list []*Case, claims []Claim) (chosen map[*Case][]string, further int) {
	found := candidates(list, claims)
	chosen = map[*Case][]string{}
	for i := range claims {
		best := found[claims[i].ID]
		slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
		for _, c := range best[:min(len(best), PerClaim)] {
			chosen[c.Case] = append(chosen[c.Case], claims[i].ID)
		}
	}
	for _, c := range list {
		if len(c.touches) > 0 && len(chosen[c]) == 0 && !c.file.visits {
			further++
		}
	}
	return chosen, further
}

// candidates returns the tests that may cover each claim, by its id.
func candidates(list []*Case, claims []Claim) map[string][]candidate {
	byName := map[string][]*Claim{}
	var inside []*Claim
	for i := range claims {
		if r := &claims[i]; r.Inside {
			inside = append(inside, r)
		} else {
			byName[r.Of.Qualified] = append(byName[r.Of.Qualified], r)
		}
	}
	found := map[string][]candidate{}
	for _, c := range list {
		if c.file.visits {
			continue
		}
		for _, t := range c.touches {
			if r := meant(byName[t.name], t); r != nil {
				found[r.ID] = append(found[r.ID], candidate{c, c.score(t)})
			}
		}
		for _, r := range c.shown(inside) {
			found[r.ID] = append(found[r.ID], candidate{c, -len(c.touches)})
		}
	}
	return found
}

// meant returns the claim that a use refers to, among those with its name: that of the overload or file.
func meant(claims []*Claim, t touch) *Claim {
	if len(claims) == 1 {
		return claims[0]
	}
	var found []*Claim
	for _, r := range claims {
		if (r.Of.File == "" || r.Of.File == t.sym.File) && (!r.Of.Overloaded || r.Of.Params == ParameterTypes(t.sym)) {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// ParameterTypes returns what tells an overload from others: the types of its parameters, or their names, separated by
// commas; without parameters its type parameters.
func ParameterTypes(s *code.Symbol) string {
	var out []string
	for _, p := range s.Params {
		out = append(out, cmp.Or(strings.Join(strings.Fields(p.Type), " "), p.Name))
	}
	return cmp.Or(strings.Join(out, ", "), strings.Join(s.TypeParameters, ", "))
}

// stemOf returns a file's name without its test marker.
func stemOf(file string) string {
	file = file[strings.LastIndexByte(file, '/')+1:]
	file, _, _ = strings.Cut(file, ".")
	for _, mark := range []string{"_test", "_spec", "Tests", "Test", "Spec"} {
		file = strings.TrimSuffix(file, mark)
	}
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(file, "test_"), "spec_"), "Test")
}

// Score weights: the name mentions the symbol, the test uses it directly, the test checks
// something.
// that it checks something.
const (
	pointsSaid   = 6
	pointsDirect = 8
	pointsChecks = 2
	pointsFile   = 2
	pointsOwner  = 2
	maxUsed      = 10
)

// score rates how well a test covers a symbol that it uses; tests that use fewer others rate
// higher.
func (c *Case) score(t touch) int {
	points := c.says(t.declared)*pointsSaid - min(len(c.touches), maxUsed)
	if t.distance == 0 {
		points += pointsDirect
	}
	if slices.ContainsFunc(c.steps, isAssertion) {
		points += pointsChecks
	}
	if stemOf(c.file.Path) == stemOf(t.sym.File) {
		points += pointsFile
	}
	if owner := ownerOf(t.name); owner != "" && strings.Contains(squeeze(c.Name), squeeze(owner)) {
		points += pointsOwner
	}
	return points
}

// says rates how much of a test's name is the name of a declaration: 3 for all of it, 2 for
// its beginning or end, 1 for a part of it, 0 for nothing.
func (c *Case) says(d *declared) int {
	own := wordsOf(ownName(c.Name))
	name, last := wordsOf(d.name), wordsOf(LastName(d.name))
	switch {
	case last == "":
		return 0
	case own == name || own == last || squeeze(own) == squeeze(name) || squeeze(own) == squeeze(last):
		return 3
	case strings.HasPrefix(own, name+" ") || strings.HasSuffix(own, " "+name):
		return 3
	case strings.HasPrefix(own, last+" ") || strings.HasSuffix(own, " "+last):
		return 2
	case strings.Contains(own, " "+last+" "):
		return 1
	}
	return 0
}

// wordsOf returns a name as lower-case words without separators.
func wordsOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(inWords(name)), func(c rune) bool { return !isNameRune(c) || c == '_' || c == '$' })
	return strings.Join(words, " ")
}

// shown returns the claims found in bodies that a test covers: it mentions the message, or it
// expects an error from a function that returns it for no other reason.
func (c *Case) shown(inside []*Claim) []*Claim {
	var out []*Claim
	for _, g := range inside {
		if g.Message != "" && c.Quotes(g.Message) || c.expects(g, inside) || slices.Contains(g.Reaching, c) && c.NamesAll(g.Names) {
			out = append(out, g)
		}
	}
	return out
}

// expects reports whether a test calls the function of a claim and checks for an error that
// the function returns for one reason only.
func (c *Case) expects(g *Claim, inside []*Claim) bool {
	if g.Error == "" || !slices.ContainsFunc(c.touches, func(t touch) bool { return t.distance == 0 && t.name == g.Of.Qualified }) {
		return false
	}
	for _, other := range inside {
		if other != g && other.Error == g.Error && (other.Of == g.Of || other.Message != "" && c.Expects(other.Message, []string{g.Message})) {
			return false
		}
	}
	return c.Names(lastPart(g.Error))
}
