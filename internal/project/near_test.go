package project_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestMissingTargetSuggestions(t *testing.T) {
	dir := folder(t, map[string]string{
		"src/auth/login.ts": "", "src/auth/logout.ts": "", "src/user/login.ts": "", "src/认证/登录.go": "",
		"src/a1.go": "", "src/a2.go": "", "src/a3.go": "", "src/a4.go": "", "node_modules/pkg/index.js": "", "README.md": "",
	})
	p := open(t, dir)
	for target, want := range map[string][]string{
		"src/auht":               {"src/auth"},
		"src/auht/login.ts":      {"src/auth/login.ts", "src/user/login.ts"}, // the rest of the path is kept
		"src/auth/login.js":      {"src/auth/login.ts", "src/user/login.ts"},
		"login.ts":               {"src/auth/login.ts", "src/user/login.ts"},
		"SRC/AUTH":               {"src/auth", "src"},
		"src/认正":                 {"src/认证"},
		"src/a5.go":              {"src/a1.go", "src/a2.go", "src/a3.go"},
		"readme.txt":             {"README.md"},
		"node_modules/pgk":       {"node_modules/pkg"}, // ignored, but beside it
		"node_modules/pkg/i.js":  nil,
		"completely/different":   nil,
		"src/auth/login.ts/deep": {"src/auth/login.ts"},
		strings.Repeat("x", 200): nil,
	} {
		_, err := p.List(t.Context(), target)
		e := (*project.MissingError)(nil)
		if !errors.As(err, &e) || !errors.Is(err, fs.ErrNotExist) || e.Path != target {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if diff := cmp.Diff(want, e.Near); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

func TestMissingErrorText(t *testing.T) {
	for want, e := range map[string]*project.MissingError{
		"no such file or folder: src/x/":                                {Path: "src/x/"},
		"no such file or folder: src/x; did you mean src/xy?":           {Path: "src/x", Near: []string{"src/xy"}},
		"no such file or folder: x; did you mean a, b, c?":              {Path: "x", Near: []string{"a", "b", "c"}},
		"no such file or folder in revision abc: x; did you mean a, b?": {Path: "x", Revision: "abc", Near: []string{"a", "b"}},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
