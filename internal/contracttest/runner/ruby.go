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
		Name: "rspec", Needs: needs, Home: h.dir, unit: file,
		filter: func(t code.Test) string { return file + ":" + strconv.Itoa(t.Line) },
		script: func(units, filters []string) string {
			return begin + report("--format json --out "+reportFile) + "" + args(either(filters, units))
		},
	}, nil
}

// minitestTest selects methods.
func minitestTest(p *place) (*Tool, error) {
	h, begin, needs := p.bundled("ruby")
	file := h.rel(p.file.Path)
	return &Tool{
		Name: "minitest", Needs: needs, Home: h.dir, unit: "-r" + word("./"+file),
		filter: func(t code.Test) string {
			if name := innermost(t); plainName(name) {
				return name
			}
			return ""
		},
		script: func(units, filters []string) string {
			run := ""
			if filters != nil {
				run = " -n '/" + anyOf(filters) + "/'"
			}
			return begin + " -Ilib -Itest " + strings.Join(units, " ") + " -e '' -- -v" + run
		},
	}, nil
}
