package project

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Git blocks forever on a FIFO in place of one of its files. The files that git reads first are checked before it
// runs, the others when it takes long. A git that hangs for another reason is killed.

// gitLimits are the times without output from git after which the watch acts.
type gitLimits struct {
	look time.Duration // before searching all files that git may read for FIFOs
	end  time.Duration // before killing git
}

// usualLimits are for a large work tree on a slow disk: git ls-files prints nothing until it has read all folders.
func usualLimits() gitLimits { return gitLimits{look: 2 * time.Second, end: 5 * time.Minute} }

// gitFIFO returns an [*openfile.Error] if one of the files that git reads first in dir is a FIFO.
func gitFIFO(dir string) error {
	top := repository(dir)
	if top == "" {
		return nil
	}
	dotGit := filepath.Join(top, ".git")
	if err := noFIFO(dotGit); err != nil {
		return err
	}
	gitDir := commonDir(dotGit)
	files := append(userGitConfigs(), excludesFile(gitDir))
	for _, name := range []string{"config", "HEAD", "index", "packed-refs", "info/exclude", "info/attributes"} {
		files = append(files, filepath.Join(gitDir, filepath.FromSlash(name)))
	}
	for at := dir; ; at = filepath.Dir(at) {
		files = append(files, filepath.Join(at, ".gitignore"))
		if at == top || at == filepath.Dir(at) {
			break
		}
	}
	for _, file := range files {
		if err := noFIFO(file); err != nil {
			return err
		}
	}
	return nil
}

// noFIFO returns an error if the file is a FIFO.
func noFIFO(file string) error {
	if info, err := os.Stat(file); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return &openfile.Error{Path: file, Is: message.New("%s, not a regular file", message.New("a FIFO"))}
	}
	return nil
}

// gitWatch kills a git that hangs.
type gitWatch struct {
	dir    string
	limits gitLimits
	ctx    context.Context //nolint:containedctx // that of the git command, which the watch ends
	cancel context.CancelCauseFunc
	heard  chan struct{}
	ended  chan struct{}
}

// watchGit watches a git command that runs in dir with the context of the watch, until stop is called.
func watchGit(ctx context.Context, dir string, limits gitLimits) *gitWatch {
	w := &gitWatch{dir: dir, limits: limits, heard: make(chan struct{}, 1), ended: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	go w.run()
	return w
}

// run waits until git has been silent for too long.
func (w *gitWatch) run() {
	defer close(w.ended)
	look, end := time.NewTimer(w.limits.look), time.NewTimer(w.limits.end)
	defer look.Stop()
	defer end.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-w.heard:
			end.Reset(w.limits.end)
		case <-look.C:
			if err := w.findFIFO(); err != nil {
				w.cancel(err)
			}
		case <-end.C:
			w.cancel(message.Errorf("it said nothing for %v and was ended", w.limits.end))
		}
	}
}

// watchOutput returns a writer that forwards git's output and resets the timer.
func (w *gitWatch) watchOutput(to io.Writer) io.Writer { return watchedOutput{w, to} }

type watchedOutput struct {
	*gitWatch
	to io.Writer
}

func (h watchedOutput) Write(text []byte) (int, error) {
	select {
	case h.heard <- struct{}{}:
	default:
	}
	return h.to.Write(text)
}

// stop ends the watch, and kills the command if it still runs. It returns the reason if the watch killed it, else
// nil.
func (w *gitWatch) stop() error {
	outer := w.ctx.Err() == nil
	w.cancel(nil)
	<-w.ended
	if cause := context.Cause(w.ctx); !outer && cause != w.ctx.Err() { //nolint:errorlint // the very error
		return cause
	}
	return nil
}

// findFIFO returns an error if any file that git reads in the work tree or in the repository's folder is a FIFO.
func (w *gitWatch) findFIFO() error {
	if err := w.fifoBelow(w.dir, ".gitignore", ".gitattributes"); err != nil {
		return err
	}
	if top := repository(w.dir); top != "" {
		return w.fifoBelow(commonDir(filepath.Join(top, ".git")))
	}
	return nil
}

// fifoBelow returns an error if a file below a folder, with one of the names or any name if none is given, is a
// FIFO.
func (w *gitWatch) fifoBelow(dir string, names ...string) error {
	var found error
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case w.ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is skipped
		case e.IsDir() && e.Name() == ".git" && path != dir:
			return fs.SkipDir
		case e.Type()&fs.ModeNamedPipe != 0 && (names == nil || slices.Contains(names, e.Name())):
			found = noFIFO(path)
			return fs.SkipAll
		}
		return nil
	})
	return found
}
