package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Listing is the files below a target.
type Listing struct {
	Target   string   `json:"target"`         // relative to the root, links resolved
	File     bool     `json:"file,omitempty"` // the target is itself a file
	Files    []Entry  `json:"files"`          // sorted by path, never nil
	Skipped  Skipped  `json:"skipped"`
	Entries  int      `json:"-"`                  // of folders that [Project.Nearby] read
	Warnings []string `json:"warnings,omitempty"` // why the listing may not be what git would say
}

// Entry is one file.
type Entry struct {
	Path string `json:"path"` // relative to the root, with "/"
	Size int64  `json:"size"` // bytes
	// ModTime is when the file was last written, as the file system says; zero at a
	// revision and for a target that is itself a file.
	ModTime time.Time `json:"-"`
	// Inode is the file's number, and Changed when it was last changed in any way, in
	// nanoseconds since 1970; 0 where ModTime is zero and on systems that do not tell.
	Inode   uint64 `json:"-"`
	Changed int64  `json:"-"`
}

// Skipped counts what was left out, by reason. Ignored files are not counted:
// they are no part of the project. Listing files fills in links, unreadable and
// submodules; reading them the others.
type Skipped struct {
	Links      int `json:"links,omitempty"`      // symbolic links; what they lead to inside the project is listed itself
	Submodules int `json:"submodules,omitempty"` // folders that are other git repositories
	Unreadable int `json:"unreadable,omitempty"` // no permission, or no regular file
	Binary     int `json:"binary,omitempty"`     // a NUL byte in the first 8000
	TooLarge   int `json:"tooLarge,omitempty"`   // above MaxFileSize
	Unknown    int `json:"unknown,omitempty"`    // no language reads them
	// UnknownTypes says which those are, the most frequent first; not all.
	UnknownTypes []TypeCount `json:"unknownTypes,omitempty"`
}

// TypeCount is how many files have one extension.
type TypeCount struct {
	Extension string `json:"extension"` // with the dot, lower case; the whole name of a file without one
	Files     int    `json:"files"`
}

// Total returns how many entries were skipped.
func (s Skipped) Total() int {
	return s.Links + s.Submodules + s.Unreadable + s.Binary + s.TooLarge + s.Unknown
}

// String says what was skipped in one line: "2 links, 5 of unknown type (.md 4,
// .json 1)". It is "nothing" when nothing was.
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

// sorted orders the files by path and drops what stands twice: git names an
// unmerged file once for each side.
func (l *Listing) sorted() *Listing {
	slices.SortFunc(l.Files, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	l.Files = slices.CompactFunc(l.Files, func(a, b Entry) bool { return a.Path == b.Path })
	return l
}
