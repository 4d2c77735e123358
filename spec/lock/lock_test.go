package lock_test

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// notRecorded are the fields that a lock leaves out.
var notRecorded = []gocmp.Option{
	cmpopts.IgnoreFields(code.Skeleton{}, "LOC", "AnalyzedAt", "Calls"),
	cmpopts.IgnoreFields(code.Symbol{}, "NameLine"),
	cmpopts.IgnoreFields(evidence.Claim{}, "At"),
}

// bySubject sorts claims as a lock does.
func bySubject(list []lock.Claim) []lock.Claim {
	return slices.SortedStableFunc(slices.Values(list), func(a, b lock.Claim) int {
		return cmp.Compare(cmp.Or(a.Subject, a.Name), cmp.Or(b.Subject, b.Name))
	})
}

func roundTrips(t *testing.T, want *lock.Lock) {
	t.Helper()
	text := want.Encode()
	got, err := lock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	expected := *want
	expected.Claims = bySubject(want.Claims)
	if diff := gocmp.Diff(&expected, got, append(notRecorded, cmpopts.EquateEmpty())...); diff != "" {
		t.Errorf("a lock is read otherwise than it was written (-want +got):\n%s", diff)
	}
	if again := string(got.Encode()); again != string(text) {
		t.Error("what was read is written otherwise")
	}
	if hash, err := lock.HashOf(text); err != nil || hash != want.Skeleton.Hash {
		t.Errorf("hash %s, %v; want %s", hash, err, want.Skeleton.Hash)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	if len(want.Skeleton.Files) > 0 && strings.Contains(header, want.Skeleton.Hash) {
		t.Errorf("the header changes with the code: %s", header)
	}
}

// fill sets every field of a value to something else than its zero value.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("<x & y>")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*code.Cond]() { // of the page only; the text is recorded
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth)
	case reflect.Slice:
		if depth == 0 && v.Type().Elem() == reflect.TypeFor[code.Symbol]() {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth-1)
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, depth)
		}
	default:
		panic(v.Type())
	}
}

// TestEveryFieldIsRecorded fails when a field is added to what a lock holds, and not to the lock.
func TestEveryFieldIsRecorded(t *testing.T) {
	want := &lock.Lock{Generator: "g", SpecID: "s"}
	fill(reflect.ValueOf(&want.Skeleton).Elem(), 3)
	want.Claims = make([]lock.Claim, 1)
	fill(reflect.ValueOf(&want.Claims[0]).Elem(), 3)
	want.Tests = make([]lock.Tests, 1)
	fill(reflect.ValueOf(&want.Tests[0]).Elem(), 3)
	want.Tests[0].Contract = "CT-1"
	want.Unnoticed = []lock.Unnoticed{{File: "a.go", Of: map[string]string{"a.go": "h", "a_test.go": "i"}, Tried: 3, List: []lock.Mistake{{Symbol: "F", Line: 1, Was: "<", Now: "<=", Claims: []string{"exit-1"}}}}}
	want.Requirements, want.Links = make([]lock.Requirement, 1), make([]lock.Link, 1)
	fill(reflect.ValueOf(&want.Requirements[0]).Elem(), 3)
	fill(reflect.ValueOf(&want.Links[0]).Elem(), 3)
	want.Requirements[0].ID, want.Links[0].Requirement, want.Links[0].Confidence = "login/2", "login/2", 0.5
	got, err := lock.Parse(want.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got, notRecorded...); diff != "" {
		t.Errorf("not recorded (-want +got):\n%s", diff)
	}
}

// TestOddNamesRoundTrip: names may be missing, equal, or look like ids.
func TestOddNamesRoundTrip(t *testing.T) {
	s := func(name, file string, members ...code.Symbol) code.Symbol {
		return code.Symbol{Name: name, File: file, StartLine: len(name), EndLine: 9, Members: members}
	}
	roundTrips(t, &lock.Lock{Skeleton: code.Skeleton{
		FilePath: "x", Hash: "of another version",
		Exports: []code.Symbol{
			s("b", "z.go"), s("a", "z.go"), s("a", "a.go", s("m", "z.go"), s("", "a.go"), s("", "a.go"), s("m", "a.go")),
			s("a.m", "a.go"), s("a#2", "a.go"), s("a", "a.go", s("m", "a.go", s("m", "a.go"))), s("line\nbreak \"", "a.go"),
		},
		Internals: []code.Symbol{s("a", "a.go"), s("", "b.go"), s("", "a.go", s("", "a.go"))},
		Variants:  []code.Symbol{s("a", "win.go")},
	}})
}

func TestPathOfLock(t *testing.T) {
	for _, c := range [][3]string{
		{"specs", "specs/a/b.spec.md", "specs/.lock/a/b.jsonl"},
		{"specs", "specs/_root.spec.md", "specs/.lock/_root.jsonl"},
		{"docs/specs", "docs/specs/a.ts.spec.md", "docs/specs/.lock/a.ts.jsonl"},
		{".", "a.spec.md", ".lock/a.jsonl"},
		{"a/b", "a/b/odd.md", "a/b/.lock/odd.md.jsonl"},
	} {
		if got := lock.PathFor(c[0], c[1]); got != c[2] {
			t.Errorf("lock of %s in %s: %s, want %s", c[1], c[0], got, c[2])
		}
		if page, ok := lock.Page(c[2]); strings.HasSuffix(c[1], ".spec.md") && (!ok || page != c[1]) {
			t.Errorf("page of %s: %s, %t", c[2], page, ok)
		}
	}
	for _, other := range []string{"specs/a.jsonl", "specs/.lock/a.json", "x.lock/a.jsonl"} {
		if page, ok := lock.Page(other); ok {
			t.Errorf("%s is the lock of %s", other, page)
		}
	}
}

// sample is a lock of a small module.
func sample(t *testing.T) string {
	t.Helper()
	return string((&lock.Lock{
		Generator: "reverse-spec v2.0", SpecID: "cart",
		Skeleton: code.Skeleton{
			FilePath: "src/cart", Language: "go",
			Exports: []code.Symbol{{Name: "Cart", File: "a.go", Visibility: code.Private, Members: []code.Symbol{{Name: "Add", File: "a.go", Visibility: code.Private}}}},
			Files:   []code.Digest{{Path: "a.go", Hash: "01"}},
		},
		Claims: []lock.Claim{{Claim: evidence.Claim{Kind: evidence.Exit, Subject: "Cart.Add", Outcome: &evidence.Outcome{Error: "ErrFull"}}}},
	}).Encode())
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	good := sample(t)
	for name, c := range map[string]struct{ text, want string }{
		"foreign":   {"{\"name\":\"a table\"}\n", "not a lock of reverse-spec"},
		"prose":     {"Hello.\n", "not a lock of reverse-spec"},
		"empty":     {"", "not a lock of reverse-spec"},
		"newer":     {strings.Replace(good, `{"lock":1,`, `{"lock":2,`, 1), "a newer version of reverse-spec wrote it (format 2, this one knows 1)"},
		"conflict":  {strings.Replace(good, "\n\"symbol Cart\"", "<<<<<<< HEAD\n\n\"symbol Cart\"", 1), "line 8: git left a merge conflict"},
		"at first":  {"<<<<<<< HEAD\n" + good, "line 2: git left a merge conflict"},
		"two sides": {strings.Replace(good, `{"of":"Cart"}`, "{\"of\":\"Cart\"}\n{\"of\":\"Cart\",\"doc\":\"x\"}", 1), "line 14: a second value for one entry, as after a merge of two branches that changed it"},
		"twice":     {good + good[strings.Index(good, "\n\"symbol Cart.Add"):], `line 19: the entry "symbol Cart.Add" is there twice, as after a merge of two branches that changed it`},
		"no value":  {strings.Replace(good, `{"of":"Cart"}`, "", 1), `line 15: the entry "symbol Cart.Add" has no value`},
		"cut":       {good[:strings.Index(good, `"symbol Cart.Add"`)+18], `line 12: the entry "symbol Cart.Add" has no value`},
		"no owner":  {strings.Replace(good, `{"of":"Cart"}`, `{"of":"Car"}`, 1), `line 13: the symbol that "Cart.Add" is a member of is missing`},
		"a ring":    {strings.Replace(good, `{"of":"Cart"}`, `{"of":"Cart.Add"}`, 1), `line 13: the symbol that "Cart.Add" is a member of is missing`},
		"no JSON":   {strings.Replace(good, `{"of":"Cart"}`, `{"of":"Cart"`, 1), `line 13: the entry "symbol Cart.Add" cannot be read: unexpected end of JSON input`},
		"no key":    {strings.Replace(good, `"symbol Cart.Add"`, `symbol Cart.Add`, 1), "line 12: not a line of a lock"},
		"kind":      {strings.Replace(good, `"symbol Cart.Add"`, `"type Cart.Add"`, 1), `line 13: no entry of this kind is known: "type Cart.Add"`},
		"lines":     {strings.Replace(good, `"lines":[0,0,0,0]`, `"lines":[0,0,0]`, 1), "line 16: a file has 2 symbols and 3 lines"},
	} {
		_, err := lock.Parse([]byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if damaged, ok := errors.AsType[*lock.DamagedError](err); ok && damaged.Hint().String() != "resolve by regenerating: reverse-spec generate src/cart" {
			t.Errorf("%s: hint %s", name, damaged.Hint())
		}
	}
	if _, err := lock.Parse([]byte(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil {
		t.Errorf("with the line ends of Windows: %v", err)
	}
}

// FuzzParse: whatever a lock holds, it is an error or it is read as it is written.
func FuzzParse(f *testing.F) {
	t := &testing.T{}
	good := sample(t)
	f.Add(good)
	f.Add(strings.Replace(good, `{"of":"Cart"}`, `{"of":"Cart.Add"}`, 1))
	f.Add("<<<<<<< HEAD\n" + good)
	f.Add(strings.Replace(good, `"lines":[0,0,0,0]`, `"lines":[-1,0]`, 1))
	f.Add("{\"lock\":1}\n\n\"symbol \"\n{\"name\":\"a#2\"}\n\n\"symbol a\"\n{\"list\":\"variant\",\"order\":[\"b\"]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := lock.Parse([]byte(text))
		if err != nil {
			return
		}
		second, err := lock.Parse(first.Encode())
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first.Encode())
		}
		if diff := gocmp.Diff(first.Skeleton.Exports, second.Skeleton.Exports, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("exports (-want +got):\n%s", diff)
		}
	})
}
