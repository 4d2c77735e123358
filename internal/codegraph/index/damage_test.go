package index_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// A damaged graph, found when opened or when read, is moved aside and rebuilt in the same run.
func TestDamagedGraphIsRebuilt(t *testing.T) {
	for name, from := range map[string]int{"when opened": 100, "when files are read": 2 * 4096, "when nodes are read": 10 * 4096} {
		t.Run(name, func(t *testing.T) {
			dir, home := filepath.Join(t.TempDir(), "p"), t.TempDir()
			write(t, dir, "a.go", "package p\n\nfunc A() { B() }\n\nfunc B() {}\n")
			want := indexed(t, dir, home)
			files, err := filepath.Glob(filepath.Join(home, "projects", "p-*.db"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			data, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			copy(data[from:], bytes.Repeat([]byte{0xa5}, len(data)))
			if err := os.WriteFile(files[0], data, 0o644); err != nil {
				t.Fatal(err)
			}
			got := indexed(t, dir, home)
			if got.Mode != index.Full || !strings.Contains(got.Why, "damaged") {
				t.Errorf("%s: %s", got.Mode, got.Why)
			}
			if got.Edges["CALLS"] != want.Edges["CALLS"] {
				t.Errorf("%v, want %v", got.Edges, want.Edges)
			}
			if kept, _ := filepath.Glob(files[0] + ".damaged-*"); len(kept) == 0 {
				t.Error("the damaged database is gone")
			}
		})
	}
}

func indexed(t *testing.T, dir, home string) *index.Summary {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	sum, err := index.Run(t.Context(), p, s, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}
