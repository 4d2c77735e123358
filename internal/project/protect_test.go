package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// programs are protected files, with the name of the place that protects each.
func programs() map[string]string {
	return map[string]string{
		".claude/settings.json": ".claude", ".claude/commands/x.md": ".claude", "CLAUDE.md": "CLAUDE.md", "AGENTS.md": "AGENTS.md",
		"GEMINI.md": "GEMINI.md", ".gemini/settings.json": ".gemini", ".codex/config.toml": ".codex", ".cursor/mcp.json": ".cursor",
		".vscode/tasks.json": ".vscode/tasks.json", ".vscode/settings.json": ".vscode/settings.json", ".mcp.json": ".mcp.json", ".kode.json": ".kode.json",
		".reverse-spec.yaml": ".reverse-spec.*", ".reverse-spec.json": ".reverse-spec.*", ".github/workflows/ci.yml": ".github/workflows",
		".gitlab-ci.yml": ".gitlab-ci.yml", ".husky/pre-commit": ".husky", ".envrc": ".envrc", ".github/copilot-instructions.md": ".github/copilot-instructions.md",
		"x.code-workspace": "*.code-workspace", ".pre-commit-config.yaml": ".pre-commit-config.yaml",
		// in subfolders, where programs read them, too
		"packages/x/.vscode/tasks.json": ".vscode/tasks.json", "sub/AGENTS.md": "AGENTS.md", "a/b/.claude/hooks/x.sh": ".claude",
		// in other spellings that some file system considers equal
		".Claude/settings.json": ".claude", "claude.md": "CLAUDE.md", ".VSCODE/TASKS.JSON": ".vscode/tasks.json", ".envrc.": ".envrc", ".envrc ": ".envrc",
		".envrc::$DATA": ".envrc", ".github./workflows /ci.yml": ".github/workflows", ".cla\u200cude/x": ".claude", ".github/worKflows/ci.yml": ".github/workflows",
		".vſcode/tasks.json": ".vscode/tasks.json", ".github/workﬂows/x.yml": ".github/workflows",
		"GITHUB~1/WORKFL~1/ci.yml": ".github/workflows", "CLAUDE~1/settings.json": "", "VSCODE~1/TASKS~1.JSO": "", "REVERS~1.YAM": ".reverse-spec.*", "ENVRC~1": ".envrc",
		"CL12AB~1/x": "",
	}
}

func TestFilesThatProgramsRunAreNotWritten(t *testing.T) {
	dir := folder(t, map[string]string{".claude/settings.json": "old", "AGENTS.md": "old", "sub/a.go": "old"})
	before := contents(t, dir)
	p := open(t, dir)
	for name, place := range programs() {
		err := p.SaveFile(t.Context(), name, []byte("new"), project.Places{})
		refused, ok := errors.AsType[*project.ProtectedError](err)
		if strings.Contains(name, "TASKS~1") && err == nil { // a name of 8.3 has no other short name
			must(t, os.RemoveAll(filepath.Join(dir, "VSCODE~1")))
			continue
		}
		if !ok || place != "" && refused.Place != place {
			t.Errorf("%s: %v, want a refusal for %s", name, err, place)
			continue
		}
		if hint := refused.Hint().String(); !strings.HasSuffix(hint, "--allow-write "+refused.Place) {
			t.Errorf("%s: hint %q", name, hint)
		}
	}
	for _, name := range []string{".claude/settings.json", "AGENTS.md"} {
		if _, err := p.Replace(t.Context(), name, "old", "new", project.Places{}); err == nil {
			t.Errorf("%s was edited", name)
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestAllowedPlacesAreWritten(t *testing.T) {
	for name, place := range programs() {
		if place == "" || strings.ContainsAny(name, ":~") {
			continue
		}
		may, err := project.ParsePlaces([]string{place})
		must(t, err)
		p := open(t, folder(t, nil))
		must(t, p.SaveFile(t.Context(), name, []byte("new"), may))
		var refused *project.ProtectedError
		if err := p.SaveFile(t.Context(), "sub/.windsurf/x", nil, may); !errors.As(err, &refused) {
			t.Errorf("%s allows .windsurf, too: %v", place, err)
		}
	}
	if _, err := project.ParsePlaces([]string{".claude/", ".git"}); err == nil || !strings.Contains(err.Error(), ".git is not the name of a place") {
		t.Errorf(".git: %v", err)
	}
}

func TestOrdinaryFilesAreWritten(t *testing.T) {
	p := open(t, folder(t, nil))
	for _, name := range []string{
		"docs/CLAUDE-notes.md", "src/agents.go", "claude/x.md", "vscode/tasks.json", ".vscode/x.code-snippets", "tasks.json", "github/workflows/x.yml",
		".github/ISSUE_TEMPLATE/bug.md", ".github/dependabot.md", "workflows/ci.yml", "Makefile", "package.json", ".gitignore", ".env.example", "a~1", "file~", "my~1.txt",
		"docs/AGENTS/x.md", "reverse-spec.yaml", ".gitkeep", "rules/x", "code-workspace/x",
	} {
		if err := p.SaveFile(t.Context(), name, []byte("new"), project.Places{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLinksToAndFromThePlaces(t *testing.T) {
	dir := folder(t, map[string]string{
		".claude/settings.json": "old", "notes.md": "old", "tools/x.md": "old", "skills/a/SKILL.md": "old", "real/tasks.json": "old", "sub/team.md": "old", "free.md": "old",
	})
	symlink(t, ".claude", filepath.Join(dir, "plain"))
	symlink(t, "notes.md", filepath.Join(dir, "CLAUDE.md"))
	symlink(t, "../tools", filepath.Join(dir, ".claude", "commands"))
	symlink(t, "../skills", filepath.Join(dir, ".claude", "skills"))
	symlink(t, "real", filepath.Join(dir, ".vscode"))
	symlink(t, "team.md", filepath.Join(dir, "sub", "AGENTS.md"))
	before := contents(t, dir)
	p := open(t, dir)
	for _, name := range []string{
		"plain/settings.json", "plain/new.json", "notes.md", "CLAUDE.md", "tools/x.md", "tools/new.md", "skills/a/SKILL.md", "real/tasks.json", "sub/team.md",
	} {
		var refused *project.ProtectedError
		if err := p.SaveFile(t.Context(), name, []byte("new"), project.Places{}); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	must(t, p.SaveFile(t.Context(), "free.md", []byte("new"), project.Places{}))
	must(t, p.SaveFile(t.Context(), "real/other.json", []byte("new"), project.Places{}))
}

func TestConfiguredHooksAreProtected(t *testing.T) {
	dir := repository(t, map[string]string{"scripts/hooks/x": "", "config/shared": "", "a.go": ""})
	git(t, dir, "config", "core.hooksPath", "scripts/hooks")
	git(t, dir, "config", "include.path", "../config/shared")
	p := open(t, dir)
	for _, name := range []string{"scripts/hooks/pre-commit", "scripts/hooks/_/x.sh", "Scripts/Hooks/pre-commit", "config/shared"} {
		refused, ok := errors.AsType[*project.ProtectedError](p.SaveFile(t.Context(), name, []byte("new"), project.Places{}))
		if !ok || refused.Place != "core.hooksPath" {
			t.Errorf("%s: %v", name, refused)
		}
	}
	must(t, p.SaveFile(t.Context(), "scripts/build", []byte("new"), project.Places{}))
	may, err := project.ParsePlaces([]string{"core.hooksPath"})
	must(t, err)
	must(t, p.SaveFile(t.Context(), "scripts/hooks/pre-commit", []byte("new"), may))
	git(t, dir, "config", "core.hooksPath", ".")
	if err := p.SaveFile(t.Context(), "pre-push", []byte("new"), project.Places{}); err == nil {
		t.Error("a hook in the work tree was written")
	}
	must(t, p.SaveFile(t.Context(), "b.go", []byte("new"), project.Places{}))
}

// Git considers any folder with HEAD, objects and refs a repository, and runs commands of its config: the last of
// the three files is not written either.
func TestNoRepositoryIsMadeOfFiles(t *testing.T) {
	p := open(t, folder(t, nil))
	must(t, p.SaveFile(t.Context(), "x/config", []byte("[core]\nfsmonitor = ./x"), project.Places{}))
	must(t, p.SaveFile(t.Context(), "x/HEAD", []byte("ref: refs/heads/main"), project.Places{}))
	must(t, p.SaveFile(t.Context(), "x/objects/y", nil, project.Places{}))
	for _, name := range []string{"x/refs/z", "x/refs"} {
		if err := p.SaveFile(t.Context(), name, nil, project.AllPlaces()); err == nil || !strings.Contains(err.Error(), "git repository's own folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
