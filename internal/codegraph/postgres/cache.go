package postgres

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultCacheSize is the default bound of the files derived from graphs.
const DefaultCacheSize = 4 << 30

// cache is the folder of the files derived from graphs of one server and of others. A project's files begin with the
// same name.
type cache struct {
	dir   string // "" for none
	most  int64
	place string
}

func openCache(dir string, most int64, place string) (*cache, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil && !errors.Is(err, fs.ErrPermission) { // without it snapshots are in memory
			return nil, err
		}
	}
	return &cache{dir: dir, most: most, place: place}, nil
}

// longestBase bounds the part of a file's name that comes from the key.
const longestBase = 40

// path returns the file of a project's snapshot.
func (c *cache) path(key string) string {
	base := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, filepath.Base(key))
	base = base[:min(len(base), longestBase)]
	return filepath.Join(c.dir, base+"-"+hash(c.place + "\x00" + key)[:16]+".snap")
}

// touch marks a project's files as used now.
func (c *cache) touch(key string) {
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // there may be none yet
}

// remove removes the files of a project.
func (c *cache) remove(key string) error {
	path := c.path(key)
	entries, err := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if name := e.Name(); name == filepath.Base(path) || strings.HasPrefix(name, filepath.Base(path)+".") {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), name)))
		}
	}
	return err
}

// trim removes the files that were not used for the longest time, until the rest is within the bound. On Unix a reader
// that has one open keeps it.
func (c *cache) trim() {
	if c.dir == "" {
		return
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, f := range files {
		if total <= c.most {
			break
		}
		if os.Remove(filepath.Join(c.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
