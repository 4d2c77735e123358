package scip_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
)

// pythonIndex returns the output of scip-python 0.6.6 (npm @sourcegraph/scip-python) for a folder /tmp/s with
//
//	a.py:  class A:
//	           def f(self): pass
//	       class B(A):
//	           def f(self): pass
//	b.py:  from a import B
//	       def g(): B().f()
//
// by scip-python index . --project-name p --project-version 1 --output index.scip --quiet.
func pythonIndex(t testing.TB) []byte {
	t.Helper()
	index, err := os.ReadFile("testdata/python.scip")
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// read returns all that an index holds.
func read(r io.Reader) (*scip.Metadata, []*scip.Document, error) {
	var docs []*scip.Document
	meta, err := scip.Read(r, func(d *scip.Document) error {
		docs = append(docs, d)
		return nil
	})
	return meta, docs, err
}

func TestAnIndexOfPython(t *testing.T) {
	meta, docs, err := read(bytes.NewReader(pythonIndex(t)))
	if err != nil {
		t.Fatal(err)
	}
	wantMeta := &scip.Metadata{Tool: "scip-python", ToolVersion: "0.6.6", ProjectRoot: "file:///tmp/s"}
	if diff := cmp.Diff(wantMeta, meta); diff != "" {
		t.Error(diff)
	}
	const p = "scip-python python p 1 "
	at := func(line, from, to int) scip.Range { return scip.Range{line, from, line, to} }
	overrides := func(other string) []scip.Relationship {
		return []scip.Relationship{{Symbol: p + other, Implementation: true}}
	}
	want := []*scip.Document{
		{
			Path: "a.py",
			Occurrences: []scip.Occurrence{
				{Range: at(0, 0, 0), Symbol: p + "a/__init__:", Roles: scip.Definition},
				{Range: at(0, 6, 7), Symbol: p + "a/A#", Roles: scip.Definition, Enclosing: scip.Range{0, 0, 1, 21}},
				{Range: at(1, 8, 9), Symbol: p + "a/A#f().", Roles: scip.Definition, Enclosing: at(1, 4, 21)},
				{Range: at(1, 10, 14), Symbol: p + "a/A#f().(self)", Roles: scip.Definition},
				{Range: at(2, 6, 7), Symbol: p + "a/B#", Roles: scip.Definition, Enclosing: scip.Range{2, 0, 3, 21}},
				{Range: at(2, 8, 9), Symbol: p + "a/A#", Roles: scip.ReadAccess},
				{Range: at(3, 8, 9), Symbol: p + "a/B#f().", Roles: scip.Definition, Enclosing: at(3, 4, 21)},
				{Range: at(3, 10, 14), Symbol: p + "a/B#f().(self)", Roles: scip.Definition},
			},
			Symbols: []scip.SymbolInfo{
				{Symbol: p + "a/__init__:"},
				{Symbol: p + "a/A#"},
				{Symbol: p + "a/A#f()."},
				{Symbol: p + "a/A#f().(self)"},
				{Symbol: p + "a/B#", Relationships: overrides("a/A#")},
				{Symbol: p + "a/B#f().", Relationships: overrides("a/A#f().")},
				{Symbol: p + "a/B#f().(self)"},
			},
		},
		{
			Path: "b.py",
			Occurrences: []scip.Occurrence{
				{Range: at(0, 0, 0), Symbol: p + "b/__init__:", Roles: scip.Definition},
				{Range: at(0, 5, 6), Symbol: p + "a/__init__:", Roles: scip.ReadAccess},
				{Range: at(0, 14, 15), Symbol: p + "a/B#", Roles: scip.ReadAccess},
				{Range: at(1, 4, 5), Symbol: p + "b/g().", Roles: scip.Definition, Enclosing: at(1, 0, 16)},
				{Range: at(1, 9, 10), Symbol: p + "a/B#", Roles: scip.ReadAccess},
				{Range: at(1, 13, 14), Symbol: p + "a/B#f().", Roles: scip.ReadAccess},
			},
			Symbols: []scip.SymbolInfo{{Symbol: p + "b/__init__:"}, {Symbol: p + "b/g()."}},
		},
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Error(diff)
	}
	for _, d := range docs {
		for _, o := range d.Occurrences {
			if s, err := scip.ParseSymbol(o.Symbol); err != nil || s.String() != o.Symbol {
				t.Errorf("%s: %v %v", o.Symbol, s, err)
			}
		}
	}
}

// message joins fields to a message.
func encoded(fields ...[]byte) []byte { return bytes.Join(fields, nil) }

// bytesField is a field that holds text, or a message.
func bytesField[T string | []byte](number int, value T) []byte {
	b := binary.AppendUvarint(nil, uint64(number)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(b, value...)
}

func numField(number int, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3), value)
}

// Fields of later schemas, and of other wire types, are skipped anywhere; repeated numbers may be packed or not.
func TestUnknownFieldsAreSkipped(t *testing.T) {
	junk := encoded(
		numField(1000, 1<<63), bytesField(1001, "later"),
		binary.AppendUvarint(nil, 1002<<3|1), make([]byte, 8), binary.AppendUvarint(nil, 1003<<3|5), make([]byte, 4),
		numField(2, 7), // a number where a message should be
	)
	to := encoded(junk, bytesField(1, "a"), numField(2, 1), numField(3, 1), numField(4, 1), numField(5, 1))
	index := encoded(
		junk, bytesField(3, encoded(bytesField(1, "external"))),
		bytesField(2, encoded(
			junk, bytesField(1, "a.go"), bytesField(4, "Go"), numField(6, 3), bytesField(5, "text"),
			bytesField(2, encoded(junk[:len(junk)-2], numField(1, 4), numField(1, 5), numField(1, 6), bytesField(2, "s"), numField(3, 0x41))),
			bytesField(2, encoded(bytesField(1, []byte{1, 2, 3, 0x80, 1}), bytesField(7, []byte{0, 0, 9}), bytesField(7, []byte{0}))),
			bytesField(3, encoded(junk, bytesField(1, "s"), numField(5, 17), bytesField(6, "S"), bytesField(8, "t"), bytesField(4, to))),
		)),
		bytesField(1, encoded(junk, bytesField(3, "file:///x"), bytesField(2, encoded(bytesField(1, "tool"), bytesField(3, "-a"), bytesField(3, "-b"))))),
	)
	meta, docs, err := read(bytes.NewReader(index))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&scip.Metadata{Tool: "tool", Arguments: []string{"-a", "-b"}, ProjectRoot: "file:///x"}, meta); diff != "" {
		t.Error(diff)
	}
	want := []*scip.Document{{
		Path: "a.go", Language: "Go", Encoding: scip.UTF32,
		Occurrences: []scip.Occurrence{
			{Range: scip.Range{4, 5, 4, 6}, Symbol: "s", Roles: scip.Definition | scip.ForwardDefinition},
			{Range: scip.Range{1, 2, 3, 128}, Enclosing: scip.Range{0, 0, 9, 0}},
		},
		Symbols: []scip.SymbolInfo{{
			Symbol: "s", Kind: 17, DisplayName: "S", Enclosing: "t",
			Relationships: []scip.Relationship{{Symbol: "a", Reference: true, Implementation: true, TypeDefinition: true, Definition: true}},
		}},
	}}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyIndexHoldsNothing(t *testing.T) {
	meta, docs, err := read(bytes.NewReader(nil))
	if diff := cmp.Diff(&scip.Metadata{}, meta); diff != "" || docs != nil || err != nil {
		t.Error(diff, docs, err)
	}
}

// What an index says of itself is read without its documents.
func TestMetadataAlone(t *testing.T) {
	tool := bytesField(1, bytesField(3, "file:///x"))
	for name, index := range map[string][]byte{
		"first": encoded(tool, []byte{0x12, 0xff}), "behind a document": encoded(bytesField(2, bytesField(1, "a.go")), tool),
	} {
		if meta, err := scip.ReadMetadata(bytes.NewReader(index)); err != nil || meta.ProjectRoot != "file:///x" {
			t.Errorf("%s: %+v, %v", name, meta, err)
		}
	}
	if meta, err := scip.ReadMetadata(bytes.NewReader(nil)); err != nil || meta.ProjectRoot != "" {
		t.Errorf("nothing: %+v, %v", meta, err)
	}
	damaged := (*scip.DamagedError)(nil)
	if _, err := scip.ReadMetadata(bytes.NewReader([]byte{0x12, 9, 1})); !errors.As(err, &damaged) {
		t.Errorf("cut off: %v", err)
	}
}

// Each document is passed on before the next is read.
func TestDocumentsComeOneByOne(t *testing.T) {
	broken := errors.New("broken")
	one := bytesField(2, bytesField(1, "a.go"))
	_, docs, err := read(io.MultiReader(bytes.NewReader(one), iotest.ErrReader(broken)))
	if len(docs) != 1 || docs[0].Path != "a.go" || !errors.Is(err, broken) {
		t.Errorf("%v %v", docs, err)
	}
	enough := errors.New("enough")
	count := 0
	_, err = scip.Read(bytes.NewReader(bytes.Repeat(one, 3)), func(*scip.Document) error {
		count++
		return enough
	})
	if count != 1 || !errors.Is(err, enough) {
		t.Errorf("%d documents, %v", count, err)
	}
}
