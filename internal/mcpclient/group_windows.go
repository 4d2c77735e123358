package client

import (
	"log/slog"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job: a server and what it starts. Windows ends a job's processes
// when the last handle to it is closed, as it is when we end, however we do.
type group struct {
	job  windows.Handle
	once sync.Once
}

func newGroup(*slog.Logger) (*group, error) {
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
	return &group{job: job}, nil
}

// prepare has nothing to do: a process joins a job when it is started.
func (g *group) prepare(*exec.Cmd) {}

// add puts a started process into the job.
func (g *group) add(cmd *exec.Cmd) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(access, false, uint32(cmd.Process.Pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	return windows.AssignProcessToJobObject(g.job, process)
}

// terminate ends the processes: Windows has no way to ask them.
func (g *group) terminate() { _ = windows.TerminateJobObject(g.job, 1) }

// kill ends the processes and lets go of the job.
func (g *group) kill() {
	g.terminate()
	g.once.Do(func() { _ = windows.CloseHandle(g.job) })
}
