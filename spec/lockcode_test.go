package spec_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// lockOf returns the lock of a folder of code.
func lockOf(t *testing.T, p *project.Project, target string, scope source.Scope) *lock.Lock {
	t.Helper()
	tree, err := source.Read(t.Context(), p, target, source.Options{Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.ReadImported(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	l := &lock.Lock{Generator: "reverse-spec v2.0", SpecID: "it", Skeleton: code.Merge(tree.Target, tree.Files, time.Time{})}
	for i, c := range evidence.Find(t.Context(), tree.Files, l.Skeleton, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing}) {
		l.Claims = append(l.Claims, lock.Claim{Claim: c, Requirement: fmt.Sprintf("REQ-%03d", i)})
	}
	return l
}

// TestLocksOfRealCodeRoundTrip reads this module, whose test data has files of every language.
func TestLocksOfRealCodeRoundTrip(t *testing.T) {
	p, err := project.Open("..")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for target, scope := range map[string]source.Scope{
		"internal/code": source.Folder, "internal/lang/testdata": source.Everything, "internal/schema": source.Everything,
		"spec/lock/lock.go": source.Auto, "test": source.Everything, "internal/evidence": source.Everything,
	} {
		t.Run(target, func(t *testing.T) {
			want := lockOf(t, p, target, scope)
			got, err := lock.Parse(want.Encode())
			if err != nil {
				t.Fatal(err)
			}
			slices.SortStableFunc(want.Claims, func(a, b lock.Claim) int {
				return cmp.Compare(cmp.Or(a.Subject, a.Name), cmp.Or(b.Subject, b.Name))
			})
			if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(code.Symbol{}, "NameLine"),
				cmpopts.IgnoreFields(code.Skeleton{}, "LOC", "AnalyzedAt", "Calls"), cmpopts.IgnoreFields(evidence.Claim{}, "At"),
				cmpopts.IgnoreFields(paths.Term{}, "Cond")); diff != "" {
				t.Errorf("a lock is read otherwise than it was written (-want +got):\n%s", diff)
			}
		})
	}
}
