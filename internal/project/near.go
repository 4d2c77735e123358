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

// Bounds of the search for what a mistyped path may have meant.
const (
	maxNear      = 3      // suggestions
	maxNearList  = 50_000 // listed files looked at
	maxNearNames = 5000   // names beside the missing one
	maxNearName  = 100    // characters of a name
)

// missing returns the error for a target where nothing is, with the existing
// paths most like it.
func (p *Project) missing(ctx context.Context, target, rel string) error {
	e := &MissingError{Path: target, Revision: p.ShortRevision()}
	near := &near{name: []rune(strings.ToLower(path.Base(rel)))}
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

// nearSiblings adds what is in the nearest folder above rel that exists. Where
// the mistake is in a folder's name, the rest of the path is kept if it leads on
// from there.
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

// near collects existing paths by how like a missing one they are.
type near struct {
	name  []rune // the missing path's last element, in lower case
	found []candidate
}

type candidate struct {
	path     string
	distance int
	order    int // of equals: those beside the missing path come first
}

// addListed adds files and their folders whose last element is like the missing one.
func (n *near) addListed(files []Entry) {
	seen := map[string]bool{".": true}
	for _, f := range files {
		for p := f.Path; !seen[p]; p = path.Dir(p) {
			seen[p] = true
			n.add(p, n.name, path.Base(p), 0)
		}
	}
}

// add adds a path if what stands in it where the missing one has wrong is like
// that. Lost is how many elements of the missing path it lacks.
func (n *near) add(p string, wrong []rune, name string, lost int) {
	limit := max(1, len(wrong)/3)
	if len(wrong) > maxNearName || len(name) > 4*(len(wrong)+limit) {
		return
	}
	if d := suggest.Distance(wrong, []rune(strings.ToLower(name)), limit); d <= limit {
		n.found = append(n.found, candidate{path: p, distance: d + lost, order: len(n.found)})
	}
}

// best returns the likeliest paths, each once.
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
