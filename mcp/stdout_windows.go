package mcp

import "os"

// TakeStdout returns the process's standard output and puts standard error in
// its place as [os.Stdout]: whatever any code prints there from then on cannot
// end up between the messages. Call it once, before anything else runs; the
// caller closes the file.
func TakeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
