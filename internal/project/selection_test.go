package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestSelection: the ignore file leaves out tracked files, flags add to it, and what is named itself is listed anyway.
func TestSelection(t *testing.T) {
	dir := repository(t, map[string]string{
		"a.go": "", "a.pb.go": "", "gen/b.go": "", "gen/keep/c.go": "", "docs/d.py": "", "docs/deep/e.py": "",
		project.IgnoreFile: "*.pb.go\n/gen/\n",
	})
	p := open(t, dir)
	for name, c := range map[string]struct {
		include, exclude []string
		want             string
	}{
		"the file alone":     {nil, nil, ".reverse-specignore a.go docs/d.py docs/deep/e.py"},
		"excluded":           {nil, []string{"docs/deep", ".reverse-specignore"}, "a.go docs/d.py"},
		"excluded by a star": {nil, []string{"docs/**/*.py"}, ".reverse-specignore a.go"},
		"again":              {nil, []string{"!*.pb.go"}, ".reverse-specignore a.go a.pb.go docs/d.py docs/deep/e.py"},
		"included":           {[]string{"*.go"}, nil, "a.go"},
		"included folder":    {[]string{"docs/"}, []string{"deep/"}, "docs/d.py"},
	} {
		q, err := p.Selection(c.include, c.exclude)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, strings.Join(paths(list(t, q, ".")), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		near, _, err := q.Nearby(t.Context(), "docs", func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, strings.Join(paths(near), " ")); diff != "" {
			t.Errorf("nearby, %s (-want +got):\n%s", name, diff)
		}
		if got := paths(list(t, q.Frozen(), "gen/b.go")); len(got) != 1 {
			t.Errorf("%s: a file that is named is listed as %q", name, got)
		}
	}
	if _, err := p.Selection(nil, []string{""}); err == nil {
		t.Error("an empty pattern is taken")
	}
}

// TestSelectionFollowsTheFile: a server sees that the ignore file was written.
func TestSelectionFollowsTheFile(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": "", "b.go": ""})
	p := open(t, dir)
	before := paths(list(t, p, "."))
	put(t, dir, map[string]string{project.IgnoreFile: "b.go\n"})
	if diff := cmp.Diff([]string{"a.go"}, paths(list(t, p, "."))[1:]); len(before) != 2 || diff != "" {
		t.Errorf("before %q (-want +got):\n%s", before, diff)
	}
}
