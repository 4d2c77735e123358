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
	out := map[string][]string{}
	source := func(file string) bool {
		_, known := lang.ByPath(file)
		return known
	}
	for _, file := range Kept(p, l, source) {
		out[path.Dir(file)] = append(out[path.Dir(file)], file)
	}
	return out
}

// Kept returns the files of a listing that are wanted, without tests, test data and third-party code, as far as their
// paths show it.
func Kept(p *project.Project, l *project.Listing, wanted func(file string) bool) []string {
	vendored := newVendored(p, l)
	var out []string
	for _, f := range l.Files {
		if wanted(f.Path) && !isTest(f.Path) && !codegraph.IsTestData(path.Dir(f.Path)) && !vendored.is(f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}
