package words

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// Version is the version of what [Encode] writes. What another wrote is made anew
// from the source.
const Version = 1

// Span is the lines of a symbol, from 1; the last is one of them.
type Span struct{ Start, End int }

// File is the words of a file's text. Each belongs to the innermost symbol that contains
// it.
type File struct {
	Words  []string
	counts string // encoded
}

// Encode counts the words of a text, as [Each] gives them, and returns what [Decode]
// reads. The first symbol is the file itself and has the words outside all others;
// without any symbol there are no words.
func Encode(text string, symbols []Span) []byte {
	var runs []stretch
	if len(symbols) > 0 {
		runs = stretches(text, symbols)
	}
	e := &encoder{known: map[string]int{}, runs: map[string]part{}}
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

// stretch is lines of a text that are of one symbol.
type stretch struct {
	symbol int
	text   string
}

// stretches returns those of a text, sorted by symbol.
func stretches(text string, symbols []Span) (runs []stretch) {
	inner := innermost(symbols, strings.Count(text, "\n")+1)
	for line := 1; text != ""; {
		symbol, end := inner[line], 0
		for ; end < len(text) && inner[line] == symbol; line++ {
			if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
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
	words []string
	known map[string]int
	runs  map[string]part // the words of a run, which most texts repeat
	parts []int           // words
	times []int           // of the symbol at hand, by word
	found []int           // its words
	out   []byte
}

// part is a part of encoder.parts.
type part struct{ start, end int }

// count counts the words of a text.
func (e *encoder) count(text string) {
	for i := 0; i < len(text); {
		end, sort := run(text, i)
		if sort != none {
			e.countRun(text[i:end], sort)
		}
		i = end
	}
}

func (e *encoder) countRun(run string, sort sortOfRune) {
	p, known := e.runs[run]
	if !known {
		p.start = len(e.parts)
		eachOf(run, sort, func(word string, _ bool) { e.parts = append(e.parts, e.number(word)) })
		p.end = len(e.parts)
		e.runs[run] = p
	}
	for _, n := range e.parts[p.start:p.end] {
		if e.times[n] == 0 {
			e.found = append(e.found, n)
		}
		e.times[n]++
	}
}

// number returns the number of a word.
func (e *encoder) number(word string) int {
	n, known := e.known[word]
	if !known {
		n = len(e.words)
		e.known[word] = n
		e.words, e.times = append(e.words, word), append(e.times, 0)
	}
	return n
}

// next writes how many words the symbol at hand has and, for each, by how far it is
// behind the one before: twice that, and one more where a number of times follows that
// is not 1.
func (e *encoder) next() {
	number := func(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }
	slices.Sort(e.found)
	number(len(e.found))
	last := 0
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

// encode returns the version, the words, and behind them those of the symbols.
func (e *encoder) encode(symbols int) []byte {
	out := binary.AppendUvarint([]byte{Version}, uint64(len(e.words)))
	for _, w := range e.words {
		out = append(binary.AppendUvarint(out, uint64(len(w))), w...)
	}
	return append(binary.AppendUvarint(out, uint64(symbols)), e.out...)
}

// ErrDamaged is the error for what [Encode] did not write.
var ErrDamaged = errors.New("the words of a file are damaged")

// Decode reads what [Encode] wrote. Nothing at all is a file without words.
func Decode(data []byte) (File, error) {
	if len(data) == 0 {
		return File{}, nil
	}
	d := &decoder{in: string(data[1:]), bad: data[0] != Version}
	f := File{Words: make([]string, d.count())}
	for i := range f.Words {
		f.Words[i] = d.text(d.count())
	}
	if f.counts = d.in; d.bad {
		return File{}, ErrDamaged
	}
	return f, nil
}

// Each calls yield with how often a word occurs in a symbol, ordered by symbol and word.
// Both are indexes: of the file's symbols and of Words.
func (f *File) Each(yield func(symbol, word, times int)) error {
	if f.counts == "" {
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
	in  string
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
	d.in, d.bad = "", true
	return 0
}

// count reads how many of something follow, each of at least a byte or, of symbols,
// a count.
func (d *decoder) count() int {
	n := d.number()
	if n > len(d.in) {
		d.in, d.bad = "", true
		return 0
	}
	return n
}

func (d *decoder) text(size int) string {
	if size > len(d.in) {
		d.in, d.bad = "", true
		return ""
	}
	text := d.in[:size]
	d.in = d.in[size:]
	return text
}
