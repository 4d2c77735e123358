package drift_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestProjectsAgreeWithAPIDiff compares releases as a user does: one comparison of the whole module with a revision. What it
// needs is that of [TestAgreesWithAPIDiff].
func TestProjectsAgreeWithAPIDiff(t *testing.T) {
	dir := os.Getenv("REVERSE_SPEC_TRUTH")
	if dir == "" {
		t.Skip("REVERSE_SPEC_TRUTH names no folder with go-drift.json; it is needed for development only")
	}
	data, err := os.ReadFile(filepath.Join(dir, "go-drift.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs []truthPair
	if err := json.Unmarshal(data, &pairs); err != nil {
		t.Fatal(err)
	}
	var found, truth, right, items int
	for _, p := range pairs {
		r := releases(t, p)
		s := agreement(p, r)
		t.Logf("%s %s..%s: %d of %d breaking changes found, %d of %d items right", p.Module, p.Old, p.New, s[0], s[1], s[2], s[3])
		found, truth, right, items = found+s[0], truth+s[1], right+s[2], items+s[3]
	}
	recall, precision := ratio(found, truth), ratio(right, items)
	f1 := 2 * recall * precision / (recall + precision)
	t.Logf("all: precision %.2f, recall %.2f, F1 %.2f", precision, recall, f1)
	if f1 < 0.94 {
		t.Errorf("too far from apidiff: F1 %.2f", f1)
	}
}

// releases compares two releases in a repository that has the old one committed.
func releases(t *testing.T, p truthPair) *drift.Report {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	unpack(t, dir, p.Module, p.Old)
	git(t, dir, "add", "-A", "-f")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "old")
	git(t, dir, "rm", "-rqf", ".")
	unpack(t, dir, p.Module, p.New)
	opened, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}()
	r, err := drift.DetectAll(t.Context(), opened, drift.Options{Base: "HEAD", NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unpack copies a release of a module into a folder.
func unpack(t *testing.T, dir, module, version string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("download %s@%s: %v", module, version, err)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "chmod", "-R", "u+w", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// agreement returns how many breaking changes of the truth were found, of how many, and how many breaking items are right, of
// how many. An item about a package has all changes of it.
func agreement(p truthPair, r *drift.Report) [4]int {
	plain := strings.NewReplacer("(*", "", ")", "")
	same := func(a, b string) bool { return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") }
	var out [4]int
	used := make([]bool, len(r.Items))
	for _, c := range p.Changes {
		if !c.Breaking {
			continue
		}
		out[1]++
		hit := false
		for i := range r.Items {
			item := &r.Items[i]
			file, _, _ := strings.Cut(item.Location, ":")
			gone := item.Rule == "module-removed" && item.SymbolName == c.Package
			if item.Breaking && (gone || path.Dir(file) == c.Package && same(plain.Replace(item.SymbolName), plain.Replace(c.Symbol))) {
				hit, used[i] = true, true
			}
		}
		if hit {
			out[0]++
		}
	}
	for i := range r.Items {
		if r.Items[i].Breaking {
			out[3]++
			if used[i] {
				out[2]++
			}
		}
	}
	return out
}
