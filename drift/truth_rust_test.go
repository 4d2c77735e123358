package drift_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// needCompiler are the lints about what rustc infers: auto traits, sizes, layouts.
var needCompiler = regexp.MustCompile(`auto_trait|sized|layout|abi|attribute_proc|derive_proc|function_like_proc|derive_helper|feature_|package_|lib_`)

var (
	ronID      = regexp.MustCompile(`(?m)^\s*id: "(\w+)"`)
	ronMajor   = regexp.MustCompile(`(?m)^\s*required_update: Major`)
	ronAllowed = regexp.MustCompile(`(?m)^\s*lint_level: Allow`)
	snapCrate  = regexp.MustCompile(`(?m)^  "\./test_crates/([^"]+)/": \[$`)
	snapEntry  = regexp.MustCompile(`(?ms)^    \{\n(.*?)^    \},$`)
	snapString = regexp.MustCompile(`String\("([^"]*)"\)`)
)

// finding is what cargo-semver-checks says of a crate: the names that stand for it.
type finding struct {
	lint  string
	names []string
}

// semverFindings returns the findings of lints that need no compiler and a major version, by crate.
func semverFindings(t *testing.T, root string) map[string][]finding {
	t.Helper()
	out := map[string][]finding{}
	lints, err := filepath.Glob(filepath.Join(root, "src", "lints", "*.ron"))
	if err != nil || len(lints) == 0 {
		t.Fatalf("no lints: %v", err)
	}
	for _, file := range lints {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := ronID.FindSubmatch(text)
		if id == nil || !ronMajor.Match(text) || ronAllowed.Match(text) || needCompiler.Match(id[1]) {
			continue
		}
		snap, err := os.ReadFile(filepath.Join(root, "test_outputs", "query_execution", string(id[1])+".snap"))
		if err != nil {
			continue
		}
		at := snapCrate.FindAllSubmatchIndex(snap, -1)
		for i, m := range at {
			end := len(snap)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			crate := string(snap[m[2]:m[3]])
			for _, e := range snapEntry.FindAllSubmatch(snap[m[1]:end], -1) {
				f := finding{lint: string(id[1])}
				for _, s := range snapString.FindAllSubmatch(e[1], -1) {
					f.names = append(f.names, string(s[1]))
				}
				out[crate] = append(out[crate], f)
			}
		}
	}
	return out
}

// TestAgreesWithCargoSemverChecks compares verdicts with those of cargo-semver-checks on its own crates, of which
// REVERSE_SPEC_SEMVER_CHECKS names a checkout. A finding is found if a breaking item is about one of its names.
func TestAgreesWithCargoSemverChecks(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_SEMVER_CHECKS")
	if root == "" {
		t.Skip("REVERSE_SPEC_SEMVER_CHECKS names no checkout of cargo-semver-checks; scripts/drift-cases.sh sets it")
	}
	truth := semverFindings(t, root)
	dirs, err := filepath.Glob(filepath.Join(root, "test_crates", "*", "old"))
	if err != nil {
		t.Fatal(err)
	}
	var found, wanted, right, items, silent, quiet int
	missed := map[string]int{}
	for _, old := range dirs {
		crate := filepath.Base(filepath.Dir(old))
		breaking := rustBreaking(t, old, filepath.Join(filepath.Dir(old), "new"))
		want := truth[crate]
		if len(want) == 0 && !needCompiler.MatchString(crate) {
			silent++
			if len(breaking) == 0 {
				quiet++
			} else {
				t.Logf("not silent: %s", crate)
			}
		}
		for _, f := range want {
			wanted++
			if slices.ContainsFunc(breaking, f.is) {
				found++
			} else {
				missed[f.lint]++
				t.Logf("missed: %s: %s %v", crate, f.lint, f.names)
			}
		}
		if needCompiler.MatchString(crate) {
			continue
		}
		for _, i := range breaking {
			items++
			if slices.ContainsFunc(want, func(f finding) bool { return f.is(i) }) {
				right++
			} else {
				t.Logf("not theirs: %s: %s %s: %s", crate, i.Rule, i.SymbolName, i.Description)
			}
		}
	}
	for lint, n := range missed {
		t.Logf("missed lint: %3d × %s", n, lint)
	}
	recall, precision := ratio(found, wanted), ratio(right, items)
	t.Logf("rust: %d crates; recall %.3f (%d of %d findings), precision %.3f (%d of %d items), F1 %.3f; %d of %d silent crates silent",
		len(dirs), recall, found, wanted, precision, right, items, 2*recall*precision/(recall+precision), quiet, silent)
	if recall < 0.8 || precision < 0.8 {
		t.Error("too far from cargo-semver-checks")
	}
}

// is reports whether an item is about the finding.
func (f finding) is(i drift.Item) bool {
	parts := strings.FieldsFunc(i.SymbolName, func(r rune) bool { return r == '.' || r == ':' })
	return slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(f.names, strings.TrimPrefix(p, "r#")) })
}

func rustBreaking(t *testing.T, old, now string) []drift.Item {
	t.Helper()
	isRust := func(file string) bool { return filepath.Ext(file) == ".rs" }
	a, b := folderSkeleton(t, old, isRust), folderSkeleton(t, now, isRust)
	var out []drift.Item
	for _, i := range drift.Compare(t.Context(), drift.Surface{Skeleton: a}, drift.Surface{Skeleton: b}, message.English).Items {
		if i.Breaking {
			out = append(out, i)
		}
	}
	return out
}
