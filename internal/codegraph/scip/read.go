package scip

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// maxMessage is the maximum size of a document, in bytes. The largest ones in public indexes, of generated sources,
// have some tens of megabytes.
const maxMessage = 256 << 20

// The fields of the message Index.
const (
	indexMetadata  = 1
	indexDocuments = 2
)

// Open opens the file of an index for [Read], if it is a regular file. The caller closes it.
func Open(path string) (*os.File, error) { return openfile.Open(path) }

// Read reads an index and calls doc for each document, in order; doc may keep its argument. It returns the index's
// metadata, which is empty if there is none. The error is a [*DamagedError], that of doc, which stops reading, or
// that of r.
func Read(r io.Reader, doc func(*Document) error) (*Metadata, error) {
	s := &stream{in: bufio.NewReaderSize(r, 64<<10)}
	meta := &Metadata{}
	for {
		number, kind, err := s.tag()
		if errors.Is(err, io.EOF) {
			return meta, nil
		}
		if err != nil {
			return nil, err
		}
		switch {
		case number == indexMetadata && kind == protowire.BytesType:
			if err := s.metadata(meta); err != nil {
				return nil, err
			}
		case number == indexDocuments && kind == protowire.BytesType:
			d, err := s.document()
			if err != nil {
				return nil, err
			}
			if err := doc(d); err != nil {
				return nil, err
			}
		default:
			if err := s.skip(kind); err != nil {
				return nil, err
			}
		}
	}
}

// ReadMetadata returns the metadata of an index without reading further; it usually is at the start. Errors are
// those of [Read].
func ReadMetadata(r io.Reader) (*Metadata, error) {
	s := &stream{in: bufio.NewReaderSize(r, 64<<10)}
	meta := &Metadata{}
	for {
		number, kind, err := s.tag()
		if errors.Is(err, io.EOF) {
			return meta, nil
		}
		if err != nil {
			return nil, err
		}
		if number == indexMetadata && kind == protowire.BytesType {
			return meta, s.metadata(meta)
		}
		if err := s.skip(kind); err != nil {
			return nil, err
		}
	}
}

// stream reads the fields of the outermost message.
type stream struct {
	in  *bufio.Reader
	at  int64        // number of bytes read
	buf bytes.Buffer // the nested message read last
}

// tag reads the number and the wire type of a field. At the end it returns io.EOF.
func (s *stream) tag() (number protowire.Number, kind protowire.Type, err error) {
	if _, err := s.in.Peek(1); err != nil {
		return 0, 0, err
	}
	start := s.at
	v, err := s.varint()
	if err != nil {
		return 0, 0, err
	}
	return splitTag(v, start)
}

func (s *stream) varint() (uint64, error) {
	start := s.at
	var b [maxVarint]byte
	for i := range b {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, s.broken(err)
		}
		s.at++
		if b[i] = c; c < 0x80 {
			return parseVarint(b[:i+1], start)
		}
	}
	return parseVarint(b[:], start)
}

// broken replaces io errors for truncated input; other errors are unchanged.
func (s *stream) broken(err error) error {
	if errors.Is(err, io.EOF) {
		return &DamagedError{Offset: s.at, Reason: message.New("it ends within a field")}
	}
	return err
}

// message reads a nested message. The result is valid until the next call.
func (s *stream) message() (*fields, error) {
	start := s.at
	size, err := s.varint()
	if err != nil {
		return nil, err
	}
	if size > maxMessage {
		return nil, &DamagedError{Offset: start, Reason: message.New("a message of %d bytes is above the limit of %d", size, maxMessage)}
	}
	s.buf.Reset() // grows with the data read, not with the declared size
	base := s.at
	n, err := io.CopyN(&s.buf, s.in, int64(size))
	s.at += n
	if err != nil {
		return nil, s.broken(err)
	}
	return &fields{data: s.buf.Bytes(), base: base}, nil
}

// skip skips the value of a field.
func (s *stream) skip(kind protowire.Type) error {
	var size uint64
	var err error
	start := s.at
	switch kind {
	case protowire.VarintType:
		_, err = s.varint()
		return err
	case protowire.Fixed64Type:
		size = 8
	case protowire.Fixed32Type:
		size = 4
	case protowire.BytesType:
		if size, err = s.varint(); err != nil {
			return err
		}
	default:
		return unknownWireType(kind, start)
	}
	for size > 0 {
		n, err := s.in.Discard(int(min(size, 1<<30)))
		s.at += int64(n)
		size -= uint64(n)
		if err != nil {
			return s.broken(err)
		}
	}
	return nil
}
