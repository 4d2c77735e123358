package search

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

const (
	historyBytes = 8 << 20 // of the file
	historyMark  = "reverse-spec history 1 "
)

// ReadChanges reads the changes before a commit that [WriteChanges] kept in a file; false if it has none of that commit.
func ReadChanges(file, commit string) ([]Change, bool) {
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
	return list, true
}

// WriteChanges keeps the changes before a commit in a file. Errors are ignored: then git is asked again.
func WriteChanges(file, commit string, list []Change) {
	var b strings.Builder
	b.WriteString(historyMark + commit + "\n")
	for _, c := range list {
		b.WriteString(strings.Join(c.Words, " ") + "\t" + strings.Join(c.Files, "\t") + "\n")
	}
	_ = atomicfile.File(file, []byte(b.String()), 0o600)
}
