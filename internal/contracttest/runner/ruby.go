package runner

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
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
	begin += report("--format json --out " + reportFile)
	file := word(h.rel(p.file.Path))
	return &Tool{
		Name: "rspec", Needs: needs, Home: h.dir, unit: file,
		filter: func(t code.Test) string { return file + ":" + strconv.Itoa(t.Line) },
		script: func(units, filters []string) string {
			return begin + args(either(filters, units))
		},
		suite: begin,
	}, nil
}

// minitestTest selects methods, and examples by the methods that are made of their titles.
func minitestTest(p *place) (*Tool, error) {
	h, begin, needs := p.bundled("ruby")
	file := h.rel(p.file.Path)
	return &Tool{
		Name: "minitest", Needs: needs, Home: h.dir, unit: "-r" + word("./"+file),
		filter: func(t code.Test) string {
			name := innermost(t)
			if plainName(name) && strings.HasPrefix(name, minitestMethod) {
				return name
			}
			return minitestMethod + "(.*[ _])?" + minitestTitle(name) + "[. ]*"
		},
		script: func(units, filters []string) string {
			run := ""
			if filters != nil {
				run = " -n '/" + anyOf(filters) + "/'"
			}
			return begin + " -Ilib -Itest " + strings.Join(units, " ") + " -e '' -- -v" + run
		},
		suite: begin + " -Ilib -Itest -e 'Dir[\"./" + topFolder(file) + "/**/{test_*,*_test,*_spec}.rb\"].each { |f| require f }' -- -v",
	}, nil
}

// minitestMethod begins the names of the methods that minitest runs.
const minitestMethod = "test_"

// minitestTitle returns a regular expression for a title in the name of a method: Rails writes "_" for spaces. What is
// interpolated or escaped may be any text.
func minitestTitle(title string) string {
	var out []string
	for part := range strings.FieldsSeq(interpolated.ReplaceAllString(title, "\x00")) {
		part = strings.NewReplacer("\x00", ".*", "'", ".").Replace(regexp.QuoteMeta(strings.ReplaceAll(part, `\`, "\x00")))
		out = append(out, part)
	}
	return strings.Join(out, "[ _]")
}

// interpolated is code in a string of Ruby.
var interpolated = lazyregexp.New(`#\{[^}]*\}`)

// isMinitest is for methods of classes and for examples, whose methods have a number and the title, in classes named after
// the groups around them.
func isMinitest(home, file, name string, r *Result) bool {
	if isMethod(home, file, name, r) {
		return true
	}
	parts := strings.Split(name, nesting)
	last := len(parts) - 1
	groups := strings.Join(parts[:last], "::")
	if last > 0 && r.Place != groups && r.Place != parts[0] && !strings.HasSuffix(r.Place, "::"+groups) {
		return false
	}
	pattern, err := regexp.Compile("^" + minitestMethod + `([0-9]+_|: .* should )?` + minitestTitle(parts[last]) + "[. ]*$")
	return err == nil && pattern.MatchString(r.Name)
}
