package project_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestCommitsReadAtOnce are those that git lists for each file, through merges and in a folder below the repository's.
func TestCommitsReadAtOnce(t *testing.T) {
	dir := repository(t, map[string]string{"app/specs/a.spec.md": "1", "app/specs/b.spec.md": "1", "app/code.go": "package app", "go.mod": "module x"})
	commit(t, dir, "first")
	git(t, dir, "checkout", "-q", "-b", "side")
	put(t, dir, map[string]string{"app/specs/b.spec.md": "2"})
	commit(t, dir, "on the side")
	git(t, dir, "checkout", "-q", "-")
	for i := range 3 {
		put(t, dir, map[string]string{"app/specs/a.spec.md": "a" + strconv.Itoa(i), "app/code.go": "package app // " + strconv.Itoa(i)})
		commit(t, dir, "change "+strconv.Itoa(i))
	}
	git(t, dir, "merge", "-q", "--no-edit", "side")
	p, err := project.Open(dir + "/app")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	past, err := p.Past(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	type answer struct {
		List     []project.Revised
		Complete bool
	}
	ask := func() map[string]answer {
		out := map[string]answer{}
		for _, name := range []string{"specs/a.spec.md", "specs/b.spec.md", "specs/none.spec.md", "code.go"} {
			for _, most := range []int{2, 40} {
				list, complete, err := past.Of(t.Context(), name, most)
				if err != nil {
					t.Fatal(err)
				}
				out[name+" "+strconv.Itoa(most)] = answer{append([]project.Revised{}, list...), complete}
			}
		}
		return out
	}
	one := ask()
	if n := len(one["specs/a.spec.md 40"].List); n != 4 {
		t.Fatalf("%d commits of a spec, want 4", n)
	}
	if err := past.Learn(t.Context(), ".spec.md"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, ask()); diff != "" {
		t.Errorf("read at once (-one by one +at once):\n%s", diff)
	}
}
