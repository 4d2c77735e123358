package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Listing is the list of files below a target.
type Listing struct {
	Target   string   `json:"target"`         // relative to the root, with links resolved
	File     bool     `json:"file,omitempty"` // the target is a file
	Files    []Entry  `json:"files"`          // sorted by path, never nil
	Skipped  Skipped  `json:"skipped"`
	Entries  int      `json:"-"`                  // number of folder entries read by [Project.Nearby]
	Warnings []string `json:"warnings,omitempty"` // reasons why the listing may differ from git's
}

// Entry is one file.
type Entry struct {
	Path string `json:"path"` // relative to the root, with "/"
	Size int64  `json:"size"` // bytes
	// ModTime is the modification time; zero at a revision and if the target itself is a file.
	ModTime time.Time `json:"-"`
	// Inode is the inode number, Changed the inode change time in nanoseconds since 1970; 0 if ModTime is zero, and
	// on systems without them.
	Inode   uint64 `json:"-"`
	Changed int64  `json:"-"`
}

// Skipped counts the files left out, by reason. Ignored files are not counted. Listing sets Links, Unreadable and
// Submodules; reading sets the others.
type Skipped struct {
	Links      int `json:"links,omitempty"`      // symbolic links; their targets inside the project are listed themselves
	Submodules int `json:"submodules,omitempty"` // folders that are other git repositories
	Unreadable int `json:"unreadable,omitempty"` // no permission, or not a regular file
	Binary     int `json:"binary,omitempty"`     // a NUL byte in the first 8000
	TooLarge   int `json:"tooLarge,omitempty"`   // above MaxFileSize
	Unknown    int `json:"unknown,omitempty"`    // not in a supported language
	// UnknownTypes are the most frequent types of Unknown, most frequent first.
	UnknownTypes []TypeCount `json:"unknownTypes,omitempty"`
}

// TypeCount is the number of files with an extension.
type TypeCount struct {
	Extension string `json:"extension"` // with the dot, in lower case; the whole name of a file without an extension
	Files     int    `json:"files"`
}

// Add adds the counts of files that another step left out. Types are not added.
func (s *Skipped) Add(more Skipped) {
	s.Links += more.Links
	s.Submodules += more.Submodules
	s.Unreadable += more.Unreadable
	s.Binary += more.Binary
	s.TooLarge += more.TooLarge
	s.Unknown += more.Unknown
}

// Total returns how many entries were skipped.
func (s Skipped) Total() int {
	return s.Links + s.Submodules + s.Unreadable + s.Binary + s.TooLarge + s.Unknown
}

// String describes the skipped files in one line: "2 links, 5 of unknown type (.md 4, .json 1)", or "nothing".
func (s Skipped) String() string { return s.In(message.English) }

// In implements [message.Localizer].
func (s Skipped) In(lang message.Lang) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what message.Text
	}{
		{s.Links, message.New("%d links", s.Links)},
		{s.Submodules, message.New("%d submodules", s.Submodules)},
		{s.Unreadable, message.New("%d unreadable", s.Unreadable)},
		{s.Binary, message.New("%d binary", s.Binary)},
		{s.TooLarge, message.New("%d too large", s.TooLarge)},
		{s.Unknown, message.New("%d of unknown type", s.Unknown)},
	} {
		if c.n > 0 {
			parts = append(parts, c.what.In(lang))
		}
	}
	if len(parts) == 0 {
		return message.New("nothing").In(lang)
	}
	if len(s.UnknownTypes) > 0 {
		var types []string
		for _, t := range s.UnknownTypes {
			types = append(types, fmt.Sprintf("%s %d", t.Extension, t.Files))
		}
		parts[len(parts)-1] += " (" + strings.Join(types, ", ") + ")"
	}
	return strings.Join(parts, ", ")
}

// sorted sorts the files by path and removes duplicates: git lists an unmerged file once for each side.
func (l *Listing) sorted() *Listing {
	slices.SortFunc(l.Files, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	l.Files = slices.CompactFunc(l.Files, func(a, b Entry) bool { return a.Path == b.Path })
	return l
}
