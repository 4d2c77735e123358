package cases

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// PerClaim is how many tests are chosen for one claim.
const PerClaim = 2

// Claim is something that tests may show.
type Claim struct {
	ID string
	Of Name
	// Inside says that it was found in a body: a test shows it by its message or its
	// error. Other claims are shown by each use of what they are of.
	Inside  bool
	Error   string // that Of gives; "" for none
	Message string // enough of its text to be told from others; "" for none
}

// Name is what a declaration of a module is known by: its qualified name, and where
// others have that too, what tells them apart.
type Name struct {
	Qualified  string
	Overloaded bool
	Params     string // of overloads: their types, commas between them
	File       string // where several files have the name; ""
}

// candidate is a test that may show a claim.
type candidate struct {
	*Case
	score int
}

// Choose gives each claim the tests that show it best, [PerClaim] at most, and returns
// the ids of the claims that each test was chosen for. further counts the tests that use
// the module and were chosen for none.
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
		if len(c.touches) > 0 && len(chosen[c]) == 0 {
			further++
		}
	}
	return chosen, further
}

// candidates are the tests that may show each claim, by its id.
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
		for _, t := range c.touches {
			if r := c.meant(byName[t.name], t); r != nil {
				found[r.ID] = append(found[r.ID], candidate{c, c.score(t)})
			}
		}
		for _, r := range c.shown(inside) {
			found[r.ID] = append(found[r.ID], candidate{c, -len(c.touches)})
		}
	}
	return found
}

// meant returns the claim that a use speaks to, of those with its name: of
// overloads the one that takes as many arguments, of equal names in several files
// the one whose file the test imports.
func (c *Case) meant(claims []*Claim, t touch) *Claim {
	switch len(claims) {
	case 0:
		return nil
	case 1:
		return claims[0]
	}
	var found []*Claim
	count, counted := c.argumentsOf(t)
	for _, r := range claims {
		if r.Of.File != "" && !c.file.near(r.Of.File) || r.Of.Overloaded && (!counted || countParams(r.Of.Params) != count) {
			continue
		}
		found = append(found, r)
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// argumentsOf counts the arguments of a call in the statement it stands in.
func (c *Case) argumentsOf(t touch) (n int, ok bool) {
	for _, s := range c.steps {
		if s.Line > t.call.Line || s.Line < t.call.Line-maxStepLines || strings.HasSuffix(s.Text, "…") {
			continue
		}
		if _, after, found := strings.Cut(s.Text, t.call.Name+"("); found {
			if rest := afterBracket("(" + after); rest != "" || strings.HasSuffix(after, ")") {
				return len(splitArgs(after[:len(after)-len(rest)-1])), true
			}
		}
	}
	return 0, false
}

// maxStepLines is how far below its beginning a statement's call is looked for.
const maxStepLines = 3

// near tells whether a test file speaks of a source file: by an import, or by its
// name.
func (t *testFile) near(file string) bool {
	stem := stemOf(file)
	if stemOf(t.Path) == stem {
		return true
	}
	for _, imp := range t.Imports {
		if stemOf(lastPart(strings.TrimSuffix(imp.Module, ".js"))) == stem {
			return true
		}
	}
	return false
}

// stemOf is a file's name without what says that it holds tests.
func stemOf(file string) string {
	file = file[strings.LastIndexByte(file, '/')+1:]
	file, _, _ = strings.Cut(file, ".")
	for _, mark := range []string{"_test", "_spec", "Tests", "Test", "Spec"} {
		file = strings.TrimSuffix(file, mark)
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, "test_"), "Test")
}

// What speaks for a test: that its name says what is used, that it uses it itself,
// that it checks something.
const (
	pointsSaid   = 6
	pointsDirect = 8
	pointsChecks = 2
	pointsFile   = 2
	pointsOwner  = 2
	maxUsed      = 10
)

// score tells how well a test shows a thing that it uses: the fewer others it uses,
// the better.
func (c *Case) score(t touch) int {
	points := c.says(t.declared)*pointsSaid - min(len(c.touches), maxUsed)
	if t.direct {
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

// says tells how much a test's name says of a declaration's: 3 when that is all of
// it, 2 when it begins or ends with it, 1 when it has it in it, 0 for nothing.
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

// wordsOf is a name as words in lower case, without the marks between them.
func wordsOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(inWords(name)), func(c rune) bool { return !isNameRune(c) || c == '_' || c == '$' })
	return strings.Join(words, " ")
}

// shown returns the claims found in bodies that a test shows: it speaks of the
// message, or it expects the error of something that it calls and that gives this for
// no other reason.
func (c *Case) shown(inside []*Claim) []*Claim {
	var out []*Claim
	for _, g := range inside {
		if g.Message != "" && slices.ContainsFunc(c.steps, func(s code.Step) bool { return strings.Contains(s.Text, g.Message) }) || c.expects(g, inside) {
			out = append(out, g)
		}
	}
	return out
}

// expects tells a test that calls what a claim is of, and checks for an error that this
// gives for one reason only.
func (c *Case) expects(g *Claim, inside []*Claim) bool {
	if g.Error == "" || !slices.ContainsFunc(c.touches, func(t touch) bool { return t.direct && t.name == g.Of.Qualified }) {
		return false
	}
	for _, other := range inside {
		if other != g && other.Of == g.Of && other.Error == g.Error {
			return false
		}
	}
	return slices.ContainsFunc(c.steps, func(s code.Step) bool { return isAssertion(s) && hasWord(s.Text, lastPart(g.Error)) })
}
