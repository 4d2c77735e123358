package manifest

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// composerPackage is the content of a composer.json.
type composerPackage struct {
	Facts
	Autoload []PHPPrefix
}

func (r *reader) composer(file string, data []byte) error {
	o, err := decodeObject(data)
	if err != nil {
		return err
	}
	p := composerPackage{Facts: Facts{
		Path: file, Dir: path.Dir(file), Title: text(o, "name"), description: text(o, "description"), release: text(o, "version"),
		Version: text(object(o, "require"), "php"),
	}}
	for _, group := range []struct {
		key string
		dev bool
	}{{"require", false}, {"require-dev", true}} {
		deps := object(o, group.key)
		for _, name := range slices.Sorted(maps.Keys(deps)) {
			if strings.Contains(name, "/") { // others are PHP itself and its extensions
				p.require(Requirement{Name: name, Version: text(deps, name), Dev: group.dev})
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
				if at := path.Join(p.Dir, cmp.Or(dir, ".")); !Outside(at) {
					p.Autoload = append(p.Autoload, PHPPrefix{namespace, at})
				}
			}
		}
	}
	r.m.Composer = append(r.m.Composer, p)
	return nil
}

// PHPPrefix maps a namespace to the folder of its classes (PSR-4).
type PHPPrefix struct{ Namespace, Dir string }
