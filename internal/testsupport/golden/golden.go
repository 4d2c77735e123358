// Package golden compares what a test got with files under testdata.
//
// Run any test with UPDATE=1 to rewrite what it compares with; read the diff
// before you commit it.
package golden

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Equal fails t when got differs from testdata/name.
func Equal(t testing.TB, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if updating() {
		write(t, file, []byte(got))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// Archives runs f on every testdata/dir/*.txtar, each as a subtest with the
// archive's name. An archive starts with a sentence that says what it shows; f
// gets its files by name, and what f returns must equal the file named "want".
// A folder without archives, and an archive without "want", fail the test; with
// UPDATE=1 a missing "want" is added.
func Archives(t *testing.T, dir string, f func(t *testing.T, files map[string][]byte) string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(dir), "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata/%s (%v)", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive(t, path, f)
		})
	}
}

// archive runs f on one archive.
func archive(t *testing.T, path string, f func(t *testing.T, files map[string][]byte) string) {
	t.Helper()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.IndexFunc(ar.Files, func(file txtar.File) bool { return file.Name == "want" })
	if want < 0 {
		if !updating() {
			t.Fatalf("%s: no file named want", path)
		}
		want = len(ar.Files)
		ar.Files = append(ar.Files, txtar.File{Name: "want"})
	}
	files := map[string][]byte{}
	for i, file := range ar.Files {
		if i != want {
			files[file.Name] = file.Data
		}
	}
	got := f(t, files)
	if updating() {
		ar.Files[want].Data = []byte(got)
		write(t, path, txtar.Format(ar))
		return
	}
	if diff := cmp.Diff(string(ar.Files[want].Data), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// updating reports whether golden files are rewritten. It is an environment
// variable, since a flag would break the packages that do not define it.
func updating() bool { return os.Getenv("UPDATE") != "" }

func write(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Files returns the content of every file in testdata/dir/*.txtar but "want":
// seeds for fuzzing.
func Files(t testing.TB, dir string) [][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range ar.Files {
			if file.Name != "want" {
				out = append(out, file.Data)
			}
		}
	}
	return out
}
