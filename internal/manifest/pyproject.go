package manifest

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// pythonProject is a pyproject.toml, a setup.cfg or a list of requirements.
type pythonProject struct {
	Facts
	Roots []string // the folders that hold packages
}

func (r *reader) pyproject(file string, data []byte) error {
	o, err := decodeTOML(data)
	if err != nil {
		return err
	}
	p := pythonProject{Facts: Facts{Path: file, Dir: path.Dir(file)}}
	project := object(o, "project")
	p.Version, p.release = text(project, "requires-python"), text(project, "version")
	p.Title, p.description = text(project, "name"), text(project, "description")
	p.add(list(project["dependencies"]), false)
	optional := object(project, "optional-dependencies")
	for _, extra := range slices.Sorted(maps.Keys(optional)) {
		p.add(list(optional[extra]), true)
	}
	groups := object(o, "dependency-groups")
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		p.add(list(groups[group]), true)
	}
	p.poetry(object(o, "tool", "poetry"))
	p.root(list(object(o, "tool", "setuptools", "packages", "find")["where"])...)
	p.root(text(object(o, "tool", "setuptools", "package-dir"), ""))
	p.root(list(object(o, "tool", "pytest", "ini_options")["pythonpath"])...)
	for _, built := range list(object(o, "tool", "hatch", "build", "targets", "wheel")["packages"]) {
		p.root(path.Dir(built))
	}
	r.m.Python = append(r.m.Python, p)
	return nil
}

// poetry reads Poetry's own table, where a requirement is a string or a table.
func (p *pythonProject) poetry(o map[string]any) {
	p.Title, p.description = cmp.Or(p.Title, text(o, "name")), cmp.Or(p.description, text(o, "description"))
	groups := []map[string]any{object(o, "dependencies"), object(o, "dev-dependencies")}
	named := object(o, "group")
	for _, name := range slices.Sorted(maps.Keys(named)) {
		groups = append(groups, object(named, name, "dependencies"))
	}
	for i, group := range groups {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			version, ok := group[name].(string)
			if !ok {
				version = text(object(group, name), "version")
			}
			if name == "python" {
				p.Version = version
				continue
			}
			p.Requires = append(p.Requires, Requirement{Name: name, Version: version, Dev: i > 0})
		}
	}
	packages, _ := o["packages"].([]any)
	for _, x := range packages {
		if x, ok := x.(map[string]any); ok {
			p.root(text(x, "from"))
		}
	}
}

// root adds folders that hold packages, relative to the manifest.
func (p *pythonProject) root(dirs ...string) {
	for _, d := range dirs {
		if at := path.Join(p.Dir, d); d != "" && !path.IsAbs(d) && !Outside(at) {
			p.Roots = append(p.Roots, at)
		}
	}
}

// add adds dependencies in the syntax of PEP 508: "name[extra]>=1 ; marker".
func (p *pythonProject) add(specs []string, dev bool) {
	for _, spec := range specs {
		if name, version := splitRequirement(spec); name != "" {
			p.Requires = append(p.Requires, Requirement{Name: name, Version: version, Dev: dev})
		}
	}
}

// splitRequirement returns the name and version of a dependency. The name is "" for an option or a path; the
// version is "" for a URL.
func splitRequirement(spec string) (name, version string) {
	spec, _, _ = strings.Cut(spec, ";")
	spec, _, _ = strings.Cut(spec, " #")
	spec = strings.TrimSpace(spec)
	name = spec
	if end := strings.IndexFunc(spec, func(c rune) bool { return !nameRune(c) }); end >= 0 {
		name, version = spec[:end], spec[end:]
	}
	if name == "" || name[0] == '-' || name[0] == '.' {
		return "", ""
	}
	if strings.HasPrefix(version, "[") {
		_, version, _ = strings.Cut(version, "]")
	}
	version = strings.Trim(strings.ReplaceAll(version, " ", ""), "()")
	if strings.HasPrefix(version, "@") || strings.ContainsAny(version, ":/") {
		return name, ""
	}
	return name, version
}

func nameRune(c rune) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// requirements reads a requirements file. Files named for development or tests give development dependencies.
func (r *reader) requirements(file string, data []byte) error {
	p := pythonProject{Facts: Facts{Path: file, Dir: path.Dir(file)}}
	var specs []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != '-' {
			specs = append(specs, strings.TrimSuffix(line, `\`))
		}
	}
	p.add(specs, path.Base(file) != "requirements.txt")
	r.m.Python = append(r.m.Python, p)
	return nil
}

// setupCfg reads the dependencies and package folders of a setup.cfg. Indented lines continue a value.
func (r *reader) setupCfg(file string, data []byte) error {
	p := pythonProject{Facts: Facts{Path: file, Dir: path.Dir(file)}}
	section, key := "", ""
	values := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		word := strings.TrimSpace(line)
		switch {
		case word == "" || word[0] == '#' || word[0] == ';':
		case line[0] == ' ' || line[0] == '\t':
			values[section+"."+key] = append(values[section+"."+key], word)
		case word[0] == '[':
			section, key = strings.Trim(word, "[]"), ""
		default:
			k, v, _ := strings.Cut(word, "=")
			key = strings.TrimSpace(k)
			if v = strings.TrimSpace(v); v != "" {
				values[section+"."+key] = append(values[section+"."+key], v)
			}
		}
	}
	p.Version = strings.Join(values["options.python_requires"], "")
	p.Title, p.description = strings.Join(values["metadata.name"], " "), strings.Join(values["metadata.description"], " ")
	p.add(values["options.install_requires"], false)
	p.root(values["options.packages.find.where"]...)
	for _, pair := range values["options.package_dir"] {
		if before, dir, ok := strings.Cut(pair, "="); ok && strings.TrimSpace(before) == "" {
			p.root(strings.TrimSpace(dir))
		}
	}
	r.m.Python = append(r.m.Python, p)
	return nil
}
