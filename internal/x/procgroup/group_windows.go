package procgroup

import (
	"log/slog"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a job: a command and what it starts. Windows ends a job's processes
// when the last handle to it is closed, as it is when this process ends, however it does.
type Group struct {
	job  windows.Handle
	once sync.Once
}

// NewGroup creates a job. The caller ends it with Kill.
func NewGroup(*slog.Logger) (*Group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	return &Group{job: job}, nil
}

// Prepare has nothing to do: a process joins a job when it is started.
func (g *Group) Prepare(*exec.Cmd) {}

// Add puts a started process into the job.
func (g *Group) Add(cmd *exec.Cmd) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(access, false, uint32(cmd.Process.Pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(g.job, process)
}

// Terminate ends the processes: Windows has no way to ask them.
func (g *Group) Terminate() { _ = windows.TerminateJobObject(g.job, 1) }

// Kill ends the processes and closes the job. It may be called again.
func (g *Group) Kill() {
	g.Terminate()
	g.once.Do(func() { _ = windows.CloseHandle(g.job) })
}
