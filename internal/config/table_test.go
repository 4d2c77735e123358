package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mays returns values that a project's file may and may not set, by the words of the table in
// docs/security.md. The user's file sets the opposite.
func mays() map[string]struct{ taken, skipped []string } {
	return map[string]struct{ taken, skipped []string }{
		"nothing":       {nil, []string{"x", "none", "true", "1"}},
		"any value":     {[]string{"zh", "en"}, nil},
		"`none`":        {[]string{"none"}, []string{"auto", "anthropic", "openai", "claude-cli"}},
		"`false`":       {[]string{"false", "0", "no", "off"}, []string{"true", "yes", "on", "1"}},
		"a lower value": {[]string{"1", "59"}, []string{"60", "61", "0"}},
	}
}

// TestTheTableOfSettings checks that docs/security.md has a correct row for every setting.
func TestTheTableOfSettings(t *testing.T) {
	rows := tableOfSettings(t)
	for _, s := range settings() {
		words, ok := rows[s.key]
		may, known := mays()[words]
		if !ok || !known {
			t.Errorf("docs/security.md has no row for %s, or says %q of it", s.key, words)
			continue
		}
		delete(rows, s.key)
		for _, value := range may.taken {
			if told := projectSays(t, s.key, value); told != "" {
				t.Errorf("%s: %s: skipped, but the table says %s: %s", s.key, value, words, told)
			}
		}
		for _, value := range may.skipped {
			if projectSays(t, s.key, value) == "" {
				t.Errorf("%s: %s: taken, but the table says %s", s.key, value, words)
			}
		}
	}
	for key := range rows {
		t.Errorf("docs/security.md: there is no setting %s", key)
	}
}

// tableOfSettings returns what a project's file may set according to the table, by setting.
func tableOfSettings(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| setting | what it decides | a project's file may set |\n")
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 {
			break
		}
		if key := strings.Trim(cells[1], " `"); !strings.Contains(key, "---") {
			rows[key] = strings.TrimSpace(cells[3])
		}
	}
	return rows
}

// projectSays returns the warning about a setting in a project's file; "" if it is accepted.
func projectSays(t *testing.T, key, value string) string {
	t.Helper()
	dir := t.TempDir()
	text := "{" + key + ": " + value + "}"
	for parts := strings.Split(key, "."); len(parts) > 1; parts = parts[:len(parts)-1] {
		text = strings.Replace(text, "."+parts[len(parts)-1], ": {"+parts[len(parts)-1], 1) + "}"
	}
	if err := os.WriteFile(filepath.Join(dir, ".reverse-spec.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	user := t.TempDir()
	own := "{llm: {provider: anthropic, rate: 60}, hooks: true}"
	if err := os.WriteFile(filepath.Join(user, "config.yaml"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(Options{Project: dir, User: user, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return strings.Join(c.Notes("en"), "; ")
}
