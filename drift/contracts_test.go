package drift_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/spec"
)

// contractsArchive is a service whose code stays and whose contracts change.
const contractsArchive = `-- old/go.mod --
module example.com/m
-- old/a/a.go --
// Package a serves pets.
package a

// Get returns a pet.
func Get(id string) string { return id }
-- old/a/api/pets.proto --
syntax = "proto3";
package pets;
message Pet { string name = 1; int32 age = 2; }
-- old/db/001.sql --
CREATE TABLE users (id INT, phone TEXT);
-- old/testdata/x.proto --
syntax = "proto3";
message X { int32 a = 1; }
-- new/go.mod --
module example.com/m
-- new/a/a.go --
// Package a serves pets.
package a

// Get returns a pet.
func Get(id string) string { return id }
-- new/a/api/pets.proto --
syntax = "proto3";
package pets;
message Pet { string name = 1; int64 age = 2; }
-- new/db/001.sql --
CREATE TABLE users (id INT, phone TEXT);
-- new/db/002.sql --
ALTER TABLE users DROP COLUMN phone;
-- new/testdata/x.proto --
syntax = "proto3";
message X { int64 a = 1; }
`

const (
	petsItem  = "BREAKING MEDIUM protobuf-field-type-changed pets.Pet.age: type of field `pets.Pet.age` changed: `int32` → `int64`: programs built from the former file and from this one misread each other's bytes; code that uses it no longer compiles\n"
	phoneItem = "BREAKING HIGH database-column-removed users.phone: column `users.phone` was removed: programs that still run with the former tables fail on it, and its data are lost\n"
)

// TestContractsAreComparedWithARevision in a project as a whole, in a folder, and on their own. Test data are none.
func TestContractsAreComparedWithARevision(t *testing.T) {
	p := committed(t, txtar.Parse([]byte(contractsArchive)))
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{nil, phoneItem + petsItem},
		{[]string{"a"}, petsItem},
		{[]string{"a/api/pets.proto"}, petsItem},
		{[]string{"db"}, phoneItem},
		{[]string{"db/001.sql"}, ""},
	} {
		r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true}, c.paths)
		if err != nil {
			t.Fatalf("%v: %v", c.paths, err)
		}
		if diff := cmp.Diff(c.want, itemsOf(r)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.paths, diff)
		}
		if fails, _ := r.Fails("breaking"); fails != (c.want != "") {
			t.Errorf("%v: fails: %v", c.paths, fails)
		}
	}
}

// TestContractsOfASpecsModule are compared with the commit that the spec was written from.
func TestContractsOfASpecsModule(t *testing.T) {
	p := committed(t, txtar.Parse([]byte(contractsArchive)))
	if _, err := spec.Generate(t.Context(), p, "a", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	r, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(petsItem, itemsOf(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAProtocolOfAnotherModule is a base that no file declares, in a language whose library is not known.
func TestAProtocolOfAnotherModule(t *testing.T) {
	p := committed(t, txtar.Parse([]byte(`-- old/Package.swift --
// swift-tools-version:5.9
-- old/Sources/Shop/Shop.swift --
public protocol Shape: Sendable { func area() -> Int }
public struct Square: Shape { public func area() -> Int { 1 } }
-- new/Package.swift --
// swift-tools-version:5.9
-- new/Sources/Shop/Shop.swift --
public protocol Shape: Sendable { func area() -> Int }
public struct Square: Shape { public func area() -> Int? { 1 } }
`)))
	r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Summary.Breaking != 1 {
		t.Errorf("%d items break, want 1:\n%s", r.Summary.Breaking, itemsOf(r))
	}
}

// TestNoItemsAreAnEmptyList in JSON, too.
func TestNoItemsAreAnEmptyList(t *testing.T) {
	p := committed(t, txtar.Parse([]byte("-- old/a.go --\npackage a\n-- new/a.go --\npackage a\n")))
	r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Items == nil {
		t.Error("the items are nil")
	}
}
