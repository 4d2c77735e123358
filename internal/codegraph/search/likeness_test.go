package search

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// How the vectors of likeness.go are learned: of the functions of a batch, the one that a sentence documents should be the likeliest, given
// the words that both have in common.
const (
	likeRounds  = 6    // over all functions
	likeBatch   = 512  // functions; a multiple of likeBlock
	likeBlock   = 32   // of them neighbours, mostly of one package: they are harder to tell apart
	likeLeast   = 20   // functions; a word of fewer has no vector
	likeRate    = 0.01 // of learning, at first; it falls to almost 0
	likeSharp   = 10.0 // what a cosine of 1 counts
	commonWords = 8.0  // what it counts that a function has all words
	commonNames = 6.0  // and that they are all in its name
)

// trainer learns the vectors.
type trainer struct {
	functions  []example
	doc, code  *learning
	rarity     map[string]float64
	batches    *rand.Rand
	size       int // of a batch
	steps, all int
}

// example is a documented function, by the numbers of its words.
type example struct {
	doc   []weighted
	code  []weighted
	asked []string // words of the documentation
	name  map[string]bool
	has   map[string]bool // all words of the function
}

// weighted is a word that counts for a part of a sum.
type weighted struct {
	word  int
	share float64
}

// learning is a table of vectors with the moments of Adam (Kingma and Ba, 2015).
type learning struct {
	words               []string
	at                  map[string]int
	vectors, slope      [][likeDimensions]float64
	momentum, variation [][likeDimensions]float64
}

// newLearning returns a table of the words that at least likeLeast lists have.
func newLearning(lists func(yield func([]string))) *learning {
	count := map[string]int{}
	lists(func(list []string) {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(list))) {
			count[w]++
		}
	})
	l := &learning{at: map[string]int{}}
	for _, w := range slices.Sorted(maps.Keys(count)) {
		if count[w] >= likeLeast {
			l.at[w] = len(l.words)
			l.words = append(l.words, w)
		}
	}
	n := len(l.words)
	l.vectors, l.slope = make([][likeDimensions]float64, n), make([][likeDimensions]float64, n)
	l.momentum, l.variation = make([][likeDimensions]float64, n), make([][likeDimensions]float64, n)
	return l
}

// begin sets the vectors to random ones. A word has the same one in all tables.
func (l *learning) begin() {
	for i, w := range l.words {
		seed := uint64(14695981039346656037)
		for _, c := range []byte(w) {
			seed = (seed ^ uint64(c)) * 1099511628211
		}
		random := rand.New(rand.NewPCG(seed, 1))
		for k := range l.vectors[i] {
			l.vectors[i][k] = random.NormFloat64() / 10
		}
	}
}

// sum returns the sum of vectors.
func (l *learning) sum(list []weighted) (sum [likeDimensions]float64) {
	for _, w := range list {
		for k, x := range l.vectors[w.word] {
			sum[k] += w.share * x
		}
	}
	return sum
}

// descend adds what an error of a sum is for its vectors.
func (l *learning) descend(list []weighted, slope *[likeDimensions]float64) {
	for _, w := range list {
		for k, x := range slope {
			l.slope[w.word][k] += w.share * x
		}
	}
}

// step changes the vectors after a batch.
func (l *learning) step(rate float64, steps int) {
	first, second := 1-math.Pow(0.9, float64(steps)), 1-math.Pow(0.999, float64(steps))
	for i := range l.vectors {
		for k := range l.vectors[i] {
			x, m, v := l.slope[i][k], &l.momentum[i][k], &l.variation[i][k]
			l.slope[i][k] = 0
			*m = 0.9**m + 0.1*x
			*v = 0.999**v + 0.001*x*x
			l.vectors[i][k] -= rate * (*m / first) / (math.Sqrt(*v/second) + 1e-7)
		}
	}
}

func newTrainer(list []documentedFunction, size int) *trainer {
	t := &trainer{size: size, rarity: map[string]float64{}, batches: rand.New(rand.NewPCG(1, 2))}
	t.doc = newLearning(func(yield func([]string)) {
		for i := range list {
			yield(list[i].doc)
		}
	})
	t.code = newLearning(func(yield func([]string)) {
		for i := range list {
			yield(slices.Concat(list[i].name, list[i].enclosing, list[i].signature))
		}
	})
	t.doc.begin()
	t.code.begin()
	with := map[string]float64{}
	for i := range list {
		d := &list[i]
		e := example{doc: shares(t.doc, d.doc, 1), asked: d.doc, name: map[string]bool{}, has: map[string]bool{}}
		for part, words := range map[likePart][]string{likeName: d.name, likeEnclosing: d.enclosing, likeSignature: d.signature} {
			e.code = append(e.code, shares(t.code, words, float64(likeShares[part]))...)
		}
		slices.SortStableFunc(e.code, func(a, b weighted) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.share, b.share)) })
		for _, w := range d.name {
			e.name[w] = true
		}
		for _, w := range slices.Concat(d.name, d.enclosing, d.signature, d.body) {
			e.has[w] = true
		}
		for w := range e.has {
			with[w]++
		}
		t.functions = append(t.functions, e)
	}
	for w, n := range with {
		t.rarity[w] = math.Log(1 + float64(len(list))/(1+n))
	}
	t.all = likeRounds * (len(list) / size)
	return t
}

// shares returns the known ones of some distinct words, with what each counts.
func shares(l *learning, words []string, whole float64) (list []weighted) {
	for i, w := range words {
		if at, known := l.at[w]; known && !slices.Contains(words[:i], w) {
			list = append(list, weighted{at, 0})
		}
	}
	for i := range list {
		list[i].share = whole / math.Sqrt(float64(len(list)))
	}
	return list
}

// learn goes over all functions several times.
func (t *trainer) learn() {
	n := len(t.functions)
	for range likeRounds {
		begin := t.batches.IntN(likeBlock)
		order := t.batches.Perm(n / likeBlock)
		for blocks := range slices.Chunk(order, t.size/likeBlock) {
			var batch []*example
			for _, b := range blocks {
				for i := range likeBlock {
					batch = append(batch, &t.functions[(b*likeBlock+i+begin)%n])
				}
			}
			t.batch(batch)
		}
	}
}

// batch learns from some functions.
func (t *trainer) batch(batch []*example) {
	u, lengthU := directions(batch, func(e *example) [likeDimensions]float64 { return t.doc.sum(e.doc) })
	v, lengthV := directions(batch, func(e *example) [likeDimensions]float64 { return t.code.sum(e.code) })
	slopeU, slopeV := make([][likeDimensions]float64, len(batch)), make([][likeDimensions]float64, len(batch))
	scores := t.common(batch)
	for i := range batch {
		row := scores[i]
		for j := range row {
			row[j] += likeSharp * dot(&u[i], &v[j])
		}
		most, sum := slices.Max(row), 0.0
		for j := range row {
			row[j] = math.Exp(row[j] - most)
			sum += row[j]
		}
		for j := range row {
			wrong := row[j] / sum
			if i == j {
				wrong--
			}
			wrong *= likeSharp / float64(len(batch))
			for k := range u[i] {
				slopeU[i][k] += wrong * v[j][k]
				slopeV[j][k] += wrong * u[i][k]
			}
		}
	}
	for i, e := range batch {
		t.doc.descend(e.doc, across(&slopeU[i], &u[i], lengthU[i]))
		t.code.descend(e.code, across(&slopeV[i], &v[i], lengthV[i]))
	}
	rate := likeRate*(1-float64(t.steps)/float64(max(1, t.all))) + likeRate/100
	t.steps++
	t.doc.step(rate, t.steps)
	t.code.step(rate, t.steps)
}

// common returns what it counts that functions have words of others' documentation.
func (t *trainer) common(batch []*example) [][]float64 {
	having, named := map[string][]int{}, map[string][]int{}
	for j, e := range batch {
		for w := range e.has {
			having[w] = append(having[w], j)
		}
		for w := range e.name {
			named[w] = append(named[w], j)
		}
	}
	scores := make([][]float64, len(batch))
	for i, e := range batch {
		scores[i] = make([]float64, len(batch))
		all := 1e-6
		for _, w := range e.asked {
			all += t.rarity[w]
		}
		for _, w := range e.asked {
			for _, j := range having[w] {
				scores[i][j] += commonWords * t.rarity[w] / all
			}
			for _, j := range named[w] {
				scores[i][j] += commonNames * t.rarity[w] / all
			}
		}
	}
	return scores
}

// directions returns vectors of length 1, and how long they were.
func directions(batch []*example, sum func(e *example) [likeDimensions]float64) (list [][likeDimensions]float64, lengths []float64) {
	for _, e := range batch {
		v := sum(e)
		length := math.Sqrt(dot(&v, &v)) + 1e-4
		for k := range v {
			v[k] /= length
		}
		list, lengths = append(list, v), append(lengths, length)
	}
	return list, lengths
}

// across returns the part of a slope that turns a vector.
func across(slope, direction *[likeDimensions]float64, length float64) *[likeDimensions]float64 {
	along := dot(slope, direction)
	var out [likeDimensions]float64
	for k := range out {
		out[k] = (slope[k] - along*direction[k]) / length
	}
	return &out
}

func dot(a, b *[likeDimensions]float64) (sum float64) {
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// table returns the vectors as readLikeness reads them.
func (t *trainer) table() string {
	var b strings.Builder
	for _, of := range []struct {
		part likePart
		l    *learning
	}{{likeDoc, t.doc}, {likeCode, t.code}} {
		most := 1e-9
		for _, v := range of.l.vectors {
			for _, x := range v {
				most = max(most, math.Abs(x))
			}
		}
		for i, w := range of.l.words {
			var data [likeDimensions]byte
			for k, x := range of.l.vectors[i] {
				data[k] = byte(int8(math.Round(x / most * math.MaxInt8)))
			}
			fmt.Fprintf(&b, "%s %s %s\n", of.part, w, base64.RawStdEncoding.EncodeToString(data[:]))
		}
	}
	return b.String()
}

// TestLikeness renews likeness.txt from the functions in the file that scripts/described.sh has made.
func TestLikeness(t *testing.T) {
	list := documentedFunctions(t)
	trainer := newTrainer(list, likeBatch)
	trainer.learn()
	head := "# Written by scripts/described.sh. See likeness.go.\n" + fmt.Sprintf("# %d documented functions.\n", len(list))
	if err := os.WriteFile("likeness.txt", []byte(head+trainer.table()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestVectorsAreLearned learns from made-up functions that what "fetches" something has "get" in its name, and what "stores" something "put",
// although they have no word in common.
func TestVectorsAreLearned(t *testing.T) {
	var list []documentedFunction
	const size = 64
	for i := range 40 * size {
		thing := "thing" + string(rune('a'+i%20))
		of := [2][2]string{{"fetch", "get"}, {"store", "put"}}[i/20%2]
		list = append(list, documentedFunction{doc: []string{of[0], thing}, name: []string{of[1], thing}})
	}
	trainer := newTrainer(list, size)
	trainer.learn()
	learned := readLikeness(trainer.table())
	a := &alike{likeness: learned, stems: map[string]string{}}
	a.add(&a.asked, likeDoc, []string{"fetch"}, 1)
	got := func(name string) float64 { return a.of(&codegraph.Node{Name: name}) }
	if got("get") < got("put")+0.5 {
		t.Errorf("what fetches: get %.2f, put %.2f", got("get"), got("put"))
	}
}

func TestAlike(t *testing.T) {
	a := newAlike(subjects("Deletes everything that has expired"))
	better, worse := a.of(&codegraph.Node{Name: "removeStale"}), a.of(&codegraph.Node{Name: "drawCircle"})
	if better <= worse {
		t.Errorf("removeStale %.2f, drawCircle %.2f: the first says more of what is asked", better, worse)
	}
	if got := a.of(&codegraph.Node{}); got != 0 {
		t.Errorf("a symbol without words: %v", got)
	}
	if got := newAlike(nil).of(&codegraph.Node{Name: "removeStale"}); got != 0 {
		t.Errorf("a question without words: %v", got)
	}
	if l := readLikeness("# a comment\ncode broken !!!\ncode short AAAA\n"); len(l) != 0 {
		t.Errorf("lines without vectors: %v", l)
	}
}
