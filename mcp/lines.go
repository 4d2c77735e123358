package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxLine is the longest message in bytes. Arguments are paths and switches;
// a client that sends more is broken, and mcp-go would parse it several times.
const maxLine = 16 << 20

// errLine says that a line was longer than maxLine. It was skipped.
var errLine = message.Errorf("message longer than 16 MiB")

// line is what was read: text, or an error. After errLine more lines follow;
// after any other error, io.EOF too, none.
type line struct {
	text []byte
	err  error
}

// readLines reads lines in a goroutine of its own, since a blocked read cannot
// be interrupted: when ctx ends during one, the goroutine stays until in is
// closed or gives something.
func readLines(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			text, err := readLine(r)
			select {
			case lines <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, errLine) {
				return
			}
		}
	}()
	return lines
}

// readLine returns the next line without white space around it and without a
// byte order mark; "" for a blank line. A last line without an end is a line.
func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			return nil, errLine
		}
		text = append(text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("\xef\xbb\xbf")))
		if err != nil && len(text) > 0 {
			return text, nil // the next call returns the error again
		}
		return text, err
	}
}
