package project

import "io/fs"

// Stamp is another number for a file that was written, or replaced, since: a mix of the
// file's number (inode) and of the time of its last change of any kind, which programs
// cannot set. It is 0 where the system tells neither, as on Windows and at a revision:
// there size and time of writing decide alone.
func (e Entry) Stamp() uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, which spreads the bits
	return e.Inode*odd ^ uint64(e.Changed)
}

// entryOf describes a regular file.
func entryOf(rel string, info fs.FileInfo) Entry {
	e := Entry{Path: rel, Size: info.Size(), ModTime: info.ModTime()}
	e.Inode, e.Changed = changeOf(info)
	return e
}
