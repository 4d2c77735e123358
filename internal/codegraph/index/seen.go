package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index/record"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// tick is the coarsest time by which file systems tell two writes apart: a file that was written shortly before it
// was looked at may be written again without another time. skew is how far the clock of a file system may be ahead.
const (
	tick = 20 * time.Millisecond
	skew = 2 * time.Second
)

// isRacy reports whether a file was written so shortly before it was looked at that a later write may not show.
func isRacy(e project.Entry, looked time.Time) bool {
	written := e.ModTime
	if e.Changed != 0 {
		written = time.Unix(0, e.Changed)
	}
	return written.After(looked.Add(-tick)) && written.Before(looked.Add(skew))
}

// stampOf returns the stamp to record for a file; 0 if the next run is to compare its content.
func (r *run) stampOf(e project.Entry) uint64 {
	if isRacy(e, r.looked) {
		return 0
	}
	return e.Stamp()
}

// Matters reports whether the content of a file matters to the graph; of all others, only the path does.
func Matters(name string) bool {
	if source.IsVendorConfig(path.Base(name)) || manifest.IsManifest(name) {
		return true
	}
	_, known := lang.ByPath(name)
	return known
}

// hashTree returns hashes of a project's name and listing: of the sizes, times and stamps of the files whose content
// matters and the paths of all, and of the paths alone. Racy is set if a file that matters may be written again without
// another time.
func (r *run) hashTree() (tree, paths string, racy bool) {
	t, p := sha256.New(), sha256.New()
	var line []byte
	line = append(append(line, r.name...), 0)
	for _, f := range r.listing.Files {
		line = append(append(line, f.Path...), 0)
		_, _ = p.Write(line) // a hash accepts all
		if Matters(f.Path) {
			line = binary.LittleEndian.AppendUint64(line, uint64(f.Size))
			line = binary.LittleEndian.AppendUint64(line, uint64(f.ModTime.UnixNano()))
			line = binary.LittleEndian.AppendUint64(line, f.Stamp())
			racy = racy || isRacy(f, r.looked)
		}
		_, _ = t.Write(line)
		line = line[:0]
	}
	return hex.EncodeToString(t.Sum(nil)), hex.EncodeToString(p.Sum(nil)), racy
}

// recall reads the record of a graph in a state; the zero value if there is none of that state.
func (r *run) recall(g store.Graph, s store.State) record.Record {
	was := record.Read(g.Derived())
	if was.Identity != s.Identity || was.Serial != s.Serial || was.Program != r.opts.Version {
		return record.Record{}
	}
	return was
}

// remember writes that the stored graph matches the files, unless one of them may not have been read as it is.
func (r *run) remember(ctx context.Context, g store.Graph) {
	if r.unsure || g.Derived() == "" {
		return
	}
	tree, paths, racy := r.hashTree()
	s, err := g.State(ctx)
	if racy || err != nil {
		return
	}
	record.Write(g.Derived(), record.Record{Identity: s.Identity, Serial: s.Serial, Program: r.opts.Version, Tree: tree, Paths: paths, Unread: r.unread})
}

// countUnread counts a source that could not be read.
func (r *run) countUnread(err error) {
	before := r.sum.Skipped.Unreadable
	source.Count(&r.sum.Skipped, err)
	source.Count(&r.unread, err)
	r.unsure = r.unsure || r.sum.Skipped.Unreadable > before // it may be readable the next time, and look the same
}
