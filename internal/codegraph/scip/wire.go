package scip

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxVarint is the length of the longest number, in bytes.
const maxVarint = 10

func unknownWireType(kind protowire.Type, at int64) error {
	return &DamagedError{Offset: at, Reason: message.New("a field of wire type %d", kind)}
}

// parseVarint reads a number that is all of b; base is where b begins.
func parseVarint(b []byte, base int64) (uint64, error) {
	v, n := protowire.ConsumeVarint(b)
	if n < 0 {
		return 0, tooLarge(base)
	}
	return v, nil
}

func tooLarge(at int64) error {
	return &DamagedError{Offset: at, Reason: message.New("a number of more than 64 bits")}
}

// splitTag takes the tag of a field apart.
func splitTag(v uint64, at int64) (protowire.Number, protowire.Type, error) {
	number, kind := protowire.DecodeTag(v)
	if !number.IsValid() {
		return 0, 0, &DamagedError{Offset: at, Reason: message.New("a field of number %d", v>>3)}
	}
	return number, kind, nil
}

// fields reads the fields of one message. After an error all that follows is
// that error.
type fields struct {
	data []byte
	at   int   // in data
	base int64 // where data begins in the index
	err  error

	number protowire.Number
	kind   protowire.Type
	value  []byte // of a field of kind lengthDelimited
	num    uint64 // of a field of kind varint
}

// next reads a field. It is false at the end, and after an error.
func (f *fields) next() bool {
	if f.err != nil || f.at == len(f.data) {
		return false
	}
	start := f.offset()
	tag := f.varint()
	if f.err == nil {
		f.number, f.kind, f.err = splitTag(tag, start)
	}
	if f.err != nil {
		return false
	}
	f.value, f.num = nil, 0
	switch f.kind {
	case protowire.VarintType:
		f.num = f.varint()
	case protowire.Fixed64Type:
		f.take(8)
	case protowire.Fixed32Type:
		f.take(4)
	case protowire.BytesType:
		f.value = f.take(f.varint())
	default:
		f.err = unknownWireType(f.kind, start)
	}
	return f.err == nil
}

// is reports whether the last field read has a number and a type.
func (f *fields) is(number protowire.Number, kind protowire.Type) bool {
	return f.number == number && f.kind == kind
}

// inner returns the fields of the message that was read.
func (f *fields) inner() *fields {
	return &fields{data: f.value, base: f.offset() - int64(len(f.value))}
}

// offset is how far the reading is, in bytes from the start of the index.
func (f *fields) offset() int64 { return f.base + int64(f.at) }

// fail notes what is wrong with the message, at its start.
func (f *fields) fail(reason message.Text) {
	if f.err == nil {
		f.err = &DamagedError{Offset: f.base, Reason: reason}
	}
}

func (f *fields) varint() uint64 {
	if f.err != nil {
		return 0
	}
	rest := f.data[f.at:]
	v, n := protowire.ConsumeVarint(rest)
	switch {
	case n >= 0:
		f.at += n
	case len(rest) < maxVarint:
		f.tooShort()
	default:
		f.err = tooLarge(f.offset())
	}
	return v
}

func (f *fields) take(size uint64) []byte {
	if f.err != nil {
		return nil
	}
	if size > uint64(len(f.data)-f.at) {
		f.tooShort()
		return nil
	}
	value := f.data[f.at : f.at+int(size)]
	f.at += int(size)
	return value
}

func (f *fields) tooShort() {
	f.err = &DamagedError{Offset: f.offset(), Reason: message.New("a field is longer than the message it is in")}
}

// numbers appends the numbers of a repeated field, which stand one by one or
// packed together.
func (f *fields) numbers(to []int) []int {
	if f.kind == protowire.VarintType {
		return append(to, int(int32(f.num)))
	}
	in := f.inner()
	for in.err == nil && in.at < len(in.data) {
		to = append(to, int(int32(in.varint())))
	}
	if in.err != nil {
		f.err = in.err
	}
	return to
}
