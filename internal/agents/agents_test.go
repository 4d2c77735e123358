package agents_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/reverse-spec/reverse-spec/internal/agents"
)

// options returns the options for a client in a temporary folder.
func options(t *testing.T, client string) agents.Options {
	t.Helper()
	root := t.TempDir()
	o := agents.Options{
		Client: client, Project: filepath.Join(root, "project"), Home: filepath.Join(root, "home"),
		Getenv: func(string) string { return "" }, Command: "reverse-spec",
	}
	for _, dir := range []string{o.Project, o.Home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func apply(t *testing.T, plan func(agents.Options) ([]agents.Change, error), o agents.Options) []agents.Change {
	t.Helper()
	changes, err := plan(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if err := c.Apply(); err != nil {
			t.Fatal(err)
		}
	}
	return changes
}

// files returns the files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		if d.IsDir() {
			rel += "/"
			all[filepath.ToSlash(rel)] = ""
			return nil
		}
		text, err := os.ReadFile(file)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOtherBytesAreUnchanged runs the archives of testdata: files before and after the server
// is added. Adding it again changes nothing; removing it restores the original, unless the
// archive says otherwise.
func TestOtherBytesAreUnchanged(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]string{}
		for _, f := range a.Files {
			parts[f.Name] = string(f.Data)
		}
		if _, ok := parts["left"]; !ok {
			parts["left"] = parts["before"]
		}
		t.Run(filepath.Base(archive), func(t *testing.T) {
			client := "claude"
			if strings.HasPrefix(filepath.Base(archive), "codex") {
				client = "codex"
			}
			o := options(t, client)
			file := filepath.Join(o.Project, map[string]string{"claude": ".mcp.json", "codex": ".codex/config.toml"}[client])
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(parts["before"]), 0o600); err != nil {
				t.Fatal(err)
			}
			check := func(plan func(agents.Options) ([]agents.Change, error), want string) {
				t.Helper()
				apply(t, plan, o)
				got, err := os.ReadFile(file)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, string(got)); diff != "" {
					t.Error(diff)
				}
			}
			check(agents.Add, parts["after"])
			if changes := apply(t, agents.Add, o); len(changes) > 0 {
				t.Errorf("a second time changes %s", changes[0].After)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			check(agents.Remove, parts["left"])
		})
	}
}

func TestFilesThatAreNotConfigurationAreLeftAlone(t *testing.T) {
	for name, c := range map[string]struct{ client, file, text string }{
		"no JSON":          {"claude", ".mcp.json", "{"},
		"a list":           {"claude", ".mcp.json", "[]"},
		"servers in lists": {"claude", ".mcp.json", `{"mcpServers": []}`},
		"no TOML":          {"codex", ".codex/config.toml", "= 1"},
		"inline":           {"codex", ".codex/config.toml", "mcp_servers = { reverse-spec = { command = \"x\" } }\n"},
	} {
		o := options(t, c.client)
		file := filepath.Join(o.Project, c.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if changes, err := agents.Add(o); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%s: %v, %v", name, changes, err)
		}
	}
}

// TestEveryClientIsConfiguredWhereItLooks checks the files of each client, and that removing
// restores them.
func TestEveryClientIsConfiguredWhereItLooks(t *testing.T) {
	skills := fstest.MapFS{
		"asking/SKILL.md":           {Data: []byte("---\nname: asking\nmetadata:\n  author: reverse-spec\n---\n")},
		"asking/references/more.md": {Data: []byte("More.\n")},
	}
	for client, want := range map[string][2][2]string{ // in a project, of the user; configuration, skills
		"claude": {{".mcp.json", ".claude/skills"}, {".claude.json", ".claude/skills"}},
		"codex":  {{".codex/config.toml", ".agents/skills"}, {".codex/config.toml", ".agents/skills"}},
		"gemini": {{".gemini/settings.json", ".gemini/skills"}, {".gemini/settings.json", ".gemini/skills"}},
		"cursor": {{".cursor/mcp.json", ".cursor/skills"}, {".cursor/mcp.json", ".cursor/skills"}},
		"vscode": {{".vscode/mcp.json", ".github/skills"}, {".config/Code/User/mcp.json", ".copilot/skills"}},
	} {
		for i, places := range want {
			o := options(t, client)
			o.Skills = skills
			dir := o.Project
			if i == 1 {
				dir, o.Project = o.Home, ""
			}
			apply(t, agents.Add, o)
			got := files(t, dir)
			for _, file := range []string{places[0], places[1] + "/asking/SKILL.md", places[1] + "/asking/references/more.md"} {
				if got[file] == "" {
					t.Errorf("%s: no %s in %v", client, file, slices.Sorted(maps.Keys(got)))
				}
			}
			inFolder := strings.Contains(got[places[0]], "${workspaceFolder}")
			if want := i == 0 && (client == "cursor" || client == "vscode"); inFolder != want {
				t.Errorf("%s: %s", client, got[places[0]])
			}
			apply(t, agents.Remove, o)
			if left := files(t, dir); len(left) > 0 {
				t.Errorf("%s: left behind: %v", client, left)
			}
		}
	}
}

func TestVariablesNameTheUsersFolders(t *testing.T) {
	o := options(t, "claude")
	dir := filepath.Join(o.Home, "elsewhere")
	o.Project, o.Getenv = "", func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": dir, "CODEX_HOME": dir}[name] }
	for client, want := range map[string]string{"claude": ".claude.json", "codex": "config.toml"} {
		o.Client = client
		changes, err := agents.Add(o)
		if err != nil || len(changes) != 1 || changes[0].File != filepath.Join(dir, want) {
			t.Errorf("%s: %v, %v", client, changes, err)
		}
	}
}

// TestOtherSkillsAreKept even if they have the name of one of ours.
func TestOtherSkillsAreKept(t *testing.T) {
	o := options(t, "claude")
	o.Skills = fstest.MapFS{"asking/SKILL.md": {Data: []byte("---\nmetadata:\n  author: reverse-spec\n---\n")}}
	file := filepath.Join(o.Project, ".claude/skills/asking/SKILL.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, plan := range []func(agents.Options) ([]agents.Change, error){agents.Add, agents.Remove} {
		changes := apply(t, plan, o)
		if c := changes[len(changes)-1]; c.File != file || c.Note.Empty() {
			t.Errorf("%+v", c)
		}
		if got := files(t, filepath.Dir(file)); got["SKILL.md"] != "mine\n" {
			t.Errorf("%v", got)
		}
	}
}

func TestUnknownClientsAreNamed(t *testing.T) {
	_, err := agents.Add(options(t, "cursr"))
	want := `unknown client "cursr" (claude, codex, copilot, gemini, cursor, vscode, windsurf, zed, opencode); did you mean cursor?`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestUnpack(t *testing.T) {
	plugin := fstest.MapFS{"plugin.json": {Data: []byte("{}")}, "bin/reverse-spec": {Data: []byte("#!/bin/sh\n")}}
	program := filepath.Join(t.TempDir(), "one's program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$#: $1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data", "plugin")
	dir, err := agents.Unpack(plugin, data, "1.2.3", program)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(filepath.Base(dir), "1.2.3-") {
		t.Error(dir)
	}
	info, err := os.Stat(filepath.Join(dir, "bin/reverse-spec"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	starts(t, dir, "1: a b\n", "a b")
	if again, err := agents.Unpack(plugin, data, "1.2.3", program); again != dir || err != nil {
		t.Errorf("%s, %v", again, err)
	}
	plugin["plugin.json"].Data = []byte(`{"name": "x"}`)
	if other, err := agents.Unpack(plugin, data, "1.2.3", program); other == dir || err != nil {
		t.Errorf("another plugin is unpacked into %s, %v", other, err)
	}
	if left, err := filepath.Glob(filepath.Join(data, ".new-*")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// starts runs the plugin's launcher script, which clients copy with the plugin.
func starts(t *testing.T, dir, want string, args ...string) {
	t.Helper()
	programs, err := filepath.Glob(filepath.Join(dir, "native/*/reverse-spec"))
	if err != nil || len(programs) != 1 {
		t.Fatal(programs, err)
	}
	if info, err := os.Lstat(programs[0]); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
	if runtime.GOOS == "windows" {
		return // in this test the program is a script
	}
	if out, err := exec.CommandContext(t.Context(), programs[0], args...).Output(); string(out) != want || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

func TestAnInstalledPluginIsDistinguishedFromAClone(t *testing.T) {
	base := t.TempDir()
	for _, file := range []string{"clone/bin/reverse-spec", "clone/plugin.json", "clone/.git", "plugin/bin/reverse-spec", "plugin/plugin.json", "other/f"} {
		path := filepath.Join(base, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir, root string // PLUGIN_ROOT
		want      bool
	}{
		{"clone", "", false},
		{"clone", "clone", true},
		{"clone", "plugin", false},
		{"plugin", "", true},
		{"other", "", false},
		{"other", "plugin", false},
		{"missing", "missing", false},
	} {
		env := func(string) string { return "" }
		if c.root != "" {
			env = func(string) string { return filepath.Join(base, c.root) }
		}
		if got := agents.IsPlugin(filepath.Join(base, c.dir), env); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestSkillsOfAnotherClientStay: Codex and opencode have one folder for skills, which goes with the last of them.
func TestSkillsOfAnotherClientStay(t *testing.T) {
	codex := options(t, "codex")
	codex.Skills = fstest.MapFS{"asking/SKILL.md": {Data: []byte("---\nmetadata:\n  author: reverse-spec\n---\n")}}
	opencode := codex
	opencode.Client = "opencode"
	skill := filepath.Join(codex.Project, ".agents", "skills", "asking", "SKILL.md")
	apply(t, agents.Add, codex)
	apply(t, agents.Add, opencode)
	apply(t, agents.Remove, codex)
	if _, err := os.Stat(skill); err != nil {
		t.Error(err)
	}
	if agents.HasOurs(codex) || !agents.HasOurs(opencode) {
		t.Errorf("codex %v, opencode %v", agents.HasOurs(codex), agents.HasOurs(opencode))
	}
	apply(t, agents.Remove, opencode)
	if _, err := os.Stat(skill); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
