package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Documents are the texts whose examples pytest runs beside its tests.
type Documents struct {
	Folders  []string // of the project, in which it looks for tests
	patterns []string // of their names
	home     string
}

// pytestSettings are the files in which pytest looks for its settings, in its order, and how the section of each begins.
var pytestSettings = []struct{ file, section string }{
	{"pytest.ini", "[pytest]"}, {".pytest.ini", "[pytest]"}, {"pyproject.toml", "[tool.pytest.ini_options]"}, {"tox.ini", "[pytest]"}, {"setup.cfg", "[tool:pytest]"},
}

// The parts of these settings that say which texts have examples.
var (
	doctestGlob = lazyregexp.New(`--doctest-glob["',\s=]+([^\s"',\]]+)`)
	testpaths   = lazyregexp.New(`(?m)^testpaths\s*=[ \t]*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)`)
)

// DocumentsOf returns the texts whose examples a tool runs by the settings in its home; nil for none.
func DocumentsOf(read Reader, t *Tool) *Documents {
	if t.Name != "pytest" {
		return nil
	}
	d := &Documents{home: t.Home}
	for _, s := range pytestSettings {
		text, err := read(path.Join(t.Home, s.file))
		_, section, found := strings.Cut(string(text), s.section)
		if err != nil || !found {
			continue
		}
		if i := strings.Index(section, "\n["); i >= 0 && !strings.HasPrefix(section[i+1:], "[]") {
			section = section[:i]
		}
		for _, m := range doctestGlob.FindAllStringSubmatch(section, -1) {
			d.patterns = add(d.patterns, m[1])
		}
		if m := testpaths.FindStringSubmatch(section); m != nil {
			for _, folder := range listed(m[1]) {
				if !strings.ContainsAny(folder, "*?[") && !strings.HasPrefix(folder, "..") {
					d.Folders = add(d.Folders, path.Join(t.Home, folder))
				}
			}
		}
		break
	}
	if d.patterns == nil {
		d.patterns = []string{"test*.txt"} // what pytest looks for by itself
	}
	if d.Folders == nil {
		d.Folders = []string{t.Home}
	}
	return d
}

// listed returns the elements of a list in TOML, or of one in INI.
func listed(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n[]\"',", c) })
}

// Has reports whether a file of the project is one of the texts.
func (d *Documents) Has(file string) bool {
	if strings.HasSuffix(file, ".py") || !slices.ContainsFunc(d.Folders, func(dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }) {
		return false
	}
	return slices.ContainsFunc(d.patterns, func(p string) bool {
		name := path.Base(file)
		if n := strings.Count(p, "/"); n > 0 {
			parts := strings.Split(file, "/")
			name = strings.Join(parts[max(0, len(parts)-n-1):], "/")
		}
		fits, _ := path.Match(p, name)
		return fits
	})
}

// Run returns the tool that runs a text, and the only test in it: pytest reports all examples of a text as one.
func (d *Documents) Run(t *Tool, file string) (*Tool, code.Test) {
	out := *t
	out.unit = word(within(d.home, file))
	out.filter = func(code.Test) string { return out.unit }
	return &out, code.Test{Name: path.Base(file), Runner: t.Name}
}

// input matches a line that a person would type.
var input = lazyregexp.New(`(?m)^[ \t]*(?:>>>|\.\.\.) (.*)$`)

// Inputs returns what the examples in a text run, one input or its continuation a line.
func Inputs(text []byte) string {
	var b strings.Builder
	for _, m := range input.FindAllSubmatch(text, -1) {
		b.Write(m[1])
		b.WriteByte('\n')
	}
	return b.String()
}
