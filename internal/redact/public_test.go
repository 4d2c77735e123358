package redact_test

import (
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// goroot is where the sources of Go's packages are.
func goroot(t testing.TB) string {
	t.Helper()
	root := filepath.Join(build.Default.GOROOT, "src")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("skipped: no Go source here: %v", err)
	}
	return root
}

// publicCode returns the texts of Go's standard library, by path.
func publicCode(t testing.TB) map[string]string {
	t.Helper()
	root := goroot(t)
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		rel, _ := filepath.Rel(root, file)
		texts[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestPublicCodeHasNoSecrets: whatever is found in the sources of Go's packages, tests
// apart, is a mistake.
func TestPublicCodeHasNoSecrets(t *testing.T) {
	var wrong []string
	size := 0
	for file, text := range publicCode(t) {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/") {
			continue
		}
		size += len(text)
		_, found := redact.Text(text, redact.Hints{Path: file})
		for _, d := range found {
			wrong = append(wrong, fmt.Sprintf("%s:%d %s: %s", file, d.Line, d.Type, strings.Split(text, "\n")[d.Line-1]))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d in %d bytes:\n%s", len(wrong), size, strings.Join(wrong, "\n"))
	}
}

// BenchmarkText reads the sources of net/http.
func BenchmarkText(b *testing.B) {
	var all strings.Builder
	for file, text := range publicCode(b) {
		if strings.HasPrefix(file, "net/http/") {
			all.WriteString(text)
		}
	}
	text := all.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text, redact.Hints{})
	}
}
