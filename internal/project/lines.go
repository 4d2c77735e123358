package project

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Lines is a range of lines of a file.
type Lines struct {
	Text  string // with line ends
	Start int    // number of the first line, 1-based; if Text is empty, of the line that would be first
	End   int    // number of the last line; Start-1 if Text is empty
	Total int    // number of lines of the file; text after the last line end counts as a line
}

// Header returns a line such as "# Lines 11-20 of 50".
func (l *Lines) Header() string {
	return fmt.Sprintf("# Lines %d-%d of %d\n", l.Start, l.End, l.Total)
}

// ReadLines returns limit lines of a text file, starting at the 0-based index offset; all lines to the end if limit
// is negative. The file may be of any size, but the result is limited: the error is an [*OutsideError], a
// [*MissingError], a [*BinaryError], a [*TooLargeError] if the lines are larger than [MaxFileSize], or that of the
// context.
func (p *Project) ReadLines(ctx context.Context, name string, offset, limit int) (*Lines, error) {
	if offset < 0 {
		return nil, message.Errorf("offset must not be negative: %d", offset)
	}
	n, err := p.readable(name)
	if err != nil {
		return nil, p.Nearer(ctx, err)
	}
	f, err := p.tree.open(n)
	if err != nil {
		return nil, message.Errorf("read %s: %w", name, p.replacedError(name, err))
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReaderSize(f, 64<<10)
	if start, _ := r.Peek(textStart); IsBinary(start) { // a read error is returned below
		return nil, &BinaryError{Path: name}
	}
	cut := &cut{from: offset, limit: limit}
	if err := cut.read(ctx, r); err != nil {
		return nil, message.Errorf("read %s: %w", name, err)
	}
	if len(cut.text) > MaxFileSize {
		return nil, &TooLargeError{Path: name, Size: max(n.size, int64(len(cut.text))), Limit: MaxFileSize}
	}
	return &Lines{Text: string(cut.text), Start: offset + 1, End: offset + cut.kept, Total: cut.total}, nil
}

// cut extracts lines from a stream.
type cut struct {
	from, limit int // index of the first line; number of lines, negative for all
	text        []byte
	kept, total int  // number of lines
	inside      bool // inside a line without its end yet
}

func (c *cut) read(ctx context.Context, r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		for part := range bytes.Lines(buf[:n]) {
			c.add(part)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// add adds a line or a part of one. Text above the size limit is counted, but kept only until the limit is
// exceeded.
func (c *cut) add(part []byte) {
	if !c.inside {
		c.total++
	}
	at := c.total - 1
	if at >= c.from && (c.limit < 0 || at-c.from < c.limit) {
		c.kept = at - c.from + 1
		if len(c.text) <= MaxFileSize {
			c.text = append(c.text, part...)
		}
	}
	c.inside = part[len(part)-1] != '\n'
}
