//go:build !unix

package openfile

// NonBlock is 0 on systems where opening a file never waits for another process.
const NonBlock = 0
