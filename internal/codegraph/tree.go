package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// tree finds files by path and by folder.
type tree struct {
	files   map[string]*code.File
	folders map[string][]*code.File // folder -> its direct files, sorted by path
	below   map[string]bool         // every folder that contains a file at any depth
}

func newTree(files []*code.File) *tree {
	t := &tree{
		files:   make(map[string]*code.File, len(files)),
		folders: map[string][]*code.File{},
		below:   map[string]bool{".": true},
	}
	for _, f := range files {
		t.files[f.Path] = f
		dir := path.Dir(f.Path)
		t.folders[dir] = append(t.folders[dir], f)
		for ; !t.below[dir]; dir = path.Dir(dir) {
			t.below[dir] = true
		}
	}
	for _, list := range t.folders {
		slices.SortFunc(list, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
	}
	return t
}

func (t *tree) has(file string) bool {
	_, ok := t.files[file]
	return ok
}

// first returns the first of paths that is a file.
func (t *tree) first(paths ...string) (string, bool) {
	for _, p := range paths {
		if t.has(p) {
			return p, true
		}
	}
	return "", false
}

// parents yields dir and every folder above it up to ".".
func parents(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for {
			if !yield(dir) || dir == "." || dir == "/" {
				return
			}
			dir = path.Dir(dir)
		}
	}
}

// commonFolder returns the deepest folder that contains all files.
func commonFolder(files []string) string {
	dir := path.Dir(files[0])
	for _, f := range files[1:] {
		for !manifest.Within(f, dir) {
			dir = path.Dir(dir)
		}
	}
	return dir
}

// nearness returns the number of leading folders that two paths share.
func nearness(a, b string) int {
	n := 0
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
