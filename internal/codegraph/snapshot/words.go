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
	"github.com/reverse-spec/reverse-spec/internal/x/intern"
)

// wordIndex builds the full-text index. Words are counted per field of a node; a module has the names and words of
// its whole file.
type wordIndex struct {
	splitter words.Splitter
	words    intern.Table
	terms    []uint32 // by word: the number of its stem
	stems    intern.Table
	counts   []uint32 // by stem: how often it is in occurrences
	lengths  []sizes  // by place: number of words
	modules  []bool   // by place
	files    map[store.FileID]*fileWords
	file     *fileWords // of the previous node
	id       store.FileID
	last     [fields]struct { // the previous text of each field
		text  string
		terms []uint32
	}
	lastPath, lastModule string // of the previous node: the path, and the name of the module between dots

	// occurrences are stems, each followed by how often it occurs if that is more than once, with the bit moreThanOnce. Those of one
	// field of a node are one run.
	occurrences []uint32
	runs        []run
	decoded     words.File
}

// run is the stems of a field of a node.
type run struct {
	start  uint32 // in occurrences; the end is the start of the next one
	place  uint32 // of the node; the file if it is that of a module
	in     uint8  // a field
	module bool   // the node is the module of a file, if it has one
}

// moreThanOnce marks a number of times in occurrences. Less of a stem than this are counted.
const moreThanOnce = 1 << 31

// fileWords is what is known of a file.
type fileWords struct {
	places []uint32 // by ordinal: place + 1, 0 for none
	names  uint32   // number of words in the names
	whole  bool     // its text was added, too
}

func newWordIndex() wordIndex { return wordIndex{files: map[store.FileID]*fileWords{}} }

// term returns the number of a word's stem.
func (w *wordIndex) term(word []byte) uint32 {
	n, known := w.words.Number(word)
	if !known {
		stem, known := w.stems.Number([]byte(words.Stem(string(word))))
		if !known {
			w.counts = append(w.counts, 0)
		}
		w.terms = append(w.terms, stem)
	}
	return w.terms[n]
}

// begin begins the run of a field of a node.
func (w *wordIndex) begin(in field, place uint32) {
	w.runs = append(w.runs, run{start: uint32(len(w.occurrences)), place: place, in: uint8(in)})
}

// occur adds a stem to the run.
func (w *wordIndex) occur(term, times uint32) {
	w.counts[term]++
	w.occurrences = append(w.occurrences, term)
	if times > 1 {
		w.occurrences = append(w.occurrences, min(times, moreThanOnce-1)|moreThanOnce)
	}
}

// of returns what is known of a file.
func (w *wordIndex) of(id store.FileID) *fileWords {
	if w.file == nil || w.id != id {
		w.id, w.file = id, w.files[id]
		if w.file == nil {
			w.file = new(fileWords)
			w.files[id] = w.file
		}
	}
	return w.file
}

// add adds the texts of a node.
func (w *wordIndex) add(place uint32, n *store.Node) {
	module := isWhole(n)
	w.modules, w.lengths = append(w.modules, module), append(w.lengths, sizes{})
	named := w.text(place, inName, n.Name)
	if n.File != 0 {
		f := w.of(n.File)
		f.enter(n.Ordinal, place)
		if !module {
			w.runs = append(w.runs, run{start: uint32(len(w.occurrences)), place: uint32(n.File), in: uint8(inName), module: true})
			for _, term := range named {
				w.occur(term, 1)
			}
			f.names += uint32(len(named))
		}
	}
	if !module {
		w.text(place, inQualified, w.enclosing(&n.Node))
	}
	w.text(place, inSignature, n.Signature)
	w.text(place, inDoc, n.Doc)
	w.text(place, inPath, n.Path)
}

// isWhole reports whether a node stands for its file.
func isWhole(n *store.Node) bool { return n.Label == codegraph.LabelModule && n.Ordinal == 0 }

// Enclosing returns the names of the declarations that enclose a node in its file.
func Enclosing(n *codegraph.Node) string { return enclosing(n, moduleOf(n.Path)) }

func enclosing(n *codegraph.Node, module string) string {
	names := strings.TrimSuffix(withoutLine(n.QualifiedName), n.Name)
	if _, inside, ok := strings.Cut(names, module); ok {
		return inside
	}
	return names
}

// moduleOf returns how the name of a file's module is in qualified names.
func moduleOf(file string) string {
	return "." + strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "/", ".") + "."
}

// enclosing is [Enclosing] for nodes of which many of one file come together.
func (w *wordIndex) enclosing(n *codegraph.Node) string {
	if w.lastModule == "" || n.Path != w.lastPath {
		w.lastPath, w.lastModule = n.Path, moduleOf(n.Path)
	}
	return enclosing(n, w.lastModule)
}

// enter records the place of a node by its ordinal.
func (f *fileWords) enter(ordinal int, place uint32) {
	for len(f.places) <= ordinal {
		f.places = append(f.places, 0)
	}
	f.places[ordinal] = place + 1
}

// text adds the words of a field, whose text often equals that of the previous node, and returns their terms, valid until the next one of
// the field.
func (w *wordIndex) text(place uint32, in field, text string) []uint32 {
	last := &w.last[in]
	if text != last.text {
		last.text, last.terms = text, last.terms[:0]
		w.splitter.Each(bytesOf(text), func(word []byte, _ bool) { last.terms = append(last.terms, w.term(word)) })
	}
	if len(last.terms) > 0 {
		w.begin(in, place)
		for _, term := range last.terms {
			w.occur(term, 1)
		}
		w.lengths[place][in] += uint32(len(last.terms))
	}
	return last.terms
}

// addFile adds the words of a file's text, as encoded by package words, to the nodes of the file.
func (w *wordIndex) addFile(id store.FileID, data []byte) error {
	f := &w.decoded
	if err := words.Decode(data, f); err != nil {
		return fmt.Errorf("file %d: %w", id, err)
	}
	terms, all := make([]uint32, len(f.Words)), make([]uint32, len(f.Words))
	for i, word := range f.Words {
		terms[i] = w.term(word)
	}
	places, last := w.of(id).places, 0
	err := f.Each(func(symbol, word, n int) {
		all[word] += uint32(n)
		if n == 0 || symbol == 0 || symbol >= len(places) || places[symbol] == 0 {
			return
		}
		place := places[symbol] - 1
		if symbol != last {
			w.begin(inBody, place)
			last = symbol
		}
		w.occur(terms[word], uint32(n))
		w.lengths[place][inBody] += uint32(n)
	})
	if err != nil {
		return fmt.Errorf("file %d: %w", id, err)
	}
	if len(places) == 0 || places[0] == 0 {
		return nil
	}
	w.begin(inBody, places[0]-1)
	for word, n := range all {
		if n > 0 {
			w.occur(terms[word], n)
			w.lengths[places[0]-1][inBody] += n
		}
	}
	return nil
}

// keep enters a node of which another snapshot has the postings.
func (w *wordIndex) keep(size sizes, module bool) {
	w.modules, w.lengths = append(w.modules, module), append(w.lengths, size)
}

// finish returns the measures.
func (w *wordIndex) finish() *measures {
	for _, f := range w.files {
		if place, ok := w.module(f); ok {
			w.lengths[place][inName] += f.names
		}
	}
	return newMeasures(w.lengths, w.modules)
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
func (w *wordIndex) module(f *fileWords) (place uint32, ok bool) {
	if len(f.places) == 0 || f.places[0] == 0 || !w.modules[f.places[0]-1] {
		return 0, false
	}
	return f.places[0] - 1, true
}

// sorted returns the stems, sorted.
func (w *wordIndex) sorted() []uint32 {
	order := make([]uint32, w.stems.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	sortTexts(&w.stems, order)
	return order
}

// byPlace returns the runs sorted by place, with those of each place in any order.
func (w *wordIndex) byPlace() (order, ends []uint32) {
	kept := make([]uint32, 0, len(w.runs))
	for i := range w.runs {
		if r := &w.runs[i]; r.module {
			place, ok := w.module(w.files[store.FileID(r.place)])
			if !ok {
				continue
			}
			r.place, r.module = place, false
		}
		kept = append(kept, uint32(i))
	}
	order = make([]uint32, len(kept))
	ends = group(len(w.lengths), len(kept), func(i int) uint32 { return w.runs[kept[i]].place }, func(i int, to uint32) { order[to] = kept[i] })
	return order, ends
}

// mostAtOnce is the number of postings that are in memory at once, unless one term has more.
const mostAtOnce = 1 << 24

// each calls f with each stem, sorted, and its postings with their impacts, sorted by place.
func (w *wordIndex) each(m *measures, f func(i int, stem []byte, list []impact) error) error {
	v := &inversion{w: w, m: m, times: make([]times, w.stems.Len())}
	v.order, v.ends = w.byPlace()
	stems := w.sorted()
	v.rank = make([]uint32, len(stems))
	for i, stem := range stems {
		v.rank[stem] = uint32(i)
	}
	for from := 0; from < len(stems); from = v.to {
		v.from = from
		v.take(stems)
		v.fill()
		for i := v.from; i < v.to; i++ {
			if err := f(i, w.stems.Get(stems[i]), v.list[v.starts[i-v.from]:v.next[i-v.from]]); err != nil {
				return err
			}
		}
	}
	return nil
}

// inversion makes the postings of some stems after others.
type inversion struct {
	w            *wordIndex
	m            *measures
	order, ends  []uint32 // the runs by place
	rank         []uint32 // by stem: its place among the sorted
	from, to     int      // the stems at hand, by rank
	starts, next []uint32 // of each of these: where its postings begin, and where the next one goes
	list         []impact
	times        []times // by stem, of the place at hand
	some         []uint32
}

// take chooses the next stems and makes room for their postings.
func (v *inversion) take(stems []uint32) {
	n := 0
	v.starts = v.starts[:0]
	for v.to = v.from; v.to < len(stems) && (v.to == v.from || n+int(v.w.counts[stems[v.to]]) <= mostAtOnce); v.to++ {
		v.starts = append(v.starts, uint32(n))
		n += int(v.w.counts[stems[v.to]])
	}
	v.next = append(v.next[:0], v.starts...)
	v.list = slices.Grow(v.list[:0], n)[:n]
}

// fill makes the postings, place by place.
func (v *inversion) fill() {
	start := uint32(0)
	for place, end := range v.ends {
		for _, r := range v.order[start:end] {
			v.gather(int(r))
		}
		if start = end; len(v.some) == 0 {
			continue
		}
		impacts := v.m.at(uint32(place))
		for _, term := range v.some {
			to := &v.next[int(v.rank[term])-v.from]
			v.list[*to] = impact{uint32(place), impacts.of(v.times[term])}
			*to++
			v.times[term] = 0
		}
		v.some = v.some[:0]
	}
}

// gather adds up the times of a run's stems.
func (v *inversion) gather(r int) {
	from, in := v.w.runs[r].start, v.w.runs[r].in
	end := uint32(len(v.w.occurrences))
	if r+1 < len(v.w.runs) {
		end = v.w.runs[r+1].start
	}
	shift, most := shifts[in], times(1)<<room[in]-1
	list := v.w.occurrences[from:end]
	for i := 0; i < len(list); i++ {
		term, n := list[i], uint32(1)
		if i+1 < len(list) && list[i+1] >= moreThanOnce {
			i++
			n = list[i] - moreThanOnce
		}
		if rank := int(v.rank[term]); rank < v.from || rank >= v.to {
			continue
		}
		before := v.times[term]
		if before == 0 {
			v.some = append(v.some, term)
		}
		v.times[term] = before&^(most<<shift) | min(before>>shift&most+min(times(n), most), most)<<shift
	}
}
