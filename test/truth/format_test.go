package truth_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReformattedTypeScriptIsNotDrift generates the spec of rxjs, reformats the sources with
// several settings of prettier, other comments and another order of imports, and expects no
// drift.
func TestReformattedTypeScriptIsNotDrift(t *testing.T) {
	sources, prettier := fetched(t, "rxjs", "src"), fetched(t, ".bin", "prettier")
	for name, change := range map[string]func(t *testing.T, dir string){
		"prettier's defaults": func(t *testing.T, dir string) { layOut(t, prettier, dir) },
		"prettier, narrow": func(t *testing.T, dir string) {
			layOut(t, prettier, dir, "--print-width=50", "--tab-width=4", "--trailing-comma=none", "--arrow-parens=avoid")
		},
		"prettier, another taste": func(t *testing.T, dir string) {
			layOut(t, prettier, dir, "--use-tabs", "--trailing-comma=all", "--no-bracket-spacing", "--quote-props=consistent", "--print-width=140")
		},
		"other comments":     func(t *testing.T, dir string) { rewrite(t, dir, remarks) },
		"imports in reverse": func(t *testing.T, dir string) { rewrite(t, dir, reversed) },
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			copyTree(t, sources, filepath.Join(project, "src"))
			command(t, project, nil, "generate", "src", "--recursive")
			change(t, filepath.Join(project, "src"))
			var report struct {
				Items         []struct{ Location, Rule, Description string }
				FilteredNoise int
			}
			out := command(t, project, []int{3}, "diff", "specs/src.spec.md", "--format", "json", "--no-report")
			if err := json.Unmarshal(out, &report); err != nil {
				t.Fatal(err)
			}
			for _, i := range report.Items {
				if name == "other comments" && i.Rule == "no-longer-deprecated" {
					continue // it is true: the comment is gone
				}
				t.Errorf("%s %s %s", i.Location, i.Rule, i.Description)
			}
			if report.FilteredNoise == 0 {
				t.Error("no noise was counted: nothing was laid out anew")
			}
		})
	}
}

func layOut(t *testing.T, prettier, dir string, options ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), prettier, append(append([]string{"--no-config", "--log-level=error"}, options...), "--write", dir)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("prettier: %v\n%s", err, out)
	}
}

// rewrite applies a change to every TypeScript file below a folder.
func rewrite(t *testing.T, dir string, change func(text string) string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(change(string(text))), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

var docs = regexp.MustCompile(`(?m)^ \* [^*/\n]+$`)

// remarks changes doc comments and adds others.
func remarks(text string) string {
	return "// A new remark.\n" + docs.ReplaceAllString(text, " * Other words.") + "\n/* the end */\n"
}

var importLines = regexp.MustCompile(`(?m)(^import [^\n]*;\n)+`)

// reversed reverses the order of one-line imports.
func reversed(text string) string {
	return importLines.ReplaceAllStringFunc(text, func(block string) string {
		lines := slices.Collect(strings.Lines(block))
		slices.Reverse(lines)
		return strings.Join(lines, "")
	})
}
