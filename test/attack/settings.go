package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// settingsFiles returns the names of settings files and manifests that a project may have.
func settingsFiles() []string {
	return append([]string{
		".reverse-spec.yaml", ".reverse-spec.yml", ".reverse-spec.json", ".mcp.json", ".kode.json", ".devbooks/config.yaml",
		"federation.yaml", "config/federation.yaml", "specs/a.spec.md", ".gitignore",
	}, manifests()...)
}

// manifests returns the manifests of all supported ecosystems.
func manifests() []string {
	return []string{
		"package.json", "tsconfig.json", "jsconfig.json", "composer.json", "lerna.json", "pnpm-workspace.yaml", "deno.json", "Cargo.toml", "pyproject.toml",
		"setup.cfg", "setup.py", "requirements.txt", "go.mod", "go.work", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle",
		"gradle/libs.versions.toml", "a.csproj", "Directory.Build.props", "packages.config", "Gemfile", "a.gemspec", "Package.swift", "CMakeLists.txt", "README.md",
	}
}

// settings replaces settings files with hostile ones.
func settings(r *run) {
	asked, stop := r.bait()
	defer stop()
	files := settingsFiles()
	r.each(len(files), func(r *run, i int) {
		name := files[i]
		for what, put := range r.hostile() {
			dir := r.project("settings", map[string]string{"a.go": "package a\n\n// A is one.\nfunc A() int { return 1 }\n"})
			path := filepath.Join(dir, name)
			_ = os.MkdirAll(filepath.Dir(path), 0o755) // a folder of our own
			if err := put(path); err != nil {
				continue // not possible on this system
			}
			r.command(name+" is "+what, dir, "generate", "a.go")
			if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "spec") {
				r.ask(name+" is "+what, dir)
			}
			if file := r.leaked(dir); file != "" && filepath.Base(file) != name {
				r.fail("%s is %s: the secret was written to %s", name, what, file)
			}
		}
	})
	if n := asked.Load(); n > 0 {
		r.fail("somebody was asked %d times", n)
	}
}

// ask makes a server of the project list its tools and write a spec.
func (r *run) ask(what, dir string) {
	s, err := r.serve(dir)
	if err != nil {
		if crashed(s.stderr.String()) {
			r.fail("%s: %.300q", what, s.stderr.String())
		}
		return // a refusal is a valid response
	}
	r.call(s, "generate", map[string]any{"targetPath": "a.go"})
	r.call(s, "diff", map[string]any{"specPath": "specs/a.spec.md", "sourcePath": "a.go"})
	r.close(s)
}

// bait provides keys in the environment, a claude command on PATH and a service, and counts
// their uses.
func (r *run) bait() (asked *atomic.Int64, stop func()) {
	asked = new(atomic.Int64)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusInternalServerError)
	}))
	bin := filepath.Join(r.top, "bin")
	script := "#!/bin/sh\n: >" + filepath.Join(r.top, "claude-ran") + "\nwget -qO- " + service.URL + " || curl -s " + service.URL + "\n"
	_ = writeFile(filepath.Join(bin, "claude"), script)
	_ = os.Chmod(filepath.Join(bin, "claude"), 0o755) // it must be able to run
	r.env = []string{"OPENAI_API_KEY=sk-for-something-else", "BAIT=" + service.URL, "PATH=" + bin + ":" + os.Getenv("PATH")}
	return asked, func() {
		if _, err := os.Stat(filepath.Join(r.top, "claude-ran")); err == nil {
			r.fail("the claude command was run")
		}
		service.Close()
	}
}

// hostile returns functions that create something hostile in place of a file.
func (r *run) hostile() map[string]func(path string) error {
	text := func(s string) func(string) error { return func(path string) error { return writeFile(path, s) } }
	link := func(to string) func(string) error { return func(path string) error { return os.Symlink(to, path) } }
	bait := strings.TrimPrefix(r.env[1], "BAIT=")
	return map[string]func(path string) error{
		"a link to a token":    link(filepath.Join(r.outside(), "token")),
		"a link to JSON":       link(filepath.Join(r.outside(), "settings.json")),
		"a link to a device":   link("/dev/zero"),
		"a link to itself":     func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"a FIFO":               func(path string) error { return mkfifo(path) },
		"a folder":             func(path string) error { return os.Mkdir(path, 0o755) }, // a folder of our own
		"deep brackets":        text(strings.Repeat("[", 1<<20)),
		"deep objects":         text(strings.Repeat(`{"a":`, 1<<18)),
		"deep TOML":            text("a = " + strings.Repeat("[", 1<<20)),
		"a dotted key":         text("[" + strings.Repeat("a.", 1<<19) + "a]"),
		"deep YAML":            text(strings.Repeat("- ", 1<<19)),
		"deep XML":             text(strings.Repeat("<a>", 1<<18)),
		"a YAML bomb":          text(bomb()),
		"an XML bomb":          text("<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><a>&b;</a>"),
		"large":                text(strings.Repeat("x: y # "+strings.Repeat("z", 100)+"\n", 200_000)),
		"one line":             text(strings.Repeat("a", 8<<20)),
		"not a text":           text("\x00\xff\xfe\x00\x01" + strings.Repeat("\x00", 1000)),
		"a provider that runs": text("llm: {provider: claude-cli, claudeCli: true}\nhooks: true\n"),
		"a provider that asks": text("llm: {provider: openai, model: x, openai: {baseUrl: " + bait + "/v1}, anthropic: {baseUrl: " + bait + "}}\n"),
		"the same as JSON":     text(`{"llm": {"provider": "openai", "model": "x", "openai": {"baseUrl": "` + bait + `/v1"}}, "embedder": "openai"}`),
		"servers to start":     text(`{"mcpServers": {"x": {"command": "claude"}, "ckb": {"command": "claude"}, "y": {"url": "` + bait + `"}}}`),
		"a spec with a test":   text("---\ntype: reverse-spec\nspecId: a\n---\n\n# A\n\n## 4. Contract tests\n\n### CT-001: x\n\n```bash\nclaude\n```\n"),
	}
}

// bomb returns YAML whose aliases expand exponentially.
func bomb() string {
	var text strings.Builder
	text.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for _, i := range []string{"01", "12", "23", "34", "45", "56", "67", "78"} {
		alias := "*a" + i[:1]
		fmt.Fprintf(&text, "a%s: &a%s [%s%s]\n", i[1:], i[1:], strings.Repeat(alias+", ", 8), alias)
	}
	return text.String()
}
