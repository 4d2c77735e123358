package resolve

import (
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// question is what the linker keeps answers for.
type question struct {
	unit *unit
	ref  code.Ref // of an expression, or the index of a scope
	env  *env
	decl *decl  // of a member: the type; a parameter
	name string // of an export, of a member
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
	askLinear
	askReceiver
	askStar
	askGiven
)

// answer is a finished one, with the names it looked up on the way.
type answer struct {
	values  values
	lookups []uint32
}

// frame is a question under way.
type frame struct {
	depth   int
	asked   bool   // it was asked again before it was answered
	so      values // what is known of it so far
	lookups map[uint32]struct{}
}

// draft is an answer that depends on questions still under way; the outermost of
// them has the depth low.
type draft struct {
	answer
	low int
}

// settled is the depth of what depends on no question under way.
const settled = math.MaxInt

// maxRounds bounds how often a question that depends on itself is asked.
const maxRounds = 6

// maxDepth bounds how many questions depend on one another.
const maxDepth = 160

// ask answers a question, once. A question that comes up again while it is being
// answered (a function that returns what it returns itself) gets what is known so
// far, and is asked again until nothing is added: the answer does not depend on
// which question came first.
func (l *Linker) ask(q question, answerer func() values) values {
	answers := l.answersTo(q)
	if a, ok := answers[q]; ok {
		l.note(a.lookups)
		return a.values
	}
	if f, ok := l.active[q]; ok {
		f.asked = true
		l.low = min(l.low, f.depth)
		return f.so
	}
	if d, ok := l.drafts[q]; ok {
		l.low = min(l.low, d.low)
		l.note(d.lookups)
		return d.values
	}
	if len(l.frames) >= maxDepth {
		return nil
	}
	return l.answer(q, answerer)
}

// answersTo returns the answers to questions like q: those of the file being linked
// that only it can ask, or those of all files.
func (l *Linker) answersTo(q question) map[question]answer {
	if q.unit == l.unit && l.project.units[q.unit.file.Path] != q.unit {
		return l.local
	}
	return l.answers
}

func (l *Linker) answer(q question, answerer func() values) values {
	f := &frame{depth: len(l.frames), lookups: map[uint32]struct{}{}}
	l.active[q], l.frames = f, append(l.frames, f)
	outer := l.low
	var found values
	var low int
	drafts := len(l.drafted)
	for range maxRounds {
		f.asked, l.low = false, settled
		found = answerer()
		low = l.low
		if !f.asked || found.same(f.so) {
			break
		}
		f.so = found
		l.forget(drafts)
	}
	delete(l.active, q)
	l.frames = l.frames[:f.depth]
	a := answer{found, f.names()}
	l.note(a.lookups)
	if low >= f.depth { // it depends on nothing outside itself
		l.answersTo(q)[q] = a
		l.low = outer
		l.forget(drafts)
		return found
	}
	for _, d := range l.drafted[drafts:] { // what depends on f depends on what f depends on
		x := l.drafts[d]
		x.low = min(x.low, low)
		l.drafts[d] = x
	}
	l.drafts[q] = draft{a, low}
	l.drafted = append(l.drafted, q)
	l.low = min(outer, low)
	return found
}

// forget drops the drafts but the first n.
func (l *Linker) forget(n int) {
	for _, q := range l.drafted[n:] {
		delete(l.drafts, q)
	}
	l.drafted = l.drafted[:n]
}

func (f *frame) names() []uint32 {
	out := make([]uint32, 0, len(f.lookups))
	for h := range f.lookups {
		out = append(out, h)
	}
	slices.Sort(out)
	return out
}

// note adds lookups to the question under way, or to the file's.
func (l *Linker) note(hashes []uint32) {
	into := l.lookups
	if n := len(l.frames); n > 0 {
		into = l.frames[n-1].lookups
	}
	for _, h := range hashes {
		into[h] = struct{}{}
	}
}

// look notes that a name was looked up beyond the function that uses it.
func (l *Linker) look(name string) {
	h := Hash(name)
	if n := len(l.frames); n > 0 {
		l.frames[n-1].lookups[h] = struct{}{}
		return
	}
	l.lookups[h] = struct{}{}
}

// Hash is the hash of a name in [Result.Lookups]: FNV-1a, 32 bits.
func Hash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
