package codegraph

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// crate is the content of a Cargo.toml.
type crate struct {
	facts
	name    string            // of the package, with "_" for "-"; "" for a mere workspace
	extern  string            // the name by which other crates refer to it: the library's name
	lib     string            // the file of its library
	edition string            // "2021"; "" for 2015
	renamed map[string]string // name of a dependency in code -> name of its package, with "_" for "-"
}

func (r *reader) cargo(file string, data []byte) error {
	o, err := decodeTOML(data)
	if err != nil {
		return err
	}
	c := crate{facts: facts{path: file, dir: path.Dir(file)}, renamed: map[string]string{}}
	if p := object(o, "package"); p != nil {
		c.name = identifier(text(p, "name"))
		c.title, c.description = text(p, "name"), text(p, "description")
		c.version, c.release = text(p, "rust-version"), text(p, "version")
		c.edition = text(p, "edition")
		if inherits, ok := p["edition"].(map[string]any); ok && text(inherits, "workspace") == "true" {
			c.edition = "workspace"
		}
	}
	c.version = cmp.Or(c.version, text(object(o, "workspace", "package"), "rust-version"))
	c.lib, c.extern = path.Join(c.dir, "src/lib.rs"), c.name
	if lib := object(o, "lib"); lib != nil {
		if name := text(lib, "name"); name != "" {
			c.extern = identifier(name)
		}
		if at := text(lib, "path"); at != "" {
			c.lib = path.Join(c.dir, at)
		}
	}
	c.require(object(o, "dependencies"), false)
	c.require(object(o, "dev-dependencies"), true)
	c.require(object(o, "build-dependencies"), true)
	c.require(object(o, "workspace", "dependencies"), true) // versions for the members
	targets := object(o, "target")
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		c.require(object(targets, name, "dependencies"), false)
	}
	r.m.crates = append(r.m.crates, c)
	return nil
}

func (c *crate) require(deps map[string]any, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		version, plain := deps[name].(string)
		table := object(deps, name)
		if !plain {
			version = text(table, "version")
		}
		if as := text(table, "package"); as != "" {
			c.renamed[identifier(name)] = identifier(as)
			name = as
		}
		if text(table, "path") != "" {
			continue // part of this project
		}
		i := slices.IndexFunc(c.requires, func(q requirement) bool { return q.name == name })
		if i < 0 {
			c.requires = append(c.requires, requirement{name: name, version: version, dev: dev})
			continue
		}
		c.requires[i].version = cmp.Or(c.requires[i].version, version)
	}
}

// identifier returns the name of a package in code.
func identifier(name string) string { return strings.ReplaceAll(name, "-", "_") }
