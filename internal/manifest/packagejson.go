package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// Folder returns the folder of the package.json.
func (p NodePackage) Folder() string { return p.Dir }

// NodePackage is the content of a package.json.
type NodePackage struct {
	Facts
	Name    string
	Entries []string          // entry points for its own name, most likely first, as written
	Exports map[string]any    // by subpath: ".", "./x", "./x/*"
	Imports map[string]any    // by name: "#x", "#x/*"
	Linked  map[string]string // a dependency that is a folder of the project
	Member  int               // index of its workspace, or -1
}

// NodeWorkspace is a folder whose packages can import each other by name.
type NodeWorkspace struct {
	dir   string
	globs []string // relative to dir; "!x" excludes
}

func (r *reader) packageJSON(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	p := NodePackage{
		Facts: Facts{
			Path: file, Dir: path.Dir(file), Title: text(o, "name"), description: text(o, "description"),
			Version: text(object(o, "engines"), "node"), release: text(o, "version"),
		},
		Name: text(o, "name"), Exports: map[string]any{}, Imports: object(o, "imports"),
		Linked: map[string]string{}, Member: -1,
	}
	for _, key := range []string{"source", "types", "typings", "module", "main"} {
		if entry := text(o, key); entry != "" {
			p.Entries = append(p.Entries, entry)
		}
	}
	switch e := o["exports"].(type) {
	case map[string]any:
		p.Exports = e
		if !slices.ContainsFunc(slices.Collect(maps.Keys(e)), func(k string) bool { return strings.HasPrefix(k, ".") }) {
			p.Exports = map[string]any{".": e} // conditions of the only entry
		}
	case string, []any:
		p.Exports["."] = e
	}
	for _, group := range []struct {
		key string
		dev bool
	}{{"dependencies", false}, {"peerDependencies", false}, {"optionalDependencies", false}, {"devDependencies", true}} {
		p.require(object(o, group.key), group.dev)
	}
	r.m.NodePackages = append(r.m.NodePackages, p)
	globs := list(o["workspaces"])
	if globs == nil {
		globs = list(object(o, "workspaces")["packages"])
	}
	r.workspace(file, globs)
	return nil
}

func (p *NodePackage) require(deps map[string]any, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		version, _ := deps[name].(string)
		for _, scheme := range []string{"file:", "link:", "portal:"} {
			if to, ok := strings.CutPrefix(version, scheme); ok {
				if dir := path.Join(p.Dir, to); !Outside(dir) && !path.IsAbs(to) {
					p.Linked[name] = dir
				}
			}
		}
		if !slices.ContainsFunc(p.Requires, func(q Requirement) bool { return q.Name == name }) {
			p.Requires = append(p.Requires, Requirement{Name: name, Version: version, Dev: dev})
		}
	}
}

func (r *reader) workspace(file string, globs []string) {
	if len(globs) > 0 {
		r.m.Workspaces = append(r.m.Workspaces, NodeWorkspace{dir: path.Dir(file), globs: globs})
	}
}

func (r *reader) pnpmWorkspace(file string, data []byte) error {
	var w struct {
		Packages []string `yaml:"packages"`
	}
	if err := decode.YAML(data, &w); err != nil {
		return err
	}
	r.workspace(file, w.Packages)
	return nil
}

func (r *reader) lerna(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	r.workspace(file, list(o["packages"]))
	return nil
}

// joinWorkspaces assigns packages to workspaces.
func (m *Manifests) joinWorkspaces() {
	for i := range m.NodePackages {
		p := &m.NodePackages[i]
		for w, space := range m.Workspaces {
			if Within(p.Dir, space.dir) && (p.Dir == space.dir || space.holds(RelativeTo(p.Dir, space.dir))) {
				p.Member = w
			}
		}
	}
}

func (w NodeWorkspace) holds(dir string) bool {
	in := false
	for _, glob := range w.globs {
		pattern, not := strings.CutPrefix(glob, "!")
		if matches(strings.Split(path.Clean(pattern), "/"), strings.Split(dir, "/")) {
			in = !not
		}
	}
	return in
}

// matches matches element by element as path.Match does; "**" is any number of elements.
func matches(pattern, elements []string) bool {
	switch {
	case len(pattern) == 0:
		return len(elements) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], elements) || len(elements) > 0 && matches(pattern, elements[1:])
	case len(elements) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], elements[0])
	return ok && matches(pattern[1:], elements[1:])
}

// Leaves returns the possible paths of an entry of exports or imports, by conditions, closest to the source first.
// A "*" is replaced by star.
func Leaves(entry any, star string) []string {
	switch e := entry.(type) {
	case string:
		return []string{strings.ReplaceAll(e, "*", star)}
	case []any:
		var out []string
		for _, x := range e {
			out = append(out, Leaves(x, star)...)
		}
		return out
	case map[string]any:
		var out []string
		known := []string{"source", "development", "types", "import", "module", "node", "default", "require"}
		rest := slices.DeleteFunc(slices.Sorted(maps.Keys(e)), func(k string) bool { return slices.Contains(known, k) })
		for _, condition := range slices.Concat(known, rest) {
			out = append(out, Leaves(e[condition], star)...)
		}
		return out
	}
	return nil
}

// Lookup finds an entry of exports or imports: the key itself, or the longest pattern that matches, with the text
// that its "*" matched.
func Lookup(entries map[string]any, key string) (entry any, star string, ok bool) {
	if e, ok := entries[key]; ok && !strings.Contains(key, "*") {
		return e, "", true
	}
	best := ""
	for pattern := range entries {
		before, after, starred := strings.Cut(pattern, "*")
		if !starred || len(key) < len(before)+len(after) || !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) {
			continue
		}
		if best == "" || len(before) > strings.Index(best, "*") || len(before) == strings.Index(best, "*") && pattern > best {
			best, star = pattern, key[len(before):len(key)-len(after)]
		}
	}
	return entries[best], star, best != ""
}
