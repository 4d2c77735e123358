package spec_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestPrepareHasTheContractsFields checks the names of the result's fields: facts/origins.md
// 1.1.
func TestPrepareHasTheContractsFields(t *testing.T) {
	p := openProject(t, map[string][]byte{"src/a.ts": []byte("import { b } from './b';\n/** Doc. */\nexport function f(a: string): void { b(); }\nclass C { private x = 1 }\n")})
	r, err := spec.Prepare(t.Context(), p, "src", spec.PrepareOptions{Deep: true, Now: day})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"":                      {"codeSnippets", "context", "filePaths", "mergedSkeleton", "redactions", "skeletons"},
		"context":               {"breakdown", "prompt", "tokenCount", "truncated", "truncatedParts"},
		"skeletons.0":           {"analyzedAt", "callSites", "exports", "filePath", "files", "hash", "imports", "internals", "language", "loc", "parserUsed"},
		"skeletons.0.exports.0": {"bodyHash", "endLine", "isDefault", "isExported", "jsDoc", "kind", "name", "params", "returns", "signature", "signatureHash", "startLine", "visibility"},
		"skeletons.0.imports.0": {"importType", "isRelative", "isTypeOnly", "line", "moduleSpecifier", "namedImports"},
	}
	for path, keys := range want {
		if diff := cmp.Diff(keys, slices.Sorted(maps.Keys(at(got, path)))); diff != "" {
			t.Errorf("fields of %q (-want +got):\n%s", path, diff)
		}
	}
	if len(r.CodeSnippets) != 1 || !strings.Contains(r.CodeSnippets[0], "b();") {
		t.Errorf("snippets %q", r.CodeSnippets)
	}
}

// at selects a value in decoded JSON: "skeletons.0".
func at(v any, path string) map[string]any {
	for step := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			if step != "" {
				v = x[step]
			}
		case []any:
			v = x[0]
		}
	}
	m, _ := v.(map[string]any)
	return m
}

func TestPrepareKeepsItsBound(t *testing.T) {
	var src strings.Builder
	src.WriteString("package shop\n")
	for i := range 2000 {
		fmt.Fprintf(&src, "\n// Function%d does one thing.\nfunc Function%d(ctx string, n int) (string, error) { return helper(n), nil }\n", i, i)
	}
	p := openProject(t, map[string][]byte{"a.go": []byte(src.String())})
	for _, limit := range []int{100, 1000, 20_000, 100_000} {
		r, err := spec.Prepare(t.Context(), p, ".", spec.PrepareOptions{Deep: true, MaxTokens: limit, Now: day})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(data) / 3; limit >= 1000 && got > limit {
			t.Errorf("limit %d: %d tokens", limit, got)
		}
		if !r.Truncated || len(r.TruncatedParts) == 0 || r.TruncatedParts[0] != "codeSnippets" {
			t.Errorf("limit %d: truncated %v %q", limit, r.Truncated, r.TruncatedParts)
		}
	}
	whole, err := spec.Prepare(t.Context(), p, ".", spec.PrepareOptions{Deep: true, Now: day})
	if err != nil || whole.Truncated || len(whole.CodeSnippets) != 2000 {
		t.Errorf("without a limit: %v, truncated %v, %d snippets", err, whole.Truncated, len(whole.CodeSnippets))
	}
}
