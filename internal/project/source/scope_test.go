package source_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

func TestGoFolderScope(t *testing.T) {
	p := openProject(t, map[string]string{
		"cmd/main.go": "package main\n", "cmd/README.md": "", "cmd/sub/s.go": "package sub\n", "cmd/sub/x.md": "",
		"web/index.ts": "", "web/lib/a.ts": "", "mixed/only.ts": "", "mixed/go/g.go": "package g\n",
	})
	type result struct {
		Scope   source.Scope
		Files   []string
		Unknown int
	}
	for _, c := range []struct {
		target string
		scope  source.Scope
		want   result
	}{
		{"cmd", source.Auto, result{source.Folder, []string{"cmd/main.go go"}, 1}},
		{"cmd", source.Everything, result{source.Everything, []string{"cmd/main.go go", "cmd/sub/s.go go"}, 2}},
		{"web", source.Auto, result{source.Everything, []string{"web/index.ts typescript", "web/lib/a.ts typescript"}, 0}},
		{"web", source.Folder, result{source.Folder, []string{"web/index.ts typescript"}, 0}},
		{"mixed", source.Auto, result{source.Everything, []string{"mixed/go/g.go go", "mixed/only.ts typescript"}, 0}},
		{"cmd/main.go", source.Auto, result{source.File, []string{"cmd/main.go go"}, 0}},
		{"cmd/main.go", source.Everything, result{source.File, []string{"cmd/main.go go"}, 0}},
	} {
		tree, err := source.Read(t.Context(), p, c.target, source.Options{Scope: c.scope})
		must(t, err)
		if diff := cmp.Diff(c.want, result{tree.Scope, summary(tree.Files), tree.Skipped.Unknown}); diff != "" {
			t.Errorf("%s as %q: %s", c.target, c.scope, diff)
		}
	}
	_, err := source.Read(t.Context(), p, ".", source.Options{Scope: source.Folder})
	if e := (*source.EmptyError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "the folder itself holds no files") {
		t.Errorf("a folder of folders: %v", err)
	}
}
