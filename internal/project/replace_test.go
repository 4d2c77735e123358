package project_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestReplaceTouchesNothingElse(t *testing.T) {
	for name, c := range map[string]struct {
		text, target, replacement, want string
		line                            int
	}{
		"a block":                {"a\nold\nb\n", "old\n", "new\nmore\n", "a\nnew\nmore\nb\n", 2},
		"no last line end":       {"a\nold", "old", "new", "a\nnew", 2},
		"removed":                {"a\nold\nb", "old\n", "", "a\nb", 2},
		"all":                    {"old", "old", "", "", 1},
		"CRLF":                   {"a\r\nold\r\nb\r\n", "a\nold", "x\ny\nz", "x\r\ny\r\nz\r\nb\r\n", 1},
		"CRLF as it is":          {"a\r\nold\r\nb\r\n", "a\r\nold", "x\r\ny", "x\r\ny\r\nb\r\n", 1},
		"CRLF here and there":    {"a\r\nold\nb\r\n", "old\n", "x\ny\n", "a\r\nx\ny\nb\r\n", 2},
		"bytes that are no text": {"\xff\xfeold\x80", "old", "new", "\xff\xfenew\x80", 1},
		"byte order mark":        {"\ufeffa", "a", "b", "\ufeffb", 1},
		"a dollar is a dollar":   {"old", "old", "$1\\0", "$1\\0", 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"f": c.text})
			must(t, os.Chmod(filepath.Join(dir, "f"), 0o750))
			line, err := open(t, dir).Replace(t.Context(), "f", c.target, c.replacement, project.Places{})
			must(t, err)
			got, err := os.ReadFile(filepath.Join(dir, "f"))
			must(t, err)
			if diff := cmp.Diff(c.want, string(got)); diff != "" || line != c.line {
				t.Errorf("line %d %s", line, diff)
			}
			if info, err := os.Stat(filepath.Join(dir, "f")); err != nil || info.Mode().Perm() != 0o750 {
				t.Errorf("mode: %v %v", info.Mode(), err)
			}
		})
	}
}

func TestReplaceRefusesAndChangesNothing(t *testing.T) {
	dir := folder(t, map[string]string{
		"f": "one\ntwo\n  one\nend\n", "tabs": "if x {\n\tgo()\n}\n", "aaa": "aaa", "many": strings.Repeat("x\n", 5000), "bin": "a\x00b", "dir/": "",
	})
	before := contents(t, dir)
	p := open(t, dir)
	for _, c := range []struct{ name, target, replacement, want string }{
		{"f", "one", "1", "f has the target code 2 times, in lines 1, 3; give more of the text around the one that is meant"},
		{"f", "three", "3", "f does not have the target code"},
		{"f", "end", "end", "the replacement is the target code itself: f"},
		{"f", "", "x", "the target code is empty"},
		{"tabs", "if x {\n    go()\n}", "", "tabs does not have the target code; the same with other white space begins in line 1"},
		{"aaa", "aa", "b", "aaa has the target code 2 times, in lines 1, 1; give more of the text around the one that is meant"},
		{"many", "x\n", "y\n", "many has the target code 1000 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …; give more of the text around the one that is meant"},
		{"bin", "a", "b", "bin is a binary file"},
		{"dir", "a", "b", "dir is not a regular file"},
		{"g", "a", "b", "no such file or folder: g; did you mean f?"},
	} {
		if _, err := p.Replace(t.Context(), c.name, c.target, c.replacement, project.Places{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestReplaceError(t *testing.T) {
	dir := folder(t, map[string]string{"f": "a b a"})
	var got *project.ReplaceError
	_, err := open(t, dir).Replace(t.Context(), "f", "a", "c", project.Places{})
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&project.ReplaceError{Path: "f", Count: 2, Lines: []int{1, 1}}, got); diff != "" {
		t.Error(diff)
	}
}

// Edits of one file at the same time are all made.
func TestNoEditIsLost(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "<%d>", i)
	}
	dir := folder(t, map[string]string{"f": text.String()})
	p := open(t, dir)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if _, err := p.Replace(t.Context(), "f", fmt.Sprintf("<%d>", i), "x", project.Places{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"f": strings.Repeat("x", 40)}, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}
