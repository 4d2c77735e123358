package codegraph

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// composerPackage is the content of a composer.json.
type composerPackage struct {
	facts
	autoload []phpPrefix
}

func (r *reader) composer(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	p := composerPackage{facts: facts{
		path: file, dir: path.Dir(file), title: text(o, "name"), description: text(o, "description"), release: text(o, "version"),
		version: text(object(o, "require"), "php"),
	}}
	for _, group := range []struct {
		key string
		dev bool
	}{{"require", false}, {"require-dev", true}} {
		deps := object(o, group.key)
		for _, name := range slices.Sorted(maps.Keys(deps)) {
			if strings.Contains(name, "/") { // others are PHP itself and its extensions
				p.require(requirement{name: name, version: text(deps, name), dev: group.dev})
			}
		}
	}
	for _, key := range []string{"autoload", "autoload-dev"} {
		prefixes := object(object(o, key), "psr-4")
		for _, namespace := range slices.Sorted(maps.Keys(prefixes)) {
			dirs := list(prefixes[namespace])
			if dir, ok := prefixes[namespace].(string); ok {
				dirs = []string{dir}
			}
			for _, dir := range dirs {
				if at := path.Join(p.dir, cmp.Or(dir, ".")); !outside(at) {
					p.autoload = append(p.autoload, phpPrefix{namespace, at})
				}
			}
		}
	}
	r.m.composer = append(r.m.composer, p)
	return nil
}
