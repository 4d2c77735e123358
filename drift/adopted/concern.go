package adopted

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Change is a change of what a declaration is or does, or of the statements of a file.
type Change struct {
	Files   []string // where it is, before and now
	Symbol  string   // the qualified name; "" for the statements of a file
	Name    string   // what else it is about, such as an option
	Removed bool     // the declaration is gone, or has another name
	Was, Is string   // what differs
	// Before and After are the text of the declaration; "" if it is not known.
	Before, After string
	// Users are the declarations of the folder that use it, if it is private, themselves or through another private one.
	Users []string
	// Removes reports whether the changed lines had something, in small letters, and the code that changed has less of it now; nil if
	// that is not known.
	Removes func(token string) bool
}

// Concern is a requirement that a change is about.
type Concern struct {
	Spec        *Spec
	Requirement *handwritten.Requirement
	Scenario    *handwritten.Scenario // nil for the requirement itself
	// Contradicted is set if the requirement says what the code said before, and does not say any more.
	Contradicted bool
	relevance    float64
	confidence   float64
	// distance is 0 for what is linked to the declaration itself, or to what the changed lines use; 1 for what is linked to what uses it, 2
	// to the type that it is a member of.
	distance int
}

// Line returns where the concern is in the spec.
func (c *Concern) Line() int {
	if c.Scenario != nil {
		return c.Scenario.Line
	}
	return c.Requirement.Line
}

// part is a requirement without its scenarios, or one of them.
type part struct {
	scenario *handwritten.Scenario
	text     string
}

func partsOf(r *handwritten.Requirement) []part {
	out := []part{{nil, r.Title + "\n" + r.Text}}
	for i := range r.Scenarios {
		out = append(out, part{&r.Scenarios[i], r.Scenarios[i].Title + "\n" + r.Scenarios[i].Text})
	}
	return out
}

// Concerned returns the requirements of specs that a change contradicts, and those that it touches: of several that are linked to the
// changed declaration, those whose words the change has, if there are any; if none is, those that are linked to what uses it, or to what
// the changed lines use.
func Concerned(specs []*Spec, c *Change) []Concern {
	var list []Concern
	var candidates []candidate
	for _, s := range specs {
		if s.Written != nil {
			candidates = append(candidates, s.candidates(c)...)
		}
	}
	words := changedWords(c)
	rarity := raritiesOf(candidates)
	for _, k := range candidates {
		if one, ok := k.judge(c, words, rarity); ok {
			list = append(list, one)
		}
	}
	list = closest(list)
	return append(quoted(specs, c, list), list...)
}

// candidate is a requirement that is linked to what changed.
type candidate struct {
	spec        *Spec
	requirement *handwritten.Requirement
	link        *lock.Link
	direct      bool // to the declaration, not only to its file
	near        bool // what is linked uses the declaration, or the changed lines use what is linked
}

// candidates returns the requirements that are linked to the declaration, or to another one of its file, each once.
func (s *Spec) candidates(c *Change) []candidate {
	var out []candidate
	for _, l := range s.Accepted(false) {
		r := s.Requirement(l.Requirement)
		if r == nil {
			continue
		}
		same := slices.Contains(c.Files, l.File)
		k := candidate{spec: s, requirement: r, link: l, direct: same && c.reaches(l.Symbol)}
		k.near = c.usedBy(l) || c.uses(l.Symbol)
		if !same && !k.near {
			continue
		}
		i := slices.IndexFunc(out, func(o candidate) bool { return o.requirement == r })
		switch {
		case i < 0:
			out = append(out, k)
		case k.closer(&out[i]):
			out[i] = k
		}
	}
	return out
}

// closer reports whether a link is closer to a change than another one of the requirement.
func (k *candidate) closer(o *candidate) bool {
	if k.direct != o.direct {
		return k.direct
	}
	if k.near != o.near {
		return k.near
	}
	return k.direct && k.link.Confidence > o.link.Confidence
}

// usedBy reports whether the declaration that is linked uses the changed one.
func (c *Change) usedBy(l *lock.Link) bool {
	return slices.Contains(c.Users, l.Symbol) && slices.ContainsFunc(c.Files, func(file string) bool { return path.Dir(file) == path.Dir(l.File) })
}

// reaches reports whether a change is one of a linked declaration: of itself, of a member, or the removal of what it is a member of.
func (c *Change) reaches(symbol string) bool {
	if symbol == "" || c.Symbol == "" {
		return symbol == c.Symbol
	}
	return symbol == c.Symbol || strings.HasPrefix(c.Symbol, symbol+".") || c.Removed && strings.HasPrefix(symbol, c.Symbol+".")
}

// judge finds the part of a requirement that a change is about; ok is false if it is about none.
func (k *candidate) judge(c *Change, words []string, rarity map[string]float64) (out Concern, ok bool) {
	certain := k.certain(c, rarity)
	for i, p := range partsOf(k.requirement) {
		one := Concern{Spec: k.spec, Requirement: k.requirement, Scenario: p.scenario, Contradicted: k.contradicts(c, &p), confidence: k.link.Confidence, relevance: certain}
		for _, w := range link.WordsOf(p.text) {
			if slices.Contains(words, w) {
				one.relevance += rarity[w]
			}
		}
		if i == 0 || one.closer(&out) {
			out = one
		}
	}
	return out, out.Contradicted || k.touches(c, &out)
}

// touches reports whether a change touches a requirement that it does not contradict, and notes how far away what is linked is.
func (k *candidate) touches(c *Change, out *Concern) bool {
	switch {
	case k.direct && k.link.Symbol != "" && strings.HasPrefix(c.Symbol, k.link.Symbol+"."): // one of all that a type does
		out.distance = farthest
		return true
	case k.direct && c.Symbol == "": // one of many statements
		return c.Name != "" && strings.Contains(k.requirement.Words(), c.Name)
	case k.direct:
		return true
	case !k.near || c.Removed:
		return false
	case !c.uses(k.link.Symbol):
		out.distance = 1
	}
	return true
}

// certain returns how much a requirement is known to be about what changed, whatever the change is.
func (k *candidate) certain(c *Change, rarity map[string]float64) float64 {
	certain := sureWeight * k.link.Confidence
	if k.names(c) {
		certain += nameWeight
	}
	title := link.WordsOf(k.requirement.Title)
	for _, w := range link.WordsOf(c.Symbol[strings.LastIndexByte(c.Symbol, '.')+1:]) {
		if slices.Contains(title, w) {
			certain += rarity[w]
		}
	}
	return certain
}

// closer reports whether a change is rather about a part than about another one.
func (c *Concern) closer(o *Concern) bool {
	if c.Contradicted != o.Contradicted {
		return c.Contradicted
	}
	return c.relevance > o.relevance
}

// names reports whether the requirement was linked because it names the declaration.
func (k *candidate) names(c *Change) bool {
	name := c.Symbol[strings.LastIndexByte(c.Symbol, '.')+1:]
	return slices.ContainsFunc(k.link.Reasons, func(r lock.Reason) bool { return r.Kind == string(link.Name) && r.Value == name })
}

// contradicts reports whether a part says something exact that the code said before and does not say any more. What another
// declaration of the file says is only taken from texts, options and long numbers.
func (k *candidate) contradicts(c *Change, p *part) bool {
	before, after := cmp.Or(c.Before, c.Was), c.After
	if c.After == "" {
		after = c.Is
	}
	for _, a := range link.Anchors(p.text) {
		if !k.direct && a.Kind != link.Text && a.Kind != link.Option {
			continue
		}
		was := a.Within(before)
		if c.Before == "" && k.direct && !was {
			was = k.recorded(&a, p)
		}
		if was && !a.Within(after) {
			return true
		}
	}
	least := 1
	switch {
	case k.near && !k.direct:
		least = usedNumber
	case !k.direct:
		least = longNumber
	}
	return saysNumber(p.text, c, least)
}

// recorded reports whether the link was made because the code had an anchor.
func (k *candidate) recorded(a *link.Anchor, p *part) bool {
	in := ""
	if p.scenario != nil {
		in = p.scenario.ID
	}
	return slices.ContainsFunc(k.link.Reasons, func(r lock.Reason) bool {
		return r.Kind == string(a.Kind) && r.Value == a.Value && r.In == in
	})
}

// number matches numbers that are words of their own.
var number = lazyregexp.New(`\b\d+(?:\.\d+)?\b`)

// The number of digits from which a number is no accident: one of a declaration that linked code uses, and one of another declaration
// of the file.
const (
	usedNumber = 2
	longNumber = 3
)

// saysNumber reports whether a text has a number, of some digits at least, that was replaced by another one.
func saysNumber(text string, c *Change, least int) bool {
	was, is, said := numbersIn(c.Was), numbersIn(c.Is), numbersIn(text)
	return len(is) > 0 && slices.ContainsFunc(was, func(n string) bool { return len(n) >= least && !slices.Contains(is, n) && slices.Contains(said, n) })
}

// numbersIn returns the numbers of a text, 60.0 as 60.
func numbersIn(text string) []string {
	list := number.FindAllString(text, -1)
	for i, n := range list {
		if whole, fraction, ok := strings.Cut(n, "."); ok {
			list[i] = strings.TrimSuffix(whole+"."+strings.TrimRight(fraction, "0"), ".")
		}
	}
	return list
}

// changedWords returns the words that only one side of a change has.
func changedWords(c *Change) []string {
	was, is := link.WordsOf(c.Was), link.WordsOf(c.Is)
	var out []string
	for _, w := range was {
		if !slices.Contains(is, w) {
			out = append(out, w)
		}
	}
	for _, w := range is {
		if !slices.Contains(was, w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return was
	}
	return out
}

// raritiesOf weighs words by the number of candidates that have them.
func raritiesOf(list []candidate) map[string]float64 {
	count := map[string]int{}
	for _, k := range list {
		for _, w := range link.WordsOf(k.requirement.Words()) {
			count[w]++
		}
	}
	out := map[string]float64{}
	for w, n := range count {
		out[w] = math.Log(1 + float64(len(list))/float64(n))
	}
	return out
}

// Limits of what is only touched.
const (
	mostTouched = 3
	nearEnough  = 0.6 // of the relevance of the closest

	sureWeight = 1.5 // of the confidence of a link, beside the words
	nameWeight = 2   // of a name
	farthest   = 2   // of distances
)

// closest returns what is contradicted, and of what is touched the closest.
func closest(list []Concern) []Concern {
	slices.SortStableFunc(list, func(a, b Concern) int {
		if a.Contradicted != b.Contradicted {
			if a.Contradicted {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(b.confidence, a.confidence))
	})
	best, touched := 0.0, 0
	least := farthest
	for _, c := range list {
		least = min(least, c.distance)
	}
	for _, c := range list {
		if c.distance == least {
			best = math.Max(best, c.relevance)
		}
	}
	return slices.DeleteFunc(list, func(c Concern) bool {
		if c.Contradicted {
			return false
		}
		if c.distance > least {
			return true
		}
		touched++
		return touched > mostTouched || c.relevance < nearEnough*best
	})
}

// Tests returns the tests that are linked to a requirement: a file and a name.
func (s *Spec) Tests(id string) []string {
	var out []string
	for _, l := range s.Accepted(true) {
		if l.Requirement == id {
			out = append(out, strings.TrimSpace(l.File+" "+l.Symbol))
		}
	}
	return out
}
