package project

import "io/fs"

// Stamp is a number that changes when a file is written or replaced: a hash of the inode number and the inode
// change time, which programs cannot set. It is 0 if the system has neither, as on Windows, and at a revision.
func (e Entry) Stamp() uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, to distribute the bits
	return e.Inode*odd ^ uint64(e.Changed)
}

// entryOf returns the entry of a regular file.
func entryOf(rel string, info fs.FileInfo) Entry {
	e := Entry{Path: rel, Size: info.Size(), ModTime: info.ModTime()}
	e.Inode, e.Changed = changeOf(info)
	return e
}
