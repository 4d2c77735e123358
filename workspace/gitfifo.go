package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/openfile"
)

// Git waits for ever to open a FIFO that has the name of a file of its own, and so
// would we. These are looked for before git is run; a FIFO deep in the work tree is
// looked for when git takes long.

// gitFIFO returns an [*openfile.Error] for a FIFO among the files that git reads
// first in dir.
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

// noFIFO returns an error for a FIFO.
func noFIFO(file string) error {
	if info, err := os.Stat(file); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return &openfile.Error{Path: file, Is: message.New("%s, not a regular file", message.New("a FIFO"))}
	}
	return nil
}

// patience is how long git may take before FIFOs are looked for in the work tree.
const patience = 2 * time.Second

// watched returns a context that ends when git, run in dir until done is called,
// takes long and there is a .gitignore below that is a FIFO; done returns that.
func watched(ctx context.Context, dir string) (_ context.Context, done func() error) {
	ctx, cancel := context.WithCancel(ctx)
	found := make(chan error, 1)
	go func() {
		defer close(found)
		select {
		case <-ctx.Done():
			return
		case <-time.After(patience):
		}
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return fs.SkipAll
			case err != nil:
				return nil //nolint:nilerr // what cannot be read is skipped
			case e.IsDir() && e.Name() == ".git":
				return fs.SkipDir
			case e.Name() == ".gitignore" && e.Type()&fs.ModeNamedPipe != 0:
				found <- noFIFO(path)
				cancel()
				return fs.SkipAll
			}
			return nil
		})
	}()
	return ctx, func() error {
		cancel()
		return <-found
	}
}
