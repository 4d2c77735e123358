package golden_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// spy is a test that records its failures in place of having them.
type spy struct {
	testing.TB
	errors []string
}

func (s *spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) {
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

func TestEqualTakesTheSameTextAndRefusesAnother(t *testing.T) {
	t.Setenv("UPDATE", "")
	t.Chdir(t.TempDir())
	save(t, "testdata/greeting.txt", "hello\n")
	for _, tc := range []struct {
		got      string
		failures int
	}{{"hello\n", 0}, {"bye\n", 1}} {
		s := &spy{TB: t}
		golden.Equal(s, "greeting.txt", tc.got)
		if len(s.errors) != tc.failures {
			t.Errorf("Equal(%q) failed with %q, want %d failures", tc.got, s.errors, tc.failures)
		}
	}
}

func TestUpdateWritesTheGolden(t *testing.T) {
	t.Setenv("UPDATE", "1")
	t.Chdir(t.TempDir())
	golden.Equal(t, "new/greeting.txt", "hello\n")
	if got := load(t, "testdata/new/greeting.txt"); got != "hello\n" {
		t.Errorf("the golden holds %q", got)
	}
}

func TestArchivesGiveTheirFilesWithoutWant(t *testing.T) {
	t.Setenv("UPDATE", "")
	t.Chdir(t.TempDir())
	save(t, "testdata/names/two.txtar", "Two files.\n-- a --\n1\n-- b --\n2\n-- want --\na b\n")
	golden.Archives(t, "names", names)
}

func TestUpdateAddsAMissingWant(t *testing.T) {
	t.Setenv("UPDATE", "1")
	t.Chdir(t.TempDir())
	save(t, "testdata/names/one.txtar", "One file.\n-- a --\n1\n")
	golden.Archives(t, "names", names)
	want := "One file.\n-- a --\n1\n-- want --\na\n"
	if diff := cmp.Diff(want, load(t, "testdata/names/one.txtar")); diff != "" {
		t.Errorf("the archive differs (-want +got):\n%s", diff)
	}
}

func names(_ *testing.T, files map[string][]byte) string {
	return strings.Join(slices.Sorted(maps.Keys(files)), " ") + "\n"
}

func save(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(file[:strings.LastIndex(file, "/")], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
