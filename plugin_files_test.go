package reversespec_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// page is a command or a skill: its front matter and the lines below.
type page struct {
	Name        string
	Description string
	Tools       string `yaml:"allowed-tools"`
	body        string
}

func readPage(t *testing.T, file string) page {
	t.Helper()
	text, err := fs.ReadFile(reversespec.Plugin(), file)
	if err != nil {
		t.Fatal(err)
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
	if !ok {
		t.Fatalf("%s: no front matter", file)
	}
	p := page{body: body}
	if err := yaml.Unmarshal([]byte(head), &p); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return p
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := fs.Glob(reversespec.Plugin(), pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files
}

// TestSkillsAreValidForClients checks the name, the lengths of description and body, and the
// links of each skill.
func TestSkillsAreValidForClients(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	for _, file := range glob(t, "skills/*/SKILL.md") {
		p := readPage(t, file)
		if p.Name != path.Base(path.Dir(file)) {
			t.Errorf("%s is called %q", file, p.Name)
		}
		if n := len(p.Description); n == 0 || n > 1024 || !strings.Contains(p.Description, "Use when") {
			t.Errorf("%s: a description of %d bytes: %s", file, n, p.Description)
		}
		if n := strings.Count(p.body, "\n"); n > 500 {
			t.Errorf("%s has %d lines", file, n)
		}
		for _, m := range link.FindAllStringSubmatch(p.body, -1) {
			if _, err := fs.Stat(reversespec.Plugin(), path.Join(path.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// TestCommandsNameExistingToolsAndSkills checks that the tools and skills named in commands exist.
func TestCommandsNameExistingToolsAndSkills(t *testing.T) {
	var tools, skills []string
	for _, tool := range mcp.Tools(nil, nil, "") {
		tools = append(tools, "mcp__plugin_reverse-spec_reverse-spec__"+tool.Name)
	}
	for _, file := range glob(t, "skills/*/SKILL.md") {
		skills = append(skills, "reverse-spec:"+path.Base(path.Dir(file)))
	}
	tool, skill := regexp.MustCompile(`mcp__[\w-]+`), regexp.MustCompile("`(reverse-spec:[\\w-]+)`")
	for _, file := range glob(t, "commands/*.md") {
		p := readPage(t, file)
		if p.Description == "" {
			t.Errorf("%s has no description, so that no model is told of it", file)
		}
		for _, name := range tool.FindAllString(p.Tools, -1) {
			if !slices.Contains(tools, name) {
				t.Errorf("%s: there is no tool %s", file, name)
			}
		}
		for _, m := range skill.FindAllStringSubmatch(p.body, -1) {
			if !slices.Contains(skills, m[1]) {
				t.Errorf("%s: there is no skill %s", file, m[1])
			}
		}
	}
}
