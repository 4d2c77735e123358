package manifest

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Folder returns the folder of the Cargo.toml.
func (c Crate) Folder() string { return c.Dir }

// Crate is the content of a Cargo.toml.
type Crate struct {
	Facts
	Name    string            // of the package, with "_" for "-"; "" for a mere workspace
	Extern  string            // the name by which other crates refer to it: the library's name
	Lib     string            // the file of its library
	Edition string            // "2021"; "" for 2015
	Renamed map[string]string // name of a dependency in code -> name of its package, with "_" for "-"
}

func (r *reader) cargo(file string, data []byte) error {
	o, err := decodeTOML(data)
	if err != nil {
		return err
	}
	c := Crate{Facts: Facts{Path: file, Dir: path.Dir(file)}, Renamed: map[string]string{}}
	if p := object(o, "package"); p != nil {
		c.Name = Identifier(text(p, "name"))
		c.Title, c.description = text(p, "name"), text(p, "description")
		c.Version, c.release = text(p, "rust-version"), text(p, "version")
		c.Edition = text(p, "edition")
		if inherits, ok := p["edition"].(map[string]any); ok && text(inherits, "workspace") == "true" {
			c.Edition = "workspace"
		}
	}
	c.Version = cmp.Or(c.Version, text(object(o, "workspace", "package"), "rust-version"))
	c.Lib, c.Extern = path.Join(c.Dir, "src/lib.rs"), c.Name
	if lib := object(o, "lib"); lib != nil {
		if name := text(lib, "name"); name != "" {
			c.Extern = Identifier(name)
		}
		if at := text(lib, "path"); at != "" {
			c.Lib = path.Join(c.Dir, at)
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
	r.m.Crates = append(r.m.Crates, c)
	return nil
}

func (c *Crate) require(deps map[string]any, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		version, plain := deps[name].(string)
		table := object(deps, name)
		if !plain {
			version = text(table, "version")
		}
		if as := text(table, "package"); as != "" {
			c.Renamed[Identifier(name)] = Identifier(as)
			name = as
		}
		if text(table, "path") != "" {
			continue // part of this project
		}
		i := slices.IndexFunc(c.Requires, func(q Requirement) bool { return q.Name == name })
		if i < 0 {
			c.Requires = append(c.Requires, Requirement{Name: name, Version: version, Dev: dev})
			continue
		}
		c.Requires[i].Version = cmp.Or(c.Requires[i].Version, version)
	}
}

// Identifier returns the name of a package in code.
func Identifier(name string) string { return strings.ReplaceAll(name, "-", "_") }
