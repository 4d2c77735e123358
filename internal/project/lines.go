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

// Lines are lines of a file that follow each other.
type Lines struct {
	Text  string // with their ends, as the file has them
	Start int    // the number of the first, from 1; where there is none, of what would be the first
	End   int    // the number of the last; Start-1 where there is none
	Total int    // how many lines the file has; text after the last line end is one, too
}

// Header says which lines they are: "# Lines 11-20 of 50" and a line end.
func (l *Lines) Header() string {
	return fmt.Sprintf("# Lines %d-%d of %d\n", l.Start, l.End, l.Total)
}

// ReadLines returns limit lines of a text file from the one with index offset,
// which counts from 0; with a negative limit, all to the end. The file may be of
// any size, what is returned may not: the errors are an [*OutsideError], a
// [*MissingError], a [*BinaryError], a [*TooLargeError] when the lines wanted
// are above [MaxFileSize], and the context's.
func (p *Project) ReadLines(ctx context.Context, name string, offset, limit int) (*Lines, error) {
	if offset < 0 {
		return nil, message.Errorf("offset must not be negative: %d", offset)
	}
	n, err := p.readable(name)
	if err != nil {
		return nil, p.nearer(ctx, err)
	}
	f, err := p.tree.open(n)
	if err != nil {
		return nil, message.Errorf("read %s: %w", name, p.refusal(name, err))
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReaderSize(f, 64<<10)
	if start, _ := r.Peek(textStart); Binary(start) { // an error comes again below
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

// cut takes lines out of a text that is never in memory as a whole.
type cut struct {
	from, limit int // index of the first line wanted; how many, negative for all
	text        []byte
	kept, total int  // lines
	inside      bool // of a line whose end has not come yet
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

// add takes a line, or a part of one. What is above the limit of a file is
// counted, and kept no further than to show that it is above.
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
