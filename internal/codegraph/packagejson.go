package codegraph

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// nodePackage is the content of a package.json.
type nodePackage struct {
	facts
	name    string
	entries []string          // entry points for its own name, most likely first, as written
	exports map[string]any    // by subpath: ".", "./x", "./x/*"
	imports map[string]any    // by name: "#x", "#x/*"
	linked  map[string]string // a dependency that is a folder of the project
	member  int               // index of its workspace, or -1
}

// nodeWorkspace is a folder whose packages can import each other by name.
type nodeWorkspace struct {
	dir   string
	globs []string // relative to dir; "!x" excludes
}

func (r *reader) packageJSON(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	p := nodePackage{
		facts: facts{
			path: file, dir: path.Dir(file), title: text(o, "name"), description: text(o, "description"),
			version: text(object(o, "engines"), "node"), release: text(o, "version"),
		},
		name: text(o, "name"), exports: map[string]any{}, imports: object(o, "imports"),
		linked: map[string]string{}, member: -1,
	}
	for _, key := range []string{"source", "types", "typings", "module", "main"} {
		if entry := text(o, key); entry != "" {
			p.entries = append(p.entries, entry)
		}
	}
	switch e := o["exports"].(type) {
	case map[string]any:
		p.exports = e
		if !slices.ContainsFunc(slices.Collect(maps.Keys(e)), func(k string) bool { return strings.HasPrefix(k, ".") }) {
			p.exports = map[string]any{".": e} // conditions of the only entry
		}
	case string, []any:
		p.exports["."] = e
	}
	for _, group := range []struct {
		key string
		dev bool
	}{{"dependencies", false}, {"peerDependencies", false}, {"optionalDependencies", false}, {"devDependencies", true}} {
		p.require(object(o, group.key), group.dev)
	}
	r.m.packages = append(r.m.packages, p)
	globs := list(o["workspaces"])
	if globs == nil {
		globs = list(object(o, "workspaces")["packages"])
	}
	r.workspace(file, globs)
	return nil
}

func (p *nodePackage) require(deps map[string]any, dev bool) {
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		version, _ := deps[name].(string)
		for _, scheme := range []string{"file:", "link:", "portal:"} {
			if to, ok := strings.CutPrefix(version, scheme); ok {
				if dir := path.Join(p.dir, to); !outside(dir) && !path.IsAbs(to) {
					p.linked[name] = dir
				}
			}
		}
		if !slices.ContainsFunc(p.requires, func(q requirement) bool { return q.name == name }) {
			p.requires = append(p.requires, requirement{name: name, version: version, dev: dev})
		}
	}
}

func (r *reader) workspace(file string, globs []string) {
	if len(globs) > 0 {
		r.m.workspaces = append(r.m.workspaces, nodeWorkspace{dir: path.Dir(file), globs: globs})
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
	for i := range m.packages {
		p := &m.packages[i]
		for w, space := range m.workspaces {
			if within(p.dir, space.dir) && (p.dir == space.dir || space.holds(relativeTo(p.dir, space.dir))) {
				p.member = w
			}
		}
	}
}

func (w nodeWorkspace) holds(dir string) bool {
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

// leaves returns the possible paths of an entry of exports or imports, by conditions, closest to the source first.
// A "*" is replaced by star.
func leaves(entry any, star string) []string {
	switch e := entry.(type) {
	case string:
		return []string{strings.ReplaceAll(e, "*", star)}
	case []any:
		var out []string
		for _, x := range e {
			out = append(out, leaves(x, star)...)
		}
		return out
	case map[string]any:
		var out []string
		known := []string{"source", "development", "types", "import", "module", "node", "default", "require"}
		rest := slices.DeleteFunc(slices.Sorted(maps.Keys(e)), func(k string) bool { return slices.Contains(known, k) })
		for _, condition := range slices.Concat(known, rest) {
			out = append(out, leaves(e[condition], star)...)
		}
		return out
	}
	return nil
}

// lookup finds an entry of exports or imports: the key itself, or the longest pattern that matches, with the text
// that its "*" matched.
func lookup(entries map[string]any, key string) (entry any, star string, ok bool) {
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
