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
	askBelow
)

// answer is what is known of a question.
type answer struct {
	values  values   // those found so far, if it is open
	lookups []uint32 // hashes of the names looked up for it
	state   state
	asked   bool // while it is open, it was asked recursively
	// low is the depth of the question while it is open; for a draft the smallest depth among the open questions it depends on.
	low int
}

// state is how far a question is answered.
type state uint8

const (
	unasked state = iota // or forgotten
	open                 // it is being answered
	draft                // the answer depends on questions that are open
	final
)

// independent is the depth of an answer that depends on no open question.
const independent = math.MaxInt

// unfinished is the depth of an answer that the allowance of steps cut short: it never becomes final.
const unfinished = -1

// maxRounds bounds the number of iterations for a recursive question.
const maxRounds = 6

// maxDepth bounds the depth of dependent questions.
const maxDepth = 160

// A file is linked in a number of steps that is linear in its size. A step is the answering of a question about the file being
// linked; which of those are asked, and when, does not depend on what other files are linked before. At first maxSteps may be made.
// Each use in the file allows for stepsPerUse more, up to maxSteps that may be made for one use.
const (
	maxSteps    = 20_000
	stepsPerUse = 64
)

// allow begins a use in the file being linked: n more steps may be made. It drops the unfinished answers of the use before.
func (l *Linker) allow(n int) {
	l.left = min(l.left+n, maxSteps)
	if l.cut {
		l.cut, l.low = false, independent
		l.forget(0, false)
	}
}

// ask answers a question, with caching. A question asked recursively (for a function that returns its own result)
// gets the values found so far, and is iterated until nothing is added: the answer does not depend on the order of
// questions.
func (l *Linker) ask(q question, answerer func() values) values {
	local := q.unit == l.unit // about the file being linked, of which other files see only the head
	a := l.answerTo(&q, local)
	switch a.state {
	case final:
		l.note(a.lookups...)
		return a.values
	case open:
		a.asked = true
		l.low = min(l.low, a.low)
		return a.values
	case draft:
		l.low = min(l.low, a.low)
		l.note(a.lookups...)
		return a.values
	case unasked:
	}
	if l.depth >= maxDepth {
		return nil
	}
	return l.answer(a, answerer, local)
}

// answerTo returns what is known of a question, in the cache for the file being linked or in that for all files.
func (l *Linker) answerTo(q *question, local bool) *answer {
	if !local {
		a := l.answers[*q]
		if a == nil {
			a = &answer{}
			l.answers[*q] = a
		}
		return a
	}
	if q.env == nil && q.what <= askType && int(q.ref) < len(l.local.byRef[q.what]) {
		a := &l.local.byRef[q.what][q.ref]
		if *a == nil {
			*a = l.local.add()
		}
		return *a
	}
	a := l.local.answers[*q]
	if a == nil {
		a = l.local.add()
		l.local.answers[*q] = a
	}
	return a
}

// localAnswers are the answers for the file being linked. Their memory serves the next file.
type localAnswers struct {
	answers map[question]*answer
	byRef   [askType + 1][]*answer // those about values and types of expressions, by [code.Ref]
	blocks  []*[answersPerBlock]answer
	used    int // of all blocks
}

const answersPerBlock = 256

// add returns a new answer.
func (n *localAnswers) add() *answer {
	block := n.used / answersPerBlock
	if block == len(n.blocks) {
		n.blocks = append(n.blocks, &[answersPerBlock]answer{})
	}
	a := &n.blocks[block][n.used%answersPerBlock]
	n.used++
	return a
}

// clear drops the answers, for a file with a number of expressions.
func (n *localAnswers) clear(exprs int) {
	clear(n.answers)
	for i := range n.byRef {
		clear(n.byRef[i])
		n.byRef[i] = slices.Grow(n.byRef[i][:0], exprs)[:exprs]
	}
	for i := 0; i*answersPerBlock < n.used; i++ {
		*n.blocks[i] = [answersPerBlock]answer{}
	}
	n.used = 0
}

// answer answers a question for [Linker.ask].
func (l *Linker) answer(a *answer, answerer func() values, local bool) values {
	depth := l.enter()
	*a = answer{state: open, low: depth, values: a.values}
	outer := l.low
	var found values
	var low int
	drafts, same := len(l.drafts), false
	for range maxRounds {
		a.asked, l.low = false, independent
		found = l.step(answerer, local)
		low = l.low
		if same = !a.asked || found.same(a.values); same {
			break
		}
		a.values = found
		l.forget(drafts, true)
	}
	*a = answer{values: found, lookups: l.leave(), state: final}
	l.note(a.lookups...)
	if low >= depth { // it depends on nothing outside itself
		l.low = outer
		if same {
			l.settle(drafts, a.lookups)
		}
		l.forget(drafts, false)
		return found
	}
	for _, d := range l.drafts[drafts:] { // dependents of a depend on what a depends on
		d.low = min(d.low, low)
	}
	a.state, a.low = draft, low
	l.drafts = append(l.drafts, a)
	l.low = min(outer, low)
	return found
}

// step answers a question once, unless the allowance is spent.
func (l *Linker) step(answerer func() values, local bool) values {
	if local {
		if l.left <= 0 {
			l.cut, l.low = true, unfinished
			return nil
		}
		l.left--
	}
	l.steps++
	return answerer()
}

// settle makes all but the first n drafts final. They depend on one question whose answer was the same in the last two rounds:
// asked again they would be answered as they were, with its lookups.
func (l *Linker) settle(n int, lookups []uint32) {
	for _, d := range l.drafts[n:] {
		*d = answer{values: d.values, lookups: lookups, state: final}
	}
	l.drafts = l.drafts[:n]
}

// forget drops all but the first n drafts. In the next round of a question that they depend on, those begin with the values found
// so far: to begin with none would need a number of rounds that is exponential in how deep recursive questions are nested.
func (l *Linker) forget(n int, again bool) {
	for _, d := range l.drafts[n:] {
		found := d.values
		*d = answer{}
		if again {
			d.values = found
		}
	}
	l.drafts = l.drafts[:n]
}

// enter begins the lookups of a question, and returns its depth.
func (l *Linker) enter() int {
	if l.depth == len(l.noted) {
		l.noted = append(l.noted, lookups{})
	}
	l.noted[l.depth].hashes, l.noted[l.depth].distinct = l.noted[l.depth].hashes[:0], 0
	l.depth++
	return l.depth - 1
}

// leave ends the lookups that enter began, and returns them.
func (l *Linker) leave() []uint32 {
	l.depth--
	return slices.Clone(l.noted[l.depth].sorted())
}

// note adds lookups to the current question, or to the file's.
func (l *Linker) note(hashes ...uint32) {
	if l.sitesOnly {
		return
	}
	if l.depth > 0 {
		l.noted[l.depth-1].add(hashes...)
		return
	}
	for _, h := range hashes {
		l.lookups.add(h)
	}
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
