package snapshot

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// wordIndex builds the full-text index. Words are counted per field of a node; a module has the names and words of
// its whole file.
type wordIndex struct {
	terms   map[string]uint32 // word -> number of its stem, from 0
	stems   map[string]uint32 // stem -> number
	list    []term
	lengths []sizes                   // by place: number of words
	places  map[store.FileID][]uint32 // by file and ordinal: place + 1, 0 for none
	names   map[store.FileID]uint32   // number of words in the names of a file
	modules []bool                    // by place
	times   []times                   // by place: of one term, see gather
	some    []uint32                  // places with such times
	last    [fields]struct {          // the previous text of each field
		text  string
		terms []uint32
	}
}

// term is a stem with its postings, delta-encoded while they are collected, which takes a fourth of the memory.
type term struct {
	stem string
	data []byte
	last int64
}

// While postings are collected, 2*p means the node at place p, and 2*f + ofModule the module of file f.
const ofModule = 1

func (t *term) add(place int64, n times) {
	t.data = binary.AppendVarint(t.data, place-t.last)
	t.data = binary.AppendUvarint(t.data, uint64(n))
	t.last = place
}

func newWordIndex() wordIndex {
	return wordIndex{
		terms: map[string]uint32{}, stems: map[string]uint32{}, places: map[store.FileID][]uint32{}, names: map[store.FileID]uint32{},
	}
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
		w.list = append(w.list, term{stem: stem})
	}
	w.terms[strings.Clone(word)] = n
	return n
}

// add adds the texts of a node.
func (w *wordIndex) add(place uint32, n *store.Node) {
	module := isWhole(n)
	w.modules, w.lengths = append(w.modules, module), append(w.lengths, sizes{})
	named := w.text(place, inName, n.Name)
	if n.File != 0 && !module {
		for _, term := range named {
			w.list[term].add(int64(n.File)*2+ofModule, timesOnce(inName, 1))
		}
		w.names[n.File] += uint32(len(named))
	}
	if !module {
		w.text(place, inQualified, Enclosing(&n.Node))
	}
	if n.File != 0 {
		w.enter(n, place)
	}
	w.text(place, inSignature, n.Signature)
	w.text(place, inDoc, n.Doc)
	w.text(place, inPath, n.Path)
}

// isWhole reports whether a node stands for its file.
func isWhole(n *store.Node) bool { return n.Label == codegraph.LabelModule && n.Ordinal == 0 }

// Enclosing returns the names of the declarations that enclose a node in its file.
func Enclosing(n *codegraph.Node) string {
	names := strings.TrimSuffix(withoutLine(n.QualifiedName), n.Name)
	module := "." + strings.ReplaceAll(strings.TrimSuffix(n.Path, path.Ext(n.Path)), "/", ".") + "."
	if _, inside, ok := strings.Cut(names, module); ok {
		return inside
	}
	return names
}

// enter records the place of a node by file and ordinal.
func (w *wordIndex) enter(n *store.Node, place uint32) {
	of := w.places[n.File]
	for len(of) <= n.Ordinal {
		of = append(of, 0)
	}
	of[n.Ordinal] = place + 1
	w.places[n.File] = of
}

// text adds the words of a field, whose text often equals that of the previous node, and returns their terms, valid until the next one of
// the field.
func (w *wordIndex) text(place uint32, in field, text string) []uint32 {
	last := &w.last[in]
	if text != last.text {
		last.text, last.terms = text, last.terms[:0]
		words.Each(text, func(word string, _ bool) { last.terms = append(last.terms, w.term(word)) })
	}
	for _, term := range last.terms {
		w.list[term].add(int64(place)*2, timesOnce(in, 1))
	}
	w.lengths[place][in] += uint32(len(last.terms))
	return last.terms
}

// addFile adds the words of a file's text, as encoded by package words, to the nodes of the file.
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
			w.list[terms[word]].add(int64(place)*2, timesOnce(inBody, n))
			w.lengths[place][inBody] += uint32(n)
		}
	}
	err = f.Each(func(symbol, word, n int) {
		all[word] += n
		if symbol > 0 {
			body(symbol, word, n)
		}
	})
	if err != nil {
		return fmt.Errorf("file %d: %w", id, err)
	}
	for word, n := range all {
		body(0, word, n)
	}
	return nil
}

// keep enters a node of which another snapshot has the postings.
func (w *wordIndex) keep(size sizes, module bool) {
	w.modules, w.lengths = append(w.modules, module), append(w.lengths, size)
}

// finish sorts the terms, and returns the measures.
func (w *wordIndex) finish() *measures {
	slices.SortFunc(w.list, func(a, b term) int { return strings.Compare(a.stem, b.stem) })
	w.countNames()
	return newMeasures(w.lengths, w.modules)
}

// impacts appends the postings of the i-th term with their impacts, sorted by place, and forgets them.
func (w *wordIndex) impacts(i int, m *measures, to []impact) []impact {
	places := w.gather(w.list[i].data)
	w.list[i].data = nil
	if !slices.IsSorted(places) {
		slices.Sort(places)
	}
	for _, place := range places {
		to = append(to, impact{place, m.impact(place, w.times[place])})
		w.times[place] = 0
	}
	return to
}

// impact is a posting as a snapshot has it.
type impact struct {
	place uint32
	of    uint8
}

// inverted is the sections of the full-text index.
type inverted struct {
	terms, counts, ends []uint32
	postings            []byte
}

// add adds a term with its postings, after those that come before it.
func (x *inverted) add(term uint32, list []impact) {
	before := uint32(0)
	for _, p := range list {
		x.postings = append(binary.AppendUvarint(x.postings, uint64(p.place-before)), p.of)
		before = p.place
	}
	x.terms, x.counts, x.ends = append(x.terms, term), append(x.counts, uint32(len(list))), append(x.ends, uint32(len(x.postings)))
}

// module returns the place of a file's module, if it has one.
func (w *wordIndex) module(id store.FileID) (place uint32, ok bool) {
	of := w.places[id]
	if len(of) == 0 || of[0] == 0 || !w.modules[of[0]-1] {
		return 0, false
	}
	return of[0] - 1, true
}

// countNames adds the names in files to the sizes of their modules.
func (w *wordIndex) countNames() {
	for id, n := range w.names {
		if place, ok := w.module(id); ok {
			w.lengths[place][inName] += n
		}
	}
}

// gather adds up the postings of a term in times, and returns the places that have some. Files are their modules.
func (w *wordIndex) gather(data []byte) []uint32 {
	if len(w.times) < len(w.lengths) {
		w.times = make([]times, len(w.lengths))
	}
	w.some = w.some[:0]
	at := int64(0)
	for len(data) > 0 {
		step, n := binary.Varint(data)
		found, m := binary.Uvarint(data[n:])
		data = data[n+m:]
		at += step
		place, ok := uint32(at/2), true
		if at%2 == ofModule {
			place, ok = w.module(store.FileID(at / 2))
		}
		if !ok {
			continue
		}
		if w.times[place] == 0 {
			w.some = append(w.some, place)
		}
		w.times[place] = w.times[place].plus(times(found))
	}
	return w.some
}
