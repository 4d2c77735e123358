// Package record keeps, in a file next to a stored graph, what the graph was last compared with: a run in which nothing
// has changed compares two hashes and reads nothing else. A missing or damaged record only costs time.
package record

import (
	"encoding/json"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Suffix is appended to the path of the graph's derived file; the record is removed with the graph.
const Suffix = ".seen"

// Record is the state of a project's files that a graph in one state has been found to match.
type Record struct {
	Identity string          `json:"identity"` // of the graph, and its serial
	Serial   uint64          `json:"serial"`
	Program  string          `json:"program"` // version of the program that compared
	Tree     string          `json:"tree"`    // hash of the listing: paths, and sizes, times and stamps of what matters
	Paths    string          `json:"paths"`   // hash of the paths alone
	Unread   project.Skipped `json:"unread"`  // listed sources that are not in the graph
}

// Read returns the record of a graph, given the path of its derived file; the zero value if there is none.
func Read(derived string) Record {
	text, err := openfile.Read(derived+Suffix, openfile.MaxConfig)
	var r Record
	if err != nil || json.Unmarshal(text, &r) != nil {
		return Record{}
	}
	return r
}

// Write writes the record of a graph. If it cannot, the next run takes longer.
func Write(derived string, r Record) {
	if text, err := json.Marshal(r); err == nil {
		_ = atomicfile.File(derived+Suffix, text, 0o600)
	}
}
