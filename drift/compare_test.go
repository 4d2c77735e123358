package drift_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// TestFindsWhatChanged compares old/ with new/ of each case, an archive under
// testdata/<language>.
func TestFindsWhatChanged(t *testing.T) {
	for _, name := range []string{
		"c", "cpp", "csharp", "go", "java", "kotlin", "php", "python", "ruby", "rust", "scala", "swift", "typescript",
	} {
		t.Run(name, func(t *testing.T) {
			golden.Archives(t, name, func(t *testing.T, files map[string][]byte) string {
				before, now := merged(t, files, "old/"), merged(t, files, "new/")
				recorded := drift.Compare(t.Context(), embedded(t, before), now, message.English)
				if diff := cmp.Diff(recorded, drift.Compare(t.Context(), locked(t, before), now, message.English), cmpopts.IgnoreUnexported(drift.Item{})); diff != "" {
					t.Errorf("a lock is compared otherwise than a baseline in a page (-page +lock):\n%s", diff)
				}
				return lines(drift.Compare(t.Context(), before, now, message.English))
			})
		})
	}
}

// locked returns a surface as a lock holds it.
func locked(t *testing.T, s drift.Surface) drift.Surface {
	t.Helper()
	l, err := lock.Parse((&lock.Lock{Skeleton: s.Skeleton, Claims: s.Claims}).Encode())
	if err != nil {
		t.Fatal(err)
	}
	return drift.Surface{Skeleton: l.Skeleton, Claims: l.Claims}
}

// embedded returns a surface as pages of earlier versions hold it: as JSON, without the places of claims.
func embedded(t *testing.T, s drift.Surface) (out drift.Surface) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// merged returns the surface of the files below prefix, which is cut from their paths.
func merged(t *testing.T, files map[string][]byte, prefix string) drift.Surface {
	t.Helper()
	var list []*code.File
	for name, src := range files {
		rel, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		f, err := lang.Parse(t.Context(), rel, src, lang.All)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return surface(t, ".", list)
}

// surface returns the surface of files.
func surface(t testing.TB, target string, files []*code.File) drift.Surface {
	t.Helper()
	s := drift.Surface{Skeleton: code.Merge(target, files, time.Unix(0, 0)), Claims: []spec.RecordedClaim{}}
	for _, c := range evidence.Find(t.Context(), files, s.Skeleton, resolve.Module(files, nil, codegraph.Resolve(files, nil)), evidence.Known{}) {
		s.Claims = append(s.Claims, spec.RecordedClaim{Claim: c})
	}
	return s
}

// lines formats a result, one line per item and per kind of noise.
func lines(r drift.Result) string {
	var b strings.Builder
	for _, i := range r.Items {
		breaking := "compatible"
		if i.Breaking {
			breaking = "breaking"
		}
		fmt.Fprintf(&b, "%s %s %s %s %s\n", i.Location, i.Rule, i.Severity, breaking, i.SymbolName)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Noise)) {
		fmt.Fprintf(&b, "noise %s %d\n", kind, r.Noise[kind])
	}
	return b.String()
}

// TestCodeIsItsOwnEqual compares every file of the cases with itself.
func TestCodeIsItsOwnEqual(t *testing.T) {
	for _, l := range lang.Languages() {
		for _, src := range golden.Files(t, l.Name) {
			s := alone(t, l, src)
			if got := lines(drift.Compare(t.Context(), s, s, message.English)); got != "" {
				t.Errorf("%s: %s\n%s", l.Name, got, src)
			}
		}
	}
}

// alone returns the surface of one file.
func alone(t testing.TB, l *lang.Language, src []byte) drift.Surface {
	t.Helper()
	f, err := lang.Parse(t.Context(), "a"+l.Extensions[0], src, lang.All)
	if err != nil {
		return drift.Surface{}
	}
	return surface(t, ".", []*code.File{f})
}

// FuzzCompare compares two texts: it must not crash, every item must be complete, and a text
// must equal itself.
func FuzzCompare(f *testing.F) {
	all := lang.Languages()
	for i, l := range all {
		files := golden.Files(f, l.Name)
		for j := range files {
			f.Add(uint8(i), files[j], files[(j+1)%len(files)])
		}
	}
	f.Fuzz(func(t *testing.T, pick uint8, a, b []byte) {
		l := all[int(pick)%len(all)]
		before, now := alone(t, l, a), alone(t, l, b)
		for _, i := range drift.Compare(t.Context(), before, now, message.English).Items {
			if i.ID == "" || i.Location == "" || i.SymbolName == "" || i.Description == "" || i.ProposedUpdate == "" || i.OldValue+i.NewValue == "" {
				t.Errorf("incomplete: %+v", i)
			}
		}
		if items := drift.Compare(t.Context(), before, before, message.English).Items; len(items) > 0 {
			t.Errorf("drift from itself: %+v", items)
		}
	})
}
