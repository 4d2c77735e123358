//go:build unix

package procgroup

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// guardScript waits until its input is closed, as it is when this process ends, and then
// kills its own process group. It ignores the signals that ask a group to end.
const guardScript = `trap '' TERM INT HUP QUIT; read -r end || kill -KILL 0`

// Group is a process group: a command, what it starts, and a guard that leads the
// group. The guard is a shell that outlives this process by a moment when that is
// killed, and kills the group; while it lives, no other group can get the same id.
type Group struct {
	id    int       // 0 until there is a process in it
	guard *exec.Cmd // nil where there is no shell
	alive io.Closer // the guard's input

	mu   sync.Mutex
	dead bool
}

// NewGroup starts a guard. Without a shell the group has none. The caller ends the
// group with Kill.
func NewGroup(logger *slog.Logger) (*Group, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	guard := exec.Command("/bin/sh", "-c", guardScript) //nolint:noctx // it ends with its group
	guard.Stdin = r
	guard.Env = []string{} // it needs none
	guard.Dir = "/"
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := guard.Start(); err != nil {
		logger.Debug("no guard for child processes", "error", err)
		return &Group{}, w.Close()
	}
	return &Group{id: guard.Process.Pid, guard: guard, alive: w}, nil
}

// Prepare puts a command into the group, before it is started.
func (g *Group) Prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
}

// Add registers the command after it was started.
func (g *Group) Add(cmd *exec.Cmd) error {
	if g.guard == nil {
		g.id = cmd.Process.Pid
	}
	return nil
}

// Terminate asks all processes of the group to end (SIGTERM).
func (g *Group) Terminate() { g.signal(syscall.SIGTERM) }

// Kill kills all processes of the group, the guard included. It may be called again.
func (g *Group) Kill() {
	g.signal(syscall.SIGKILL)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.dead && g.guard != nil {
		_ = g.guard.Wait()
		_ = g.alive.Close()
	}
	g.dead = true
}

func (g *Group) signal(s syscall.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.id > 0 && !g.dead {
		_ = syscall.Kill(-g.id, s)
	}
}
