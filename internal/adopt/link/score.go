package link

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// Reason is why a requirement is linked.
type Reason struct {
	Kind  AnchorKind `json:"kind"`
	Value string     `json:"value,omitempty"`
	In    string     `json:"in,omitempty"` // the scenario that it is from
	score float64
}

// Strengths of anchors.
const (
	declaredExact = 3.2 // the requirement names a declaration by a name that only code has
	declaredWord  = 0.8 // by one that may be a word
	mentions      = 0.9 // it names what the unit uses
	optionWeight  = 1.2
	textWeight    = 3.0
	usageWeight   = 0.8 // of a command line
	pathWeight    = 1.2 // it names the file
	fileWeight    = 0.9 // the unit has the name of a file that the requirement names
	commandWeight = 2.0 // the unit is named as the command that the requirement runs
	mostAnchors   = 5.0 // what anchors of one segment add up to at most

	manyUnits = 40 // an anchor that so many units have says nothing
)

// features are what is known of a unit and a segment of a requirement.
type features struct {
	anchors float64 // what both have exactly
	match   float64 // how well the words fit: 1 for the best unit with all words
	within  float64 // the same among the units of the file
	name    float64 // the share of the words of the unit's name
	affine  float64 // the file is called as the spec
	common  float64 // the requirements of the spec have the file in common
	called  float64 // a better unit uses it
	shown   float64 // a test that fits uses it
	calling float64 // it uses a better unit
	own     float64 // how much of the evidence is the unit's own, not its file's
	info    float64 // how much the words of its name that the segment has tell, from 0 to 1
	title   float64 // the share of the words of the title in its name and its file's
	near    float64 // how sure another unit of its file is
	often   float64 // how often it fits requirements of the spec, beside the unit that fits most
	prose   float64 // the share of its lines that are sentences
	plan    float64 // how much the plans of the requirement speak for its file
	planned float64 // and for it by its name
}

// found is the evidence for one unit.
type found struct {
	unit int
	kind int      // 1 for a test
	best features // of the segment that fits best
	more float64  // the score of the second best segment
	in   string   // the segment
	// reasons are those of all segments.
	reasons []Reason
	byPart  map[string]*part

	before float64 // the confidence before other units are asked
	fits   bool    // affine is known
	affine float64

	sure float64 // how sure the link is, once the units were compared
}

// part is the evidence of one segment for a unit.
type part struct {
	anchors, match float64
	reasons        []Reason
	// What the names say of the segment, once it is known.
	known             bool
	name, info, title float64
}

// segment is the text of a requirement itself, or of a scenario.
type segment struct {
	in    string
	words map[string]float64
	names map[string]bool // stemmed words
	title []string        // those of its title
}

// query is a requirement with what it is searched by.
type query struct {
	*handwritten.Requirement
	anchors  []Anchor
	segments []*segment
	found    map[int]*found
	foreseen map[string]float64
}

// search is the search for the code of the requirements of one spec.
type search struct {
	*Corpus
	spec    *handwritten.Spec
	queries []*query
	rarity  map[string]float64 // of words among requirements
	program string             // the name of the program that requirements run
}

func (s *search) at(q *query, unit int, in string) *part {
	f := q.found[unit]
	if f == nil {
		f = &found{unit: unit, kind: kindOf(s.Units[unit]), byPart: map[string]*part{}}
		q.found[unit] = f
	}
	p := f.byPart[in]
	if p == nil {
		p = &part{}
		f.byPart[in] = p
	}
	return p
}

// rare returns 1 for an anchor that one unit has, and less for more; 0 for many.
func rare(n int) float64 {
	if n < 1 {
		return 0
	}
	return math.Max(0, 1-math.Log(float64(n))/math.Log(manyUnits))
}

// prepare makes the query of a requirement.
func (s *search) prepare(r *handwritten.Requirement) *query {
	q := &query{Requirement: r, anchors: anchorsOf(r), found: map[int]*found{}}
	q.segment("", r.Title, r.Text, "")
	for i := range r.Scenarios {
		q.segment(r.Scenarios[i].ID, r.Scenarios[i].Title, r.Scenarios[i].Text, r.Title)
	}
	return q
}

// segment adds a part of a requirement. The title of the requirement is around it.
func (q *query) segment(in, title, text, around string) {
	g := &segment{in: in, words: map[string]float64{}, names: map[string]bool{}, title: wordsOf(title)}
	add := func(text string, weight float64) {
		words.Each(text, func(w string, _ bool) {
			if stem := words.Stem(w); !stop[w] {
				g.words[stem] += weight
				g.names[stem] = true
			}
		})
	}
	add(title, 1.5)
	add(text, 1)
	add(around, 0.7)
	for w, n := range g.words {
		g.words[w] = math.Sqrt(n)
	}
	q.segments = append(q.segments, g)
}

// exact looks for the anchors of a requirement.
func (s *search) exact(q *query) {
	for _, a := range q.anchors {
		switch a.Kind {
		case Name:
			s.name(q, &a)
		case Option:
			s.containing(q, &a, []string{a.Value}, optionWeight)
		case Text:
			if rest, ok := strings.CutPrefix(a.Value, s.program+" "); ok && s.program != "" {
				s.command(q, &a, rest)
				s.containing(q, &a, pieces(a.Value), usageWeight)
			} else {
				s.containing(q, &a, pieces(a.Value), textWeight)
			}
		case File:
			s.file(q, &a)
		case Path, Command, Title, Matching, Common, Called, Planned, Chosen: // not in a text
		}
	}
}

// certain reports whether only code has such a name: it is in several words, called, or set as code with a capital letter and declared
// once or twice.
func certain(a *Anchor, declared int) bool {
	capital := a.Quoted && a.Value != strings.ToLower(a.Value) && a.Value != strings.ToUpper(a.Value)
	return a.Call || camel.MatchString(a.Value) || capital && declared > 0 && declared <= 2
}

// name finds what declares or uses an identifier.
func (s *search) name(q *query, a *Anchor) {
	declared := s.declared[a.Value]
	weight := declaredWord
	if certain(a, len(declared)) {
		weight = declaredExact
	}
	if len(declared) > 0 && len(declared) <= manyUnits/4 {
		for _, u := range declared {
			s.once(q, u, Reason{Kind: Name, Value: a.Value, In: a.In, score: weight / (1 + math.Log2(float64(len(declared))))})
		}
	}
	users := s.naming[a.Value]
	for _, u := range users {
		score := mentions * rare(len(users))
		if weight == declaredWord {
			score /= 2
		}
		if score > 0 {
			s.once(q, u, Reason{Kind: Name, Value: a.Value, In: a.In, score: score})
		}
	}
}

// command finds the units that are named as a command and those below it: of "new change add-feature" newChangeCommand in new-change.ts.
func (s *search) command(q *query, a *Anchor, rest string) {
	var parts []string
	for w := range strings.FieldsSeq(rest) {
		if !commandWord.MatchString(w) || len(parts) == 2 || len(parts) == 1 && strings.Contains(w, "-") { // an argument
			break
		}
		parts = append(parts, w)
	}
	for n := len(parts); n > 0; n-- {
		want := wordsOf(strings.Join(parts[:n], " "))
		hits := s.candidatesIn(want, s.inNames)
		if n == 1 {
			hits = slices.DeleteFunc(hits, func(u int) bool {
				return !slices.ContainsFunc(wordsOf(s.Units[u].Symbol), func(w string) bool { return slices.Contains(want, w) })
			})
		}
		if len(hits) == 0 || len(hits) > manyUnits/2 {
			continue
		}
		for _, u := range hits {
			if score := commandWeight * rare(len(hits)); score > 0 {
				s.once(q, u, Reason{Kind: Command, Value: strings.Join(parts[:n], " "), In: a.In, score: score})
			}
		}
		return
	}
}

// once adds a reason unless there is one of the same value.
func (s *search) once(q *query, unit int, r Reason) {
	p := s.at(q, unit, r.In)
	if i := slices.IndexFunc(p.reasons, func(o Reason) bool { return o.Value == r.Value }); i >= 0 {
		if p.reasons[i].score < r.score {
			p.anchors += r.score - p.reasons[i].score
			p.reasons[i] = r
		}
		return
	}
	p.anchors += r.score
	p.reasons = append(p.reasons, r)
}

// containing finds the units that have parts of a text, as they are.
func (s *search) containing(q *query, a *Anchor, parts []string, weight float64) {
	for _, part := range parts {
		part = strings.ToLower(part)
		var hits []int
		for _, u := range s.candidates(part) {
			if hasToken(s.Units[u].flat, part) {
				hits = append(hits, u)
			}
		}
		for _, u := range hits {
			if score := weight * rare(len(hits)) / float64(len(parts)); score > 0 {
				s.once(q, u, Reason{Kind: a.Kind, Value: a.Value, In: a.In, score: score})
			}
		}
	}
}

// hasToken reports whether a text has a part that does not continue as a word.
func hasToken(text, part string) bool { return indexToken(text, part) >= 0 }

// indexToken returns where; -1 if it has none.
func indexToken(text, part string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(part)
		if (i == 0 || !wordByte(text[i-1]) || !wordByte(part[0])) && (end == len(text) || !wordByte(text[end]) && text[end] != '-') {
			return i
		}
		from = i + 1
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// candidates returns the units with all words of a text.
func (s *search) candidates(text string) []int {
	var list []string
	words.Each(text, func(w string, whole bool) {
		if !whole && !stop[w] {
			list = append(list, words.Stem(w))
		}
	})
	return s.candidatesIn(list, s.postings)
}

func (s *search) candidatesIn(stems []string, index map[string][]int) []int {
	if len(stems) == 0 {
		return nil
	}
	var lists [][]int
	for _, w := range stems {
		lists = append(lists, index[w])
	}
	slices.SortFunc(lists, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
	out := slices.Clone(lists[0])
	for _, l := range lists[1:] {
		out = slices.DeleteFunc(out, func(u int) bool { _, ok := slices.BinarySearch(l, u); return !ok })
	}
	return out
}

// file finds the units of a file of the project, or those that name a file.
func (s *search) file(q *query, a *Anchor) {
	want := strings.Trim(a.Value, "/")
	own := false
	for file, units := range s.files {
		if file == want || strings.HasSuffix(file, "/"+want) {
			own = true
			for _, u := range units {
				s.once(q, u, Reason{Kind: Path, Value: a.Value, In: a.In, score: pathWeight})
			}
		}
	}
	if own {
		return
	}
	s.containing(q, a, []string{path.Base(want)}, fileWeight)
}

// Parameters of BM25.
const (
	k1 = 1.2
	b  = 0.45
	// mostMatches is the number of units that a segment finds by words, of code and of tests.
	mostMatches = 80
)

// ofPlans finds the declarations that the plans of a requirement name.
func (s *search) ofPlans(q *query) {
	q.foreseen = s.foreseen(q)
	for key, v := range q.foreseen {
		file, name, _ := strings.Cut(key, "#")
		if name == "" || v < leastPlanned {
			continue
		}
		for _, u := range s.declared[name] {
			if s.Units[u].File == file {
				s.at(q, u, "")
			}
		}
	}
}

// leastPlanned is how much a plan must speak for a declaration that nothing else does.
const leastPlanned = 0.3

// match finds units by the words of a segment.
func (s *search) match(q *query, g *segment) {
	found := map[int]float64{} // by passage
	ideal := 0.0
	for _, w := range slices.Sorted(maps.Keys(g.words)) { // in one order, so that sums are the same each time
		weight, in := g.words[w], s.within[w]
		weight *= s.idf(len(s.postings[w])) * s.rarity[w]
		ideal += weight // of a word that no code has, too
		for _, i := range in {
			p := &s.passages[i]
			tf := p.weights[w]
			found[i] += weight * tf * (k1 + 1) / (tf + k1*(1-b+b*p.length/s.average[kindOf(s.Units[p.unit])]))
		}
	}
	scores := [2]map[int]float64{{}, {}}
	for i, v := range found {
		u := s.passages[i].unit
		k := kindOf(s.Units[u])
		scores[k][u] = math.Max(scores[k][u], v)
	}
	for k := range scores {
		var values []float64
		for _, v := range scores[k] {
			values = append(values, v)
		}
		slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
		if len(values) == 0 {
			continue
		}
		best, enough := values[0], values[min(len(values), mostMatches)-1]
		for u, v := range scores[k] {
			if v >= enough || q.found[u] != nil {
				s.at(q, u, g.in).match = v/best/2 + math.Min(1, v/ideal)/2
			}
		}
	}
}

func (s *search) idf(n int) float64 {
	return math.Log(1 + (float64(len(s.Units))-float64(n)+0.5)/(float64(n)+0.5))
}

// affinity measures how well the name of a file fits the spec and the requirement: the share of the words of either side.
func (s *search) affinity(q *query, file string) float64 {
	own := wordsOf(path.Base(stemOfPath(file)))
	all := wordsOf(stemOfPath(file))
	share := func(of, in []string) float64 {
		sum, has := 0.0, 0.0
		for _, w := range of {
			weight := s.pathIDF[w]
			if weight == 0 {
				weight = 1
			}
			sum += weight
			if slices.Contains(in, w) {
				has += weight
			}
		}
		if sum == 0 {
			return 0
		}
		return has / sum
	}
	common := wordsOf(s.program) // says nothing about one file of the program
	own = slices.DeleteFunc(own, func(w string) bool { return slices.Contains(common, w) })
	name, title := wordsOf(s.spec.Name), wordsOf(q.Title)
	name = slices.DeleteFunc(name, func(w string) bool { return slices.Contains(common, w) })
	bySpec := share(name, all) * share(own, append(slices.Clone(name), title...))
	byTitle := share(own, title) * 0.5
	if len(own) < 2 {
		byTitle /= 2
	}
	return math.Max(bySpec, byTitle)
}

// telling returns how much a word of a name tells: the more, the fewer names and requirements of the spec have it.
func (s *search) telling(w string) float64 {
	weight := s.idf(len(s.inNames[w]))
	if r, known := s.rarity[w]; known {
		weight *= r
	}
	return weight
}

// shortest is the length from which a word of a name may be short for another one: feb, config, auth.
const shortest = 3

// has returns how much of a word a segment has: 1, or one half for a longer word that begins as it.
func (g *segment) has(w string) float64 {
	if g.names[w] {
		return 1
	}
	if len(w) < shortest {
		return 0
	}
	for long := range g.names {
		if len(long) > len(w) && strings.HasPrefix(long, w) {
			return 0.5
		}
	}
	return 0
}

// named returns the share of the words of a unit's name that a segment has, 0 for a single word; and how much these words tell.
func (s *search) named(u *Unit, g *segment) (share, info float64) {
	sum, has, n := 0.0, 0.0, 0
	for _, w := range u.nameWords {
		weight := s.telling(w)
		sum += weight
		if v := g.has(w); v > 0 {
			has += v * weight
			n++
		}
	}
	info = has / (has + halfTelling)
	if n < 2 {
		return 0, info
	}
	return has / sum, info
}

// halfTelling is what words tell for half of the effect.
const halfTelling = 2

// titled returns the share of the words of a title that the names of a unit and its file have.
func (s *search) titled(u *Unit, title []string) float64 {
	sum, has := 0.0, 0.0
	for _, w := range title {
		weight := s.telling(w)
		sum += weight
		if slices.ContainsFunc(u.allWords, func(o string) bool { return o == w || len(o) >= shortest && strings.HasPrefix(w, o) }) {
			has += weight
		}
	}
	if sum == 0 {
		return 0
	}
	return has / sum
}

// judge fills in the features of the units of a requirement.
func (s *search) judge(q *query) {
	type key struct{ in, file string }
	tops := map[key]float64{}
	for _, f := range q.found {
		for in, p := range f.byPart {
			k := key{in, s.Units[f.unit].File}
			tops[k] = math.Max(tops[k], p.match)
		}
	}
	for _, f := range q.found {
		u := s.Units[f.unit]
		of := f.best // what other units say
		if !f.fits {
			f.fits, f.affine = true, s.affinity(q, u.File)
		}
		of.affine, of.prose = f.affine, u.prose
		of.plan, of.planned = q.foreseen[u.File+"#"], q.foreseen[u.File+"#"+u.name]
		if u.name == "" {
			of.planned = 0
		}
		f.best, f.more, f.reasons = features{}, 0, nil
		best := math.Inf(-1)
		for _, g := range q.segments {
			p := f.byPart[g.in]
			if p == nil {
				continue
			}
			x := of
			x.anchors, x.match, x.within = math.Min(p.anchors, mostAnchors), p.match, 0
			if !p.known {
				p.known = true
				p.name, p.info = s.named(u, g)
				p.title = math.Max(s.titled(u, g.title), s.titled(u, q.segments[0].title))
			}
			x.name, x.info, x.title = p.name, p.info, p.title
			if top := tops[key{g.in, u.File}]; top > 0 {
				x.within = p.match / top
			}
			x.own = math.Min(1, 0.5*x.name+0.4*x.within*x.within*x.within+0.5*math.Min(1, x.anchors))
			f.reasons = append(f.reasons, p.reasons...)
			if v := x.score(f.kind); v > best {
				if !math.IsInf(best, -1) {
					f.more = math.Max(f.more, best)
				}
				best, f.best, f.in = v, x, g.in
			} else {
				f.more = math.Max(f.more, v)
			}
		}
	}
}

// shared finds the files that the requirements of the spec have in common.
func (s *search) shared() {
	sums := [2]map[string]float64{{}, {}}
	for _, q := range s.queries {
		best := map[string]float64{}
		for _, f := range q.found {
			file := s.Units[f.unit].File
			best[file] = math.Max(best[file], f.score())
		}
		for file, v := range best {
			sums[kindOf(s.Units[s.files[file][0]])][file] += math.Max(0, v)
		}
	}
	for k := range sums {
		most := 0.0
		for _, v := range sums[k] {
			most = math.Max(most, v)
		}
		if most == 0 || len(s.queries) < 2 {
			continue
		}
		for _, q := range s.queries {
			for _, f := range q.found {
				if u := s.Units[f.unit]; kindOf(u) == k {
					f.best.common = sums[k][u.File] / most
				}
			}
		}
	}
}

// repeated finds how often a unit fits the other requirements of the spec.
func (s *search) repeated() {
	sums := map[int]float64{}
	most := [2]float64{}
	for _, q := range s.queries {
		for _, u := range slices.Sorted(maps.Keys(q.found)) {
			f := q.found[u]
			sums[u] += f.confidence()
			most[f.kind] = math.Max(most[f.kind], sums[u])
		}
	}
	for _, q := range s.queries {
		for u, f := range q.found {
			f.best.often = (sums[u] - f.confidence()) / most[f.kind]
		}
	}
}

// uses marks the units that better units of the same file, and tests that fit, use.
func (s *search) uses(q *query) {
	var lists [2][]*found
	for _, f := range q.found {
		f.before = f.confidence()
		k := kindOf(s.Units[f.unit])
		lists[k] = append(lists[k], f)
	}
	for k := range lists {
		slices.SortFunc(lists[k], func(a, b *found) int { return cmp.Or(cmp.Compare(b.score(), a.score()), cmp.Compare(a.unit, b.unit)) })
	}
	s.used(q, lists)
	s.shown(q, lists[0])
	s.neighbours(lists)
}

// neighbours marks units of a file with how sure another one of it is, and those that use better ones.
func (s *search) neighbours(lists [2][]*found) {
	for k := range lists {
		best := map[string][]*found{}
		for _, f := range lists[k] {
			if file := s.Units[f.unit].File; len(best[file]) < 2 {
				best[file] = append(best[file], f)
			}
		}
		for _, f := range lists[k] {
			for _, o := range best[s.Units[f.unit].File] {
				if o != f {
					f.best.near = math.Max(f.best.near, o.before)
				}
			}
		}
	}
	for _, f := range lists[0] {
		u := s.Units[f.unit]
		for _, top := range lists[0][:min(len(lists[0]), mostUsers)] {
			if v := s.Units[top.unit]; top != f && len(v.name) > 2 && u.names[v.name] {
				f.best.calling = math.Max(f.best.calling, top.before/(1+math.Log2(float64(len(s.declared[v.name])))))
			}
		}
	}
}

// Limits of what other units say about a unit.
const (
	mostUsers  = 3 // the best units, of code and of tests
	mostShown  = 8 // the best units of code that a test shows
	fewNames   = 2 // a name that so many units have is known in other files, too
	otherFiles = 0.6
)

// used marks the code that better units, and tests that fit, use.
func (s *search) used(q *query, lists [2][]*found) {
	for _, f := range q.found {
		u := s.Units[f.unit]
		if u.Test || len(u.name) < 3 {
			continue
		}
		same := len(s.declared[u.name])
		for k := range lists {
			for _, top := range lists[k][:min(len(lists[k]), mostUsers)] {
				by := s.Units[top.unit]
				if top == f || !by.names[u.name] {
					continue
				}
				weight := top.before / (1 + math.Log2(float64(same)))
				switch {
				case k == 1 || by.File == u.File:
				case same <= fewNames:
					weight *= otherFiles
				default:
					continue
				}
				if k == 1 {
					f.best.shown = math.Max(f.best.shown, weight)
				} else {
					f.best.called = math.Max(f.best.called, weight)
				}
			}
		}
	}
}

// shown marks the tests that use the code that fits best.
func (s *search) shown(q *query, code []*found) {
	for _, f := range q.found {
		u := s.Units[f.unit]
		if !u.Test {
			continue
		}
		for _, top := range code[:min(len(code), mostShown)] {
			if v := s.Units[top.unit]; len(v.name) > 2 && u.names[v.name] {
				f.best.called = math.Max(f.best.called, top.before/(1+math.Log2(float64(len(s.declared[v.name])))))
			}
		}
	}
}
