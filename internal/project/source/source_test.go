package source_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// project opens a folder with these files; it is in no repository.
func openProject(t testing.TB, files map[string]string) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	p, err := project.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, p *project.Project, target string) *source.Tree {
	t.Helper()
	tree, err := source.Read(t.Context(), p, target, source.Options{Scope: source.Everything})
	must(t, err)
	return tree
}

// summary is what the tests look at in a file.
func summary(files []*code.File) []string {
	lines := []string{}
	for _, f := range files {
		line := f.Path + " " + f.Language
		for _, s := range f.Symbols {
			line += " " + s.Name
		}
		if f.Vendored {
			line += " vendored"
		}
		for _, e := range f.ParseErrors {
			line += fmt.Sprintf(" %d:%d %s", e.Line, e.Column, e.Message)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestAFolderIsReadInOrder(t *testing.T) {
	p := openProject(t, map[string]string{
		"b.go": "package p\nfunc B() {}\n", "a/a.go": "package a\nfunc A() {}\n", "a.ts": "export function T() {}\n",
		"README.md": "", "docs/x.md": "", "Makefile": "", "LICENSE": "", "data.JSON": "{}",
		"bin.go": "package p\x00", "late.go": "package p\n//" + strings.Repeat("x", 9000) + "\x00",
	})
	must(t, p.WriteFile("big.go", make([]byte, project.MaxFileSize+1)))
	tree := read(t, p, ".")
	want := []string{"a.ts typescript T", "a/a.go go A", "b.go go B"}
	files := slices.DeleteFunc(slices.Clone(tree.Files), func(f *code.File) bool { return f.Path == "late.go" })
	if diff := cmp.Diff(want, summary(files)); diff != "" {
		t.Error(diff)
	}
	if len(tree.Files) != 4 {
		t.Errorf("a NUL byte far down makes no binary file: %v", summary(tree.Files))
	}
	skipped := project.Skipped{
		Binary: 1, TooLarge: 1, Unknown: 5,
		UnknownTypes: []project.TypeCount{
			{Extension: ".md", Files: 2}, {Extension: ".json", Files: 1}, {Extension: "LICENSE", Files: 1}, {Extension: "Makefile", Files: 1},
		},
	}
	if diff := cmp.Diff(skipped, tree.Skipped); diff != "" {
		t.Error(diff)
	}
}

func TestAFileIsRead(t *testing.T) {
	p := openProject(t, map[string]string{"a/a.go": "package a\nfunc A() {}\n", "b.go": "package p\n"})
	tree := read(t, p, filepath.Join(p.Root(), "a", "a.go"))
	if diff := cmp.Diff([]string{"a/a.go go A"}, summary(tree.Files)); diff != "" || tree.Target != "a/a.go" {
		t.Errorf("target %s: %s", tree.Target, diff)
	}
}

func TestWorkersDoNotChangeTheResult(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("package d\nfunc F%d() {}\n", i)
	}
	p := openProject(t, files)
	want := read(t, p, ".")
	for _, workers := range []int{-1, 1, 3, 100} {
		got, err := source.Read(t.Context(), p, ".", source.Options{Workers: workers, Scope: source.Everything})
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

func TestProgressCountsEveryFile(t *testing.T) {
	p := openProject(t, map[string]string{"a.go": "package p\n", "b.go": "package p\n", "c.go": "\x00", "d.md": ""})
	var mu sync.Mutex
	seen := map[string]bool{}
	done := map[int]bool{}
	ctx := progress.With(t.Context(), func(e progress.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Stage != "parse" || e.Total != 3 {
			t.Errorf("%+v", e)
		}
		seen[e.Item], done[e.Done] = true, true
	})
	_, err := source.Read(ctx, p, ".", source.Options{})
	must(t, err)
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, []string{"a.go", "b.go", "c.go"}) {
		t.Errorf("items %v", got)
	}
	if got := slices.Sorted(maps.Keys(done)); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("done %v", got)
	}
}

func TestUnparsableFileIsKept(t *testing.T) {
	p := openProject(t, map[string]string{"bad.go": "\ufeffone\ntwo", "good.go": "package p\n", "panic.ts": "x\n", "vendor/x/bad.go": ""})
	tree, err := source.ReadWith(t.Context(), p, ".", source.Options{Scope: source.Everything},
		func(ctx context.Context, name string, src []byte, parts lang.Parts) (*code.File, error) {
			switch filepath.Base(name) {
			case "bad.go":
				return nil, errors.New("parse " + name + ": gave up")
			case "panic.ts":
				panic("index out of range")
			}
			return lang.Parse(ctx, name, src, parts)
		})
	must(t, err)
	want := []string{
		"bad.go go 1:1 parse bad.go: gave up",
		"good.go go",
		"panic.ts typescript 1:1 the parser failed: index out of range",
		"vendor/x/bad.go go vendored 1:1 parse vendor/x/bad.go: gave up",
	}
	if diff := cmp.Diff(want, summary(tree.Files)); diff != "" {
		t.Error(diff)
	}
	sum := sha256.Sum256([]byte("one\ntwo"))
	hash := hex.EncodeToString(sum[:])
	bad := &code.File{
		Path: "bad.go", Language: "go", LOC: 2, Size: 7, Hash: hash, Parser: "baseline",
		ParseErrors: []code.ParseError{{Line: 1, Column: 1, Message: "parse bad.go: gave up"}},
		Digest:      code.Digest{Path: "bad.go", Hash: hash, Tokens: hash},
	}
	if diff := cmp.Diff(bad, tree.Files[0]); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownTypeError(t *testing.T) {
	p := openProject(t, map[string]string{"a.xyz": "", "Makefile": "", "a.go": "package a\x00"})
	for name, want := range map[string]string{
		"a.xyz":    "unsupported type of file: a.xyz (no language reads .xyz; supported: ",
		"Makefile": "unsupported type of file: Makefile (no language reads Makefile; supported: ",
		"a.go":     "the code cannot be parsed, deep mode gives its text: a.go:1: binary file",
		"b.go":     "no such file or folder: b.go; did you mean a.go?",
		"../x":     "../x is outside the project ",
	} {
		_, err := source.Read(t.Context(), p, name, source.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if unknown := strings.HasPrefix(want, "unsupported"); unknown &&
			(!errors.Is(err, lang.ErrUnknown) || !strings.Contains(err.Error(), " .go ")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, p.WriteFile("big.go", make([]byte, project.MaxFileSize+1)))
	large := (*project.TooLargeError)(nil)
	if _, err := source.Read(t.Context(), p, "big.go", source.Options{}); !errors.As(err, &large) {
		t.Errorf("big.go: %v", err)
	}
}

func TestEmptyError(t *testing.T) {
	p := openProject(t, map[string]string{"docs/a.md": "", "docs/b.md": "", "docs/c.png": "\x00", "bin/x.go": "\x00"})
	must(t, os.Mkdir(filepath.Join(p.Root(), "void"), 0o755))
	for target, want := range map[string]string{
		"docs": "no source files: docs (skipped: 3 of unknown type (.md 2, .png 1); supported: ",
		"bin":  "no source files: bin (skipped: 1 binary; supported: ",
		"void": "no source files: void (the folder is empty or all in it is ignored; supported: ",
	} {
		_, err := source.Read(t.Context(), p, target, source.Options{})
		e := (*source.EmptyError)(nil)
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	p := openProject(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n", "c.go": "package a\n"})
	ctx, cancel := context.WithCancel(t.Context())
	parsed := 0
	_, err := source.ReadWith(ctx, p, ".", source.Options{Workers: 1},
		func(context.Context, string, []byte, lang.Parts) (*code.File, error) {
			parsed++
			cancel()
			return nil, ctx.Err()
		})
	if !errors.Is(err, context.Canceled) || parsed != 1 {
		t.Errorf("%v after %d files", err, parsed)
	}
}

func TestThirdPartyCodeIsMarked(t *testing.T) {
	p := openProject(t, map[string]string{
		"a.go": "package a\n", "vendor/x/x.go": "package x\n", "pkg/third_party/y.go": "package y\n", "vendor.go": "package a\n",
		"vendor/ours/z.go": "package z\n", "vendor/back/w.go": "package w\n",
		"lib/jq.js": "", "lib/own/o.js": "", "a b/q.js": "", "x/vendored.go": "package x\n",
		".gitattributes": strings.Join([]string{
			"# comment linguist-vendored", "*.js text linguist-vendored", "lib/own/** -linguist-vendored",
			"vendor/ours/** linguist-vendored=false", "vendor/back/* linguist-vendored=false", "vendor/back/w.go !linguist-vendored",
			`"a b/*.js" linguist-vendored=false`, "[attr]linguist-vendored x", "!x.go linguist-vendored", "linguist-vendored",
		}, "\n"),
		"x/.gitattributes": "*.go linguist-vendored\n",
	})
	want := []string{
		"a b/q.js", "a.go", "lib/jq.js vendored", "lib/own/o.js", "pkg/third_party/y.go vendored",
		"vendor.go", "vendor/back/w.go vendored", "vendor/ours/z.go", "vendor/x/x.go vendored", "x/vendored.go vendored",
	}
	marks := func(files []*code.File) []string {
		var lines []string
		for _, f := range files {
			line := f.Path
			if f.Vendored {
				line += " vendored"
			}
			lines = append(lines, line)
		}
		return lines
	}
	if diff := cmp.Diff(want, marks(read(t, p, ".").Files)); diff != "" {
		t.Error(diff)
	}
	for target, want := range map[string][]string{ // the files above the target count too
		"lib":           {"lib/jq.js vendored", "lib/own/o.js"},
		"lib/own":       {"lib/own/o.js"},
		"x/vendored.go": {"x/vendored.go vendored"},
	} {
		if diff := cmp.Diff(want, marks(read(t, p, target).Files)); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}
