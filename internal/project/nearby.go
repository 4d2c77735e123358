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

// The limits of [Project.Nearby]. They are counts, not times, so that results are the same on every machine.
// Ordinary projects are far below them.
const (
	maxUnwanted      = 1024    // entries read of a folder without wanted files or subfolders among them
	maxEmptySiblings = 16      // sibling folders without wanted files after which the rest is skipped
	maxOthers        = 20_000  // total entries that are neither wanted nor folders
	maxWanted        = 200_000 // files
)

// Nearby returns the files of a project whose names are wanted, for work on one target: first those on the path to
// it, then test folders, then the rest by name. It is for questions whose answer is probably near, and reads only a
// part of data folders. Files are as listed by [Project.List], except for tracked files that the rules ignore;
// nothing else is counted as skipped. Left is the folder of which limits left out the most; "" for none.
func (p *Project) Nearby(ctx context.Context, target string, wanted func(name string) bool) (l *Listing, left string, err error) {
	d, ok := p.tree.(*disk)
	if !ok {
		l, err := p.List(ctx, ".")
		return l, "", err
	}
	top := repository(d.root)
	s := &nearbySearch{walker: &walker{disk: d, git: top != "", out: &Listing{Target: ".", Files: []Entry{}}}, target: target, wanted: wanted, dropped: p.selected.rules(p.root)}
	at, rules := ".", (*ignore)(nil)
	if top != "" {
		rel, err := filepath.Rel(top, d.root)
		if err != nil {
			return nil, "", err
		}
		if found, ignored := d.rules(top, filepath.ToSlash(rel), true); !ignored {
			at, rules = filepath.ToSlash(rel), found
		}
	}
	if _, err := s.enter(ctx, place{rel: ".", rule: at}, rules); err != nil {
		return nil, "", err
	}
	s.out.Entries = s.read
	return p.selected.apply(p.root, s.out.sorted()), s.left, nil
}

// nearbySearch is the state of the search.
type nearbySearch struct {
	*walker
	target  string
	wanted  func(name string) bool
	read    int // number of entries
	others  int // number of those that are neither wanted nor folders
	left    string
	crowded string  // the folder with the most of them
	crowd   int     // their number
	dropped *ignore // what the project leaves out
}

// enter searches a folder, and reports whether there is a wanted file below it.
func (s *nearbySearch) enter(ctx context.Context, dir place, rules *ignore) (fruitful bool, err error) {
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
	before := s.others
	for _, e := range entries {
		at, kind := dir.child(e.Name()), kindOf(e.Type())
		switch {
		case e.Name() == ".git", (rules.excludes(at.rule, kind == folder) || s.dropped.excludes(at.rel, kind == folder)) && !s.onTheWay(at.rel):
		case kind == folder && (s.onTheWay(at.rel) || s.ours(at, entries)):
			folders = append(folders, at)
		case kind == file && s.wanted(e.Name()):
			fruitful = true
			s.file(at.rel, e)
		case kind != folder:
			s.others++
		}
	}
	s.count(dir.rel, s.others-before)
	below, err := s.below(ctx, folders, rules)
	return fruitful || below, err
}

// count notes the folder with the most entries that are not wanted.
func (s *nearbySearch) count(dir string, others int) {
	if others > s.crowd {
		s.crowd, s.crowded = others, dir
	}
}

// ours reports whether a folder is part of the project.
func (s *nearbySearch) ours(at place, beside []fs.DirEntry) bool {
	if !s.git {
		return !isToolFolder(path.Base(at.rel), beside)
	}
	_, err := os.Lstat(filepath.Join(s.disk.abs(at.rel), ".git"))
	return err != nil
}

// below searches the subfolders of a folder.
func (s *nearbySearch) below(ctx context.Context, folders []place, rules *ignore) (fruitful bool, err error) {
	slices.SortFunc(folders, func(a, b place) int {
		return cmp.Or(cmp.Compare(s.rank(a.rel), s.rank(b.rel)), strings.Compare(a.rel, b.rel))
	})
	barren := 0
	for _, at := range folders {
		far := s.rank(at.rel) == elsewhere
		if far && (barren >= maxEmptySiblings || s.others >= maxOthers) || len(s.out.Files) >= maxWanted {
			s.left = cmp.Or(s.left, path.Dir(at.rel))
			if s.others >= maxOthers {
				s.left = s.crowded
			}
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

// The order in which folders are searched.
const (
	onTheWay  = iota // on the path to the target, or below it
	forTests         // a test folder, by its name
	elsewhere        // the rest
)

func (s *nearbySearch) rank(rel string) int {
	switch {
	case s.onTheWay(rel) || strings.HasPrefix(rel, s.target+"/"):
		return onTheWay
	case slices.Contains([]string{"test", "tests", "spec", "specs", "__tests__", "e2e", "it", "src"}, strings.ToLower(path.Base(rel))):
		return forTests
	}
	return elsewhere
}

// onTheWay reports whether a folder is or contains the target.
func (s *nearbySearch) onTheWay(rel string) bool {
	return rel == s.target || strings.HasPrefix(s.target, rel+"/")
}

// entries returns the sorted entries of a folder; only the first of them if there are many and none is wanted.
func (s *nearbySearch) entries(dir string) ([]fs.DirEntry, error) {
	f, err := s.disk.opened(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var entries []fs.DirEntry
	promising := s.onTheWay(dir) || dir == "."
	for {
		some, err := f.ReadDir(maxUnwanted)
		s.read += len(some)
		entries = append(entries, some...)
		promising = promising || slices.ContainsFunc(some, func(e fs.DirEntry) bool { return e.IsDir() || s.wanted(e.Name()) })
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return entries, nil
		case err != nil:
			return nil, err
		case !promising && len(some) == maxUnwanted:
			s.left = cmp.Or(s.left, dir)
			return entries, nil
		}
	}
}
