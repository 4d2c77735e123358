package project

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Relist returns the listing of the whole project after files at some paths may have been created, changed or removed
// and nothing else has: l, where nothing of it changed. It is nil if everything must be listed anew: a path is not a
// regular file, or only the rules of a walk would tell whether it is listed. Ignored are those of the paths that exist
// and that the rules leave out. The error is that of the context.
func (p *Project) Relist(ctx context.Context, l *Listing, paths []string) (now *Listing, ignored []string, err error) {
	d, isDisk := p.tree.(*disk)
	if !isDisk || l.Target != "." || len(l.Warnings) > 0 {
		return nil, nil, nil
	}
	change, fresh, known := d.lookAt(l, paths)
	if !known {
		return nil, nil, nil
	}
	if len(fresh) > 0 {
		var ok bool
		if ignored, ok, err = p.dropUnlisted(ctx, d, change, fresh); err != nil || !ok {
			return nil, nil, err
		}
	}
	if len(change) == 0 {
		return l, ignored, ctx.Err()
	}
	return l.with(change), ignored, ctx.Err()
}

// lookAt returns what is other than in a listing: nil for a file that is gone; and which files are new. It is false for
// what only a listing can tell.
func (d *disk) lookAt(l *Listing, paths []string) (change map[string]*Entry, fresh []string, ok bool) {
	change = map[string]*Entry{}
	for _, name := range paths {
		at, listed := l.find(name)
		info, err := os.Lstat(d.abs(name))
		gone := errors.Is(err, fs.ErrNotExist)
		switch {
		case !gone && (err != nil || info.IsDir() || !d.realFolder(path.Dir(name))):
			return nil, nil, false
		case gone || !info.Mode().IsRegular(): // a link, a pipe: not listed
			if listed {
				change[name] = nil
			}
			continue
		}
		e := entryOf(name, info)
		switch {
		case !listed:
			fresh = append(fresh, name)
		case e.sameAs(l.Files[at]):
			continue
		}
		change[name] = &e
	}
	return change, fresh, true
}

// sameAs reports whether a file looks as it did.
func (e Entry) sameAs(was Entry) bool {
	return was.Size == e.Size && was.ModTime.Equal(e.ModTime) && was.Stamp() == e.Stamp()
}

// dropUnlisted removes those of the new files that a listing would not have, and returns those that git ignores. It is
// false if that is not known.
func (p *Project) dropUnlisted(ctx context.Context, d *disk, change map[string]*Entry, fresh []string) (out []string, ok bool, err error) {
	top := repository(d.root)
	if top == "" {
		return nil, false, nil
	}
	for _, name := range fresh {
		if inner := repository(d.abs(path.Dir(name))); inner != top {
			delete(change, name)
		}
	}
	ignored, err := d.gitIgnored(ctx, fresh, false)
	if err != nil {
		return nil, false, ctx.Err()
	}
	entries := &Listing{}
	for _, name := range fresh {
		if ignored[name] {
			out = append(out, name)
		}
		if e := change[name]; e != nil && !ignored[name] {
			entries.Files = append(entries.Files, *e)
		}
		delete(change, name)
	}
	for _, e := range p.selected.apply(p.root, entries).Files {
		change[e.Path] = &e
	}
	return out, true, nil
}

// find returns the index of a path among the files.
func (l *Listing) find(name string) (at int, listed bool) {
	return slices.BinarySearchFunc(l.Files, name, func(e Entry, name string) int { return cmp.Compare(e.Path, name) })
}

// realFolder reports whether a folder of the project is one without links on its path.
func (d *disk) realFolder(dir string) bool {
	return d.isReal(map[string]bool{".": true}, dir)
}

// with returns the listing with changed, new and, for nil, without removed files.
func (l *Listing) with(change map[string]*Entry) *Listing {
	out := *l
	out.Files = make([]Entry, 0, len(l.Files)+len(change))
	for _, e := range l.Files {
		now, changed := change[e.Path]
		switch {
		case !changed:
			out.Files = append(out.Files, e)
		case now != nil:
			out.Files = append(out.Files, *now)
		}
		delete(change, e.Path)
	}
	for _, e := range change {
		if e != nil {
			out.Files = append(out.Files, *e)
		}
	}
	return out.sorted()
}
