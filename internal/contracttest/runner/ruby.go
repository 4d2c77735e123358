package runner

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// bundled returns how a project calls a Ruby program.
func (p *place) bundled(name string) (h home, begin string, needs []string) {
	h, ok := p.above(nil, "Gemfile")
	if !ok {
		return home{dir: "."}, name, []string{name}
	}
	return h, h.enter() + "bundle exec " + name, []string{"ruby", "bundle"}
}

// rspecTest selects examples by line, because their descriptions are code.
func rspecTest(p *place) (*Tool, error) {
	h, begin, needs := p.bundled("rspec")
	file := word(h.rel(p.file.Path))
	return &Tool{
		Name: "rspec", Needs: needs,
		filter: func(t code.Test) string { return strconv.Itoa(t.Line) },
		script: func(filters []string) string {
			return begin + " " + file + ":" + strings.Join(filters, ":") + " --format documentation" +
				counted("/^[0-9]+ examples?, 0 failures/ { n = $1 }", len(filters))
		},
	}, nil
}

// minitestTest selects methods. Minitest succeeds if nothing matches.
func minitestTest(p *place) (*Tool, error) {
	h, begin, needs := p.bundled("ruby")
	file := h.rel(p.file.Path)
	return &Tool{
		Name: "minitest", Needs: needs,
		filter: func(t code.Test) string {
			if name := innermost(t); plainName(name) {
				return name
			}
			return ""
		},
		script: func(filters []string) string {
			return begin + " -Ilib -Itest " + word(file) + " -n '/" + anyOf(filters) + "/'" +
				counted("/^[0-9]+ (runs|tests),/ { n = $1 }", len(filters))
		},
	}, nil
}
