package resolve

import (
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// question is a cache key of the linker.
type question struct {
	unit *unit
	ref  code.Ref // of an expression; or the index of a scope
	env  *env
	decl *decl  // the type of a member; a parameter
	name string // of an export or member
	what uint8
}

const (
	askValue uint8 = iota
	askType
	askResult
	askExport
	askObject
	askMember
	askStaticMember
	askAncestors
	askImplementing
	askImplementers
	askRequired
	askHaving
	askLinear
	askReceiver
	askStar
	askGiven
	askDispatcher
)

// answer is a final answer, with the names looked up for it.
type answer struct {
	values  values
	lookups []uint32
}

// frame is a question being answered.
type frame struct {
	depth   int
	asked   bool   // it was asked recursively
	found   values // the values found so far
	lookups lookups
}

// lookups are hashes of names that were looked up, some of them several times.
type lookups struct {
	hashes   []uint32
	distinct int // how many there were when they were last sorted
}

// add adds hashes.
func (n *lookups) add(hashes ...uint32) {
	n.hashes = append(n.hashes, hashes...)
	if len(n.hashes) > 64 && len(n.hashes) > 4*n.distinct {
		n.sorted()
	}
}

// sorted returns each hash once, sorted.
func (n *lookups) sorted() []uint32 {
	slices.Sort(n.hashes)
	n.hashes = slices.Compact(n.hashes)
	n.distinct = len(n.hashes)
	return n.hashes
}

// draft is an answer that depends on questions still being answered; low is the smallest depth among these.
type draft struct {
	answer
	low int
}

// independent is the depth of an answer that depends on no open question.
const independent = math.MaxInt

// maxRounds bounds the number of iterations for a recursive question.
const maxRounds = 6

// maxDepth bounds the depth of dependent questions.
const maxDepth = 160

// ask answers a question, with caching. A question asked recursively (for a function that returns its own result)
// gets the values found so far, and is iterated until nothing is added: the answer does not depend on the order of
// questions.
func (l *Linker) ask(q question, answerer func() values) values {
	answers := l.answersTo(q)
	if a, ok := answers[q]; ok {
		l.note(a.lookups...)
		return a.values
	}
	if f, ok := l.active[q]; ok {
		f.asked = true
		l.low = min(l.low, f.depth)
		return f.found
	}
	if d, ok := l.drafts[q]; ok {
		l.low = min(l.low, d.low)
		l.note(d.lookups...)
		return d.values
	}
	if len(l.frames) >= maxDepth {
		return nil
	}
	return l.answer(q, answerer)
}

// answersTo returns the cache for a question: that of the file being linked, or that for all files.
func (l *Linker) answersTo(q question) map[question]answer {
	if q.unit == l.unit && l.project.units[q.unit.file.Path] != q.unit {
		return l.local
	}
	return l.answers
}

func (l *Linker) answer(q question, answerer func() values) values {
	f := &frame{depth: len(l.frames), lookups: lookups{hashes: l.room()}}
	l.active[q], l.frames = f, append(l.frames, f)
	outer := l.low
	var found values
	var low int
	drafts := len(l.drafted)
	for range maxRounds {
		f.asked, l.low = false, independent
		found = answerer()
		low = l.low
		if !f.asked || found.same(f.found) {
			break
		}
		f.found = found
		l.forget(drafts)
	}
	delete(l.active, q)
	l.frames = l.frames[:f.depth]
	a := answer{found, slices.Clone(f.lookups.sorted())}
	l.rooms[f.depth] = f.lookups.hashes
	l.note(a.lookups...)
	if low >= f.depth { // it depends on nothing outside itself
		l.answersTo(q)[q] = a
		l.low = outer
		l.forget(drafts)
		return found
	}
	for _, d := range l.drafted[drafts:] { // dependents of f depend on what f depends on
		x := l.drafts[d]
		x.low = min(x.low, low)
		l.drafts[d] = x
	}
	l.drafts[q] = draft{a, low}
	l.drafted = append(l.drafted, q)
	l.low = min(outer, low)
	return found
}

// forget drops all but the first n drafts.
func (l *Linker) forget(n int) {
	for _, q := range l.drafted[n:] {
		delete(l.drafts, q)
	}
	l.drafted = l.drafted[:n]
}

// room returns an empty slice for the lookups of the next frame, which has the memory of the last one of that depth.
func (l *Linker) room() []uint32 {
	if depth := len(l.frames); depth < len(l.rooms) {
		return l.rooms[depth][:0]
	}
	l.rooms = append(l.rooms, nil)
	return nil
}

// note adds lookups to the current question, or to the file's.
func (l *Linker) note(hashes ...uint32) {
	if l.sitesOnly {
		return
	}
	if n := len(l.frames); n > 0 {
		l.frames[n-1].lookups.add(hashes...)
		return
	}
	l.lookups.add(hashes...)
}

// look records that a name was looked up outside the function that uses it.
func (l *Linker) look(name string) { l.note(Hash(name)) }

// Hash returns the hash of a name in [Result.Lookups]: FNV-1a, 32 bits.
func Hash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
