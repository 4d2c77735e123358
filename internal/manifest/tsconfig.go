package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// TSConfig is a tsconfig.json or jsconfig.json, including what it extends.
type TSConfig struct {
	Path string
	Dir  string
	tsOptions
	extends    []string
	References []string // referenced configurations, relative to the project's root
}

// tsOptions are the options that locate modules. All paths are relative to the project.
type tsOptions struct {
	HasBase bool
	BaseURL string
	Paths   []pathMapping
	hasPath bool
	OutDir  string
	RootDir string
}

// pathMapping is an entry of compilerOptions.paths.
type pathMapping struct {
	Pattern string   // at most one "*"
	Targets []string // at most one "*" each; relative to the project after finishPaths
	dir     string   // folder of the configuration that defines it
}

// maxExtends bounds a chain of configurations.
const maxExtends = 16

func (r *reader) tsConfig(file string, data []byte) error {
	c, err := readTSConfig(file, data)
	if err == nil {
		r.m.Configs = append(r.m.Configs, c)
	}
	return err
}

func readTSConfig(file string, data []byte) (TSConfig, error) {
	o, err := decodeObject(data)
	if err != nil {
		return TSConfig{}, err
	}
	c := TSConfig{Path: file, Dir: path.Dir(file), extends: list(o["extends"])}
	options := object(o, "compilerOptions")
	if base, ok := options["baseUrl"].(string); ok {
		c.HasBase, c.BaseURL = true, c.join(base)
	}
	if paths, ok := options["paths"].(map[string]any); ok {
		c.hasPath = true
		for _, pattern := range slices.Sorted(maps.Keys(paths)) {
			c.Paths = append(c.Paths, pathMapping{pattern, list(paths[pattern]), c.Dir})
		}
	}
	if out := text(options, "outDir"); out != "" {
		c.OutDir = c.join(out)
	}
	if root := text(options, "rootDir"); root != "" {
		c.RootDir = c.join(root)
	}
	refs, _ := o["references"].([]any)
	for _, ref := range refs {
		if ref, ok := ref.(map[string]any); ok && text(ref, "path") != "" {
			c.References = append(c.References, c.join(text(ref, "path")))
		}
	}
	return c, nil
}

// join makes a path of a configuration relative to the project. ${configDir} is the folder of this configuration.
func (c *TSConfig) join(p string) string {
	if rest, ok := strings.CutPrefix(p, "${configDir}"); ok {
		p = "./" + strings.TrimPrefix(rest, "/")
	}
	return path.Join(c.Dir, p)
}

// resolveExtends adds the inherited options to each configuration.
func (m *Manifests) resolveExtends(r *reader) {
	cache := map[string]*TSConfig{}
	for i := range m.Configs {
		cache[m.Configs[i].Path] = &m.Configs[i]
	}
	full := make([]tsOptions, len(m.Configs))
	for i := range m.Configs {
		full[i] = m.inherit(r, cache, &m.Configs[i], maxExtends)
	}
	for i := range m.Configs {
		m.Configs[i].tsOptions = full[i]
		m.Configs[i].finishPaths()
	}
}

// inherit returns a configuration's options merged over those it extends.
func (m *Manifests) inherit(r *reader, cache map[string]*TSConfig, c *TSConfig, left int) tsOptions {
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
	if over.HasBase {
		o.HasBase, o.BaseURL = true, over.BaseURL
	}
	if over.hasPath {
		o.hasPath, o.Paths = true, over.Paths
	}
	if over.OutDir != "" {
		o.OutDir = over.OutDir
	}
	if over.RootDir != "" {
		o.RootDir = over.RootDir
	}
}

// finishPaths makes the targets of path mappings relative to the project. They are relative to baseUrl if set, else
// to the configuration that defines them.
func (c *TSConfig) finishPaths() {
	var out []pathMapping
	for _, p := range c.Paths {
		done := pathMapping{Pattern: p.Pattern, dir: p.dir}
		for _, target := range p.Targets {
			dir := p.dir
			if c.HasBase {
				dir = c.BaseURL
			}
			if rest, ok := strings.CutPrefix(target, "${configDir}"); ok {
				target, dir = "./"+strings.TrimPrefix(rest, "/"), c.Dir
			}
			if joined := path.Join(dir, target); !path.IsAbs(target) && !Outside(joined) {
				done.Targets = append(done.Targets, joined)
			}
		}
		out = append(out, done)
	}
	c.Paths = out
}

// extended finds the configuration that c extends by name: a path, or a file of a package in the project.
func (m *Manifests) extended(r *reader, cache map[string]*TSConfig, c *TSConfig, name string) *TSConfig {
	var at []string
	if Local(name) {
		at = append(at, path.Join(c.Dir, name))
	} else {
		for _, p := range m.NodePackages {
			if p.Name != "" && Within(name, p.Name) {
				at = append(at, path.Join(p.Dir, RelativeTo(name, p.Name)))
			}
		}
	}
	for _, p := range at {
		for _, file := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
			if !strings.HasSuffix(file, ".json") || Outside(file) {
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
