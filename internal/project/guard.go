package project

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxPath is the longest path taken, in bytes, as in Linux.
const maxPath = 4096

// maxLevels is how many folders a path may be deep: a look at one walks all above it.
const maxLevels = 256

// errGit is returned for writes into a git repository's own folder.
var errGit = message.Errorf("nothing is written into a git repository's own folder: git runs what is configured there, hooks among it")

// tooLong is the error for a path above maxPath. It shows no more of it than helps.
func tooLong(name string) error {
	const shown = 60
	return message.Errorf("the path %s… has %d bytes; the limit is %d",
		strings.ToValidUTF8(name[:shown], ""), len(name), maxPath)
}

// guarded returns errGit for a real path that is, or lies in, a folder of git's:
// one that some file system takes for .git, or that holds what git looks for in
// a repository, as a bare one does.
func (d *disk) guarded(rel string) error {
	if slices.ContainsFunc(elements(rel), gitName) {
		return errGit
	}
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		if d.repository(dir, rel) {
			return errGit
		}
		if dir == "." {
			return nil
		}
	}
}

// repository reports whether git takes a folder for a repository, or would once a file is
// written: that file counts as there.
func (d *disk) repository(dir, writes string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		at := path.Join(dir, name)
		if at == writes || strings.HasPrefix(writes, at+"/") {
			continue
		}
		if _, err := d.look(at); err != nil {
			return false
		}
	}
	return true
}

// writable finds where a write to name goes, which the caller gave. The node is
// of no kind where no file is yet. Its errors name the path.
func (p *Project) writable(name string) (*disk, node, error) {
	rel, err := p.clean(name)
	if err != nil {
		return nil, node{}, err
	}
	d, ok := p.tree.(*disk)
	if !ok {
		return nil, node{}, message.Errorf("write %s: %w", name, ErrReadOnly)
	}
	n, err := p.find(name, rel)
	exists := err == nil
	if exists || errors.Is(err, fs.ErrNotExist) {
		err = d.guarded(n.path)
	}
	if err != nil {
		return nil, node{}, message.Errorf("write %s: %w", name, err)
	}
	if exists && n.kind != file || namesFolder(name) {
		return nil, node{}, notFile(name)
	}
	return d, n, nil
}

// editable is writable for a path that a person or an agent made up.
func (p *Project) editable(ctx context.Context, name string, may Places) (*disk, node, error) {
	d, n, err := p.writable(name)
	if err != nil {
		return nil, node{}, err
	}
	rel, err := p.clean(name)
	if err == nil {
		err = d.protected(ctx, name, rel, n, may)
	}
	return d, n, err
}

// namesFolder reports whether a path can be that of a folder alone.
func namesFolder(name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	return last == "" || last == "." || last == ".."
}

// plain returns an error for a path whose file would be hard to find again: with
// a backslash, which separates folders elsewhere, or a control character.
func plain(rel string) error {
	switch {
	case strings.ContainsRune(rel, '\\'):
		return message.Errorf("the path %q has a backslash; separate folders with /", rel)
	case strings.ContainsFunc(rel, unicode.IsControl) || !utf8.ValidString(rel):
		return message.Errorf("the path %q has a control character", rel)
	}
	return nil
}
