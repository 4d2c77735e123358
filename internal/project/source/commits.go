package source

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Commits finds the commit that has files as they are in the work tree. It is safe for concurrent
// use.
type Commits struct {
	project *project.Project

	once    sync.Once
	head    *project.Project    // nil without a commit
	folders map[string][]string // the source files of head, by folder
}

// NewCommits returns the commits of a project. The caller closes them.
func NewCommits(p *project.Project) *Commits { return &Commits{project: p} }

// Close closes the commit.
func (c *Commits) Close() error {
	c.once.Do(func() {})
	if c.head == nil {
		return nil
	}
	return c.head.Close()
}

// Of returns the full id of the commit that is checked out if it has the files of a tree as they
// are, and no others in its scope; "" if not, and outside git.
func (c *Commits) Of(ctx context.Context, t *Tree) string {
	if commit := c.project.Revision(); commit != "" {
		return commit
	}
	c.once.Do(func() { c.open(ctx) })
	if c.head == nil || ctx.Err() != nil {
		return ""
	}
	here := map[string]bool{}
	for _, f := range t.Files {
		here[f.Path] = true
		if hash, err := c.head.Hash(f.Path); err != nil || hash != f.Hash {
			return ""
		}
	}
	for folder, files := range c.folders {
		if !t.covers(folder) {
			continue
		}
		for _, f := range files {
			if !here[f] && t.Scope != File {
				return ""
			}
		}
	}
	return c.head.Revision()
}

// covers reports whether files of a folder are in the scope of the tree.
func (t *Tree) covers(folder string) bool {
	return folder == t.Target || t.Scope == Everything && (t.Target == "." || strings.HasPrefix(folder, t.Target+"/"))
}

// open opens the commit that is checked out.
func (c *Commits) open(ctx context.Context) {
	head, err := c.project.At(ctx, "HEAD")
	if err != nil {
		return
	}
	c.head, c.folders = head, map[string][]string{}
	l, err := head.List(ctx, ".")
	if err != nil {
		return
	}
	for _, f := range l.Files {
		if isSource(f.Path) {
			c.folders[path.Dir(f.Path)] = append(c.folders[path.Dir(f.Path)], f.Path)
		}
	}
}
