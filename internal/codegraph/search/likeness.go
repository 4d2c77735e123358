package search

import (
	_ "embed"
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// likenessTable is written by scripts/described.sh. A line "code read aGk..." has the vector of a word of code, "doc read ..." that of a
// word of documentation: a signed byte for each dimension, in base64. Words are stems.
//
//go:embed likeness.txt
var likenessTable string

// likeDimensions is the number of dimensions of the vectors.
const likeDimensions = 48

type likeVector [likeDimensions]float32

// likePart is a part of what is compared.
type likePart string

// The tables, and the parts of a function, whose words are in the table of code.
const (
	likeDoc       likePart = "doc"
	likeCode      likePart = "code"
	likeName      likePart = "name"
	likeEnclosing likePart = "enclosing"
	likeSignature likePart = "signature"
)

// likeShares is how much the parts of a function count.
var likeShares = map[likePart]float32{likeName: 1, likeEnclosing: 0.5, likeSignature: 0.5}

// likeness says how alike a description and a function are, although they have no word in common: words have vectors, learned from documented
// functions, so that the sum of a description's vectors has about the direction of the sum of its function's vectors.
type likeness map[likePart]map[string]*likeVector

var likenesses = sync.OnceValue(func() likeness { return readLikeness(likenessTable) })

// readLikeness reads a table. Lines that have no vector are left out.
func readLikeness(table string) likeness {
	l := likeness{}
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		data, err := base64.RawStdEncoding.DecodeString(f[2])
		if err != nil || len(data) != likeDimensions {
			continue
		}
		part := likePart(f[0])
		if l[part] == nil {
			l[part] = map[string]*likeVector{}
		}
		v := &likeVector{}
		for i, b := range data {
			v[i] = float32(int8(b))
		}
		l[part][f[1]] = v
	}
	return l
}

// add adds the vectors of distinct stems, divided by the root of their number, to a sum.
func (l likeness) add(sum *likeVector, table likePart, stems []string, share float32) {
	var own likeVector
	count, of := 0, l[table]
	for i, stem := range stems {
		v := of[stem]
		if v == nil || slices.Contains(stems[:i], stem) {
			continue
		}
		count++
		for k, x := range v {
			own[k] += x
		}
	}
	if count == 0 {
		return
	}
	scale := share / float32(math.Sqrt(float64(count)))
	for k, x := range own {
		sum[k] += scale * x
	}
}

// alike compares the words of a question with symbols.
type alike struct {
	likeness
	asked likeVector
	stems map[string]string // of the words that have come up; symbols share many
	list  []string          // of the last text
}

func newAlike(asked []string) *alike {
	a := &alike{likeness: likenesses(), stems: map[string]string{}}
	a.add(&a.asked, likeDoc, asked, 1)
	return a
}

// of returns the cosine of the angle between a question and a symbol, from -1 to 1; 0 if nothing is known of one of them.
func (a *alike) of(n *codegraph.Node) float64 {
	var sum likeVector
	a.add(&sum, likeCode, a.words(n.Name), likeShares[likeName])
	a.add(&sum, likeCode, a.words(snapshot.Enclosing(n)), likeShares[likeEnclosing])
	a.add(&sum, likeCode, a.words(strings.Replace(n.Signature, n.Name, "", 1)), likeShares[likeSignature])
	return cosine(&a.asked, &sum)
}

// words returns the stems of a text's words.
func (a *alike) words(text string) []string {
	a.list = a.list[:0]
	words.Each(text, func(word string, whole bool) {
		if whole {
			return
		}
		stem, known := a.stems[word]
		if !known {
			stem = words.Stem(word)
			a.stems[word] = stem
		}
		a.list = append(a.list, stem)
	})
	return a.list
}

func cosine(a, b *likeVector) float64 {
	var product, lengthA, lengthB float64
	for i, x := range a {
		y := b[i]
		product += float64(x * y)
		lengthA += float64(x * x)
		lengthB += float64(y * y)
	}
	if lengthA == 0 || lengthB == 0 {
		return 0
	}
	return product / math.Sqrt(lengthA*lengthB)
}
