package project

import (
	"bytes"
	"context"
	"strings"
	"sync"
)

// maxHeld limits the texts that a frozen project keeps, in bytes, and maxHeldFile each of them.
const (
	maxHeld     = 256 << 20
	maxHeldFile = 1 << 20
)

// Frozen returns a view of p that lists the project once and keeps the texts that were read, for work that reads the same
// files many times. It may show a file as it was when it was first read. Nothing can be written with it, and it is not closed.
func (p *Project) Frozen() *Project {
	if _, already := p.tree.(*frozen); already {
		return p
	}
	return &Project{root: p.root, revision: p.revision, selected: p.selected, tree: &frozen{tree: p.tree, texts: map[string][]byte{}}}
}

// frozen keeps what was read of a tree.
type frozen struct {
	tree

	listing sync.Mutex // held while the project is listed
	all     *Listing   // nil before

	mu    sync.Mutex // guards the rest
	texts map[string][]byte
	held  int
}

// list returns the part of the listing of the project that is below a folder, if there is any.
func (f *frozen) list(ctx context.Context, dir string) (*Listing, error) {
	f.listing.Lock()
	defer f.listing.Unlock()
	if f.all == nil {
		l, err := f.tree.list(ctx, ".")
		if err != nil {
			return nil, err
		}
		f.all = l
	}
	out := *f.all
	out.Files = []Entry{}
	for _, e := range f.all.Files {
		if dir == "." || strings.HasPrefix(e.Path, dir+"/") {
			out.Files = append(out.Files, e)
		}
	}
	if len(out.Files) == 0 { // the folder may be ignored
		return f.tree.list(ctx, dir)
	}
	if dir != "." {
		out.Skipped, out.Warnings = Skipped{}, nil
	}
	return &out, nil
}

func (f *frozen) read(n node, limit int64) ([]byte, error) {
	f.mu.Lock()
	text, ok := f.texts[n.path]
	f.mu.Unlock()
	if ok {
		return bytes.Clone(text[:min(int64(len(text)), limit+1)]), nil
	}
	text, err := f.tree.read(n, limit)
	if err != nil || int64(len(text)) > min(limit, maxHeldFile) {
		return text, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.texts[n.path]; !ok && f.held+len(text) <= maxHeld {
		f.texts[n.path] = bytes.Clone(text)
		f.held += len(text)
	}
	return text, nil
}

// Close does nothing: the tree is closed by the project that it was made of.
func (f *frozen) Close() error { return nil }
