package codegraph

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// tsConfig is a tsconfig.json or jsconfig.json, including what it extends.
type tsConfig struct {
	path string
	dir  string
	tsOptions
	extends    []string
	references []string // referenced configurations, relative to the project's root
}

// tsOptions are the options that locate modules. All paths are relative to the project.
type tsOptions struct {
	hasBase bool
	baseURL string
	paths   []pathMapping
	hasPath bool
	outDir  string
	rootDir string
}

// pathMapping is an entry of compilerOptions.paths.
type pathMapping struct {
	pattern string   // at most one "*"
	targets []string // at most one "*" each; relative to the project after finishPaths
	dir     string   // folder of the configuration that defines it
}

// maxExtends bounds a chain of configurations.
const maxExtends = 16

func (r *reader) tsConfig(file string, data []byte) error {
	c, err := readTSConfig(file, data)
	if err == nil {
		r.m.configs = append(r.m.configs, c)
	}
	return err
}

func readTSConfig(file string, data []byte) (tsConfig, error) {
	o, err := decodeObject(data)
	if err != nil {
		return tsConfig{}, err
	}
	c := tsConfig{path: file, dir: path.Dir(file), extends: list(o["extends"])}
	options := object(o, "compilerOptions")
	if base, ok := options["baseUrl"].(string); ok {
		c.hasBase, c.baseURL = true, c.join(base)
	}
	if paths, ok := options["paths"].(map[string]any); ok {
		c.hasPath = true
		for _, pattern := range slices.Sorted(maps.Keys(paths)) {
			c.paths = append(c.paths, pathMapping{pattern, list(paths[pattern]), c.dir})
		}
	}
	if out := text(options, "outDir"); out != "" {
		c.outDir = c.join(out)
	}
	if root := text(options, "rootDir"); root != "" {
		c.rootDir = c.join(root)
	}
	refs, _ := o["references"].([]any)
	for _, ref := range refs {
		if ref, ok := ref.(map[string]any); ok && text(ref, "path") != "" {
			c.references = append(c.references, c.join(text(ref, "path")))
		}
	}
	return c, nil
}

// join makes a path of a configuration relative to the project. ${configDir} is the folder of this configuration.
func (c *tsConfig) join(p string) string {
	if rest, ok := strings.CutPrefix(p, "${configDir}"); ok {
		p = "./" + strings.TrimPrefix(rest, "/")
	}
	return path.Join(c.dir, p)
}

// resolveExtends adds the inherited options to each configuration.
func (m *Manifests) resolveExtends(r *reader) {
	cache := map[string]*tsConfig{}
	for i := range m.configs {
		cache[m.configs[i].path] = &m.configs[i]
	}
	full := make([]tsOptions, len(m.configs))
	for i := range m.configs {
		full[i] = m.inherit(r, cache, &m.configs[i], maxExtends)
	}
	for i := range m.configs {
		m.configs[i].tsOptions = full[i]
		m.configs[i].finishPaths()
	}
}

// inherit returns a configuration's options merged over those it extends.
func (m *Manifests) inherit(r *reader, cache map[string]*tsConfig, c *tsConfig, left int) tsOptions {
	var all tsOptions
	if left > 0 {
		for _, name := range c.extends {
			if parent := m.extended(r, cache, c, name); parent != nil && parent != c {
				all.take(m.inherit(r, cache, parent, left-1))
			}
		}
	}
	all.take(c.tsOptions)
	return all
}

func (o *tsOptions) take(over tsOptions) {
	if over.hasBase {
		o.hasBase, o.baseURL = true, over.baseURL
	}
	if over.hasPath {
		o.hasPath, o.paths = true, over.paths
	}
	if over.outDir != "" {
		o.outDir = over.outDir
	}
	if over.rootDir != "" {
		o.rootDir = over.rootDir
	}
}

// finishPaths makes the targets of path mappings relative to the project. They are relative to baseUrl if set, else
// to the configuration that defines them.
func (c *tsConfig) finishPaths() {
	var out []pathMapping
	for _, p := range c.paths {
		done := pathMapping{pattern: p.pattern, dir: p.dir}
		for _, target := range p.targets {
			dir := p.dir
			if c.hasBase {
				dir = c.baseURL
			}
			if rest, ok := strings.CutPrefix(target, "${configDir}"); ok {
				target, dir = "./"+strings.TrimPrefix(rest, "/"), c.dir
			}
			if joined := path.Join(dir, target); !path.IsAbs(target) && !outside(joined) {
				done.targets = append(done.targets, joined)
			}
		}
		out = append(out, done)
	}
	c.paths = out
}

// extended finds the configuration that c extends by name: a path, or a file of a package in the project.
func (m *Manifests) extended(r *reader, cache map[string]*tsConfig, c *tsConfig, name string) *tsConfig {
	var at []string
	if local(name) {
		at = append(at, path.Join(c.dir, name))
	} else {
		for _, p := range m.packages {
			if p.name != "" && within(name, p.name) {
				at = append(at, path.Join(p.dir, relativeTo(name, p.name)))
			}
		}
	}
	for _, p := range at {
		for _, file := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
			if !strings.HasSuffix(file, ".json") || outside(file) {
				continue
			}
			if known, ok := cache[file]; ok {
				return known
			}
			data, err := r.read(file)
			if err != nil {
				continue
			}
			if parent, err := readTSConfig(file, data); err == nil {
				cache[file] = &parent
				return &parent
			}
		}
	}
	return nil
}
