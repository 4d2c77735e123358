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

// maxPath is the maximum length of a path in bytes, as in Linux.
const maxPath = 4096

// maxLevels is the maximum depth of a path: examining one examines all folders above it.
const maxLevels = 256

// errGit is returned for a write to a repository's .git folder.
var errGit = message.Errorf("nothing is written into a git repository's own folder: git runs what is configured there, hooks among it")

// tooLong returns the error for a path longer than maxPath, with a shortened path.
func tooLong(name string) error {
	const shown = 60
	return message.Errorf("the path %s… has %d bytes; the limit is %d",
		strings.ToValidUTF8(name[:shown], ""), len(name), maxPath)
}

// checkNotGit returns errGit for a real path that is, or is inside, a folder of git: one that some file system
// considers equal to .git, or that has the contents of a repository, such as a bare one.
func (d *disk) checkNotGit(rel string) error {
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

// repository reports whether git considers a folder a repository, or would after a file is written: the file counts
// as existing.
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

// writable returns where a write to name goes. The node has no kind if the file does not exist yet. Errors contain
// name.
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
		err = d.checkNotGit(n.path)
	}
	if err != nil {
		return nil, node{}, message.Errorf("write %s: %w", name, err)
	}
	if exists && n.kind != file || namesFolder(name) {
		return nil, node{}, notFile(name)
	}
	return d, n, nil
}

// editable is like writable for a path given by a person or an agent.
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

// namesFolder reports whether a path can only be that of a folder.
func namesFolder(name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	return last == "" || last == "." || last == ".."
}

// plain returns an error for a path with a backslash, which is a separator on other systems, or a control
// character.
func plain(rel string) error {
	switch {
	case strings.ContainsRune(rel, '\\'):
		return message.Errorf("the path %q has a backslash; separate folders with /", rel)
	case strings.ContainsFunc(rel, unicode.IsControl) || !utf8.ValidString(rel):
		return message.Errorf("the path %q has a control character", rel)
	}
	return nil
}
