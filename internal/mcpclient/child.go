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

// ChildEnv is the variable by which the servers that we start know that we did. One that
// is this program connects to no servers of its own: it could be among them.
const ChildEnv = "REVERSE_SPEC_MCP_CHILD"

// child is a server's process, and what it started in turn.
type child struct {
	cmd   *exec.Cmd
	group *procgroup.Group
	grace time.Duration // between the steps of its end
	once  sync.Once

	in, out, err *os.File // our ends of its streams

	status error         // how it ended; set before exited is closed
	exited chan struct{} // closed when it is gone, and its group with it
}

// startChild starts a server's process in a group of its own, its three streams
// being ours. What ends it is stop.
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

// start starts the process and has someone wait for its end.
func (c *child) start(s Server, ends []*os.File, log *slog.Logger) error {
	var err error
	if c.group, err = procgroup.NewGroup(log); err != nil {
		return err
	}
	c.cmd = exec.Command(s.Command, s.Args...) //nolint:noctx // it lives until stop ends it, step by step
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

// drain is how long the output of a child that is gone may be read: a process
// that left its group could hold the pipe open for ever.
const drain = time.Second

func (c *child) wait() {
	c.status = c.cmd.Wait()
	c.group.Kill() // what it left behind
	for _, f := range []*os.File{c.out, c.err} {
		_ = f.SetReadDeadline(time.Now().Add(drain))
	}
	close(c.exited)
}

// stop ends the process: its input is closed, then its group is asked to end,
// then killed, with the grace between. It returns when the process is gone.
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

// reason says how a child ended.
func (c *child) reason(words string) error {
	err := message.Errorf("the server closed its output")
	select {
	case <-c.exited:
		err = message.Errorf("the server ended: %s", "exit status 0")
		if c.status != nil {
			err = message.Errorf("the server ended: %s", c.status.Error())
		}
	default:
	}
	if words != "" {
		return message.Errorf("%v; its last words: %s", err, words)
	}
	return err
}
