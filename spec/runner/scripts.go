package runner

import (
	"path"
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// bundled is how a project calls a program of Ruby.
func (p *place) bundled(name string) (h home, begin string, needs []string) {
	h, ok := p.above(nil, "Gemfile")
	if !ok {
		return home{dir: "."}, name, []string{name}
	}
	return h, h.enter() + "bundle exec " + name, []string{"ruby", "bundle"}
}

// rspecTest names examples by their lines, since what describes them is code.
func rspecTest(p *place) (*Tool, error) {
	h, begin, needs := p.bundled("rspec")
	file := word(h.rel(p.file.Path))
	return &Tool{
		Name: "rspec", Needs: needs,
		filter: func(t code.Test) string { return itoa(t.Line) },
		script: func(filters []string) string {
			return begin + " " + file + ":" + strings.Join(filters, ":") + " --format documentation" +
				counted("/^[0-9]+ examples?, 0 failures/ { n = $1 }", len(filters))
		},
	}, nil
}

// minitestTest names methods. Minitest calls it a success when there are none of them.
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

// plainName tells whether a name is one of a method.
func plainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80
	}) < 0
}

// phpunitTest runs methods of one file. PHPUnit calls it a success when there are none
// of them, and says OK only when some passed.
func phpunitTest(p *place) (*Tool, error) { return p.composer("phpunit") }

// pestTest is for Pest, whose tests are functions.
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

// dotnetTest runs methods of the project that is called as its folder is, as most are.
func dotnetTest(p *place) (*Tool, error) {
	dir := path.Dir(p.file.Path)
	for !p.has(path.Join(dir, path.Base(dir)+".csproj")) {
		if dir == "." {
			return nil, nil //nolint:nilnil // not this one
		}
		dir = path.Dir(dir)
	}
	return &Tool{
		Name: "dotnet test", Needs: []string{"dotnet"},
		filter: func(t code.Test) string {
			parts := strings.Split(t.Name, nesting)
			name := strings.Join(parts, ".")
			if len(parts) > 2 { // classes within classes
				name = strings.Join(parts[:len(parts)-1], "+") + "." + parts[len(parts)-1]
			}
			if !plainName(strings.NewReplacer(".", "", "+", "").Replace(name)) {
				return ""
			}
			return "FullyQualifiedName~" + name
		},
		script: func(filters []string) string {
			return "dotnet test " + word(dir) + " --filter '" + strings.Join(filters, "|") + "' \\\n  -- RunConfiguration.TreatNoTestsAsError=true"
		},
	}, nil
}

// swiftTest runs methods of XCTest by class and name.
func swiftTest(p *place) (*Tool, error) {
	h, ok := p.above(nil, "Package.swift")
	if !ok {
		return nil, nil //nolint:nilnil // not this one
	}
	return &Tool{
		Name: "swift test", Needs: []string{"swift"},
		filter: func(t code.Test) string {
			name, _, _ := strings.Cut(strings.ReplaceAll(t.Name, nesting, "/"), "(")
			return regexp.QuoteMeta(name)
		},
		script: func(filters []string) string {
			return h.enter() + "swift test --filter '(" + strings.Join(filters, "|") + ")' 2>&1" +
				counted(`/Test .* passed (after|\()/ { n++ }`, len(filters))
		},
	}, nil
}
