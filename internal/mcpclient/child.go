package mcpclient

import (
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/procgroup"
)

// ChildEnv is the variable that marks a server started by this package. If that is this
// program, it connects to no servers of its own: it could be one of them.
const ChildEnv = "REVERSE_SPEC_MCP_CHILD"

// child is a server's process, with all that it started.
type child struct {
	cmd   *exec.Cmd
	group *procgroup.Group
	grace time.Duration // between the steps of stop
	once  sync.Once

	in, out, err *os.File // this end of its streams

	status error         // its exit status; set before exited is closed
	exited chan struct{} // closed when it is gone, and its group with it
}

// startChild starts a server's process in a group of its own, connected to its three
// streams. The caller ends it with stop.
func startChild(s Server, grace time.Duration, log *slog.Logger) (*child, error) {
	c := &child{grace: grace, exited: make(chan struct{})}
	ends, err := c.pipes()
	defer func() {
		for _, f := range ends {
			_ = f.Close()
		}
	}()
	if err == nil {
		err = c.start(s, ends, log)
	}
	if err != nil {
		c.closePipes()
		return nil, message.Errorf("start %s: %w", s.Command, err)
	}
	return c, nil
}

// pipes makes the three streams, and returns the child's ends of them.
func (c *child) pipes() (ends []*os.File, err error) {
	inTheirs, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.in, ends = in, append(ends, inTheirs)
	for _, ours := range []**os.File{&c.out, &c.err} {
		r, theirs, err := os.Pipe()
		if err != nil {
			return ends, err
		}
		*ours, ends = r, append(ends, theirs)
	}
	return ends, nil
}

func (c *child) closePipes() {
	for _, f := range []*os.File{c.in, c.out, c.err} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// start starts the process, and a goroutine that waits for its end.
func (c *child) start(s Server, ends []*os.File, log *slog.Logger) error {
	var err error
	if c.group, err = procgroup.NewGroup(log); err != nil {
		return err
	}
	c.cmd = exec.Command(s.Command, s.Args...) //nolint:noctx // it runs until stop ends it
	c.cmd.Dir = s.Dir
	c.cmd.Env = os.Environ()
	for _, name := range sortedKeys(s.Env) {
		c.cmd.Env = append(c.cmd.Env, name+"="+s.Env[name])
	}
	c.cmd.Env = append(c.cmd.Env, ChildEnv+"=1") // the last one counts
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = ends[0], ends[1], ends[2]
	c.group.Prepare(c.cmd)
	if err = c.cmd.Start(); err == nil {
		if err = c.group.Add(c.cmd); err != nil {
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
		}
	}
	if err != nil {
		c.group.Kill()
		return err
	}
	go c.wait()
	return nil
}

// drain is how long output is read after a child has ended: a process
// that left its group could keep the pipe open for ever.
const drain = time.Second

func (c *child) wait() {
	c.status = c.cmd.Wait()
	c.group.Kill() // the processes that it left
	for _, f := range []*os.File{c.out, c.err} {
		_ = f.SetReadDeadline(time.Now().Add(drain))
	}
	close(c.exited)
}

// stop ends the process: it closes its input, asks its group to end and
// kills it, with the grace after each step. It returns when the process has ended.
func (c *child) stop() {
	c.once.Do(func() {
		_ = c.in.Close()
		for _, end := range []func(){c.group.Terminate, c.group.Kill} {
			select {
			case <-c.exited:
				return
			case <-time.After(c.grace):
				end()
			}
		}
		<-c.exited
	})
}

// reason is how a child ended, with the last lines of its standard error.
func (c *child) reason(tail string) error {
	err := message.Errorf("the server closed its output")
	select {
	case <-c.exited:
		err = message.Errorf("the server ended: %s", "exit status 0")
		if c.status != nil {
			err = message.Errorf("the server ended: %s", c.status.Error())
		}
	default:
	}
	if tail != "" {
		return message.Errorf("%v; its last words: %s", err, tail)
	}
	return err
}
