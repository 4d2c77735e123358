package scip_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func TestDamagedErrorHasOffset(t *testing.T) {
	doc := bytesField(2, bytesField(1, "a.go"))
	n := int64(len(doc))
	for name, c := range map[string]struct {
		index []byte
		want  scip.DamagedError
	}{
		"a tag cut off":         {encoded(doc, []byte{0x80}), scip.DamagedError{Offset: n + 1, Reason: message.New("it ends within a field")}},
		"a size cut off":        {encoded(doc, []byte{0x12}), scip.DamagedError{Offset: n + 1, Reason: message.New("it ends within a field")}},
		"a document cut off":    {encoded(doc, doc[:4]), scip.DamagedError{Offset: n + 4, Reason: message.New("it ends within a field")}},
		"an unknown cut off":    {encoded(doc, []byte{0x7a, 9, 1, 2}), scip.DamagedError{Offset: n + 4, Reason: message.New("it ends within a field")}},
		"field number 0":        {encoded(doc, []byte{0x02, 0}), scip.DamagedError{Offset: n, Reason: message.New("a field of number 0")}},
		"a group":               {encoded(doc, []byte{0x13}), scip.DamagedError{Offset: n + 1, Reason: message.New("a field of wire type 3")}},
		"a number too large":    {encoded(doc, bytes.Repeat([]byte{0xff}, 11)), scip.DamagedError{Offset: n, Reason: message.New("a number of more than 64 bits")}},
		"a size beyond memory":  {encoded(doc, []byte{0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}), scip.DamagedError{Offset: n + 1, Reason: message.New("a message of 4398046511103 bytes is above the limit of 268435456")}},
		"a size beyond the end": {encoded(doc, []byte{0x12, 0xff, 0xff, 0xff, 0x7f, 1}), scip.DamagedError{Offset: n + 6, Reason: message.New("it ends within a field")}},
		"text in a document":    {bytesField(2, []byte{0x0a, 9, 'a'}), scip.DamagedError{Offset: 4, Reason: message.New("a field is longer than the message it is in")}},
		"a tag in a document":   {bytesField(2, []byte{0x80}), scip.DamagedError{Offset: 2, Reason: message.New("a field is longer than the message it is in")}},
		"a group in a document": {bytesField(2, []byte{0x0b}), scip.DamagedError{Offset: 2, Reason: message.New("a field of wire type 3")}},
		"a range of two":        {bytesField(2, bytesField(2, bytesField(1, []byte{1, 2}))), scip.DamagedError{Offset: 4, Reason: message.New("a range of the numbers [1 2]")}},
		"a range of none":       {bytesField(2, bytesField(2, bytesField(2, "s"))), scip.DamagedError{Offset: 4, Reason: message.New("a range of the numbers []")}},
		"a range backwards":     {bytesField(2, bytesField(2, bytesField(1, []byte{1, 5, 4}))), scip.DamagedError{Offset: 4, Reason: message.New("a range of the numbers [1 5 4]")}},
		"a negative range":      {bytesField(2, bytesField(2, bytesField(1, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1}))), scip.DamagedError{Offset: 4, Reason: message.New("a range of the numbers [-1 0 1]")}},
		"a number in a range":   {bytesField(2, bytesField(2, bytesField(1, []byte{1, 0x80}))), scip.DamagedError{Offset: 7, Reason: message.New("a field is longer than the message it is in")}},
		"no index at all":       {[]byte("package main\n"), scip.DamagedError{Offset: 3, Reason: message.New("a field of wire type 3")}},
	} {
		_, _, err := read(bytes.NewReader(c.index))
		var got *scip.DamagedError
		if !errors.As(err, &got) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(&c.want, got, sameText); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	const want = "the SCIP index is damaged at byte 9: why"
	if got := (&scip.DamagedError{Offset: 9, Reason: message.New("why")}).Error(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Wherever an index is truncated, the documents before are returned, with an error at the end unless a document
// ends there.
func TestTruncatedIndex(t *testing.T) {
	index := pythonIndex(t)
	_, all, err := read(bytes.NewReader(index))
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for size := range index {
		_, docs, err := read(bytes.NewReader(index[:size]))
		if diff := cmp.Diff(all[:len(docs)], docs); diff != "" && len(docs) > 0 {
			t.Errorf("%d bytes: %s", size, diff)
		}
		var damaged *scip.DamagedError
		switch {
		case err == nil:
			whole++
		case !errors.As(err, &damaged) || damaged.Offset != int64(size):
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if want := 3; whole != want { // nothing, after the metadata, after the first document
		t.Errorf("%d of the beginnings are whole, want %d", whole, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(pythonIndex(f))
	f.Add(bytesField(2, encoded(bytesField(1, "a.go"), numField(6, 1), bytesField(2, bytesField(1, []byte{1, 2, 3})))))
	f.Add([]byte{0x12, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, index []byte) {
		meta, docs, err := read(bytes.NewReader(index))
		var damaged *scip.DamagedError
		if err != nil && (!errors.As(err, &damaged) || damaged.Offset < 0 || damaged.Offset > int64(len(index))) {
			t.Fatalf("%v of %d bytes", err, len(index))
		}
		slowMeta, slowDocs, slowErr := read(iotest.OneByteReader(bytes.NewReader(index)))
		if diff := cmp.Diff(meta, slowMeta) + cmp.Diff(docs, slowDocs); diff != "" || (err == nil) != (slowErr == nil) {
			t.Fatalf("read byte by byte: %s %v %v", diff, err, slowErr)
		}
	})
}

// sameText compares messages by their English text.
var sameText = cmp.Comparer(func(a, b message.Text) bool { return a.String() == b.String() })
