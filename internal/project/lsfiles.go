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

// gitList returns the files that git lists below a real folder, or nil when git
// ignores the folder or all that is in it; the top of a repository is never
// ignored. Git runs in the folder itself, so that a submodule or a nested
// repository is asked about its own files.
func (d *disk) gitList(ctx context.Context, dir string, top bool) (*Listing, error) {
	// Unmerged paths come several times; sorted drops them, since
	// --deduplicate would ask for git 2.31.
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
		if strings.HasSuffix(name, "/") { // an untracked repository in the repository
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

// gitIgnores reports whether the ignore rules, apart from what is tracked,
// exclude the folder as a whole.
func (d *disk) gitIgnores(ctx context.Context, dir string) (bool, error) {
	_, _, err := gitOutput(ctx, d.abs(dir), "check-ignore", "--no-index", "-q", ".")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// add looks up one path that git named. A file that is tracked but deleted is
// dropped; so is one that went away just now.
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

// isReal reports whether dir is a folder and no link lies on the way to it: git
// goes on listing what it tracked in a folder that a link has since replaced.
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
