package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// ErrTooLong is returned for a line above the limit of its reader. The line was skipped;
// more lines may follow.
var ErrTooLong = errors.New("line too long")

// Reader reads messages from a stream, one a line.
type Reader struct {
	r     *bufio.Reader
	limit int
}

// NewReader returns a reader of lines of at most limit bytes.
func NewReader(in io.Reader, limit int) *Reader {
	const buffer = 64 << 10
	return &Reader{bufio.NewReaderSize(in, buffer), limit}
}

// Read returns the next line, without white space around it and without a byte order mark;
// "" for a blank line. After [ErrTooLong] more lines may follow; after any other error,
// io.EOF included, none.
func (r *Reader) Read() ([]byte, error) {
	line, err := r.Line()
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\xef\xbb\xbf"))), err
}

// Line is like Read but returns the line unchecked, without its line end.
func (r *Reader) Line() ([]byte, error) {
	var line []byte
	for {
		part, err := r.r.ReadSlice('\n')
		if len(line)+len(part) > r.limit {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.r.ReadSlice('\n')
			}
			return nil, ErrTooLong
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0:
			return nil, err
		}
		return bytes.TrimRight(line, "\r\n"), nil // the next call returns the error again
	}
}

// Writer writes messages to a stream, one a line. It may be used by several goroutines at once.
type Writer struct {
	mu     sync.Mutex
	out    io.Writer
	err    error
	broken chan struct{} // closed when a write failed; err says why
}

// NewWriter returns a writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out, broken: make(chan struct{})} }

// Write writes one encoded message, its line end included, in a single Write. After a
// write that failed, nothing is written any more, and the same error is returned.
func (w *Writer) Write(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if _, err := w.out.Write(append(message, '\n')); err != nil {
		w.err = err
		close(w.broken)
	}
	return w.err
}

// Broken is closed when a write failed.
func (w *Writer) Broken() <-chan struct{} { return w.broken }

// Err returns the error of the write that failed, nil before.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
