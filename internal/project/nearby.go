package project

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The bounds of [Project.Nearby]. They are counts, so that the same files give the same
// answer on every machine; what an ordinary project has is far below.
const (
	maxFruitless = 1024    // entries read of a folder that has nothing wanted and no folder among them
	maxBarren    = 16      // neighbouring folders with nothing wanted below them before the others are left out
	maxOthers    = 20_000  // entries in all that are neither wanted nor folders
	maxWanted    = 200_000 // files
)

// Nearby returns the files of a project that are wanted, by their names, for work on one
// target: those on the way to it first, then folders of tests, then the rest by name. It
// is for questions of which the answer is most likely near, and reads no more of a folder
// of data than shows that it is one. Files are those of [Project.List], but for tracked
// ones that the rules ignore; nothing else is counted as skipped. Left reports whether
// bounds left out folders, or entries of them.
func (p *Project) Nearby(ctx context.Context, target string, wanted func(name string) bool) (l *Listing, left bool, err error) {
	d, ok := p.tree.(*disk)
	if !ok {
		l, err := p.List(ctx, ".")
		return l, false, err
	}
	top := repository(d.root)
	s := &scout{walker: &walker{disk: d, git: top != "", out: &Listing{Target: ".", Files: []Entry{}}}, target: target, wanted: wanted}
	at, rules := ".", (*ignore)(nil)
	if top != "" {
		rel, err := filepath.Rel(top, d.root)
		if err != nil {
			return nil, false, err
		}
		if found, ignored := d.rules(top, filepath.ToSlash(rel), true); !ignored {
			at, rules = filepath.ToSlash(rel), found
		}
	}
	if _, err := s.enter(ctx, place{rel: ".", rule: at}, rules); err != nil {
		return nil, false, err
	}
	s.out.Entries = s.read
	return s.out.sorted(), s.left, nil
}

// scout looks for what is wanted.
type scout struct {
	*walker
	target string
	wanted func(name string) bool
	read   int // entries
	others int // of them, those that are neither wanted nor folders
	left   bool
}

// enter looks into a folder, and reports whether there is something wanted below it.
func (s *scout) enter(ctx context.Context, dir place, rules *ignore) (fruitful bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	entries, err := s.entries(dir.rel)
	if err != nil {
		return false, nil //nolint:nilerr // what cannot be read has nothing that is wanted
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		rules = rules.with(dir.rule, readRules(s.disk.abs(path.Join(dir.rel, ".gitignore"))))
	}
	var folders []place
	for _, e := range entries {
		at, kind := dir.child(e.Name()), kindOf(e.Type())
		switch {
		case e.Name() == ".git", rules.excludes(at.rule, kind == folder) && !s.onTheWay(at.rel):
		case kind == folder && (s.onTheWay(at.rel) || s.ours(at, entries)):
			folders = append(folders, at)
		case kind == file && s.wanted(e.Name()):
			fruitful = true
			s.file(at.rel, e)
		case kind != folder:
			s.others++
		}
	}
	below, err := s.below(ctx, folders, rules)
	return fruitful || below, err
}

// ours reports whether a folder is a part of the project.
func (s *scout) ours(at place, beside []fs.DirEntry) bool {
	if !s.git {
		return !usual(path.Base(at.rel), beside)
	}
	_, err := os.Lstat(filepath.Join(s.disk.abs(at.rel), ".git"))
	return err != nil
}

// below looks into the folders of a folder.
func (s *scout) below(ctx context.Context, folders []place, rules *ignore) (fruitful bool, err error) {
	slices.SortFunc(folders, func(a, b place) int {
		return cmp.Or(cmp.Compare(s.rank(a.rel), s.rank(b.rel)), strings.Compare(a.rel, b.rel))
	})
	barren := 0
	for _, at := range folders {
		far := s.rank(at.rel) == elsewhere
		if far && (barren >= maxBarren || s.others >= maxOthers) || len(s.out.Files) >= maxWanted {
			s.left = true
			break
		}
		found, err := s.enter(ctx, at, rules)
		if err != nil {
			return false, err
		}
		if found {
			fruitful, barren = true, 0
		} else if far {
			barren++
		}
	}
	return fruitful, nil
}

// The order in which folders are looked into.
const (
	onTheWay  = iota // to the target, or below it
	forTests         // by the name
	elsewhere        // the rest
)

func (s *scout) rank(rel string) int {
	switch {
	case s.onTheWay(rel) || strings.HasPrefix(rel, s.target+"/"):
		return onTheWay
	case slices.Contains([]string{"test", "tests", "spec", "specs", "__tests__", "e2e", "it", "src"}, strings.ToLower(path.Base(rel))):
		return forTests
	}
	return elsewhere
}

// onTheWay reports whether a folder is the target or around it.
func (s *scout) onTheWay(rel string) bool {
	return rel == s.target || strings.HasPrefix(s.target, rel+"/")
}

// entries returns what is in a folder, by name, unless that is long and fruitless: then
// the first of it.
func (s *scout) entries(dir string) ([]fs.DirEntry, error) {
	f, err := s.disk.opened(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var entries []fs.DirEntry
	promising := s.onTheWay(dir) || dir == "."
	for {
		some, err := f.ReadDir(maxFruitless)
		s.read += len(some)
		entries = append(entries, some...)
		promising = promising || slices.ContainsFunc(some, func(e fs.DirEntry) bool { return e.IsDir() || s.wanted(e.Name()) })
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return entries, nil
		case err != nil:
			return nil, err
		case !promising && len(some) == maxFruitless:
			s.left = true
			return entries, nil
		}
	}
}
