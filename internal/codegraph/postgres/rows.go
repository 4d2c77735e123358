package postgres

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// A file of rows has what a snapshot is derived from: the rows of a graph in one state, as the server sent them. Each part has its length
// before it: the identity, the serial, the texts and the rules (numbered from 1), the sections. The checksum is of all before it.
const (
	rowsEnding = ".rows"
	rowsMark   = "reverse-spec rows 1\n"
	mostRows   = 2 << 30 // bytes
)

// The sections. A row is its columns, each with its length, sorted as the server's index is.
const (
	nodeRows = iota
	edgeRows
	wordRows // of the full-text index, by file
	sectionCount
)

// rows is such a file in memory.
type rows struct {
	identity string
	serial   uint64
	words    []string
	rules    []weightedRule
	sections [sectionCount][]byte
}

// readRows reads a file of rows; nil if there is none, or if it is damaged.
func readRows(path string) *rows {
	data, err := openfile.Read(path, mostRows)
	if err != nil || len(data) < len(rowsMark)+4 || !strings.HasPrefix(string(data[:len(rowsMark)]), rowsMark) {
		return nil
	}
	end := len(data) - 4
	if crc32.ChecksumIEEE(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return nil
	}
	data = data[len(rowsMark):end]
	var parts [4][]byte
	for i := range parts {
		parts[i], data = cutBytes(data)
	}
	r := &rows{identity: string(parts[0]), serial: binary.BigEndian.Uint64(parts[1])}
	for _, word := range columnsOf(nil, parts[2]) {
		r.words = append(r.words, string(word))
	}
	for _, rule := range columnsOf(nil, parts[3]) {
		r.rules = append(r.rules, weightedRule{string(rule[4:]), math.Float32frombits(binary.BigEndian.Uint32(rule))})
	}
	for i := range r.sections {
		r.sections[i], data = cutBytes(data)
	}
	return r
}

// write writes the file.
func (r *rows) write(path string) error {
	part := func(to, part []byte) []byte { return append(binary.AppendUvarint(to, uint64(len(part))), part...) }
	var words, rules []byte
	for _, word := range r.words {
		words = part(words, []byte(word))
	}
	for _, rule := range r.rules {
		rules = part(rules, append(float32Bits(rule.confidence), rule.rule...))
	}
	size := len(rowsMark) + len(words) + len(rules) + 200
	for _, s := range r.sections {
		size += len(s)
	}
	data := append(make([]byte, 0, size), rowsMark...)
	for _, p := range [][]byte{[]byte(r.identity), binary.BigEndian.AppendUint64(nil, r.serial), words, rules} {
		data = part(data, p)
	}
	for _, s := range r.sections {
		data = part(data, s)
	}
	return atomicfile.File(path, binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), 0o600)
}
