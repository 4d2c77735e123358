//go:build !unix

package openfile

// NonBlock is nothing where no file waits for another process to be opened.
const NonBlock = 0
