package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/config"
)

// load reads settings from files of a project and of a user, and an environment.
func load(t *testing.T, project, user, environment, flags map[string]string) (*config.Config, string, error) {
	t.Helper()
	root := t.TempDir()
	o := config.Options{
		Project: filepath.Join(root, "project"), User: filepath.Join(root, "user"),
		Getenv: func(name string) string { return environment[name] }, Flags: flags,
	}
	for dir, files := range map[string]map[string]string{o.Project: project, o.User: user} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := config.Load(o)
	return c, root + string(filepath.Separator), err
}

// TestPrecedenceOfSettings: flags, then the environment, the project, the user.
func TestPrecedenceOfSettings(t *testing.T) {
	const key = "lang"
	flag := map[string]string{key: "flagged"}
	environment := map[string]string{"REVERSE_SPEC_LANG": " set\n"}
	project := map[string]string{".reverse-spec.yaml": "lang: projected\n"}
	user := map[string]string{"config.json": `/* mine */ {"lang": "used"}`}
	for name, c := range map[string]struct {
		project, user, environment, flags map[string]string
		model, from                       string
	}{
		"nothing":     {},
		"user":        {user: user, model: "used", from: "user/config.json"},
		"project":     {user: user, project: project, model: "projected", from: "project/.reverse-spec.yaml"},
		"environment": {user: user, project: project, environment: environment, model: "set", from: "REVERSE_SPEC_LANG"},
		"flag":        {user: user, project: project, environment: environment, flags: flag, model: "flagged", from: "--lang"},
	} {
		got, root, err := load(t, c.project, c.user, c.environment, c.flags)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Lang != c.model || strings.TrimPrefix(got.From(key), root) != c.from {
			t.Errorf("%s: %q from %q", name, got.Lang, got.From(key))
		}
	}
}

// TestEverySettingIsRead from the user's file and from the environment.
func TestEverySettingIsRead(t *testing.T) {
	want := config.LLM{Provider: "openai", Model: "m", AnthropicURL: "http://a", OpenAIURL: "http://o", Rate: 50, ClaudeCLI: true}
	file := `
llm:
  provider: openai
  model: m
  anthropic: {baseUrl: "http://a"}
  openai: {baseUrl: "http://o"}
  rate: 50
  claudeCli: true
`
	variables := map[string]string{
		"REVERSE_SPEC_PROVIDER": "openai", "REVERSE_SPEC_MODEL": "m", "ANTHROPIC_BASE_URL": "http://a",
		"OPENAI_BASE_URL": "http://o", "REVERSE_SPEC_RATE": "50", "REVERSE_SPEC_CLAUDE_CLI": "1",
	}
	for _, c := range []struct{ user, environment map[string]string }{{user: map[string]string{"config.yml": file}}, {environment: variables}} {
		got, _, err := load(t, nil, c.user, c.environment, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.LLM); diff != "" || len(got.Warnings) > 0 {
			t.Error(diff, got.Warnings)
		}
	}
}

// TestHooksCanBeDisabled in every place.
func TestHooksCanBeDisabled(t *testing.T) {
	off := map[string]string{".reverse-spec.yaml": "hooks: false\n"}
	for name, c := range map[string]struct {
		project, environment map[string]string
		want                 bool
	}{
		"nothing":         {want: true},
		"the project":     {project: off},
		"the environment": {environment: map[string]string{"REVERSE_SPEC_HOOKS": "0"}},
		"both":            {project: off, environment: map[string]string{"REVERSE_SPEC_HOOKS": "1"}, want: true},
	} {
		got, _, err := load(t, c.project, nil, c.environment, nil)
		if err != nil || got.Hooks != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestSkippedFilesAreReported: unknown settings, and those that a project may not make.
func TestSkippedFilesAreReported(t *testing.T) {
	got, root, err := load(t, map[string]string{".reverse-spec.json": `{
		"llm": {"provder": "none", "anthropic": {"baseUrl": "http://evil"}, "claudeCli": true, "anthropicApiKey": "sk-x"},
		"model": "m", "zzz": {"a": null, "b": [1]},
	}`}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, w := range got.Warnings {
		told = append(told, strings.TrimPrefix(w.String(), root+"project/.reverse-spec.json: "))
	}
	want := []string{
		"llm.anthropic.baseUrl: a project cannot set this to \"http://evil\"; set ANTHROPIC_BASE_URL, or llm.anthropic.baseUrl in your own config.yaml",
		"llm.anthropicApiKey: keys are taken from the environment alone: ANTHROPIC_API_KEY, OPENAI_API_KEY",
		"llm.claudeCli: a project cannot set this to \"true\"; set REVERSE_SPEC_CLAUDE_CLI, or llm.claudeCli in your own config.yaml",
		"llm.provder: no such setting; did you mean llm.provider?",
		"model: no such setting; did you mean llm.model?",
		"zzz.b: no such setting; there are llm.provider, llm.model, llm.anthropic.baseUrl, llm.openai.baseUrl, llm.rate, llm.claudeCli, lang, hooks",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(config.LLM{}, got.LLM); diff != "" {
		t.Error(diff)
	}
}

// TestErrorsNameTheirPlace.
func TestErrorsNameTheirPlace(t *testing.T) {
	for name, c := range map[string]struct {
		project, user, environment map[string]string
		want                       string
	}{
		"broken JSON":   {project: map[string]string{".reverse-spec.json": "{"}, want: "wrong configuration: project/.reverse-spec.json: line 1, column 2: this is not valid JSON"},
		"broken YAML":   {user: map[string]string{"config.yaml": "a: ["}, want: "wrong configuration: user/config.yaml: line 1: this is not valid YAML"},
		"a list":        {user: map[string]string{"config.yaml": "- a"}, want: "wrong configuration: user/config.yaml: it does not have settings, but another value"},
		"not a switch":  {user: map[string]string{"config.yaml": "llm: {claudeCli: maybe}"}, want: `wrong configuration: user/config.yaml: llm.claudeCli: "maybe" is neither true nor false`},
		"no number":     {user: map[string]string{"config.yaml": "llm: {rate: fast}"}, want: `wrong configuration: user/config.yaml: llm.rate: "fast" is not a number of requests a minute`},
		"in a variable": {environment: map[string]string{"REVERSE_SPEC_CLAUDE_CLI": "2"}, want: `wrong configuration: REVERSE_SPEC_CLAUDE_CLI: "2" is neither true nor false`},
		"two files":     {project: map[string]string{".reverse-spec.json": "{}", ".reverse-spec.yaml": ""}, want: "wrong configuration: project/.reverse-spec.yaml: there is .reverse-spec.json, too; keep one"},
	} {
		_, root, err := load(t, c.project, c.user, c.environment, nil)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if diff := cmp.Diff(c.want, strings.ReplaceAll(err.Error(), root, "")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// FuzzConfig: any text is accepted, skipped or rejected, and a project's file sets only what
// it may.
func FuzzConfig(f *testing.F) {
	f.Add("llm: {provider: none, model: [a]}", ".yaml")
	f.Add(`{"llm": {"openai": {"baseUrl": "http://x"}, "claudeCli": true}} // c`, ".json")
	f.Add("a: &a [*a]\n<<: {llm: 1}", ".yml")
	f.Fuzz(func(t *testing.T, text, ending string) {
		if ending != ".yaml" && ending != ".yml" {
			ending = ".json"
		}
		c, _, err := load(t, map[string]string{".reverse-spec" + ending: text}, nil, nil, nil)
		if err == nil && (c.LLM.OpenAIURL != "" || c.LLM.AnthropicURL != "" || c.LLM.ClaudeCLI) {
			t.Errorf("%+v", c.LLM)
		}
	})
}

// TestAProjectCanOnlyRestrictSettings checks, for every setting, which values a project's file
// may set and their effect on the user's.
func TestAProjectCanOnlyRestrictSettings(t *testing.T) {
	const own = "llm: {provider: anthropic, model: mine, rate: 20, claudeCli: false, anthropic: {baseUrl: https://a}, openai: {baseUrl: https://o}}\nlang: en\nhooks: true\n"
	get := map[string]func(*config.Config) string{
		"llm.provider":          func(c *config.Config) string { return c.LLM.Provider },
		"llm.model":             func(c *config.Config) string { return c.LLM.Model },
		"llm.anthropic.baseUrl": func(c *config.Config) string { return c.LLM.AnthropicURL },
		"llm.openai.baseUrl":    func(c *config.Config) string { return c.LLM.OpenAIURL },
		"llm.rate":              func(c *config.Config) string { return fmt.Sprint(c.LLM.Rate) },
		"llm.claudeCli":         func(c *config.Config) string { return fmt.Sprint(c.LLM.ClaudeCLI) },
		"lang":                  func(c *config.Config) string { return c.Lang },
		"hooks":                 func(c *config.Config) string { return fmt.Sprint(c.Hooks) },
	}
	for _, c := range []struct {
		key, value, want string
		told             bool
	}{
		{"llm.provider", "none", "none", false},
		{"llm.provider", "claude-cli", "anthropic", true},
		{"llm.provider", "openai", "anthropic", true},
		{"llm.model", "dearest", "mine", true},
		{"llm.anthropic.baseUrl", "http://evil", "https://a", true},
		{"llm.openai.baseUrl", "http://evil", "https://o", true},
		{"llm.rate", "5", "5", false},
		{"llm.rate", "500", "20", true},
		{"llm.rate", "0", "20", true},
		{"llm.claudeCli", "true", "false", true},
		{"lang", "zh", "zh", false},
		{"hooks", "false", "false", false},
		{"hooks", "true", "true", true},
	} {
		file := c.key + ": " + c.value
		for _, part := range []string{"llm.anthropic.", "llm.openai.", "llm."} {
			if rest, ok := strings.CutPrefix(file, part); ok {
				file = strings.ReplaceAll(strings.TrimSuffix(part, "."), ".", ": {") + ": {" + rest + "}" + strings.Repeat("}", strings.Count(part, ".")-1)
				break
			}
		}
		got, _, err := load(t, map[string]string{".reverse-spec.yaml": file}, map[string]string{"config.yaml": own}, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if now := get[c.key](got); now != c.want || len(got.Warnings) > 0 != c.told {
			t.Errorf("%s: it is %s, want %s; told: %v", file, now, c.want, got.Warnings)
		}
	}
}
