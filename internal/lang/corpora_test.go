package lang_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// corporaVariable names the folder that scripts/corpora.sh fills: <language>/<name>/ is public
// code.
const corporaVariable = "REVERSE_SPEC_CORPORA"

// body is the public code of one project in one language.
type body struct {
	name  string
	files []text // paths relative to the project's root
}

// bytes returns the size of all files.
func (b body) bytes() int {
	n := 0
	for _, f := range b.files {
		n += len(f.src)
	}
	return n
}

// maxCorpusFile is the maximum size of a file that is read, in bytes: longer ones are tables
// of data.
const maxCorpusFile = 2 << 20

// publicCode returns the public code of a language. It skips the test if there is none.
func publicCode(tb testing.TB, language string) []body {
	tb.Helper()
	root := os.Getenv(corporaVariable)
	if root == "" {
		tb.Skipf("%s is not set: make corpora fetches public code to compare on", corporaVariable)
	}
	links, err := filepath.Glob(filepath.Join(root, language, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	var out []body
	for _, link := range links {
		if b := bodyIn(tb, link, language); len(b.files) > 0 {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		tb.Skipf("no %s under %s: could not be fetched", language, root)
	}
	return out
}

func bodyIn(tb testing.TB, link, language string) body {
	tb.Helper()
	b := body{name: filepath.Base(link)}
	root, err := filepath.EvalSymlinks(link)
	if err != nil {
		tb.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if l := languageOf(name, src); l == language && len(src) <= maxCorpusFile && bytes.IndexByte(src, 0) < 0 {
			b.files = append(b.files, text{filepath.ToSlash(name), src})
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	slices.SortFunc(b.files, func(x, y text) int { return bytes.Compare([]byte(x.path), []byte(y.path)) })
	return b
}

// languageOf returns the language that reads a file; "" for none.
func languageOf(name string, src []byte) string {
	l, ok := lang.ByPath(name)
	if !ok {
		return ""
	}
	if filepath.Ext(name) != ".h" { // C or C++, depending on the text
		return l.Name
	}
	if f := parsed(name, src); f != nil {
		return f.Language
	}
	return l.Name
}

func parsed(name string, src []byte) *code.File {
	f, err := lang.Parse(context.Background(), name, src, lang.All)
	if err != nil {
		return nil
	}
	return f
}
