//go:build !unix

package workspace

// nonBlock is nothing where no file waits for another process to be opened.
const nonBlock = 0
