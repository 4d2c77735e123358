package runner

import (
	"path"
	"regexp"
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
	file := word(h.rel(p.file.Path))
	return &Tool{
		Name: name, Needs: needs, Home: h.dir, group: file, unit: file, // older versions take one file
		filter: func(t code.Test) string {
			return strings.NewReplacer("/", `\/`, "'", ".").Replace(regexp.QuoteMeta(innermost(t)))
		},
		script: func(_, filters []string) string {
			only := ""
			if filters != nil {
				only = " --filter '/(^|::| )(" + strings.Join(filters, "|") + ")( with data set|$)/'"
			}
			return begin + report("--log-junit "+reportFile) + only + " " + file
		},
	}, nil
}
