package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// phpunitTest runs methods of one file.
func phpunitTest(p *place) (*Tool, error) { return p.composer("phpunit") }

// pestTest is for Pest, where tests are functions.
func pestTest(p *place) (*Tool, error) { return p.composer("pest") }

func (p *place) composer(name string) (*Tool, error) {
	h, ok := p.above(nil, "composer.json", "phpunit.xml", "phpunit.xml.dist")
	if !ok {
		h = home{dir: "."}
	}
	begin, needs := h.enter()+"vendor/bin/"+name, []string{"php", path.Join(h.dir, "vendor/bin", name)}
	if !strings.Contains(h.text, name) {
		begin, needs = h.enter()+name, []string{"php", name}
	}
	t := &Tool{
		Name: name, Needs: needs, Home: h.dir, unit: h.rel(p.file.Path),
		filter: func(t code.Test) string {
			return strings.NewReplacer("/", `\/`, "'", ".").Replace(regexp.QuoteMeta(innermost(t)))
		},
		script: func(units, filters []string) string {
			return begin + report("--log-junit "+reportFile) + phpFilter(units, filters) + " " + word(commonFolder(units))
		},
		suite: begin + report("--log-junit "+reportFile),
	}
	if !p.has(path.Join(h.dir, "phpunit.xml")) && !p.has(path.Join(h.dir, "phpunit.xml.dist")) { // which say where the tests are
		t.suite += " " + word(topFolder(t.unit))
	}
	if name != "phpunit" { // whose tests have no class that a filter can name
		t.group = t.unit
	}
	return t, nil
}

// phpFilter selects the tests of some files, of which PHPUnit before version 10 takes one, or a folder: by the names of their
// classes, which are those of the files.
func phpFilter(units, filters []string) string {
	classes := "(^|::| )"
	if len(units) > 1 {
		var names []string
		for _, u := range units {
			if name := regexp.QuoteMeta(strings.TrimSuffix(path.Base(u), ".php")); !slices.Contains(names, name) { // of files in several folders
				names = append(names, name)
			}
		}
		classes = `\b(` + strings.Join(names, "|") + ")::"
	}
	switch {
	case filters != nil:
		return " --filter '/" + classes + "(" + strings.Join(filters, "|") + ")( with data set|$)/'"
	case len(units) > 1:
		return " --filter '/" + classes + "/'"
	}
	return ""
}

// topFolder returns the first folder on the path of a file; "." if it is in none.
func topFolder(file string) string {
	top, _, found := strings.Cut(file, "/")
	if !found {
		return "."
	}
	return top
}

// commonFolder returns a file, or the folder that has all files below it.
func commonFolder(files []string) string {
	out := files[0]
	for _, f := range files[1:] {
		for out != "." && f != out && !strings.HasPrefix(f, out+"/") {
			out = path.Dir(out)
		}
	}
	return out
}
