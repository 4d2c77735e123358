package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// pythonHomes are the files that mark the folder to run Python in; where there is none, a file of fixtures does.
var pythonHomes = []string{"pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", ".pytest.ini", "manage.py"}

const fixtures = "conftest.py"

// pythonHome returns the folder to run Python in, and whether pytest runs the file's tests,
// which is the case if one of them needs pytest.
func (p *place) pythonHome() (h home, pytest bool) {
	pytest = slices.ContainsFunc(p.file.Tests, func(t code.Test) bool { return t.Runner == "pytest" })
	around, fixed := p.above(nil, fixtures)
	h, ok := p.above(nil, pythonHomes...)
	switch {
	case ok:
	case fixed:
		h = around
	default:
		return home{dir: "."}, pytest
	}
	for _, name := range pythonHomes {
		text, err := p.read(path.Join(h.dir, name))
		pytest = pytest || err == nil && strings.Contains(string(text), "pytest")
	}
	return h, pytest || fixed
}

// djangoTest is for Django projects, whose runner sets up a database.
func djangoTest(p *place) (*Tool, error) {
	h, pytest := p.pythonHome()
	if pytest || !p.has(path.Join(h.dir, "manage.py")) {
		return nil, nil
	}
	module := strings.ReplaceAll(strings.TrimSuffix(h.rel(p.file.Path), ".py"), "/", ".")
	return &Tool{
		Name: "manage.py test", Needs: []string{"python3"}, Home: h.dir, unit: module,
		filter: func(t code.Test) string { return module + "." + dotted(t) },
		script: func(units, filters []string) string {
			return h.enter() + "python3 manage.py test -v 2" + args(either(filters, units))
		},
		suite: h.enter() + "python3 manage.py test -v 2",
	}, nil
}

// pytestTest selects tests by their node ids. pytest has an exit status for missing tests.
func pytestTest(p *place) (*Tool, error) {
	h, pytest := p.pythonHome()
	if !pytest {
		return nil, nil // the standard library suffices
	}
	file := h.rel(p.file.Path)
	begin := p.pytest(h)
	return &Tool{
		Name: "pytest", Needs: []string{"python3"}, Home: h.dir, group: p.pythonPath(h), unit: word(file),
		filter: func(t code.Test) string { return word(file + "::" + strings.ReplaceAll(t.Name, nesting, "::")) },
		script: func(units, filters []string) string {
			return begin + args(either(filters, units))
		},
		suite: begin,
	}, nil
}

// pytest returns the start of a command of pytest.
func (p *place) pytest(h home) string {
	return h.enter() + p.pythonPath(h) + "python3 -m pytest -q" + report("--junitxml="+reportFile)
}

// unittestTest selects tests by their module names. A missing test is an error for unittest.
func unittestTest(p *place) (*Tool, error) {
	h, _ := p.pythonHome()
	module, folder, err := p.module(h)
	if err != nil {
		return nil, err
	}
	return &Tool{
		Name: "unittest", Needs: []string{"python3"}, Home: h.dir, group: p.pythonPath(h, folder), unit: module,
		filter: func(t code.Test) string { return module + "." + dotted(t) },
		script: func(units, filters []string) string {
			return h.enter() + p.pythonPath(h, folder) + "python3 -m unittest -v" + args(either(filters, units))
		},
		suite: h.enter() + p.pythonPath(h, folder) + "python3 -m unittest discover -v -s " + word(path.Join(folder, outerPackage(module))) + " -t " + word(folder),
	}, nil
}

// outerPackage returns the first package on the path of a module; "" if it is in none.
func outerPackage(module string) string {
	outer, _, found := strings.Cut(module, ".")
	if !found {
		return ""
	}
	return outer
}

// either returns the filters, or else the units.
func either(filters, units []string) []string {
	if filters != nil {
		return filters
	}
	return units
}

// dotted returns the name of a test within its module.
func dotted(t code.Test) string { return strings.ReplaceAll(t.Name, nesting, ".") }

// module returns the import name of a test file, and the folder relative to the home that must
// be on Python's path. A file outside packages is a module of its folder.
func (p *place) module(h home) (name, folder string, err error) {
	file := strings.TrimSuffix(h.rel(p.file.Path), ".py")
	folder = path.Dir(file)
	for folder != "." && p.has(path.Join(h.dir, folder, "__init__.py")) {
		folder = path.Dir(folder)
	}
	name = strings.ReplaceAll(strings.TrimPrefix(file, folder+"/"), "/", ".")
	if strings.ContainsAny(name, "- '\"$`\\") {
		return "", "", message.Errorf("%s is not the name of a module", name)
	}
	return name, folder, nil
}

// pythonPath sets PYTHONPATH to the given folders, and to "src" if the project keeps its
// packages there.
func (p *place) pythonPath(h home, folders ...string) string {
	var list []string
	if slices.ContainsFunc(p.packages(h), func(top string) bool {
		return p.has(path.Join(h.dir, "src", top, "__init__.py")) || p.has(path.Join(h.dir, "src", top+".py"))
	}) {
		list = append(list, "src")
	}
	for _, f := range folders {
		if f != "." && f != "" {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "PYTHONPATH=" + word(strings.Join(list, ":")) + " "
}

// packages returns the names of the packages that the test file imports, and of those that the files of fixtures between it
// and the home import.
func (p *place) packages(h home) []string {
	var out []string
	for _, im := range p.file.Imports {
		if top, _, _ := strings.Cut(im.Module, "."); top != "" {
			out = append(out, top)
		}
	}
	for dir := path.Dir(p.file.Path); ; dir = path.Dir(dir) {
		text, _ := p.read(path.Join(dir, fixtures)) // none is like an empty one
		for _, m := range importLine.FindAllSubmatch(text, -1) {
			out = append(out, string(m[1]))
		}
		if dir == h.dir || dir == "." {
			return out
		}
	}
}

// importLine matches the name of a package that a line imports.
var importLine = lazyregexp.New(`(?m)^[ \t]*(?:import|from)[ \t]+(\w+)`)

// pytestDocTest runs the examples in docstrings as pytest does, where the settings of the project have it run them: how it
// compares what they print may be set there, too.
func pytestDocTest(p *place) (*Tool, error) {
	h, _ := p.pythonHome()
	module, _, err := p.module(h)
	file := h.rel(p.file.Path)
	if err != nil || !runsExamples(p.read, h.dir, file) {
		return nil, err
	}
	module = strings.TrimSuffix(strings.TrimSuffix(module, "__init__"), ".")
	return &Tool{
		Name: "pytest", Needs: []string{"python3"}, Home: h.dir, group: "examples " + p.pythonPath(h), unit: word(file),
		filter: func(t code.Test) string {
			if t.Lacks != "" {
				return ""
			}
			return word(file + "::" + strings.TrimSuffix(module+"."+dotted(t), ".__doc__"))
		},
		script: func(units, filters []string) string {
			return h.enter() + p.pythonPath(h) + "python3 -m pytest -q --doctest-modules" + report("--junitxml="+reportFile) + args(either(filters, units))
		},
		suite: p.pytest(h),
	}, nil
}

// runsExamples reports whether pytest runs the examples of a file's docstrings by the settings in a folder, or those of tox, and how.
// Where it collects from other folders only, it may not even import the file.
func runsExamples(read Reader, dir, file string) bool {
	for _, s := range pytestSettings {
		text, err := read(path.Join(dir, s.file))
		if err != nil {
			continue
		}
		modules, flags := strings.Contains(string(text), "--doctest-modules"), strings.Contains(string(text), "doctest_optionflags")
		if !modules && !flags {
			continue
		}
		m := testpaths.FindStringSubmatch(string(text))
		if !modules || m == nil || slices.ContainsFunc(listed(m[1]), func(folder string) bool { return strings.HasPrefix(file, path.Clean(folder)+"/") }) {
			return true
		}
	}
	return false
}

// doctestTest runs the examples in docstrings, selected by the documented object.
func doctestTest(p *place) (*Tool, error) {
	h, _ := p.pythonHome()
	module, folder, err := p.module(h)
	if err != nil {
		return nil, err
	}
	module = strings.TrimSuffix(strings.TrimSuffix(module, "__init__"), ".")
	return &Tool{
		Name: "doctest", Needs: []string{"python3"}, Home: h.dir, group: module,
		filter: func(t code.Test) string {
			if t.Lacks != "" {
				return ""
			}
			return strings.TrimSuffix(module+"."+dotted(t), ".__doc__")
		},
		script: func(_, filters []string) string {
			return h.enter() + p.pythonPath(h, folder) + "python3 -c '" + strings.ReplaceAll(doctests, "MODULE", module) +
				"' " + strings.Join(filters, " \\\n  ")
		},
	}, nil
}

// doctests runs the examples of the named objects. It fails if one has none.
const doctests = `
import doctest, sys, MODULE
names = set(sys.argv[1:])
examples = [t for t in doctest.DocTestFinder().find(MODULE) if t.name in names and t.examples]
results = {t.name: doctest.DocTestRunner().run(t) for t in examples}
for name, r in results.items():
    print(name, "...", "FAIL" if r.failed else "ok")
sys.exit(len(results) < len(names) or any(r.failed for r in results.values()))
`
