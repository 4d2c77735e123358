package codegraph

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// Exported returns the files that the package.json files of a project offer to other projects: those of their exports, or
// else of their main entries. Patterns ("./*") are left out. Files are all files of the project.
func Exported(files []*code.File, m *manifest.Manifests) map[string]bool {
	r := newNodeResolver(newTree(files), m)
	out := map[string]bool{}
	for i := range r.packages {
		p := &r.packages[i]
		for key, entry := range p.Exports {
			if !strings.Contains(key, "*") {
				r.offer(p, manifest.Leaves(entry, ""), out)
			}
		}
		if len(p.Exports) == 0 {
			r.offer(p, p.Entries, out)
		}
	}
	return out
}

// offer adds the file that one entry of a package leads to.
func (r *nodeResolver) offer(p *manifest.NodePackage, leaves []string, out map[string]bool) {
	for _, file := range r.entries(p, leaves).Files {
		out[file] = true
	}
}
