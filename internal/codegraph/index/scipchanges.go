package index

import (
	"time"

	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// compareScip marks files whose SCIP data may have changed: changed files that an index covered or covers, touched
// files whose coverage changed, and all files if package names may have changed.
func (i *incrementalRun) compareScip() {
	if len(i.inputs) == 0 {
		return
	}
	for path, c := range i.changed {
		old := i.files[path]
		if old != nil && i.counts(old.ModTime) || !c.gone && i.counts(c.entry.ModTime) {
			i.changedNames[resolve.Hash(resolve.OracleKey(path))] = struct{}{}
		}
	}
	for _, f := range i.touched {
		old := i.files[f.Path].ModTime
		for _, in := range i.inputs {
			if countsFor(in, old) != countsFor(in, f.ModTime) {
				i.changedNames[resolve.Hash(resolve.OracleKey(f.Path))] = struct{}{}
				i.scipChanged = append(i.scipChanged, f.Path)
				break
			}
		}
	}
	i.everything = i.everything || i.manifestChanged
}

// counts reports whether any SCIP index covers a file written at that time.
func (i *incrementalRun) counts(written time.Time) bool {
	for _, in := range i.inputs {
		if countsFor(in, written) {
			return true
		}
	}
	return false
}
