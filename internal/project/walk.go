package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// walker lists files by the ignore rules, without git.
type walker struct {
	disk *disk
	git  bool // in a git repository: only git's rules apply
	out  *Listing
}

// place is a folder with its path in the project and its path for the ignore rules, which may be relative to a
// folder above or below the project's root.
type place struct{ rel, rule string }

func (p place) child(name string) place {
	return place{rel: path.Join(p.rel, name), rule: path.Join(p.rule, name)}
}

// walk lists the files below a real folder by the ignore rules of top, an absolute folder at or above it, and of
// the folders below top.
func (d *disk) walk(ctx context.Context, dir, top string, git bool) (*Listing, error) {
	at, err := filepath.Rel(top, d.abs(dir))
	if err != nil {
		return nil, err
	}
	at = filepath.ToSlash(at)
	rules, ignored := d.rules(top, at, git)
	if ignored {
		return d.walkIgnored(ctx, dir)
	}
	w := &walker{disk: d, git: git, out: &Listing{Files: []Entry{}}}
	if err := w.enter(ctx, place{rel: dir, rule: at}, rules); err != nil {
		return nil, err
	}
	if at != "." && len(w.out.Files) == 0 && w.out.Skipped.Total() == 0 {
		return d.walkIgnored(ctx, dir)
	}
	return w.out.sorted(), nil
}

// walkIgnored lists a folder that the rules above it ignore, as if it were a project of its own.
func (d *disk) walkIgnored(ctx context.Context, dir string) (*Listing, error) {
	w := &walker{disk: d, out: &Listing{Files: []Entry{}}}
	if err := w.enter(ctx, place{rel: dir, rule: "."}, nil); err != nil {
		return nil, err
	}
	return w.out.sorted(), nil
}

// rules returns the ignore rules that apply in a folder, given relative to top, and whether they ignore the folder
// itself. The rules in the folder are added by the walk.
func (d *disk) rules(top, folder string, git bool) (rules *ignore, ignored bool) {
	if git {
		rules = gitRules(top)
	}
	at, abs := ".", top
	for _, name := range elements(folder) {
		rules = rules.with(at, readRules(filepath.Join(abs, ".gitignore")))
		at, abs = path.Join(at, name), filepath.Join(abs, name)
		if rules.excludes(at, true) {
			return nil, true
		}
	}
	return rules, false
}

// enter lists a folder and its subfolders.
func (w *walker) enter(ctx context.Context, dir place, rules *ignore) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := w.disk.entries(dir.rel)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.out.Skipped.Unreadable++
		}
		return nil
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		rules = rules.with(dir.rule, readRules(w.disk.abs(path.Join(dir.rel, ".gitignore"))))
	}
	for _, e := range entries {
		at, kind := dir.child(e.Name()), kindOf(e.Type())
		if e.Name() == ".git" || rules.excludes(at.rule, kind == folder) {
			continue
		}
		switch kind {
		case folder:
			if err := w.folder(ctx, at, entries, rules); err != nil {
				return err
			}
		case file:
			w.file(at.rel, e)
		case link:
			w.out.Skipped.Links++
		default:
			w.out.Skipped.Unreadable++
		}
	}
	return nil
}

// folder enters a folder that no rule excludes, if it is part of the project.
func (w *walker) folder(ctx context.Context, at place, beside []fs.DirEntry, rules *ignore) error {
	if !w.git {
		if isToolFolder(path.Base(at.rel), beside) {
			return nil
		}
		return w.enter(ctx, at, rules)
	}
	if _, err := os.Lstat(filepath.Join(w.disk.abs(at.rel), ".git")); err == nil {
		w.out.Skipped.Submodules++
		return nil
	}
	return w.enter(ctx, at, rules)
}

func (w *walker) file(rel string, e fs.DirEntry) {
	info, err := e.Info()
	switch {
	case err == nil:
		w.out.Files = append(w.out.Files, entryOf(rel, info))
	case !errors.Is(err, fs.ErrNotExist):
		w.out.Skipped.Unreadable++
	}
}

// isToolFolder reports whether a folder is one that tools create, by its name and its siblings.
func isToolFolder(name string, beside []fs.DirEntry) bool {
	switch name {
	case "node_modules", "__pycache__", ".venv", "venv":
		return true
	case "target":
		return slices.ContainsFunc(beside, func(e fs.DirEntry) bool {
			return e.Name() == "Cargo.toml" || e.Name() == "pom.xml"
		})
	}
	return false
}

// entries returns the unsorted entries of a real folder.
func (d *disk) entries(dir string) ([]fs.DirEntry, error) {
	f, err := d.opened(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.ReadDir(-1)
}

// gitRules returns the ignore rules of a repository outside .gitignore files: its info/exclude, over the user's own
// file.
func gitRules(top string) *ignore {
	gitDir := commonDir(filepath.Join(top, ".git"))
	var rules *ignore
	if name := excludesFile(gitDir); name != "" {
		rules = rules.with("", readRules(name))
	}
	return rules.with("", readRules(filepath.Join(gitDir, "info", "exclude")))
}

// readRules returns the text of an ignore file; nil if there is none, if it is a link (which git does not follow),
// or if it is implausibly large.
func readRules(name string) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFileSize {
		return nil
	}
	text, err := openfile.Read(name, MaxFileSize)
	if err != nil {
		return nil
	}
	return text
}

// commonDir returns the folder that a repository's work trees share. A .git file names the folder of the work tree,
// and a file there names the common one.
func commonDir(dotGit string) string {
	dir := dotGit
	if text, err := openfile.Read(dotGit, openfile.MaxConfig); err == nil {
		dir = resolveFrom(filepath.Dir(dotGit), strings.TrimPrefix(string(text), "gitdir:"))
	}
	if text, err := openfile.Read(filepath.Join(dir, "commondir"), openfile.MaxConfig); err == nil {
		dir = resolveFrom(dir, string(text))
	}
	return dir
}

// resolveFrom returns a path in a file of git's, relative to dir.
func resolveFrom(dir, name string) string {
	name = filepath.FromSlash(strings.TrimSpace(name))
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
