//go:build unix

package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
)

// rewrite gives a file another content of the same length, and its old times.
func rewrite(t *testing.T, file, text string, replace bool) {
	t.Helper()
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	to := file
	if replace {
		to = file + ".new"
	}
	if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(to, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	if replace {
		if err := os.Rename(to, file); err != nil {
			t.Fatal(err)
		}
	}
	after, err := os.Stat(file)
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		t.Fatalf("%v: %v, %v", err, before, after)
	}
}

func TestAnotherContentOfTheSameSizeAndTimeIsSeen(t *testing.T) {
	p, s := crowd(t)
	if _, err := index.Run(t.Context(), p, s, index.Options{}); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(p.Root(), "f7.go"), "package p\n\nfunc G7() {}\n", false)
	rewrite(t, filepath.Join(p.Root(), "f8.go"), "package p\n\nfunc G8() {}\n", true)
	rewrite(t, filepath.Join(p.Root(), "f9.go"), "package p\n\nfunc F9() {}\n", true) // replaced by the same
	if st, err := explore.StatusOf(t.Context(), p, s); err != nil || st.Changed != 2 {
		t.Errorf("status: %+v, %v", st, err)
	}
	sum, err := index.Run(t.Context(), p, s, index.Options{})
	if err != nil || sum.Mode != index.Incremental || sum.Parsed != 2 {
		t.Errorf("%+v, %v", sum, err)
	}
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"G7": true, "G8": true, "F7": false, "F8": false, "F9": true} {
		_, err := g.Symbol(t.Context(), name)
		if missing := (*explore.NotFoundError)(nil); want && err != nil || !want && !errors.As(err, &missing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if sum, err := index.Run(t.Context(), p, s, index.Options{}); err != nil || sum.Mode != index.Unchanged {
		t.Errorf("what was looked at is looked at again: %+v, %v", sum, err)
	}
}

// A manifest rewritten with the same size and time is read again, too.
func TestAManifestOfTheSameSizeAndTimeIsSeen(t *testing.T) {
	p, s := crowd(t)
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.Root(), name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.Root(), name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/one\n")
	write("sub/sub.go", "package sub\n\nfunc Sub() {}\n")
	write("main.go", "package p\n\nimport \"example.com/two/sub\"\n\nfunc Main() { sub.Sub() }\n")
	if _, err := index.Run(t.Context(), p, s, index.Options{}); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(p.Root(), "go.mod"), "module example.com/two\n", false)
	sum, err := index.Run(t.Context(), p, s, index.Options{})
	if err != nil || sum.Edges["CALLS"] != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}
