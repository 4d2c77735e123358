package project

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Limits of the search for similar paths.
const (
	maxNear      = 3      // suggestions
	maxNearList  = 50_000 // listed files compared
	maxNearNames = 5000   // siblings compared
	maxNearName  = 100    // characters of a name
)

// missing returns the error for a target that does not exist, with similar existing paths.
func (p *Project) missing(ctx context.Context, target, rel string) error {
	e := &MissingError{Path: target, Revision: p.ShortRevision()}
	near := &near{name: []rune(strings.ToLower(path.Base(rel))), hidden: isHidden(rel)}
	p.nearSiblings(near, rel)
	l, err := p.tree.list(ctx, ".")
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		near.addListed(l.Files[:min(len(l.Files), maxNearList)])
	}
	e.Near = near.best()
	return e
}

// nearSiblings adds the entries of the nearest existing folder above rel. If the mistake is in a folder's name, the
// rest of the path is kept if it exists there.
func (p *Project) nearSiblings(near *near, rel string) {
	parts := elements(rel)
	for i := range parts {
		dir := path.Join(append([]string{"."}, parts[:i]...)...)
		n, err := p.find(rel, path.Join(dir, parts[i]))
		if err == nil && n.kind == folder {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		at, err := p.find(rel, dir)
		if err != nil {
			return
		}
		names, _, err := p.tree.children(at.path, maxNearNames)
		if err != nil {
			return
		}
		wrong := []rune(strings.ToLower(parts[i]))
		for _, name := range names {
			if name == ".git" {
				continue
			}
			found, lost := path.Join(dir, name), len(parts)-i-1
			if whole := path.Join(found, path.Join(parts[i+1:]...)); lost > 0 {
				if _, err := p.find(rel, whole); err == nil {
					found, lost = whole, 0
				}
			}
			near.add(found, wrong, name, lost)
		}
		return
	}
}

// near collects existing paths ranked by similarity to a missing one.
type near struct {
	name   []rune // last element of the missing path, in lower case
	hidden bool   // the missing path is hidden
	found  []candidate
}

type candidate struct {
	path     string
	distance int
	order    int // tie breaker: siblings of the missing path come first
}

// addListed adds files and folders whose last element is similar to the missing one.
func (n *near) addListed(files []Entry) {
	seen := map[string]bool{".": true}
	for _, f := range files {
		if isHidden(f.Path) && !n.hidden {
			continue
		}
		for p := f.Path; !seen[p]; p = path.Dir(p) {
			seen[p] = true
			n.add(p, n.name, path.Base(p), 0)
		}
	}
}

// isHidden reports whether a path leads into a hidden folder, or to a hidden file.
func isHidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// add adds a path if its element is similar to the wrong element of the missing path. Lost is the number of
// elements of the missing path that it lacks.
func (n *near) add(p string, wrong []rune, name string, lost int) {
	limit := max(1, len(wrong)/3)
	if len(wrong) > maxNearName || len(name) > 4*(len(wrong)+limit) {
		return
	}
	if d := suggest.Distance(wrong, []rune(strings.ToLower(name)), limit); d <= limit {
		n.found = append(n.found, candidate{path: p, distance: d + lost, order: len(n.found)})
	}
}

// best returns the most similar paths without duplicates.
func (n *near) best() []string {
	slices.SortStableFunc(n.found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.order, b.order))
	})
	var best []string
	for _, c := range n.found {
		if len(best) == maxNear {
			break
		}
		if !slices.Contains(best, c.path) {
			best = append(best, c.path)
		}
	}
	return best
}
