package search

import (
	"strings"
	"sync/atomic"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

const (
	historyBytes = 8 << 20 // of the file
	historyMark  = "reverse-spec history 1 "
)

// ReadChanges reads the changes before a commit that [WriteChanges] kept in a file; false if it has none of that commit.
func ReadChanges(file, commit string) ([]Change, bool) {
	if k := recent.Load(); k != nil && k.file == file && k.commit == commit {
		return k.list, true
	}
	data, err := openfile.Read(file, historyBytes)
	if err != nil {
		return nil, false
	}
	head, rest, _ := strings.Cut(string(data), "\n")
	if head != historyMark+commit {
		return nil, false
	}
	var list []Change
	for line := range strings.Lines(rest) {
		said, files, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, Change{strings.Fields(said), strings.Split(files, "\t")})
	}
	recent.Store(&keptChanges{file, commit, list})
	return list, true
}

// keptChanges are changes that were read.
type keptChanges struct {
	file, commit string
	list         []Change
}

// recent are the changes that were read last: a server is asked about one project again and again.
var recent atomic.Pointer[keptChanges]

// WriteChanges keeps the changes before a commit in a file. Errors are ignored: then git is asked again.
func WriteChanges(file, commit string, list []Change) {
	var b strings.Builder
	b.WriteString(historyMark + commit + "\n")
	for _, c := range list {
		b.WriteString(strings.Join(c.Words, " ") + "\t" + strings.Join(c.Files, "\t") + "\n")
	}
	_ = atomicfile.File(file, []byte(b.String()), 0o600)
}
