package project

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// catFile is a running git cat-file --batch, which returns the contents of objects.
type catFile struct {
	dir    string
	limits gitLimits
	cmd    *exec.Cmd
	errs   *bytes.Buffer // read only after the process has ended

	mu     sync.Mutex // one request at a time
	in     io.WriteCloser
	out    *bufio.Reader
	broken error // the error that makes further requests impossible
}

func startCatFile(ctx context.Context, dir string) (*catFile, error) {
	cmd, err := gitCommand(ctx, dir, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	c := &catFile{dir: dir, limits: usualLimits(), cmd: cmd, errs: new(bytes.Buffer)}
	cmd.Stderr = c.errs
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// blob returns an object's content.
func (c *catFile) blob(id string, limit int64) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return nil, c.broken
	}
	data, missing, err := c.watched(id, limit)
	switch {
	case err != nil: // request and response may be out of step
		c.broken = message.Errorf("git cat-file: %w", err)
		return nil, c.broken
	case missing:
		return nil, message.Errorf("git cat-file: object %s is not in this repository (a partial clone?)", id)
	}
	return data, nil
}

// watched is like ask, but kills a git that does not respond.
func (c *catFile) watched(id string, limit int64) (data []byte, missing bool, err error) {
	w := watchGit(context.Background(), c.dir, c.limits)
	kill := context.AfterFunc(w.ctx, func() { _ = c.cmd.Process.Kill() })
	data, missing, err = c.ask(id, limit)
	kill()
	if hung := w.stop(); hung != nil {
		return nil, false, hung
	}
	return data, missing, err
}

// ask sends an id and reads "id type size
// " and that many bytes, or "id missing
// ".
func (c *catFile) ask(id string, limit int64) (data []byte, missing bool, err error) {
	if _, err := io.WriteString(c.in, id+"\n"); err != nil {
		return nil, false, err
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return nil, false, err
	}
	fields := strings.Fields(head)
	if len(fields) == 2 && fields[1] == "missing" {
		return nil, true, nil
	}
	if len(fields) != 3 {
		return nil, false, message.Errorf("unexpected answer %q", head)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 || size > limit {
		return nil, false, message.Errorf("unexpected size in %q", head)
	}
	data = make([]byte, size+1) // a newline follows
	if _, err := io.ReadFull(c.out, data); err != nil {
		return nil, false, err
	}
	return data[:size:size], false, nil
}

// Close ends the process by closing its input.
func (c *catFile) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in == nil {
		return nil
	}
	err, told := c.in.Close(), c.broken != nil
	c.in, c.broken = nil, errClosed
	if waitErr := c.cmd.Wait(); waitErr != nil && !told {
		return newGitError("cat-file", c.errs.String(), waitErr)
	}
	return err
}

var errClosed = message.Errorf("the project is closed")
