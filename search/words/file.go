package words

import (
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

// File is the words of a file's text. Each belongs to the innermost of the symbols
// that it stands in.
type File struct {
	Words  []string
	Counts []Count // sorted by Symbol and Word
}

// Count is how often a word stands in a symbol.
type Count struct {
	Symbol, Word int // their places among the symbols of the file, and in [File.Words]
	Times        int
}

// Encode counts the words of a text, as [Each] gives them, and returns what [Decode]
// reads. The first symbol is the file itself, to which belongs what stands in no
// other; without any symbol there are no words.
func Encode(text string, symbols []Span) []byte {
	e := &encoder{known: map[string]int{}, counts: make([]map[int]int, len(symbols))}
	if len(symbols) == 0 {
		return e.encode()
	}
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
		e.add(symbol, text[:end])
		text = text[end:]
	}
	return e.encode()
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

// encoder counts words.
type encoder struct {
	words  []string
	known  map[string]int
	counts []map[int]int // by symbol and word
}

func (e *encoder) add(symbol int, text string) {
	counts := e.counts[symbol]
	if counts == nil {
		counts = map[int]int{}
		e.counts[symbol] = counts
	}
	Each(text, func(word string, _ bool) {
		n, known := e.known[word]
		if !known {
			n = len(e.words)
			e.known[word] = n
			e.words = append(e.words, word)
		}
		counts[n]++
	})
}

// encode writes the version, the words, and for each symbol its words by how far
// they are behind the one before: twice that, and one more where a number follows
// that is not 1.
func (e *encoder) encode() []byte {
	out := []byte{Version}
	number := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	number(len(e.words))
	for _, w := range e.words {
		number(len(w))
		out = append(out, w...)
	}
	number(len(e.counts))
	var list []int
	for _, counts := range e.counts {
		list = list[:0]
		for word := range counts {
			list = append(list, word)
		}
		slices.Sort(list)
		number(len(list))
		last := 0
		for _, word := range list {
			if times := counts[word]; times == 1 {
				number((word - last) * 2)
			} else {
				number((word-last)*2 + 1)
				number(times)
			}
			last = word
		}
	}
	return out
}

// ErrDamaged is the error for what [Encode] did not write.
var ErrDamaged = errors.New("the words of a file are damaged")

// Decode reads what [Encode] wrote. Nothing at all is a file without words.
func Decode(data []byte) (File, error) {
	var f File
	if len(data) == 0 {
		return f, nil
	}
	d := &decoder{in: string(data[1:]), bad: data[0] != Version}
	f.Words = make([]string, d.count())
	for i := range f.Words {
		f.Words[i] = d.text(d.count())
	}
	symbols := d.count()
	for symbol := range symbols {
		word := 0
		for range d.count() {
			step, times := d.number(), 1
			if step%2 == 1 {
				times = d.number()
			}
			word += step / 2
			if d.bad || word < 0 || word >= len(f.Words) {
				return File{}, ErrDamaged
			}
			f.Counts = append(f.Counts, Count{symbol, word, times})
		}
	}
	if d.bad {
		return File{}, ErrDamaged
	}
	return f, nil
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
