package source

import (
	"path"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Folders returns the source files of a listing by their folders, without tests, test data and third-party code, as far
// as their paths show it.
func Folders(p *project.Project, l *project.Listing) map[string][]string {
	vendored := newVendored(p, l)
	out := map[string][]string{}
	for _, f := range l.Files {
		_, known := lang.ByPath(f.Path)
		if dir := path.Dir(f.Path); known && !isTest(f.Path) && !codegraph.IsTestData(dir) && !vendored.is(f.Path) {
			out[dir] = append(out[dir], f.Path)
		}
	}
	return out
}
