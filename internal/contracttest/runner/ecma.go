package runner

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ecmaTool is a program for tests in JavaScript and TypeScript.
type ecmaTool struct {
	name    string   // name of its package and its program
	modules []string // imports that identify its test files
	command []string // words in the project's scripts that identify it; nil for its name
	filter  func(code.Test) string
	// script returns the command for files, quoted, with a pattern of the selected tests: "" for all of them.
	script func(s ecmaSetting, files, pattern string) string
	needs  []string // besides npx and the program; only "node" for a built-in runner
	glob   bool     // it selects by globs, each with a flag
}

// ecmaSetting has the parts of a tool's commands.
type ecmaSetting struct {
	begin string // start of the command: folder and launcher
	flags string // from the project's own script, each preceded by a space
}

// ecmaTools returns the tools in order of precedence. A tool in one of the project's scripts
// comes before those that are mere dependencies.
func ecmaTools() []ecmaTool {
	return []ecmaTool{
		{name: "vitest", modules: []string{"vitest"}, filter: fullTitle, script: func(s ecmaSetting, files, pattern string) string {
			return s.begin + "vitest run" + report("--reporter=json --outputFile="+reportFile) + option(" -t ", pattern) + files
		}},
		{name: "jest", modules: []string{"@jest/globals"}, command: []string{"jest", "react-scripts"}, filter: fullTitle, script: func(s ecmaSetting, files, pattern string) string {
			return s.begin + "jest" + report("--json --outputFile="+reportFile) + option(" -t ", pattern) + before(" --runTestsByPath", files)
		}},
		{name: "mocha", modules: []string{"mocha"}, filter: fullTitle, script: func(s ecmaSetting, files, pattern string) string {
			return s.begin + "mocha" + s.flags + report("--reporter json --reporter-option output="+reportFile) + option(" --grep ", pattern) + files
		}},
		{name: "ava", modules: []string{"ava"}, filter: wildTitle, glob: true, script: func(s ecmaSetting, files, pattern string) string {
			return s.begin + "ava" + report("--tap") + pattern + files
		}},
		{name: "tape", modules: []string{"tape"}, filter: fullTitle, script: func(s ecmaSetting, files, _ string) string {
			return s.begin + "tape" + s.flags + files
		}},
		{name: "node --test", modules: []string{"node:test", "test"}, command: []string{"--test"}, filter: ownTitle, needs: []string{"node"}, script: func(s ecmaSetting, files, pattern string) string {
			return s.begin + "node --test" + option(" --test-name-pattern=", pattern) + report("--test-reporter=tap --test-reporter-destination="+reportFile) + files
		}},
	}
}

// before returns a flag with what follows it; "" if nothing does.
func before(flag, rest string) string {
	if rest == "" {
		return ""
	}
	return flag + rest
}

// option returns a flag with a quoted value; "" for no value.
func option(flag, value string) string {
	if value == "" {
		return ""
	}
	return flag + "'" + value + "'"
}

// pattern returns the pattern for filters.
func (t *ecmaTool) pattern(filters []string) string {
	switch {
	case len(filters) == 0:
		return ""
	case t.glob:
		return " --match '" + strings.Join(filters, "' --match '") + "'"
	}
	return anyOf(filters)
}

// ecmaTest chooses the tool by the imports of the test file, or else by the nearest
// package.json that mentions one.
func ecmaTest(p *place) (*Tool, error) {
	if strings.Contains(path.Base(p.file.Path), ".test-d.") {
		return nil, message.Errorf("a type checker reads it, and nothing runs it")
	}
	var found *ecmaTool
	tools := ecmaTools()
	pkg, ok := p.above(func(h home) bool {
		found = chosen(tools, p.file, manifestOf(h))
		return found != nil
	}, "package.json")
	if !ok {
		return nil, nil
	}
	set := ecmaSetting{begin: pkg.enter(), flags: manifestOf(pkg).flags(found.name)}
	needs := found.needs
	if !slices.Contains(needs, "node") {
		set.begin += manifestOf(pkg).variables(found.name) + "npx --no-install "
		needs = append([]string{"npx", p.program(found.name)}, needs...)
	} else if ext := path.Ext(p.file.Path); ext != ".js" && ext != ".mjs" && ext != ".cjs" {
		return nil, nil // node cannot run TypeScript
	}
	suite := found.script(set, "", "")
	if found.name == "tape" { // which runs no file by itself
		suite = ""
	}
	return &Tool{
		Name: found.name, suite: suite, Needs: needs, Home: pkg.dir, unit: word(pkg.rel(p.file.Path)), filter: found.filter,
		script: func(units, filters []string) string {
			return found.script(set, args(units), found.pattern(filters))
		},
	}, nil
}

// program returns the path of a program in the project's packages, next to the nearest
// package.json that has it installed.
func (p *place) program(name string) string {
	rel := "node_modules/.bin/" + name
	if h, ok := p.above(nil, rel); ok {
		return path.Join(h.dir, rel)
	}
	return rel
}

// chosen returns the tool for a file in a package; nil for none.
func chosen(tools []ecmaTool, f *code.File, m manifest) *ecmaTool {
	depends := -1
	for i, t := range tools {
		imports := func(im code.Import) bool { return slices.Contains(t.modules, im.Module) }
		if slices.ContainsFunc(f.Imports, imports) {
			return &tools[i]
		}
		if m.Dependencies[t.name] != "" || m.DevDependencies[t.name] != "" {
			depends = max(depends, i)
		}
	}
	for i, t := range tools {
		if t.command == nil {
			t.command = []string{t.name}
		}
		if slices.ContainsFunc(m.words(), func(w string) bool { return slices.Contains(t.command, path.Base(w)) }) {
			return &tools[i]
		}
	}
	if depends >= 0 {
		return &tools[depends]
	}
	return nil
}

// manifest is the part of a package.json that matters here.
type manifest struct {
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// manifestOf parses a package.json; an invalid one is empty.
func manifestOf(h home) (m manifest) {
	_ = json.Unmarshal([]byte(h.text), &m)
	return m
}

// words returns the words of the scripts that run tests.
func (m manifest) words() []string {
	var out []string
	for _, name := range []string{"test", "test:unit", "test:node", "unit", "tests", "test-unit", "unit-test"} {
		out = append(out, strings.Fields(m.Scripts[name])...)
	}
	return out
}

// variables returns the environment variables that jest needs to load ES modules, if the
// project's script sets them.
func (m manifest) variables(tool string) string {
	if tool == "jest" && slices.ContainsFunc(m.words(), func(w string) bool { return strings.Contains(w, "--experimental-vm-modules") }) {
		return "NODE_OPTIONS=--experimental-vm-modules "
	}
	return ""
}

// flags returns the flags with which the project's script makes the tool load what the tests
// need.
func (m manifest) flags(tool string) string {
	words := m.words()
	at := slices.IndexFunc(words, func(w string) bool { return path.Base(w) == tool })
	var out strings.Builder
	for i := at + 1; at >= 0 && i < len(words) && words[i] != "&&"; i++ {
		name, _, joined := strings.Cut(words[i], "=")
		if !slices.Contains([]string{"-r", "--require", "--import", "--loader", "--ui", "-u"}, name) {
			continue
		}
		out.WriteString(" " + bare(words[i]))
		if !joined && i+1 < len(words) {
			i++
			out.WriteString(" " + bare(words[i]))
		}
	}
	return out.String()
}

// bare removes the quotes of a script's argument and quotes it for bash.
func bare(text string) string { return word(strings.NewReplacer("'", "", `"`, "").Replace(text)) }

// fullTitle returns a regular expression for the names of a test and its groups, separated by
// spaces.
func fullTitle(t code.Test) string { return titlePattern(t.Name) }

// ownTitle returns a regular expression for the name of a test without groups.
func ownTitle(t code.Test) string { return titlePattern(innermost(t)) }

// varying matches variable parts in the source of a title: an escape, a template value, a
// placeholder for a row's value.
const varying = `\\.|\$\{[^}]*\}|%[sdifjoOpc#%]|\$#|\$[A-Za-z_][\w.]*`

// titlePattern returns a regular expression for the source of a title, quoted for bash.
// Nesting separators may be part of the title.
func titlePattern(title string) string {
	fixed := regexp.MustCompile(varying).Split(title, -1)
	for i, text := range fixed {
		text = regexp.QuoteMeta(text)
		text = strings.NewReplacer("/", `\/`, "'", ".").Replace(text)
		fixed[i] = strings.ReplaceAll(text, nesting, "( >)? ")
	}
	if strings.Join(fixed, "") == "" {
		return ""
	}
	return strings.Join(fixed, ".*")
}

// wildTitle returns a title as a glob pattern for ava.
func wildTitle(t code.Test) string {
	title := regexp.MustCompile(varying+`|'`).ReplaceAllString(t.Name, "*")
	if strings.Trim(title, "* ") == "" {
		return ""
	}
	return title
}
