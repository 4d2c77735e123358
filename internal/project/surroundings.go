package project

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Surroundings are the places outside a project's files on which its listing depends.
type Surroundings struct {
	// Git are the folders of the repository that say what is tracked and ignored, absolute: a change of a file that
	// [IsGitState] names means another listing.
	Git []string
	// Files are files outside the project and the repository's folder, absolute, which need not exist: the user's
	// and the system's configuration of git, and what lies in the folders above.
	Files []string
}

// errOwnRules is returned by [Project.Surroundings] for a folder that the rules above it ignore: these may change
// at any time what is listed.
var errOwnRules = message.Errorf("the folder is ignored by the repository that it is in")

// Surroundings returns what the listing of the whole project depends on besides the folders of the project.
func (p *Project) Surroundings(ctx context.Context) (*Surroundings, error) {
	if _, ok := p.tree.(*disk); !ok {
		return nil, ErrReadOnly
	}
	top := repository(p.root)
	s := &Surroundings{Files: aboveRoot(p.root, top)}
	if top == "" {
		return s, nil
	}
	own, common := gitDirs(filepath.Join(top, ".git"))
	s.Git = []string{own, common, filepath.Join(common, "info")}
	slices.Sort(s.Git)
	s.Git = slices.DeleteFunc(slices.Compact(s.Git), func(dir string) bool { _, err := os.Stat(dir); return err != nil })
	s.Files = append(append(s.Files, userGitConfigs()...), "/etc/gitconfig", excludesFile(common))
	out, _, err := gitOutput(ctx, top, "config", "--list", "--show-origin", "--name-only", "-z")
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	for origin := range strings.SplitSeq(string(out), "\x00") {
		if name, ok := strings.CutPrefix(origin, "file:"); ok && filepath.IsAbs(name) {
			s.Files = append(s.Files, name)
		}
	}
	slices.Sort(s.Files)
	s.Files = slices.DeleteFunc(slices.Compact(s.Files), func(name string) bool { return name == "" })
	if err == nil && top != p.root {
		ignored, err := p.tree.(*disk).gitIgnores(ctx, ".")
		if err != nil || ignored {
			return nil, errors.Join(err, errOwnRules)
		}
	}
	return s, nil
}

// aboveRoot returns the files that matter in the folders above a project, up to the top of its repository; all where
// there is none.
func aboveRoot(root, top string) []string {
	var files []string
	for at := root; at != top; {
		files = append(files, filepath.Join(at, ".git"))
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
		files = append(files, filepath.Join(at, ".gitignore"))
	}
	if root != top && top != "" {
		files = append(files, filepath.Join(top, ".git"))
	}
	return files
}

// IsGitState reports whether a file in one of the folders [Surroundings.Git], given by its base name, says what git
// tracks or ignores.
func IsGitState(base string) bool {
	switch base {
	case "index", "config", "config.worktree", "exclude", "info", "commondir":
		return true
	}
	return false
}

// IsGitLock reports whether the file is there, in one of the folders [Surroundings.Git], while git changes the work
// tree.
func IsGitLock(base string) bool { return base == "index.lock" }

// IsIgnoreConfig reports whether files with a base name may change which files are listed.
func IsIgnoreConfig(base string) bool {
	return base == ".gitignore" || base == ".git" || base == IgnoreFile
}

// gitDirs returns the folder of a work tree's repository, and the one that its work trees share.
func gitDirs(dotGit string) (own, common string) {
	own = dotGit
	if text, err := openfile.Read(dotGit, openfile.MaxConfig); err == nil {
		own = resolveFrom(filepath.Dir(dotGit), strings.TrimPrefix(string(text), "gitdir:"))
	}
	return own, commonDir(dotGit)
}

// Folders calls visit for the folder from and those below it in which there are files that a listing has, or may have
// when they are created: not for folders that are ignored as a whole, and not below other repositories. Visit is
// called before a folder is read, so that whoever watches it from then on misses nothing.
//
// Folders with tracked files in an ignored one are not visited; the listing names them.
func (p *Project) Folders(ctx context.Context, from string, visit func(folder string) error) error {
	d, ok := p.tree.(*disk)
	if !ok {
		return ErrReadOnly
	}
	top := repository(p.root)
	w := &folderWalk{disk: d, git: top != "", visit: visit}
	base := top
	if top == "" {
		base = p.root
	}
	at, err := filepath.Rel(base, d.abs(from))
	if err != nil {
		return err
	}
	at = filepath.ToSlash(at)
	rules, ignored := d.rules(base, at, w.git)
	if ignored {
		w.ignored = append(w.ignored, from)
	} else if err := w.enter(ctx, place{rel: from, rule: at}, rules); err != nil {
		return err
	}
	if !w.git || len(w.ignored) == 0 {
		return nil
	}
	return w.confirm(ctx)
}

// folderWalk visits folders.
type folderWalk struct {
	disk    *disk
	git     bool
	all     bool // no rule applies
	visit   func(folder string) error
	ignored []string // folders that were left out because of a rule
}

func (w *folderWalk) enter(ctx context.Context, dir place, rules *ignore) error {
	if err := errors.Join(ctx.Err(), w.visit(dir.rel)); err != nil {
		return err
	}
	entries, err := w.disk.entries(dir.rel)
	if err != nil {
		return nil //nolint:nilerr // it is gone, or cannot be read, and then not listed either
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	if w.git && dir.rel != "." && has(".git") { // another repository
		return nil
	}
	if has(".gitignore") && !w.all {
		rules = rules.with(dir.rule, readRules(w.disk.abs(path.Join(dir.rel, ".gitignore"))))
	}
	for _, e := range entries {
		if !w.mayEnter(e, entries) {
			continue
		}
		at := dir.child(e.Name())
		if !w.all && rules.excludes(at.rule, true) {
			w.ignored = append(w.ignored, at.rel)
			continue
		}
		if err := w.enter(ctx, at, rules); err != nil {
			return err
		}
	}
	return nil
}

// mayEnter reports whether an entry is a folder of the project if no rule excludes it.
func (w *folderWalk) mayEnter(e fs.DirEntry, beside []fs.DirEntry) bool {
	return kindOf(e.Type()) == folder && e.Name() != ".git" && (w.git || !isToolFolder(e.Name(), beside))
}

// confirm asks git about the folders that a rule excludes, and visits those that git does not ignore.
func (w *folderWalk) confirm(ctx context.Context) error {
	ignored, err := w.disk.gitIgnored(ctx, w.ignored, true)
	if err != nil {
		return nil //nolint:nilerr // then git does not list either, and the rules decide
	}
	w.all = true
	for _, dir := range w.ignored {
		if !ignored[dir] {
			if err := w.enter(ctx, place{rel: dir, rule: dir}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// gitIgnored returns those of some paths that git ignores; with always, tracked ones, too.
func (d *disk) gitIgnored(ctx context.Context, paths []string, always bool) (map[string]bool, error) {
	args := []string{"check-ignore", "-z", "--stdin"}
	if always {
		args = append(args, "--no-index")
	}
	in := []byte(strings.Join(paths, "\x00") + "\x00")
	out, _, err := gitAnswer(ctx, usualLimits(), d.root, in, args...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	ignored := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(name)] = true
	}
	return ignored, err
}
