package index

import (
	"time"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// compareTold notes the files of which the SCIP indexes may say something else than
// they did: those that changed where one counted or counts, those that were touched
// where one counts no more, or again; and all where packages may have other names.
func (i *incrementalRun) compareTold() {
	if len(i.inputs) == 0 {
		return
	}
	for path, c := range i.changed {
		old := i.files[path]
		if old != nil && i.counts(old.ModTime) || !c.gone && i.counts(c.entry.ModTime) {
			i.said[resolve.Hash(resolve.Consulted(path))] = struct{}{}
		}
	}
	for _, f := range i.touched {
		old := i.files[f.Path].ModTime
		for _, in := range i.inputs {
			if countsFor(in, old) != countsFor(in, f.ModTime) {
				i.said[resolve.Hash(resolve.Consulted(f.Path))] = struct{}{}
				i.retold = append(i.retold, f.Path)
				break
			}
		}
	}
	i.everything = i.everything || i.manifestChanged
}

// counts reports whether any SCIP index counts for a file of that time.
func (i *incrementalRun) counts(written time.Time) bool {
	for _, in := range i.inputs {
		if countsFor(in, written) {
			return true
		}
	}
	return false
}
