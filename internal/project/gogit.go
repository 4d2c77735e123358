package project

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// goGit reads a repository without the git command.
type goGit struct {
	mu   sync.Mutex // its object cache is not safe for concurrent use
	repo *git.Repository
}

func openByGoGit(ctx context.Context, root, rev string) (*revision, error) {
	repo, err := git.PlainOpenWithOptions(root, &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if errors.Is(err, git.ErrRepositoryNotExists) {
		return nil, &gitError{command: "open", message: "not a git repository", err: err}
	}
	if err != nil {
		return nil, message.Errorf("open the repository: %w", err)
	}
	if strings.ContainsAny(rev, ": ") || strings.Contains(rev, "^{") { // go-git would ignore a part of it
		return nil, message.Errorf("unknown revision, or not a commit: without the git command only ids, names, ~ and ^ are understood")
	}
	id, err := repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return nil, message.Errorf("unknown revision, or not a commit: %w", err)
	}
	commit, err := repo.CommitObject(*id)
	if err != nil {
		return nil, message.Errorf("unknown revision, or not a commit: %w", err)
	}
	tree, err := commit.Tree()
	if err != nil {
		return nil, err
	}
	r := &revision{commit: commit.Hash.String(), blobs: &goGit{repo: repo}}
	if at, err := filepath.Rel(repository(root), root); err == nil && at != "." {
		tree, err = tree.Tree(filepath.ToSlash(at))
		if errors.Is(err, object.ErrDirectoryNotFound) { // the folder was added later: no files
			return r, nil
		}
		if err != nil {
			return nil, err
		}
	}
	r.entries, err = flatten(ctx, repo, tree)
	return r, err
}

// flatten returns the files, links and submodules of a tree, sorted by path.
func flatten(ctx context.Context, repo *git.Repository, tree *object.Tree) ([]node, error) {
	var entries []node
	walker := object.NewTreeWalker(tree, true, nil)
	defer walker.Close()
	for ctx.Err() == nil {
		name, entry, err := walker.Next()
		if errors.Is(err, io.EOF) {
			slices.SortFunc(entries, byPath)
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		n := node{path: name, kind: file, id: entry.Hash.String()}
		switch entry.Mode {
		case filemode.Dir:
			continue
		case filemode.Symlink:
			n.kind = link
		case filemode.Submodule:
			n.kind = submodule
		default:
		}
		if n.kind != submodule {
			if n.size, err = repo.Storer.EncodedObjectSize(entry.Hash); err != nil {
				return nil, message.Errorf("%s: %w", name, err)
			}
		}
		entries = append(entries, n)
	}
	return nil, ctx.Err()
}

func (g *goGit) blob(id string, limit int64) ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	blob, err := g.repo.BlobObject(plumbing.NewHash(id))
	if err != nil {
		return nil, err
	}
	r, err := blob.Reader()
	if err != nil {
		return nil, err
	}
	data, err := readAll(io.LimitReader(r, limit+1), make([]byte, 0, min(blob.Size, limit)+1))
	return data, errors.Join(err, r.Close())
}

// Close does nothing: no files are open between reads.
func (g *goGit) Close() error { return nil }
