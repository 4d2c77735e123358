package daemon

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// startEvery is the least time between two attempts to start a process: one that cannot listen is not started for each question.
const startEvery = 10 * time.Second

// passed are the variables that a started process gets, besides those of the place and of git. It has none of a model's.
var passed = []string{
	"GOGC", "GOMEMLIMIT", "LANG", "LC_ALL", "LC_MESSAGES", "PATH", "REVERSE_SPEC_LANG", "REVERSE_SPEC_LIVE_MEMORY", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", Variable,
}

// Start starts a process that is to listen at a place: this program with the arguments, and with more variables. It lives on after this process, in a
// session of its own, with nothing of its streams; what it writes to standard error is in the log of the place. Nothing is
// started if an attempt was made shortly before.
func (p Place) Start(variables []string, arguments ...string) error {
	if err := p.Make(); err != nil {
		return err
	}
	folder, err := p.folder()
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := p.base() + logSuffix
	if info, err := folder.Stat(name); err == nil && time.Since(info.ModTime()).Abs() < startEvery {
		return nil
	}
	output, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = output.Close() }()
	now := time.Now() // also where it was empty already
	if err := folder.Chtimes(name, now, now); err != nil {
		return err
	}
	cmd := exec.Command(program, arguments...) //nolint:noctx // it is not to end with this process
	cmd.Args[0], cmd.Dir, cmd.Env, cmd.Stderr, cmd.SysProcAttr = "reverse-spec", "/", append(environment(), variables...), output, detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // where this process outlives it
	return nil
}

// environment returns the variables for a started process.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !strings.HasPrefix(name, "GIT_") && !slices.Contains(inherited, name) && !slices.Contains(passed, name)
	})
}
