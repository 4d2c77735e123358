package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cargoTest selects tests by full path, or by the path of their module.
func cargoTest(p *place) (*Tool, error) {
	h, ok := p.crate()
	if !ok {
		return nil, nil
	}
	target, module := p.cargoTarget(h)
	all := module + "::"
	if module == "" {
		all = wholeCrate
	}
	return &Tool{
		Name: "cargo test", Needs: []string{"cargo"}, Home: h.dir, group: target, unit: all,
		filter: func(t code.Test) string {
			return strings.TrimPrefix(module+"::"+strings.ReplaceAll(t.Name, nesting, "::"), "::")
		},
		script: func(units, filters []string) string {
			begin := h.enter() + "cargo test " + target
			switch {
			case filters != nil:
				return begin + " -- --exact" + args(filters)
			case slices.Contains(units, wholeCrate):
				return begin
			}
			return begin + " --" + args(units)
		},
		suite: h.enter() + cargoSuite,
	}, nil
}

// wholeCrate stands for the tests at the root of a target, which are run with all others.
const wholeCrate = "*"

// cargoSuite runs all tests of a crate.
const cargoSuite = "cargo test --no-fail-fast"

// crate returns the nearest Cargo.toml that is not just a workspace.
func (p *place) crate() (home, bool) {
	return p.above(func(h home) bool { return strings.Contains(h.text, "[package]") }, "Cargo.toml")
}

// cargoTarget returns the cargo target and the module of a file, by the folders where cargo
// looks.
func (p *place) cargoTarget(h home) (target, module string) {
	file := strings.TrimSuffix(h.rel(p.file.Path), ".rs")
	parts := strings.Split(file, "/")
	folder := parts[0]
	switch {
	case folder == "src" && len(parts) > 2 && parts[1] == "bin":
		return "--bin " + word(parts[2]), rustModule(parts[3:])
	case folder == "src" && p.has(path.Join(h.dir, "src/lib.rs")) && file != "src/main":
		return "--lib", rustModule(parts[1:])
	case folder == "src":
		return "--bins", rustModule(parts[1:])
	case len(parts) > 1 && (folder == "tests" || folder == "benches" || folder == "examples"):
		kind := map[string]string{"tests": "--test ", "benches": "--bench ", "examples": "--example "}[folder]
		return kind + word(parts[1]), rustModule(parts[2:])
	default:
		return "--all-targets", rustModule(parts)
	}
}

// rustModule returns the module path of a file.
func rustModule(parts []string) string {
	if n := len(parts); n > 0 && (parts[n-1] == "mod" || n == 1 && (parts[0] == "lib" || parts[0] == "main")) {
		parts = parts[:n-1]
	}
	return strings.Join(parts, "::")
}

// rustdocTest runs examples in documentation, which rustdoc names by file and item.
func rustdocTest(p *place) (*Tool, error) {
	h, ok := p.crate()
	if !ok || !p.has(path.Join(h.dir, "src/lib.rs")) {
		return nil, nil
	}
	_, module := p.cargoTarget(h)
	return &Tool{
		Name: "cargo test --doc", Needs: []string{"cargo"}, Home: h.dir,
		filter: func(t code.Test) string {
			return strings.TrimPrefix(module+"::"+strings.ReplaceAll(t.Name, nesting, "::"), "::") + " (line"
		},
		script: func(_, filters []string) string {
			return h.enter() + "cargo test --doc -- '- " + strings.Join(filters, "'"+lines+"'- ") + "'"
		},
		suite: h.enter() + cargoSuite,
	}, nil
}
