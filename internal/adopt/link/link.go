package link

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// Link is a requirement with what it is about.
type Link struct {
	Requirement string
	Unit        *Unit
	Confidence  float64
	Reasons     []Reason // the strongest first
}

// Limits of the links of a requirement.
const (
	mostLinks   = 8 // to code
	mostTests   = 5
	mostReasons = 3
	// Those of links to choose from.
	manyLinks = 16
	manyTests = 8
	leastMany = 0.1
	// Least is the least confidence of links.
	Least = 0.3
)

// Links returns the links of the requirements of a spec, those of a requirement in the order of their confidence; many to have more of
// them, and less certain ones, for somebody to choose from.
func (c *Corpus) Links(spec *handwritten.Spec, many bool) []Link {
	s := c.search(spec)
	l := limits{Least, [2]int{mostLinks, mostTests}}
	if many {
		l = limits{leastMany, [2]int{manyLinks, manyTests}}
	}
	var out []Link
	for _, q := range s.queries {
		out = append(out, s.choose(q, l)...)
	}
	return out
}

// Most is the number of links of a requirement, to code or to tests, if nobody chooses.
func Most(tests bool) int {
	if tests {
		return mostTests
	}
	return mostLinks
}

// limits are those of the links of a requirement.
type limits struct {
	least float64
	most  [2]int // to code and to tests
}

// search finds the evidence for all units.
func (c *Corpus) search(spec *handwritten.Spec) *search {
	s := &search{Corpus: c, spec: spec, rarity: map[string]float64{}, program: programOf(spec)}
	for i := range spec.Requirements {
		s.queries = append(s.queries, s.prepare(&spec.Requirements[i]))
	}
	s.rarities()
	for _, q := range s.queries {
		s.ofPlans(q)
		s.exact(q)
		for _, g := range q.segments {
			s.match(q, g)
		}
		s.judge(q)
	}
	s.shared()
	s.repeated()
	for _, q := range s.queries {
		s.judge(q)
		s.uses(q)
		s.judge(q)
	}
	return s
}

// rarities weighs words by the number of requirements that have them.
func (s *search) rarities() {
	count := map[string]int{}
	for _, q := range s.queries {
		seen := map[string]bool{}
		for _, g := range q.segments {
			for w := range g.words {
				if !seen[w] {
					seen[w] = true
					count[w]++
				}
			}
		}
	}
	for w, n := range count {
		s.rarity[w] = 1 / math.Sqrt(float64(n))
	}
}

// choose returns the links of a requirement.
func (s *search) choose(q *query, l limits) []Link {
	lists := s.ranked(q)
	var out []Link
	for k := range lists {
		for _, f := range lists[k][:min(l.most[k], len(lists[k]))] {
			if f.sure < l.least {
				break
			}
			out = append(out, Link{q.ID, s.Units[f.unit], f.sure, f.why()})
		}
	}
	return out
}

// ranked returns the units that a requirement may be linked to, code and tests, the most certain first.
func (s *search) ranked(q *query) (lists [2][]*found) {
	for _, f := range q.found {
		k := kindOf(s.Units[f.unit])
		lists[k] = append(lists[k], f)
	}
	for k := range lists {
		slices.SortFunc(lists[k], func(a, b *found) int { return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.unit, b.unit)) })
	}
	lists[0] = slices.DeleteFunc(lists[0], func(f *found) bool {
		u := s.Units[f.unit]
		return isType(u.Kind) && !s.isMeant(q, f) || u.Symbol == "" && f.best.anchors < leastExact || s.beside(q, u)
	})
	lists[0] = slices.DeleteFunc(s.distinct(lists[0]), func(f *found) bool { return f.best.anchors == 0 && !s.shares(q, f.unit) })
	c := compare(lists[0])
	for _, f := range lists[0] {
		f.sure = c.confidence(f)
	}
	lists[1] = slices.DeleteFunc(lists[1], func(f *found) bool { return f.best.anchors == 0 && !s.shares(q, f.unit) })
	for _, f := range lists[1] {
		f.sure = f.confidence()
	}
	slices.SortStableFunc(lists[0], func(a, b *found) int { return cmp.Compare(b.sure, a.sure) })
	return lists
}

// leastWords is the number of words that a requirement and code without anything exact in common must share besides the name of the spec,
// which all requirements of the spec are about: one in its name is enough.
const leastWords = 2

// shares reports whether they do.
func (s *search) shares(q *query, unit int) bool {
	common := wordsOf(s.spec.Name)
	n := 0
	for _, g := range q.segments {
		for w := range g.words {
			if slices.Contains(common, w) {
				continue
			}
			if slices.Contains(s.Units[unit].nameWords, w) {
				return true
			}
			if _, has := slices.BinarySearch(s.postings[w], unit); has {
				n++
			}
		}
		if n >= leastWords {
			return true
		}
		n = 0
	}
	return false
}

// beside reports whether a unit shows, tries or tests the program, and neither the spec's name nor the requirement speaks of its folder.
func (s *search) beside(q *query, u *Unit) bool {
	for folder := range strings.SplitSeq(path.Dir(u.File), "/") {
		if !besides.MatchString(folder) {
			continue
		}
		about := slices.Concat(wordsOf(s.spec.Name), wordsOf(q.Title))
		if !strings.Contains(strings.ToLower(q.Words()), strings.ToLower(folder)+"/") && !slices.ContainsFunc(wordsOf(folder), func(w string) bool { return slices.Contains(about, w) }) {
			return true
		}
	}
	return false
}

// besides matches the names of folders beside a program: of examples, spikes, benchmarks, tests and what these use.
var besides = lazyregexp.New(`(?i)^(?:examples?|samples?|demos?|tutorials?|playgrounds?|spikes?|bench(?:es|marks?)?|__?tests?__?|tests?|e2e|fixtures?|testdata|mocks?)$`)

// leastExact is what the statements of a file must have exactly: their words are those of all that the file imports and joins.
const leastExact = 1

// why returns the reasons for a link, the strongest first.
func (f *found) why() []Reason {
	out := slices.Clone(f.reasons)
	add := func(kind AnchorKind, score float64) {
		if score > 0.4 {
			out = append(out, Reason{Kind: kind, score: score})
		}
	}
	w := &weightsOf[f.kind]
	add(Matching, w.match*f.best.match+w.name*f.best.name)
	add(Title, w.affine*f.best.affine)
	add(Common, w.common*f.best.common)
	add(Called, w.called*math.Max(f.best.called, f.best.shown))
	add(Planned, plansTell*math.Max(f.best.plan, f.best.planned))
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.score, a.score) })
	var said []Reason
	for _, r := range out {
		if len(said) < mostReasons && !slices.ContainsFunc(said, func(o Reason) bool { return o.Kind == r.Kind && o.Value == r.Value }) {
			said = append(said, r)
		}
	}
	return said
}

// plansTell is how much plans weigh as a reason.
const plansTell = 1.8

// programOf returns the word with which most of the command lines in a spec begin; "" for none.
func programOf(spec *handwritten.Spec) string {
	count := map[string]int{}
	for i := range spec.Requirements {
		for _, m := range codeSpan.FindAllStringSubmatch(spec.Requirements[i].Words(), -1) {
			if f := strings.Fields(m[1]); len(f) > 1 && commandWord.MatchString(f[0]) && (commandWord.MatchString(f[1]) || strings.HasPrefix(f[1], "-")) {
				count[f[0]]++
			}
		}
	}
	best := ""
	for w, n := range count {
		if n > count[best] || n == count[best] && w < best {
			best = w
		}
	}
	if count[best] < 2 {
		return ""
	}
	return best
}

// isType reports whether a unit declares a type: requirements are about what is done, unless they name it.
func isType(k code.Kind) bool {
	return slices.Contains([]code.Kind{code.Class, code.Interface, code.TypeDef, code.Struct, code.Enum, code.Trait, code.Union}, k)
}

// sharedFile is how much the requirements of a spec must have a file in common for a type of it that one of them names in passing.
const sharedFile = 0.5

// isMeant reports whether a requirement is about a type: its title has all words of the type's name, if these are several, or names it; or
// the requirement names it, and the spec is about its file. Else it is named as what something else takes, returns or uses, unless it is
// an error: then it says what is thrown.
func (s *search) isMeant(q *query, f *found) bool {
	u := s.Units[f.unit]
	title := q.segments[0].title
	if len(u.nameWords) > 1 && !slices.ContainsFunc(wordsOf(u.name), func(w string) bool { return !slices.Contains(title, w) }) {
		return true
	}
	return s.isNamed(f) && (f.best.common >= sharedFile || slices.Contains(identifier.FindAllString(q.Title, -1), u.name) || failure.MatchString(u.name))
}

// failure matches the names of errors.
var failure = lazyregexp.New(`(?:Error|Exception|Failure|Warning)s?$|^(?:Err|err)[A-Z_]|_error$`)

// isNamed reports whether the requirement names the unit.
func (s *search) isNamed(f *found) bool {
	name := s.Units[f.unit].name
	return slices.ContainsFunc(f.reasons, func(r Reason) bool { return r.Kind == Name && r.Value == name })
}

// sameName is how much less the evidence for a unit may be than for another one of its name.
const sameName = 0.8

// distinct leaves out units of the name of a better one: of methods of one name, a scenario is about that of one class.
func (s *search) distinct(list []*found) []*found {
	type key struct{ name, in string }
	best := map[key]float64{}
	return slices.DeleteFunc(list, func(f *found) bool {
		k := key{s.Units[f.unit].name, f.in}
		top, known := best[k]
		if k.name == "" || !known {
			best[k] = f.score()
			return false
		}
		return f.score() < top-sameName
	})
}

// Place returns where the unit begins.
func (u *Unit) Place() string { return u.File + ":" + strconv.Itoa(u.Line) }

// excerptBytes and excerptLines limit the beginning of a unit.
const (
	excerptBytes = 1500
	excerptLines = 40
)

// Excerpt returns the beginning of the unit's own text.
func (u *Unit) Excerpt() string {
	lines := strings.SplitAfterN(strings.TrimSpace(u.text), "\n", excerptLines+1)
	text := strings.Join(lines[:min(len(lines), excerptLines)], "")
	if len(text) > excerptBytes {
		text = strings.ToValidUTF8(text[:excerptBytes], "")
	}
	return text
}

// Places returns where the units are, by file and name: "a.go#F".
func (c *Corpus) Places() map[string]string {
	out := map[string]string{}
	for _, u := range c.Units {
		if key := u.File + "#" + u.Symbol; out[key] == "" {
			out[key] = u.Place()
		}
	}
	return out
}

// Words says what a reason is.
func Words(kind AnchorKind, value string) message.Text {
	switch kind {
	case Name:
		return message.New("the name `%s`", value)
	case Path:
		return message.New("the file `%s` is named", value)
	case File:
		return message.New("the file name `%s`", value)
	case Option:
		return message.New("the option `%s`", value)
	case Text:
		return message.New("the text “%s”", value)
	case Command:
		return message.New("the command `%s`", value)
	case Title:
		return message.New("its file is named after the spec")
	case Matching:
		return message.New("shared words")
	case Common:
		return message.New("its file is linked to other requirements of the spec")
	case Called:
		return message.New("linked code or tests use it")
	case Chosen:
		return message.New("the model chose it")
	case Planned:
		return message.New("the plan of the requirement names it, or its file")
	}
	return message.New("%s", value)
}
