package scip_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
)

func TestParseSymbol(t *testing.T) {
	for text, want := range map[string]scip.Symbol{
		"local 42":   {Local: "42"},
		"local 0(x)": {Local: "0(x)"},
		"scip-python python p 1 a/B#f().(self)": {
			Scheme: "scip-python", Package: scip.Package{Manager: "python", Name: "p", Version: "1"},
			Descriptors: []scip.Descriptor{
				{Name: "a", Suffix: scip.Namespace},
				{Name: "B", Suffix: scip.Type},
				{Name: "f", Suffix: scip.Method},
				{Name: "self", Suffix: scip.Parameter},
			},
		},
		"scip-typescript npm . . src/`file.ts`/A#`<constructor>`(+1).": {
			Scheme: "scip-typescript", Package: scip.Package{Manager: "npm"},
			Descriptors: []scip.Descriptor{
				{Name: "src", Suffix: scip.Namespace},
				{Name: "file.ts", Suffix: scip.Namespace},
				{Name: "A", Suffix: scip.Type},
				{Name: "<constructor>", Disambiguator: "+1", Suffix: scip.Method},
			},
		},
		"scip-go gomod github.com/a/b v1.2.3 `github.com/a/b/c`/T#[K]": {
			Scheme: "scip-go", Package: scip.Package{Manager: "gomod", Name: "github.com/a/b", Version: "v1.2.3"},
			Descriptors: []scip.Descriptor{
				{Name: "github.com/a/b/c", Suffix: scip.Namespace},
				{Name: "T", Suffix: scip.Type},
				{Name: "K", Suffix: scip.TypeParameter},
			},
		},
		"a  b . x  y  . . `a``b`.m!k:": {
			Scheme: "a b", Package: scip.Package{Name: "x y ."},
			Descriptors: []scip.Descriptor{
				{Name: "a`b", Suffix: scip.Term},
				{Name: "m", Suffix: scip.Macro},
				{Name: "k", Suffix: scip.Meta},
			},
		},
	} {
		got, err := scip.ParseSymbol(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if got.String() != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
}

func TestMalformedSymbolsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "at byte 0: expected a space after it",
		"local ":                 "at byte 6: expected an identifier",
		"scheme":                 "at byte 0: expected a space after it",
		" m p v a.":              "at byte 1: expected a scheme",
		"s m p v ":               "at byte 8: expected a descriptor",
		"s m p v a":              "at byte 9: expected one of /#.:!( after a name",
		"s m p v a(":             "at byte 10: expected )",
		"s m p v a()":            "at byte 11: expected .",
		"s m p v (a":             "at byte 10: expected )",
		"s m p v [a)":            "at byte 10: expected ]",
		"s m p v `a.":            "at byte 9: a backquote is not closed",
		"s m p v ``.":            "at byte 10: expected a name between backquotes",
		"s m p v .":              "at byte 8: expected a name",
		"s m p v a.é.":           "at byte 10: expected a name",
		strings.Repeat("x", 999): "at byte 0: expected a space after it",
	} {
		s, err := scip.ParseSymbol(text)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 400 {
			t.Errorf("%.50q: %v %v, want %s", text, s, err, want)
		}
	}
}

func FuzzParseSymbol(f *testing.F) {
	f.Add("local 42")
	f.Add("scip-python python p 1 a/B#f().(self)")
	f.Add("scip-typescript npm . . src/`file.ts`/A#`<constructor>`(+1).")
	f.Add("a  b . x  y  . v   `a``b`.m![T]k:")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := scip.ParseSymbol(text)
		if err != nil {
			return
		}
		again, err := scip.ParseSymbol(s.String())
		if diff := cmp.Diff(s, again); diff != "" || err != nil {
			t.Fatalf("%q is written as %q: %v %s", text, s, err, diff)
		}
	})
}
