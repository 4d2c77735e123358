package code_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var at = time.Date(2026, 11, 21, 8, 0, 0, 0, time.FixedZone("", 3600))

func typ(name string, members ...code.Symbol) code.Symbol {
	return code.Symbol{Name: name, Kind: code.Struct, Exported: true, StartLine: 3, Members: members}
}

func method(name string) code.Symbol {
	return code.Symbol{Name: name, Kind: code.Method, Exported: true, StartLine: 7}
}

// names lists symbols with their files, members below their owners.
func names(list []code.Symbol) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.Name+" "+s.File)
		for _, m := range names(s.Members) {
			out = append(out, "."+m)
		}
	}
	return out
}

func TestMethodsJoinTheirTypeWithinTheFolder(t *testing.T) {
	s := code.Merge("p", []*code.File{
		{Path: "p/b.go", Symbols: []code.Symbol{method("T.B"), method("Gone.C")}},
		{Path: "p/a.go", Symbols: []code.Symbol{typ("T", method("A"))}},
		{Path: "p/q/c.go", Symbols: []code.Symbol{method("T.Other")}},
	}, at)
	want := []string{"T p/a.go", ".A p/a.go", ".B p/b.go", "Gone.C p/b.go", "T.Other p/q/c.go"}
	if diff := cmp.Diff(want, names(s.Exports)); diff != "" {
		t.Error(diff)
	}
}

func TestOtherPlatformsAreVariants(t *testing.T) {
	files := []*code.File{
		{Path: "p/a.go", Symbols: []code.Symbol{typ("T")}},
		{Path: "p/a_windows.go", Constraint: "windows", Symbols: []code.Symbol{typ("T"), method("T.M"), typ("W")}},
	}
	s := code.Merge("p", files, at)
	if diff := cmp.Diff([]string{"T p/a.go"}, names(s.Exports)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"T p/a_windows.go", ".M p/a_windows.go", "W p/a_windows.go"}, names(s.Variants)); diff != "" {
		t.Error(diff)
	}
	// A package for another platform only has an API all the same.
	if s := code.Merge("p", files[1:], at); len(s.Exports) != 2 || len(s.Variants) != 0 {
		t.Errorf("exports %q, variants %q", names(s.Exports), names(s.Variants))
	}
}

func TestMergedHashCoversAllFilesAndTestsAddNoSymbols(t *testing.T) {
	s := code.Merge("p", []*code.File{
		{Path: "p/b_test.go", Hash: "bb", LOC: 2, Test: true, Symbols: []code.Symbol{typ("Helper")}, Imports: []code.Import{{Module: "testing"}}},
		{Path: "p/a.go", Hash: "aa", LOC: 3, Language: "go", Doc: "Package p.", Symbols: []code.Symbol{{Name: "private"}}},
	}, at)
	sum := sha256.Sum256([]byte("aabb"))
	if want := hex.EncodeToString(sum[:]); s.Hash != want {
		t.Errorf("hash %s, want %s", s.Hash, want)
	}
	if len(s.Exports) != 0 || len(s.Imports) != 0 || s.LOC != 5 || s.Language != "go" || s.Doc != "Package p." || len(s.Files) != 2 {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{"private p/a.go"}, names(s.Internals)); diff != "" {
		t.Error(diff)
	}
	if s.AnalyzedAt != "2026-11-21T07:00:00Z" {
		t.Errorf("time %s", s.AnalyzedAt)
	}
}

// TestMergeLeavesFilesAlone: they are shared.
func TestMergeLeavesFilesAlone(t *testing.T) {
	files := []*code.File{
		{Path: "p/a.go", Symbols: []code.Symbol{typ("T", method("A"))}},
		{Path: "p/b.go", Symbols: []code.Symbol{method("T.B")}},
	}
	before, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	first, second := code.Merge("p", files, at), code.Merge("p", files, at)
	after, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(after)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("merged twice:\n%s", diff)
	}
}

func TestSkeletonOfAnEmptyFileHasEmptyLists(t *testing.T) {
	data, err := json.Marshal((&code.File{Path: "a.go", Language: "go", Hash: "h", Parser: "go/parser"}).Skeleton(at))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"filePath":"a.go","language":"go","loc":0,"exports":[],"imports":[],"files":[{"path":"","hash":"","tokens":"","comments":"","imports":"","commas":0,"semicolons":0}],"hash":"h","analyzedAt":"2026-11-21T07:00:00Z","parserUsed":"go/parser"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}
