package project

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// IgnoreFile is the file in the root of a project whose rules, as those of a .gitignore, leave out files for good: tracked
// ones, too.
const IgnoreFile = ".reverse-specignore"

// selection says which files of a project are listed, besides what its ignore file says. The zero value selects all.
type selection struct{ exclude, include []Pattern }

// Selection returns a view of p that lists only files which match a pattern of include, if there is one, and none of exclude
// or of its [IgnoreFile]. Patterns are as in a .gitignore in the root. What is named as a target itself is listed anyway. The
// view shares the files with p and need not be closed. The error is that of a pattern.
func (p *Project) Selection(include, exclude []string) (*Project, error) {
	s := p.selected
	for _, text := range exclude {
		pattern, err := parseGlob(text)
		if err != nil {
			return nil, err
		}
		s.exclude = append(slices.Clip(s.exclude), pattern)
	}
	for _, text := range include {
		pattern, err := parseGlob(text)
		if err != nil {
			return nil, err
		}
		s.include = append(slices.Clip(s.include), pattern)
	}
	return &Project{root: p.root, revision: p.revision, tree: p.tree, selected: s}, nil
}

// IsWorkTree reports whether the project is the folder as it is: without a revision, a selection, or anything kept.
func (p *Project) IsWorkTree() bool {
	_, plain := p.tree.(*disk)
	return plain && len(p.selected.exclude)+len(p.selected.include) == 0
}

// parseGlob parses a pattern that a user gave.
func parseGlob(text string) (Pattern, error) {
	p, ok := ParsePattern("", text)
	if !ok || p.never {
		return Pattern{}, message.Errorf("%q is not a pattern; write it as in a .gitignore: *.pb.go, /vendor/, docs/**/*.py", text)
	}
	return p, nil
}

// apply drops what is not selected from a listing of the project in a folder. The ignore file is read each time: it may change
// while a server runs.
func (s *selection) apply(root string, l *Listing) *Listing {
	rules := s.rules(root)
	if rules == nil && len(s.include) == 0 {
		return l
	}
	out := *l
	out.Files = make([]Entry, 0, len(l.Files))
	for _, e := range l.Files {
		if !leftOut(rules, e.Path) && (len(s.include) == 0 || s.included(e.Path)) {
			out.Files = append(out.Files, e)
		}
	}
	return &out
}

// rules returns the patterns of what is left out of the project in a folder; nil for none.
func (s *selection) rules(root string) *ignore {
	var rules *ignore
	rules = rules.with("", readRules(filepath.Join(root, IgnoreFile)))
	if len(s.exclude) > 0 {
		rules = &ignore{up: rules, patterns: s.exclude}
	}
	return rules
}

// leftOut reports whether rules exclude a file, or a folder that it is in.
func leftOut(rules *ignore, name string) bool {
	for i := range name {
		if name[i] == '/' && rules.excludes(name[:i], true) {
			return true
		}
	}
	return rules.excludes(name, false)
}

// included reports whether a file, or a folder that it is in, matches one of the patterns to include.
func (s *selection) included(name string) bool {
	for rest, file := name, true; rest != "."; rest, file = path.Dir(rest), false {
		for i := range s.include {
			if s.include[i].Match(rest, !file) {
				return true
			}
		}
	}
	return false
}
