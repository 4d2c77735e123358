package snapshot

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/search/words"
	"github.com/reverse-spec/reverse-spec/store"
)

// wordIndex collects the words of the nodes. What it knows of a node's words is by
// field; a module stands for its file, and has the names and the words of all that is
// in it.
type wordIndex struct {
	terms    map[string]uint32 // word -> the number of its stem, from 0
	stems    map[string]uint32 // stem -> number
	list     []string          // the stems, in the order they are met
	postings []posting
	lengths  []sizes                   // of the nodes by place: how many words
	places   map[store.FileID][]uint32 // of the nodes of a file by ordinal, and one more: 0 is none
	modules  []bool                    // by place
}

// posting is a term of a node, and how often it has it.
type posting struct {
	term, place uint32
	times       times
}

// ofModule marks a place that is the number of a file, and means its module's.
const ofModule = 1 << 31

func newWordIndex() wordIndex {
	return wordIndex{terms: map[string]uint32{}, stems: map[string]uint32{}, places: map[store.FileID][]uint32{}}
}

// term returns the number of a word's stem.
func (w *wordIndex) term(word string) uint32 {
	n, known := w.terms[word]
	if known {
		return n
	}
	stem := words.Stem(word)
	if n, known = w.stems[stem]; !known {
		n = uint32(len(w.list))
		stem = strings.Clone(stem)
		w.stems[stem] = n
		w.list = append(w.list, stem)
	}
	w.terms[strings.Clone(word)] = n
	return n
}

// add adds what a node itself says.
func (w *wordIndex) add(place uint32, n *store.Node) {
	module := n.Label == graph.LabelModule && n.Ordinal == 0
	w.modules, w.lengths = append(w.modules, module), append(w.lengths, sizes{})
	w.text(place, inName, n.Name)
	if !module {
		w.text(place, inQualified, around(&n.Node))
	}
	if n.File != 0 {
		w.enter(n, place)
	}
	if n.File != 0 && !module {
		w.text(uint32(n.File)|ofModule, inName, n.Name)
	}
	w.text(place, inSignature, n.Signature)
	w.text(place, inDoc, n.Doc)
	w.text(place, inPath, n.Path)
}

// around returns the names of what a node stands in, in its file.
func around(n *graph.Node) string {
	names := strings.TrimSuffix(withoutLine(n.QualifiedName), n.Name)
	module := "." + strings.ReplaceAll(strings.TrimSuffix(n.Path, path.Ext(n.Path)), "/", ".") + "."
	if _, inside, ok := strings.Cut(names, module); ok {
		return inside
	}
	return names
}

// enter notes the place of a node by its file and ordinal.
func (w *wordIndex) enter(n *store.Node, place uint32) {
	of := w.places[n.File]
	for len(of) <= n.Ordinal {
		of = append(of, 0)
	}
	of[n.Ordinal] = place + 1
	w.places[n.File] = of
}

// text adds the words of a field.
func (w *wordIndex) text(place uint32, in field, text string) {
	words.Each(text, func(word string, _ bool) {
		w.postings = append(w.postings, posting{w.term(word), place, once(in, 1)})
		if place < ofModule {
			w.lengths[place][in]++
		}
	})
}

// addFile adds the words of a file's text, as package words encodes them, to the nodes
// of the file.
func (w *wordIndex) addFile(id store.FileID, data []byte) error {
	f, err := words.Decode(data)
	if err != nil {
		return fmt.Errorf("file %d: %w", id, err)
	}
	terms, all := make([]uint32, len(f.Words)), make([]int, len(f.Words))
	for i, word := range f.Words {
		terms[i] = w.term(word)
	}
	places := w.places[id]
	body := func(symbol, word, n int) {
		if symbol < len(places) && places[symbol] > 0 {
			place := places[symbol] - 1
			w.postings = append(w.postings, posting{terms[word], place, once(inBody, n)})
			w.lengths[place][inBody] += uint32(n)
		}
	}
	for _, c := range f.Counts {
		all[c.Word] += c.Times
		if c.Symbol > 0 {
			body(c.Symbol, c.Word, c.Times)
		}
	}
	for word, n := range all {
		body(0, word, n)
	}
	return nil
}

// finish adds the terms to the strings, and returns them sorted, with their postings:
// for each the place as the distance from the one before, and how much the term
// counts there, a byte.
func (w *wordIndex) finish(t *texts) (terms, counts, ends []uint32, postings []byte) {
	order := make([]uint32, len(w.list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(w.list[a], w.list[b]) })
	rank := make([]uint32, len(order))
	terms, counts = make([]uint32, len(order)), make([]uint32, len(order))
	for i, term := range order {
		rank[term] = uint32(i)
		terms[i] = t.shared(w.list[term])
	}
	w.findModules()
	sorted := make([]posting, len(w.postings))
	bounds := group(len(terms), len(w.postings), func(i int) uint32 { return rank[w.postings[i].term] }, func(i int, to uint32) { sorted[to] = w.postings[i] })
	w.postings = nil
	m := newMeasures(w.lengths, w.modules)
	ends = make([]uint32, len(terms))
	from := uint32(0)
	for i, to := range bounds {
		list := merge(sorted[from:to])
		before := uint32(0)
		for _, p := range list {
			postings = binary.AppendUvarint(postings, uint64(p.place-before))
			postings = append(postings, m.impact(p.place, p.times))
			before = p.place
		}
		from, counts[i] = to, uint32(len(list))
		ends[i] = uint32(len(postings))
		if uint64(len(postings)) > math.MaxUint32 {
			t.err = errTooLarge
		}
	}
	return terms, counts, ends, postings
}

// findModules puts the places of modules for the numbers of files, and leaves out
// what is of a file without one.
func (w *wordIndex) findModules() {
	kept := w.postings[:0]
	for _, p := range w.postings {
		if p.place >= ofModule {
			of := w.places[store.FileID(p.place&^ofModule)]
			if len(of) == 0 || of[0] == 0 || !w.modules[of[0]-1] {
				continue
			}
			p.place = of[0] - 1
			w.lengths[p.place][inName]++
		}
		kept = append(kept, p)
	}
	w.postings = kept
}

// merge sorts postings of one term by place and makes one of those of one place.
func merge(list []posting) []posting {
	byPlace := func(a, b posting) int { return cmp.Compare(a.place, b.place) }
	if !slices.IsSortedFunc(list, byPlace) {
		slices.SortFunc(list, byPlace)
	}
	kept := list[:0]
	for _, p := range list {
		if last := len(kept) - 1; last >= 0 && kept[last].place == p.place {
			kept[last].times = kept[last].times.plus(p.times)
			continue
		}
		kept = append(kept, p)
	}
	return kept
}
