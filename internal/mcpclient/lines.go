package mcpclient

import (
	"bufio"
	"errors"
	"io"
)

// readLine returns the next line without its end; a last one without an end too.
// A line of more than limit bytes is read to its end and answered with
// errTooLong; more lines may follow. Any other error, io.EOF too, is the last.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			return nil, errTooLong
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil // the next call returns the error again
		case err != nil:
			return nil, err
		}
		return trimEnd(line), nil
	}
}

// trimEnd cuts the end of a line.
func trimEnd(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}
