package truth_test

import (
	"bytes"
	"encoding/json"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// TestTokenCountsAreNearOpenAIs compares our token estimates with o200k_base. Each text is the
// body of a function, so that it is included verbatim. Anthropic's counts are available only
// from its server.
func TestTokenCountsAreNearOpenAIs(t *testing.T) {
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	goroot := filepath.Join(build.Default.GOROOT, "src")
	npm := filepath.Join(os.Getenv("TRUTH_CACHE"), "node_modules")
	messages := func(language string) string { return filepath.Join(npm, "typescript", "lib", language, "*.json") }
	for _, c := range []struct{ kind, pattern string }{
		{"Go", filepath.Join(goroot, "net", "http", "*r.go")},
		{"Go, encodings", filepath.Join(goroot, "encoding", "*", "*.go")},
		{"Python", "/usr/lib/python3*/asyncio/*.py"},
		{"TypeScript", filepath.Join(npm, "rxjs", "src", "internal", "operators", "*.ts")},
		{"TypeScript, zod", filepath.Join(npm, "zod", "src", "v4", "core", "*.ts")},
		{"Markdown", filepath.Join(npm, "*", "README.md")},
		{"JSON", filepath.Join(npm, "*", "package.json")},
		{"Chinese", messages("zh-cn")},
		{"Japanese", messages("ja")},
		{"Korean", messages("ko")},
		{"Russian", messages("ru")},
		{"German", messages("de")},
	} {
		text := texts(t, c.pattern)
		if text == "" {
			t.Logf("%-16s passed over: there is nothing at %s", c.kind, c.pattern)
			continue
		}
		said, prompt := contextOf(t, text)
		are, err := enc.Count(prompt)
		if err != nil {
			t.Fatal(err)
		}
		ratio := float64(said) / float64(are)
		t.Logf("%-16s %7d tokens, said to be %7d: %.2f", c.kind, are, said, ratio)
		if ratio < 0.85 || ratio > 1.2 {
			t.Errorf("%s: %.2f of the true count", c.kind, ratio)
		}
	}
}

// texts returns the contents of files, at most 300 KB.
func texts(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if room := 300_000 - all.Len(); len(text) > room {
			text = text[:max(0, bytes.LastIndexByte(text[:room], '\n'))]
		}
		all.Write(text)
	}
	return all.String()
}

// contextOf returns the context of a function with a text, and our estimate of its tokens.
func contextOf(t *testing.T, text string) (tokens int, prompt string) {
	t.Helper()
	dir := t.TempDir()
	src := "package p\n\n// F holds a text.\nfunc F() string {\n\treturn `" + strings.ReplaceAll(text, "`", "'") + "`\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Context struct {
			Prompt     string
			TokenCount int
		}
	}
	if err := json.Unmarshal(command(t, dir, nil, "prepare", "p.go", "--deep", "--json", "--max-tokens", "0"), &result); err != nil {
		t.Fatal(err)
	}
	return result.Context.TokenCount, result.Context.Prompt
}
