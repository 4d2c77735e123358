package runner

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cargoTest runs tests by their full paths, which cargo calls a success when there
// are none of them: those that passed are counted.
func cargoTest(p *place) (*Tool, error) {
	h, ok := p.crate()
	if !ok {
		return nil, nil //nolint:nilnil // not this one
	}
	target, module := p.cargoTarget(h)
	return &Tool{
		Name: "cargo test", Needs: []string{"cargo"},
		filter: func(t code.Test) string {
			return strings.TrimPrefix(module+"::"+strings.ReplaceAll(t.Name, nesting, "::"), "::")
		},
		script: func(filters []string) string {
			return h.enter() + "cargo test " + target + " -- --exact " + strings.Join(filters, " \\\n  ") +
				counted(`/^test .* \.\.\. ok$/ { n++ }`, len(filters))
		},
	}, nil
}

// crate returns the nearest Cargo.toml that is more than a list of others.
func (p *place) crate() (home, bool) {
	return p.above(func(h home) bool { return strings.Contains(h.text, "[package]") }, "Cargo.toml")
}

// cargoTarget tells of what part of a crate a file is, by where cargo looks for those,
// and what module of it.
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

// rustModule returns the path of a module by that of its file.
func rustModule(parts []string) string {
	if n := len(parts); n > 0 && (parts[n-1] == "mod" || n == 1 && (parts[0] == "lib" || parts[0] == "main")) {
		parts = parts[:n-1]
	}
	return strings.Join(parts, "::")
}

// rustdocTest runs the examples in the documentation of items: rustdoc names them by
// file and item.
func rustdocTest(p *place) (*Tool, error) {
	h, ok := p.crate()
	if !ok || !p.has(path.Join(h.dir, "src/lib.rs")) {
		return nil, nil //nolint:nilnil // not this one
	}
	_, module := p.cargoTarget(h)
	return &Tool{
		Name: "cargo test --doc", Needs: []string{"cargo"},
		filter: func(t code.Test) string {
			return strings.TrimPrefix(module+"::"+strings.ReplaceAll(t.Name, nesting, "::"), "::") + " (line"
		},
		script: func(filters []string) string {
			return h.enter() + "cargo test --doc -- '- " + strings.Join(filters, "' \\\n  '- ") + "'" +
				counted(`/^test .* \.\.\. ok$/ { n++ }`, len(filters))
		},
	}, nil
}
