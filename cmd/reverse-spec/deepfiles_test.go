package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestADeeplyNestedFileDoesNotCrash: a megabyte of opening brackets in any file that the
// program reads is an error, a warning or ignored, but never a crash.
func TestADeeplyNestedFileDoesNotCrash(t *testing.T) {
	deep := map[string]string{
		"json": strings.Repeat("[", 1<<20), "yaml": strings.Repeat("[", 1<<20), "toml": "a = " + strings.Repeat("[", 1<<20),
		"xml": strings.Repeat("<a>", 1<<18), "csproj": strings.Repeat("<a>", 1<<18),
	}
	for _, name := range []string{
		"package.json", "tsconfig.json", "composer.json", ".mcp.json", ".kode.json", ".reverse-spec.json", ".reverse-spec.yaml",
		"Cargo.toml", "pyproject.toml", "pnpm-workspace.yaml", "pom.xml", "app.csproj", "openapi.yaml",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := smallProject(t)
			text := deep[strings.TrimPrefix(filepath.Ext(name), ".")]
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"index"}, {"batch", "--no-llm"}, {"mcp", "list"}, {"init", "--target", "claude", "--dry-run"}} {
				out, _ := program(t, dir, args...).CombinedOutput()
				if strings.Contains(string(out), "goroutine") || strings.Contains(string(out), "stack overflow") {
					t.Errorf("%v: %.200s", args, out)
				}
			}
		})
	}
}
