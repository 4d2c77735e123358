package project

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ReadStart returns at most the first most bytes of a file. The errors are those of [Project.ReadFile], except for
// the size.
func (p *Project) ReadStart(name string, most int64) ([]byte, error) {
	n, err := p.readable(name)
	if err != nil {
		return nil, err
	}
	f, err := p.tree.open(n)
	if err != nil {
		return nil, message.Errorf("read %s: %w", name, p.replacedError(name, err))
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, message.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

// ModTime returns the modification time of a file or folder. It is zero for a missing path, for a link out of the
// project, and at a revision.
func (p *Project) ModTime(name string) time.Time {
	rel, err := p.clean(name)
	if err != nil {
		return time.Time{}
	}
	n, err := p.tree.look(rel)
	if err != nil || n.kind == link {
		n, _ = p.find(name, rel) // the zero node has no time
	}
	return n.time
}

// ModTimes returns [Project.ModTime] of each name. Adjacent names in one folder are looked up from that folder,
// which is much faster.
func (p *Project) ModTimes(names []string) []time.Time {
	times := make([]time.Time, len(names))
	d, _ := p.tree.(*disk)
	var near neighbours
	defer near.close()
	for i, name := range names {
		at, ok := near.modTime(d, name)
		if !ok {
			at = p.ModTime(name)
		}
		times[i] = at
	}
	return times
}

// neighbours is an open folder of the work tree.
type neighbours struct {
	dir    string
	folder *os.Root // nil for none
}

// modTime returns the modification time of a file; false for anything but a plain file name in the folder.
func (n *neighbours) modTime(d *disk, name string) (time.Time, bool) {
	dir, base := path.Split(name)
	if d == nil || base == "" {
		return time.Time{}, false
	}
	if n.folder == nil || n.dir != dir {
		n.close()
		folder, err := d.handle.OpenRoot(filepath.FromSlash(path.Clean(dir)))
		if err != nil {
			return time.Time{}, false
		}
		n.dir, n.folder = dir, folder
	}
	info, err := n.folder.Lstat(base)
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

func (n *neighbours) close() {
	if n.folder != nil {
		_ = n.folder.Close() // only read
		n.folder = nil
	}
}
