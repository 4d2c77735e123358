package spec_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Two files of a module. Sorted by name, each function has a neighbour in the other file.
const (
	oneFile = `package cart

import "errors"

// Cart holds things.
type Cart struct{ n int }

// Add adds.
func (c *Cart) Add(n int) error {
	if n < 0 {
		return errors.New("too few")
	}
	return nil
}

func Copy(c Cart) Cart { return c }

func Erase(c *Cart) { c.n = 0 }
`
	otherFile = `package cart

import "errors"

// Buy buys.
func (c *Cart) Buy(n int) error {
	if n > 9 {
		return errors.New("too many")
	}
	return nil
}

func Divide(c Cart) int { n := c.n; n /= 2; return n }

func Fill(c *Cart) { c.n = 9 }
`
)

// repository is a git repository with the code of a module and its lock.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T, files map[string]string) *repository {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	r := &repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.commit(files)
	return r
}

func (r *repository) git(args ...string) (string, error) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *repository) must(args ...string) {
	r.t.Helper()
	if out, err := r.git(args...); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

const lockPath = "specs/.lock/cart.jsonl"

// commit writes files, updates the lock, and commits.
func (r *repository) commit(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		r.write(name, text)
	}
	r.write(lockPath, r.lock())
	r.must("add", "-A")
	r.must("commit", "-q", "-m", "x")
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// lock returns the lock of the code as it is.
func (r *repository) lock() string {
	r.t.Helper()
	return string(lockOf(r.t, r.open(), "cart", source.Folder).Encode())
}

func (r *repository) open() *project.Project {
	r.t.Helper()
	p, err := project.Open(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = p.Close() })
	return p
}

func (r *repository) remove(name string) {
	r.t.Helper()
	if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) file(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// branches changes the code on two branches, each with its lock, and merges them.
func (r *repository) branches(ours, theirs map[string]string) (string, error) {
	r.t.Helper()
	r.must("checkout", "-q", "-b", "theirs")
	r.commit(theirs)
	r.must("checkout", "-q", "main")
	r.commit(ours)
	return r.git("merge", "-q", "theirs", "-m", "both")
}

// TestBranchesThatChangeOneModuleMerge merges branches that change different files of a module
// with git alone: the merged lock is that of the merged code.
func TestBranchesThatChangeOneModuleMerge(t *testing.T) {
	edit := func(text string, pairs ...string) string {
		changed := strings.NewReplacer(pairs...).Replace(text)
		if changed == text {
			t.Fatalf("nothing to replace: %q", pairs)
		}
		return changed
	}
	for name, c := range map[string]struct{ ours, theirs string }{
		"bodies of neighbours":   {edit(oneFile, "return c }", "c.n++; return c }"), edit(otherFile, "/= 2", "/= 3")},
		"signatures":             {edit(oneFile, "Erase(c *Cart)", "Erase(c *Cart, all bool)"), edit(otherFile, "Fill(c *Cart)", "Fill(c *Cart, n int)")},
		"members of a type":      {edit(oneFile, "Add(n int)", "Add(n, m int)"), edit(otherFile, "Buy(n int)", "Buy(n uint)")},
		"errors":                 {edit(oneFile, "too few", "fewer than none"), edit(otherFile, "n > 9", "n > 8")},
		"one before a neighbour": {edit(oneFile, "func Copy", "func Count(c Cart) int { return c.n }\n\nfunc Copy"), edit(otherFile, "/= 2", "/= 3")},
		"one less":               {edit(oneFile, "func Copy(c Cart) Cart { return c }\n", ""), edit(otherFile, "/= 2", "/= 3", "n > 9", "n > 8")},
		"lines move":             {edit(oneFile, "// Cart holds", "// A cart.\n//\n// Cart holds"), edit(otherFile, "import", "// More.\n\nimport")},
		"everything":             {edit(oneFile, "c Cart", "cart Cart", "return c }", "return cart }", "n < 0", "n <= 0"), edit(otherFile, "c.n", "1 + c.n", "1 + c.n = 9", "c.n = 8")},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, map[string]string{"cart/a.go": oneFile, "cart/b.go": otherFile})
			if out, err := r.branches(map[string]string{"cart/a.go": c.ours}, map[string]string{"cart/b.go": c.theirs}); err != nil {
				diff, _ := r.git("diff")
				t.Fatalf("merge: %v\n%s%s", err, out, diff)
			}
			if diff := cmp.Diff(r.lock(), r.file(lockPath)); diff != "" {
				t.Errorf("the merged lock (-lock of the merged code +merged):\n%s", diff)
			}
		})
	}
}

// Changes at two ends of one file.
func bothEnds() (ours, theirs map[string]string) {
	return map[string]string{"cart/a.go": strings.Replace(oneFile, "n < 0", "n < 1", 1)},
		map[string]string{"cart/a.go": strings.Replace(oneFile, "c.n = 0", "c.n = 1", 1)}
}

// TestBranchesThatChangeOneFileConflictInItsEntry: its digests are of neither side. Symbols and
// claims merge.
func TestBranchesThatChangeOneFileConflictInItsEntry(t *testing.T) {
	r := newRepository(t, map[string]string{"cart/a.go": oneFile, "cart/b.go": otherFile})
	if _, err := r.branches(bothEnds()); err == nil {
		t.Fatal("the digests of a file that both sides changed were merged")
	}
	merged := r.file(lockPath)
	if n := strings.Count(merged, "<<<<<<<"); n != 1 || !strings.Contains(merged, "\"file cart/a.go\"\n<<<<<<<") {
		t.Errorf("%d conflicts:\n%s", n, merged)
	}
	_, err := lock.Parse([]byte(merged))
	if err == nil || err.Error() != "line 7: git left a merge conflict" {
		t.Error(err)
	}
}

// TestUnionKeepsBothEntriesOfAFile: with the attribute merge=union git reports no conflict, and the
// lock has two values for the file, which is found when it is read.
func TestUnionKeepsBothEntriesOfAFile(t *testing.T) {
	r := newRepository(t, map[string]string{
		"cart/a.go": oneFile, "cart/b.go": otherFile, ".gitattributes": "specs/.lock/** linguist-generated=true merge=union\n",
	})
	if out, err := r.branches(bothEnds()); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, err := lock.Parse([]byte(r.file(lockPath)))
	if err == nil || err.Error() != "line 8: a second value for one entry, as after a merge of two branches that changed it" {
		t.Error(err)
	}
}
