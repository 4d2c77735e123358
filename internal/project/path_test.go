package project_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestRootIsAbsoluteAndWithoutLinks(t *testing.T) {
	dir := folder(t, map[string]string{"real/a.go": ""})
	symlink(t, "real", filepath.Join(dir, "alias"))
	t.Chdir(dir)
	for _, name := range []string{"alias", "real", filepath.Join(dir, "alias")} {
		if got, want := open(t, name).Root(), filepath.Join(dir, "real"); got != want {
			t.Errorf("root of %s: %s, want %s", name, got, want)
		}
	}
}

func TestOnlyAnExistingFolderOpens(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": ""})
	missing := filepath.Join(dir, "none")
	var e *project.MissingError
	if _, err := project.Open(missing); !errors.As(err, &e) || e.Path != missing {
		t.Errorf("missing folder: %v", err)
	}
	for name, want := range map[string]string{
		"":                         "the path is empty",
		filepath.Join(dir, "a.go"): filepath.Join(dir, "a.go") + " is not a folder",
	} {
		if _, err := project.Open(name); err == nil || err.Error() != want {
			t.Errorf("open %q: %v, want %s", name, err, want)
		}
	}
}

func TestRelStaysInside(t *testing.T) {
	base := folder(t, map[string]string{"p/src/a.go": "", "p/dir/": "", "other/x.go": ""})
	root := filepath.Join(base, "p")
	symlink(t, "p", filepath.Join(base, "alias"))
	symlink(t, filepath.Join("p", "src"), filepath.Join(base, "deep"))
	for link, target := range map[string]string{
		"in":      "src",
		"inabs":   filepath.Join(root, "src"),
		"out":     "../other",
		"outabs":  filepath.Join(base, "other"),
		"dangle":  "../nothing",
		"absent":  "src/none",
		"up":      "src/../../p/src",
		"dir/far": "../../other",
		"loop":    "loop",
	} {
		symlink(t, target, filepath.Join(root, filepath.FromSlash(link)))
	}
	p := open(t, root)
	outside := "outside"
	for name, want := range map[string]string{
		".":                                 ".",
		"src":                               "src",
		"./src//a.go":                       "src/a.go",
		"src/":                              "src",
		"src/../src/a.go":                   "src/a.go",
		"new/file.go":                       "new/file.go",
		root:                                ".",
		filepath.Join(root, "src", "a.go"):  "src/a.go",
		filepath.Join(base, "alias"):        ".",
		filepath.Join(base, "alias", "src"): "src",
		filepath.Join(base, "alias", "in", "a.go"):    "in/a.go",
		filepath.Join(base, "alias", "new", "one.go"): "new/one.go",
		filepath.Join(base, "deep", "a.go"):           "src/a.go",
		"in/a.go":                                     "in/a.go",
		"inabs/a.go":                                  "inabs/a.go",
		"absent":                                      "absent",
		"..":                                          outside,
		"../other":                                    outside,
		"src/../../other/x.go":                        outside,
		filepath.Join(base, "other"):                  outside,
		base:                                          outside,
		root + "2":                                    outside,
		filepath.Join(base, "alias", "..", "other"): outside,
		"out":          outside,
		"out/x.go":     outside,
		"outabs/x.go":  outside,
		"dangle":       outside,
		"up/a.go":      outside, // out and in again
		"dir/far/x.go": outside,
	} {
		got, err := p.Rel(name)
		if e := (*project.OutsideError)(nil); errors.As(err, &e) {
			if got = outside; e.Path != name || e.Root != root {
				t.Errorf("Rel(%s): error names %s and %s", name, e.Path, e.Root)
			}
		} else if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Rel(%s) = %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "a\x00b", "loop"} {
		if got, err := p.Rel(name); err == nil {
			t.Errorf("Rel(%q) = %s, want an error", name, got)
		}
	}
}

func TestOutsideErrorNamesTheWayOut(t *testing.T) {
	e := &project.OutsideError{Path: "../x", Root: "/p"}
	got := []string{e.Error(), e.Hint().String()}
	want := []string{
		"../x is outside the project /p",
		"use --project to name the folder that holds ../x, or give a path inside /p",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadFileStaysInside(t *testing.T) {
	base := folder(t, map[string]string{"p/a.go": "package a\n", "p/empty": "", "p/dir/": "", "secret": "s"})
	root := filepath.Join(base, "p")
	symlink(t, "../secret", filepath.Join(root, "out"))
	symlink(t, "a.go", filepath.Join(root, "in"))
	symlink(t, filepath.Join(root, "a.go"), filepath.Join(root, "inabs"))
	must(t, os.WriteFile(filepath.Join(root, "full"), make([]byte, project.MaxFileSize), 0o644))
	must(t, os.WriteFile(filepath.Join(root, "more"), make([]byte, project.MaxFileSize+1), 0o644))
	p := open(t, root)
	for name, want := range map[string]string{
		"a.go": "package a\n", "in": "package a\n", "inabs": "package a\n", "empty": "",
		filepath.Join(root, "a.go"): "package a\n",
		"full":                      string(make([]byte, project.MaxFileSize)),
	} {
		if got, err := p.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	for name, want := range map[string]string{
		"out":       "out is outside the project " + root,
		"../secret": "../secret is outside the project " + root,
		"none":      "no such file or folder: none",
		"a.go/none": "no such file or folder: a.go/none",
		"dir":       "dir is not a regular file",
		"more":      "more is too large: 4.0 MiB, above the limit of 4 MiB",
		"":          "the path is empty",
	} {
		if _, err := p.ReadFile(name); err == nil || unwrapAll(err).Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := p.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is not fs.ErrNotExist: %v", err)
	}
	if large := (*project.TooLargeError)(nil); true {
		if _, err := p.ReadFile("more"); !errors.As(err, &large) || large.Size != project.MaxFileSize+1 {
			t.Errorf("more: %v", err)
		}
	}
}

// unwrapAll returns the innermost error.
func unwrapAll(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
