//go:build unix

package mcpclient

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// guardScript waits for our end, which closes its input, and then kills its own
// process group. Asking the group to end does not end it.
const guardScript = `trap '' TERM INT HUP QUIT; read -r end || kill -KILL 0`

// group is a process group: a server, what it starts, and a guard that leads the
// group. The guard is a shell that outlives us by a moment when we are killed, and
// takes the group along; and while it is there, no other group can get the number.
type group struct {
	id    int       // 0 until there is a process in it
	guard *exec.Cmd // nil where there is no shell
	alive io.Closer // the guard's input

	mu   sync.Mutex
	dead bool
}

// newGroup starts a guard. Without a shell the group does without one.
func newGroup(logger *slog.Logger) (*group, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	guard := exec.Command("/bin/sh", "-c", guardScript) //nolint:noctx // it ends with its group
	guard.Stdin = r
	guard.Env = []string{} // nothing of ours is its business
	guard.Dir = "/"
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := guard.Start(); err != nil {
		logger.Debug("no guard for child processes", "error", err)
		return &group{}, w.Close()
	}
	return &group{id: guard.Process.Pid, guard: guard, alive: w}, nil
}

// prepare puts a command that is not started yet into the group.
func (g *group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
}

// add takes note of the command when it is started.
func (g *group) add(cmd *exec.Cmd) error {
	if g.guard == nil {
		g.id = cmd.Process.Pid
	}
	return nil
}

// terminate asks all processes of the group to end.
func (g *group) terminate() { g.signal(syscall.SIGTERM) }

// kill ends all processes of the group, the guard too.
func (g *group) kill() {
	g.signal(syscall.SIGKILL)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.dead && g.guard != nil {
		_ = g.guard.Wait()
		_ = g.alive.Close()
	}
	g.dead = true
}

func (g *group) signal(s syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.id > 0 && !g.dead {
		_ = syscall.Kill(-g.id, s)
	}
}
