package runner

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ecmaTool is a program for tests in JavaScript and TypeScript.
type ecmaTool struct {
	name    string   // of its package and its program
	modules []string // a test file that imports one is run by it
	command []string // words of the project's scripts that show it; nil for its name
	filter  func(code.Test) string
	script  func(s ecmaSetting, filters []string) string
	needs   []string // besides npx and the program; "node" alone for what comes with it
}

// ecmaSetting is what the commands of a tool are made of.
type ecmaSetting struct {
	begin string // of the command: where it runs, and what it is run by
	file  string // quoted
	flags string // that the project's own script gives, with a space before each
}

// ecmaTools are in the order in which they are asked; the one that a project names in
// a script comes before those that it merely depends on.
func ecmaTools() []ecmaTool {
	return []ecmaTool{
		{name: "vitest", modules: []string{"vitest"}, filter: fullTitle, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "vitest run " + s.file + " -t '" + anyOf(filters) + "' --reporter=tap-flat" + counted(tapOK, len(filters))
		}},
		{name: "jest", modules: []string{"@jest/globals"}, command: []string{"jest", "react-scripts"}, filter: fullTitle, needs: []string{"jq"}, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "jest --runTestsByPath " + s.file + " -t '" + anyOf(filters) + "' --json |\n" +
				"  jq -e '.success and .numPassedTests >= " + itoa(len(filters)) + "'"
		}},
		{name: "mocha", modules: []string{"mocha"}, filter: fullTitle, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "mocha" + s.flags + " " + s.file + " --grep '" + anyOf(filters) + "' --reporter tap" + counted(tapOK, len(filters))
		}},
		{name: "ava", modules: []string{"ava"}, filter: wildTitle, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "ava " + s.file + " --match '" + strings.Join(filters, "' --match '") + "' --tap" + counted(tapOK, len(filters))
		}},
		{name: "tape", modules: []string{"tape"}, filter: fullTitle, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "tape" + s.flags + " " + s.file + counted("/"+strings.Replace(anyOf(filters), "^", "^# ", 1)+"/ { n++ }", len(filters))
		}},
		{name: "node --test", modules: []string{"node:test", "test"}, command: []string{"--test"}, filter: ownTitle, needs: []string{"node"}, script: func(s ecmaSetting, filters []string) string {
			return s.begin + "node --test --test-name-pattern='" + anyOf(filters) + "' --test-reporter=tap " + s.file +
				counted("/^# pass / { n = $3 }", len(filters))
		}},
	}
}

// tapOK counts the lines of the Test Anything Protocol for what passed.
const tapOK = "/^ok / && !/# (SKIP|TODO)/ { n++ }"

// ecmaTest chooses by what the test file imports, else by the nearest package.json
// that speaks of one of the tools.
func ecmaTest(p *place) (*Tool, error) {
	var found *ecmaTool
	tools := ecmaTools()
	pkg, ok := p.above(func(h home) bool {
		found = chosen(tools, p.file, manifestOf(h))
		return found != nil
	}, "package.json")
	if !ok {
		return nil, nil //nolint:nilnil // not this one
	}
	set := ecmaSetting{begin: pkg.enter(), file: word(pkg.rel(p.file.Path)), flags: manifestOf(pkg).flags(found.name)}
	needs := found.needs
	if !slices.Contains(needs, "node") {
		set.begin += manifestOf(pkg).variables(found.name) + "npx --no-install "
		needs = append([]string{"npx", p.program(found.name)}, needs...)
	} else if ext := path.Ext(p.file.Path); ext != ".js" && ext != ".mjs" && ext != ".cjs" {
		return nil, nil //nolint:nilnil // node reads no types
	}
	return &Tool{
		Name: found.name, Needs: needs, filter: found.filter,
		script: func(filters []string) string { return found.script(set, filters) },
	}, nil
}

// program returns where a project has a program of one of its packages: beside the nearest
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

// manifest is what we read of a package.json.
type manifest struct {
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// manifestOf reads a package.json; one that is damaged says nothing.
func manifestOf(h home) (m manifest) {
	_ = json.Unmarshal([]byte(h.text), &m)
	return m
}

// words returns those of the scripts that run tests.
func (m manifest) words() []string {
	var out []string
	for _, name := range []string{"test", "test:unit", "test:node", "unit", "tests", "test-unit", "unit-test"} {
		out = append(out, strings.Fields(m.Scripts[name])...)
	}
	return out
}

// variables returns those that jest needs to load ES modules, when the project's script
// sets them.
func (m manifest) variables(tool string) string {
	if tool == "jest" && slices.ContainsFunc(m.words(), func(w string) bool { return strings.Contains(w, "--experimental-vm-modules") }) {
		return "NODE_OPTIONS=--experimental-vm-modules "
	}
	return ""
}

// flags returns those by which the project's script has the tool load what the tests
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

// bare quotes an argument of a script as we do.
func bare(text string) string { return word(strings.NewReplacer("'", "", `"`, "").Replace(text)) }

// fullTitle is a regular expression for the names of a test and of what it is in,
// with spaces between.
func fullTitle(t code.Test) string { return titlePattern(t.Name) }

// ownTitle is one for the name of a test alone.
func ownTitle(t code.Test) string { return titlePattern(innermost(t)) }

// varying is what stands in the source of a title for something else: an escape, a
// value of a template, the place of a row's value.
const varying = `\\.|\$\{[^}]*\}|%[sdifjoOpc#%]|\$#|\$[A-Za-z_][\w.]*`

// titlePattern writes the source of a title as a regular expression, in a word of
// bash. What a title nests by may be part of it, too.
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

// wildTitle returns a title as ava matches it.
func wildTitle(t code.Test) string {
	title := regexp.MustCompile(varying+`|'`).ReplaceAllString(t.Name, "*")
	if strings.Trim(title, "* ") == "" {
		return ""
	}
	return title
}
