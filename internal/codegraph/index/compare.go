package index

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// suspects returns the files to read, judged by size, time and name, and those of which only the stamp differs.
func (i *incrementalRun) suspects(oldNames map[string]string) (read, doubtful []project.Entry) {
	for _, e := range i.sources {
		switch f := i.files[e.Path]; {
		case f == nil || f.Size != e.Size || !f.ModTime.Equal(e.ModTime) || oldNames[e.Path] != i.names[e.Path]:
			read = append(read, e)
		case f.Stamp != e.Stamp():
			doubtful = append(doubtful, e)
		}
	}
	return read, doubtful
}

// compare finds the added, changed and removed files.
func (i *incrementalRun) compare(ctx context.Context) error {
	old := make([]project.Entry, 0, len(i.files))
	for _, path := range slices.Sorted(maps.Keys(i.files)) {
		old = append(old, project.Entry{Path: path})
	}
	oldNames := moduleNames(i.name, old)
	there := make(map[string]bool, len(i.sources))
	for _, e := range i.sources {
		there[e.Path] = true
	}
	read, doubtful := i.suspects(oldNames)
	changed, err := i.recheck(ctx, doubtful)
	if err != nil {
		return err
	}
	read = append(read, changed...)
	slices.SortFunc(read, func(a, b project.Entry) int { return cmp.Compare(a.Path, b.Path) })
	err = i.parse(ctx, read, func(p parsed) error {
		if p.err != nil {
			i.countUnread(p.err)
			delete(there, p.entry.Path)
			return nil //nolint:nilerr // it is counted
		}
		i.sum.Parsed++
		f := i.files[p.entry.Path]
		if f != nil && f.Hash == p.file.Hash && oldNames[p.entry.Path] == i.names[p.entry.Path] {
			i.touch(*f, p.entry)
			return nil
		}
		i.changed[p.entry.Path] = &change{parsed: p}
		return nil
	})
	if err != nil {
		return err
	}
	for path := range i.files {
		if !there[path] {
			i.changed[path] = &change{gone: true}
			i.sum.Removed++
		}
	}
	return i.compareListing(ctx)
}

// recheck returns those of files whose content changed although size and time did not, as when unpacking an archive
// or setting times. For the others it records the new stamp, so that they are not read again.
func (i *incrementalRun) recheck(ctx context.Context, files []project.Entry) (changed []project.Entry, err error) {
	err = inOrder(ctx, i.opts.Workers, len(files), func(k int) bool {
		hash, err := i.project.Hash(files[k].Path)
		return err == nil && hash == i.files[files[k].Path].Hash
	}, func(k int, same bool) error {
		if same {
			i.touch(*i.files[files[k].Path], files[k])
		} else {
			changed = append(changed, files[k])
		}
		return nil
	})
	return changed, err
}

// touch records the new file system metadata of a file with unchanged content.
func (i *incrementalRun) touch(f store.File, e project.Entry) {
	i.redated = i.redated || !f.ModTime.Equal(e.ModTime)
	f.ModTime, f.Size, f.Stamp = e.ModTime, e.Size, i.stampOf(e)
	i.touched = append(i.touched, &f)
}
