package project

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"strings"
)

// gitList returns the files that git lists below a real folder, or nil if git ignores the folder or everything in
// it; the top of a repository is never ignored. Git runs in the folder itself, so that the files of a submodule or
// nested repository are listed by its own rules.
func (d *disk) gitList(ctx context.Context, dir string, top bool) (*Listing, error) {
	// Unmerged paths are repeated; sorted removes duplicates, because --deduplicate requires git 2.31.
	out, errs, err := gitOutput(ctx, d.abs(dir), "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	if !top {
		ignored, err := d.gitIgnores(ctx, dir)
		if err != nil || ignored || len(out) == 0 {
			return nil, err
		}
	}
	l := &Listing{Files: make([]Entry, 0, bytes.Count(out, []byte{0}))}
	l.Skipped.Unreadable = bytes.Count(errs, []byte("warning: could not open directory"))
	real := map[string]bool{dir: true}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name == "" {
			continue
		}
		if strings.HasSuffix(name, "/") { // a nested untracked repository
			l.Skipped.Submodules++
			continue
		}
		rel := path.Join(dir, name)
		if d.isReal(real, path.Dir(rel)) {
			d.add(l, rel)
		}
	}
	return l.sorted(), nil
}

// gitIgnores reports whether the ignore rules exclude the folder as a whole, regardless of tracked files.
func (d *disk) gitIgnores(ctx context.Context, dir string) (bool, error) {
	_, _, err := gitOutput(ctx, d.abs(dir), "check-ignore", "--no-index", "-q", ".")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// add adds a path listed by git, unless the file was deleted.
func (d *disk) add(l *Listing, rel string) {
	info, err := os.Lstat(d.abs(rel))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		l.Skipped.Unreadable++
		return
	}
	switch kindOf(info.Mode()) {
	case file:
		l.Files = append(l.Files, entryOf(rel, info))
	case link:
		l.Skipped.Links++
	case folder:
		l.Skipped.Submodules++
	default:
		l.Skipped.Unreadable++
	}
}

// isReal reports whether dir is a folder without links on its path: git still lists tracked files in a folder that
// was replaced by a link.
func (d *disk) isReal(known map[string]bool, dir string) bool {
	if real, ok := known[dir]; ok {
		return real
	}
	real := false
	if dir != "." && d.isReal(known, path.Dir(dir)) {
		info, err := os.Lstat(d.abs(dir))
		real = err == nil && info.IsDir()
	}
	known[dir] = real
	return real
}
