package project_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestReadLinesTakesAPage(t *testing.T) {
	dir := folder(t, map[string]string{
		"three": "a\nb\nc\n", "open": "a\r\nb", "empty": "", "blank": "\n\n",
	})
	p := open(t, dir)
	for _, c := range []struct {
		name          string
		offset, limit int
		want          project.Lines
	}{
		{"three", 0, -1, project.Lines{Text: "a\nb\nc\n", Start: 1, End: 3, Total: 3}},
		{"three", 1, 1, project.Lines{Text: "b\n", Start: 2, End: 2, Total: 3}},
		{"three", 1, 9, project.Lines{Text: "b\nc\n", Start: 2, End: 3, Total: 3}},
		{"three", 0, 0, project.Lines{Start: 1, End: 0, Total: 3}},
		{"three", 100, 5, project.Lines{Start: 101, End: 100, Total: 3}},
		{"open", 0, -1, project.Lines{Text: "a\r\nb", Start: 1, End: 2, Total: 2}},
		{"open", 1, -1, project.Lines{Text: "b", Start: 2, End: 2, Total: 2}},
		{"empty", 0, -1, project.Lines{Start: 1, End: 0, Total: 0}},
		{"blank", 1, 1, project.Lines{Text: "\n", Start: 2, End: 2, Total: 2}},
	} {
		got, err := p.ReadLines(t.Context(), c.name, c.offset, c.limit)
		must(t, err)
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s from %d, %d: %s", c.name, c.offset, c.limit, diff)
		}
	}
	if got, want := (&project.Lines{Start: 101, End: 100, Total: 50}).Header(), "# Lines 101-100 of 50\n"; got != want {
		t.Errorf("header %q, want %q", got, want)
	}
}

// A line may be longer than what is read at once, and a file larger than what
// is ever returned.
func TestReadLinesReadsLargeFiles(t *testing.T) {
	long := strings.Repeat("x", 300_000) + "\n"
	dir := folder(t, map[string]string{"large": strings.Repeat(long, 20) + "last"})
	p := open(t, dir)
	got, err := p.ReadLines(t.Context(), "large", 18, 9)
	must(t, err)
	if want := (project.Lines{Text: long + long + "last", Start: 19, End: 21, Total: 21}); *got != want {
		t.Errorf("%d bytes, lines %d-%d of %d", len(got.Text), got.Start, got.End, got.Total)
	}
	var large *project.TooLargeError
	if _, err := p.ReadLines(t.Context(), "large", 0, -1); !errors.As(err, &large) || large.Size != 20*300_001+4 {
		t.Errorf("all of it: %v", err)
	}
}

func TestReadLinesSaysWhyNot(t *testing.T) {
	dir := folder(t, map[string]string{"main.go": "package main\n", "dir/": "", "bin": "\x7fELF\x00"})
	p := open(t, dir)
	for name, want := range map[string]string{
		"man.go": "no such file or folder: man.go; did you mean main.go?",
		"dir":    "dir is not a regular file",
		"bin":    "bin is a binary file",
		"":       "the path is empty",
		"../x":   "../x is outside the project " + dir,
	} {
		if _, err := p.ReadLines(t.Context(), name, 0, -1); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := p.ReadLines(t.Context(), "main.go", -1, 1); err == nil {
		t.Error("a negative offset is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.ReadLines(ctx, "main.go", 0, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLinesOfARevision(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": "one\ntwo\n", "a/b.go": "x"})
	id := commit(t, dir, "first")
	must(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("changed\n"), 0o644))
	p, err := open(t, dir).At(t.Context(), id)
	must(t, err)
	defer p.Close()
	got, err := p.ReadLines(t.Context(), "a.go", 1, 1)
	must(t, err)
	if want := (project.Lines{Text: "two\n", Start: 2, End: 2, Total: 2}); *got != want {
		t.Errorf("%+v", got)
	}
	f, err := p.ReadFolder(t.Context(), ".", 10)
	must(t, err)
	if diff := cmp.Diff(&project.Folder{Names: []string{"a", "a.go"}, Total: 2}, f); diff != "" {
		t.Error(diff)
	}
	if _, err := p.Replace(t.Context(), "a.go", "two", "2", project.Places{}); !errors.Is(err, project.ErrReadOnly) {
		t.Errorf("replaced: %v", err)
	}
}

func TestBinaryIsANULNearTheStart(t *testing.T) {
	far := append(bytes.Repeat([]byte("x"), 8000), 0)
	for text, want := range map[string]bool{"": false, "text\n": false, "\xff\xfe": false, "a\x00b": true, string(far): false, string(far[1:]): true} {
		if got := project.IsBinary([]byte(text)); got != want {
			t.Errorf("%.10q: %v", text, got)
		}
	}
}
