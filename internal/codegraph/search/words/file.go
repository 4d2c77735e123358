package words

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/x/intern"
)

// Version is the version of what [Encode] writes. What another wrote is made anew
// from the source.
const Version = 1

// Span is the lines of a symbol, from 1; the last is one of them.
type Span struct{ Start, End int }

// File is the words of a file's text. Each belongs to the innermost symbol that contains
// it.
type File struct {
	Words  [][]byte
	counts []byte // encoded
}

// Encode counts the words of a text, as [Each] gives them, and returns what [Decode]
// reads. The first symbol is the file itself and has the words outside all others;
// without any symbol there are no words.
func Encode(text []byte, symbols []Span) []byte {
	var runs []stretch
	if len(symbols) > 0 {
		runs = stretches(text, symbols)
	}
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	for symbol := range symbols {
		n := 0
		for n < len(runs) && runs[n].symbol == symbol {
			e.count(runs[n].text)
			n++
		}
		runs = runs[n:]
		e.next()
	}
	return e.encode(len(symbols))
}

// encoders are encoders without words.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// stretch is lines of a text that are of one symbol.
type stretch struct {
	symbol int
	text   []byte
}

// stretches returns those of a text, sorted by symbol.
func stretches(text []byte, symbols []Span) (runs []stretch) {
	inner := innermost(symbols, bytes.Count(text, []byte{'\n'})+1)
	for line := 1; len(text) > 0; {
		symbol, end := inner[line], 0
		for ; end < len(text) && inner[line] == symbol; line++ {
			if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
				end += n + 1
			} else {
				end = len(text)
			}
		}
		runs = append(runs, stretch{symbol, text[:end]})
		text = text[end:]
	}
	slices.SortStableFunc(runs, func(a, b stretch) int { return cmp.Compare(a.symbol, b.symbol) })
	return runs
}

// innermost returns for each line, from 1, the smallest of the symbols that it is of.
func innermost(symbols []Span, lines int) []int {
	inner := make([]int, lines+2)
	size := func(i int) int { return symbols[i].End - symbols[i].Start }
	for i := 1; i < len(symbols); i++ {
		for line := max(1, symbols[i].Start); line <= min(symbols[i].End, lines); line++ {
			if inner[line] == 0 || size(inner[line]) >= size(i) {
				inner[line] = i
			}
		}
	}
	return inner
}

// encoder counts the words of one symbol after another.
type encoder struct {
	splitter Splitter
	runs     intern.Table // which most texts repeat
	parts    []uint32     // the words of the runs
	ends     []uint32     // of these, by run
	words    intern.Table
	times    []uint32 // of the symbol at hand, by word
	found    []uint32 // its words
	out      []byte
}

// count counts the words of a text.
func (e *encoder) count(text []byte) {
	for i := 0; i < len(text); {
		start, end, sort := next(text, i)
		if i = end; start < end && sort != none {
			e.countRun(text[start:end], sort)
		}
	}
}

func (e *encoder) countRun(run []byte, sort sortOfRune) {
	n, known := e.runs.Number(run)
	if !known {
		e.splitter.eachOf(run, sort, e.part)
		e.ends = append(e.ends, uint32(len(e.parts)))
	}
	from := uint32(0)
	if n > 0 {
		from = e.ends[n-1]
	}
	for _, word := range e.parts[from:e.ends[n]] {
		if e.times[word] == 0 {
			e.found = append(e.found, word)
		}
		e.times[word]++
	}
}

// part adds a word to those of the run.
func (e *encoder) part(word []byte, _ bool) {
	n, known := e.words.Number(word)
	if !known {
		e.times = append(e.times, 0)
	}
	e.parts = append(e.parts, n)
}

// next writes how many words the symbol at hand has and, for each, by how far it is
// behind the one before: twice that, and one more where a number of times follows that
// is not 1.
func (e *encoder) next() {
	number := func(n uint32) { e.out = binary.AppendUvarint(e.out, uint64(n)) }
	slices.Sort(e.found)
	number(uint32(len(e.found)))
	last := uint32(0)
	for _, word := range e.found {
		if times := e.times[word]; times == 1 {
			number((word - last) * 2)
		} else {
			number((word-last)*2 + 1)
			number(times)
		}
		last = word
		e.times[word] = 0
	}
	e.found = e.found[:0]
}

// encode returns the version, the words, and behind them those of the symbols, and forgets them.
func (e *encoder) encode(symbols int) []byte {
	out := make([]byte, 0, len(e.words.Text)+e.words.Len()+len(e.out)+3*binary.MaxVarintLen32)
	out = binary.AppendUvarint(append(out, Version), uint64(e.words.Len()))
	for n := range e.words.Len() {
		w := e.words.Get(uint32(n))
		out = append(binary.AppendUvarint(out, uint64(len(w))), w...)
	}
	out = append(binary.AppendUvarint(out, uint64(symbols)), e.out...)
	e.runs.Reset()
	e.words.Reset()
	e.parts, e.ends, e.times, e.out = e.parts[:0], e.ends[:0], e.times[:0], e.out[:0]
	return out
}

// ErrDamaged is the error for what [Encode] did not write.
var ErrDamaged = errors.New("the words of a file are damaged")

// Decode reads what [Encode] wrote into f, which is valid as long as data is. Nothing at all is a file without words.
func Decode(data []byte, f *File) error {
	f.Words, f.counts = f.Words[:0], nil
	if len(data) == 0 {
		return nil
	}
	d := &decoder{in: data[1:], bad: data[0] != Version}
	for range d.count() {
		f.Words = append(f.Words, d.text(d.count()))
	}
	if f.counts = d.in; d.bad {
		f.Words, f.counts = nil, nil
		return ErrDamaged
	}
	return nil
}

// Each calls yield with how often a word occurs in a symbol, ordered by symbol and word.
// Both are indexes: of the file's symbols and of Words.
func (f *File) Each(yield func(symbol, word, times int)) error {
	if len(f.counts) == 0 {
		return nil
	}
	d := &decoder{in: f.counts}
	for symbol := range d.count() {
		word := 0
		for range d.count() {
			step, times := d.number(), 1
			if step%2 == 1 {
				times = d.number()
			}
			word += step / 2
			if d.bad || word >= len(f.Words) {
				return ErrDamaged
			}
			yield(symbol, word, times)
		}
	}
	if d.bad {
		return ErrDamaged
	}
	return nil
}

// decoder reads numbers and texts. What cannot be read is 0 and "".
type decoder struct {
	in  []byte
	bad bool
}

// number reads a number that fits into 31 bits.
func (d *decoder) number() int {
	n, shift := uint64(0), 0
	for i := 0; i < len(d.in) && i < 5; i++ {
		b := d.in[i]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			d.in = d.in[i+1:]
			return int(n & (1<<31 - 1))
		}
		shift += 7
	}
	d.in, d.bad = nil, true
	return 0
}

// count reads how many of something follow, each of at least a byte or, of symbols,
// a count.
func (d *decoder) count() int {
	n := d.number()
	if n > len(d.in) {
		d.in, d.bad = nil, true
		return 0
	}
	return n
}

func (d *decoder) text(size int) []byte {
	if size > len(d.in) {
		d.in, d.bad = nil, true
		return nil
	}
	text := d.in[:size]
	d.in = d.in[size:]
	return text
}
