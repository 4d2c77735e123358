package project

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// gitCommand prepares a git command in dir. It runs nothing that the repository's configuration names, takes no
// locks, fetches nothing and never prompts. The error is exec.ErrNotFound if git is not installed, and a *gitError
// if git would block on a FIFO.
func gitCommand(ctx context.Context, dir string, args ...string) (*exec.Cmd, error) {
	bin, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	if err := gitFIFO(dir); err != nil {
		return nil, &gitError{command: args[0], err: err}
	}
	args = append([]string{
		"-C", dir, "--no-optional-locks",
		"-c", "core.quotePath=false",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "color.ui=false",
	}, args...)
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.WaitDelay = time.Second // for a child process that outlives git
	cmd.Env = append(slices.DeleteFunc(os.Environ(), redirects),
		"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	return cmd, nil
}

// redirects reports whether an environment variable would make git use another repository. It may be set by a git
// process or hook that runs this program.
func redirects(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_SHALLOW_FILE",
		"GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_EXTERNAL_DIFF", "GIT_LITERAL_PATHSPECS",
		"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
		return true
	}
	return false
}

// gitOutput runs git and returns its output. The error is exec.ErrNotFound if git is not installed, a *gitError if
// git failed, or that of the context.
func gitOutput(ctx context.Context, dir string, args ...string) (stdout, stderr []byte, err error) {
	return gitOutputWithin(ctx, usualLimits(), dir, args...)
}

// gitOutputWithin is gitOutput with time limits.
func gitOutputWithin(ctx context.Context, limits gitLimits, dir string, args ...string) (stdout, stderr []byte, err error) {
	return gitAnswer(ctx, limits, dir, nil, args...)
}

// gitAnswer is gitOutputWithin for a command that reads in.
func gitAnswer(ctx context.Context, limits gitLimits, dir string, in []byte, args ...string) (stdout, stderr []byte, err error) {
	w := watchGit(ctx, dir, limits)
	defer func() {
		if hung := w.stop(); hung != nil && ctx.Err() == nil {
			stdout, stderr, err = nil, nil, &gitError{command: args[0], err: hung}
		}
	}()
	cmd, err := gitCommand(w.ctx, dir, args...) //nolint:contextcheck // that of the watch comes of ctx
	if err != nil {
		return nil, nil, err
	}
	var out, errs bytes.Buffer
	if in != nil {
		cmd.Stdin = bytes.NewReader(in)
	}
	cmd.Stdout, cmd.Stderr = w.watchOutput(&out), &errs
	if err := cmd.Run(); err != nil {
		if w.ctx.Err() != nil {
			return nil, nil, w.ctx.Err()
		}
		return nil, nil, newGitError(args[0], errs.String(), err)
	}
	return out.Bytes(), errs.Bytes(), nil
}

// gitError is an error reported by git.
type gitError struct {
	command string       // "ls-files"
	message string       // git's message; may be ""
	advice  message.Text // git's own advice
	err     error
}

// newGitError extracts the reason from git's output: the "fatal" line, and the command that git suggests for a
// repository with unsafe ownership.
func newGitError(command, stderr string, err error) *gitError {
	e := &gitError{command: command, err: err}
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		reason, fatal := strings.CutPrefix(line, "fatal: ")
		switch {
		case strings.HasPrefix(line, "git config --global --add safe.directory"):
			e.advice = message.New("if you trust this repository: %s", line)
		case fatal || e.message == "":
			e.message = strings.TrimPrefix(reason, "error: ")
		}
	}
	return e
}

func (e *gitError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *gitError) In(lang message.Lang) string {
	if e.message == "" {
		return "git " + e.command + ": " + message.Render(lang, e.err)
	}
	return "git " + e.command + ": " + e.message
}

func (e *gitError) Unwrap() error { return e.err }
