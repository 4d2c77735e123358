package runner

import (
	"path"
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// phpunitTest runs methods of one file. PHPUnit succeeds if nothing matches, and prints OK
// only if tests passed.
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
	return &Tool{
		Name: name, Needs: needs,
		filter: func(t code.Test) string {
			return strings.NewReplacer("/", `\/`, "'", ".").Replace(regexp.QuoteMeta(innermost(t)))
		},
		script: func(filters []string) string {
			pattern := "/(^|::| )(" + strings.Join(filters, "|") + ")( with data set|$)/"
			return begin + " --filter '" + pattern + "' " + word(h.rel(p.file.Path)) + counted("/^OK/ { n = 1 } /Tests:.* passed/ { n = 1 }", 1)
		},
	}, nil
}
