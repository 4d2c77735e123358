package search

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"unicode/utf8"
	"unsafe"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// A vector file holds the vectors; then the ids of their nodes, the hashes of their texts, their mean and their
// sketches; then metadata as JSON; then the length of the metadata and the checksum of everything after the
// vectors. Numbers are in native byte order: the file is not moved between machines.

// metadata is the metadata of a vector file.
type metadata struct {
	Version    int
	Mark       uint32 // detects another byte order
	Model      string // name of the embedder
	Stamp      string // of the graph, if all its vectors are here; "" if incomplete
	Dimensions int
	Count      int
}

// columns hold one entry per vector, in order.
type columns struct {
	ids      []codegraph.ID
	sums     []sum // hashes of the texts
	mean     []float32
	sketches []uint64
}

// parts returns the columns as bytes.
func (c *columns) parts() [][]byte {
	return [][]byte{raw(c.ids), raw(c.sums), raw(c.mean), raw(c.sketches)}
}

const (
	vectorsVersion = 1
	footSize       = 8 + 4
	mostDimensions = 1 << 16
)

// mark returns a number that depends on the byte order.
func mark() uint32 { return binary.NativeEndian.Uint32([]byte{1, 2, 3, 4}) }

// sum is a hash of a text.
type sum [16]byte

// vectorFile is an open vector file.
type vectorFile struct {
	metadata
	columns
	file *os.File
}

var errVectors = message.Errorf("the vectors are damaged, or of another version")

// openVectors opens a file of vectors.
func openVectors(path string) (*vectorFile, error) {
	f, err := openfile.Open(path)
	if err != nil {
		return nil, err
	}
	v := &vectorFile{file: f}
	if err := v.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return v, nil
}

// read reads everything except the vectors, which are read on demand.
func (v *vectorFile) read() error {
	end, text, written, err := v.readKnown()
	if err != nil {
		return err
	}
	if v.Version != vectorsVersion || v.Mark != mark() || !v.fits(end) {
		return errVectors
	}
	v.columns = columns{
		ids: make([]codegraph.ID, v.Count), sums: make([]sum, v.Count), mean: make([]float32, v.Dimensions),
		sketches: make([]uint64, v.Count*sketchSize(v.Dimensions)),
	}
	at, check := v.vectorsEnd(), crc32.NewIEEE()
	for _, part := range v.parts() {
		if _, err := v.file.ReadAt(part, at); err != nil {
			return err
		}
		_, _ = check.Write(part) // never fails
		at += int64(len(part))
	}
	_, _ = check.Write(text)
	if check.Sum32() != written {
		return errVectors
	}
	return nil
}

// maxKnown is the maximum size of the metadata, in bytes.
const maxKnown = 1 << 16

// readKnown reads the metadata from the end of the file: its offset, its text, and the checksum.
func (v *vectorFile) readKnown() (end int64, text []byte, written uint32, err error) {
	info, err := v.file.Stat()
	if err != nil {
		return 0, nil, 0, err
	}
	end = info.Size() - footSize
	foot := make([]byte, footSize)
	if end < 0 {
		return 0, nil, 0, errVectors
	}
	if _, err := v.file.ReadAt(foot, end); err != nil {
		return 0, nil, 0, errVectors
	}
	size := binary.NativeEndian.Uint64(foot)
	if size > uint64(end) || size > maxKnown {
		return 0, nil, 0, errVectors
	}
	text = make([]byte, size)
	end -= int64(size)
	if _, err := v.file.ReadAt(text, end); err != nil {
		return 0, nil, 0, err
	}
	if json.Unmarshal(text, &v.metadata) != nil {
		return 0, nil, 0, errVectors
	}
	return end, text, binary.NativeEndian.Uint32(foot[8:]), nil
}

// fits reports whether the sizes of the vectors and columns match that of the file.
func (v *vectorFile) fits(size int64) bool {
	if v.Count < 0 || v.Dimensions < 0 || v.Dimensions > mostDimensions || int64(v.Count) > size {
		return false
	}
	each := int64(v.Dimensions)*4 + 4 + int64(len(sum{})) + int64(sketchSize(v.Dimensions))*8
	return int64(v.Count)*each+int64(v.Dimensions)*4 == size
}

func (v *vectorFile) vectorsEnd() int64 { return int64(v.Count) * int64(v.Dimensions) * 4 }

// vector reads the vector at an index.
func (v *vectorFile) vector(place int, into []float32) error {
	_, err := v.file.ReadAt(raw(into), int64(place)*int64(v.Dimensions)*4)
	return err
}

// raw returns the bytes of an array.
func raw[T any](array []T) []byte {
	if len(array) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&array[0])), len(array)*int(unsafe.Sizeof(array[0])))
}

// vectorWriter writes a temporary vector file next to path.
type vectorWriter struct {
	metadata
	columns
	path   string
	file   *os.File
	buf    *bufio.Writer
	totals []float64 // sums of the vectors
}

func newVectorWriter(path, model string) (*vectorWriter, error) {
	snapshot.RemoveAbandoned(path)
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return nil, err
	}
	m := metadata{Version: vectorsVersion, Mark: mark(), Model: model}
	return &vectorWriter{metadata: m, path: path, file: f, buf: bufio.NewWriterSize(f, 1<<20)}, nil
}

// add adds a vector.
func (w *vectorWriter) add(id codegraph.ID, s sum, vector []float32) error {
	if w.totals == nil {
		w.Dimensions, w.totals = len(vector), make([]float64, len(vector))
	}
	if len(vector) != w.Dimensions {
		return &DimensionsError{Got: len(vector), Want: w.Dimensions}
	}
	w.ids, w.sums = append(w.ids, id), append(w.sums, s)
	for i, x := range vector {
		w.totals[i] += float64(x)
	}
	_, err := w.buf.Write(raw(vector))
	return err
}

// finish renames the file to its final name and opens it.
func (w *vectorWriter) finish(stamp string) (*vectorFile, error) {
	w.Stamp, w.Count = stamp, len(w.ids)
	if err := w.buf.Flush(); err != nil {
		return nil, err
	}
	w.mean = make([]float32, w.Dimensions)
	for i, x := range w.totals {
		w.mean[i] = float32(x / float64(w.Count))
	}
	if err := w.sketch(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(&w.metadata)
	if err != nil {
		return nil, err
	}
	check := crc32.NewIEEE()
	for _, part := range append(w.parts(), text) {
		if _, err := io.MultiWriter(w.file, check).Write(part); err != nil {
			return nil, err
		}
	}
	foot := binary.NativeEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.file.Write(binary.NativeEndian.AppendUint32(foot, check.Sum32())); err != nil {
		return nil, err
	}
	if err := w.file.Close(); err != nil {
		return nil, err
	}
	name := w.file.Name()
	w.file = nil
	if err := replaceable(w.path); err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	if err := os.Rename(name, w.path); err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	return openVectors(w.path)
}

// replaceable returns an error if the file exists and is not regular, or is text. Damaged vector files may have no
// recognizable mark.
func replaceable(path string) error {
	f, err := openfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(f, 1<<12))
	if err = errors.Join(err, f.Close()); err == nil && len(head) > 0 && !bytes.ContainsRune(head, 0) && utf8.Valid(head) {
		err = message.Errorf("%s is a text where the vectors should be; move it away", path)
	}
	return err
}

// sketch computes the sketches, which need the mean of all vectors.
func (w *vectorWriter) sketch() error {
	in := bufio.NewReaderSize(io.NewSectionReader(w.file, 0, math.MaxInt64), 1<<20)
	vector := make([]float32, w.Dimensions)
	for range w.ids {
		if _, err := io.ReadFull(in, raw(vector)); err != nil {
			return message.Errorf("read the vectors again: %w", err)
		}
		w.sketches = sketch(w.sketches, vector, w.mean)
	}
	return nil
}

// discard removes the file unless it was finished.
func (w *vectorWriter) discard() {
	if w.file != nil {
		_, _ = w.file.Close(), os.Remove(w.file.Name())
	}
}
