package project

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// revision is the project at a commit, as a [tree]. The list of files is in memory, contents are read on demand.
type revision struct {
	commit  string // full id
	entries []node // files, links and submodules below the root, sorted by path
	blobs   blobs
}

// blobs reads contents: by the git command or, if it is not installed, by go-git.
type blobs interface {
	blob(id string, limit int64) ([]byte, error)
	Close() error
}

// openRevision reads the tree of a revision below root, any folder of the repository.
func openRevision(ctx context.Context, root, rev string) (*revision, error) {
	if rev == "" || strings.ContainsAny(rev, "\x00\n") {
		return nil, &RevisionError{Revision: rev, Root: root, Err: message.Errorf("not the name of a revision")}
	}
	r, err := openByGit(ctx, root, rev)
	if errors.Is(err, exec.ErrNotFound) {
		r, err = openByGoGit(ctx, root, rev)
	}
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	refusal := &RevisionError{Revision: rev, Root: root, Err: err, near: nearRevision(ctx, root, rev)}
	if said, ok := errors.AsType[*gitError](err); ok {
		refusal.advice = said.advice
		if strings.HasPrefix(said.message, "not a git repository") {
			refusal.advice = message.New("the project is not in a git repository, so it has no revisions; --project names another folder")
		}
	}
	return nil, refusal
}

func openByGit(ctx context.Context, root, rev string) (*revision, error) {
	commit, err := commitOf(ctx, root, rev)
	if err != nil {
		return nil, err
	}
	return openTree(ctx, root, commit)
}

// commitOf returns the id of the commit that a revision names.
func commitOf(ctx context.Context, root, rev string) (string, error) {
	out, _, err := gitOutput(ctx, root, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if said, ok := errors.AsType[*gitError](err); ok && said.message == "Needed a single revision" {
		return "", message.Errorf("unknown revision, or not a commit")
	}
	return strings.TrimSpace(string(out)), err
}

// nearRevision returns the branch or tag that was probably meant; "" for none.
func nearRevision(ctx context.Context, root, rev string) string {
	out, _, err := gitOutput(ctx, root, "for-each-ref", "--count=5000", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return ""
	}
	return suggest.Nearest(rev, strings.Fields(string(out)))
}

// openTree opens a commit, or a tree, by its id.
func openTree(ctx context.Context, root, id string) (*revision, error) {
	r := &revision{commit: id}
	// In a subfolder, ls-tree lists that folder, with relative paths.
	out, _, err := gitOutput(ctx, root, "ls-tree", "-r", "-z", "--long", r.commit)
	if err != nil {
		return nil, err
	}
	if r.entries, err = parseTree(string(out)); err != nil {
		return nil, err
	}
	// The process lives until Close, not only until this call ends.
	r.blobs, err = startCatFile(context.WithoutCancel(ctx), root)
	return r, err
}

// parseTree parses the output of ls-tree -z --long: "mode type id size path".
func parseTree(text string) ([]node, error) {
	var entries []node
	for line := range strings.SplitSeq(text, "\x00") {
		if line == "" {
			continue
		}
		head, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if len(fields) != 4 || name == "" {
			return nil, message.Errorf("git ls-tree: unexpected line %q", line)
		}
		n := node{path: name, kind: file, id: fields[2]}
		switch fields[0] {
		case "120000":
			n.kind = link
		case "160000":
			n.kind = submodule
		}
		// Submodules have no size, nor has what a partial clone lacks, which is an error only if it is read.
		if size, err := strconv.ParseInt(fields[3], 10, 64); err == nil {
			n.size = size
		}
		entries = append(entries, n)
	}
	slices.SortFunc(entries, byPath)
	return entries, nil
}

func byPath(a, b node) int { return cmp.Compare(a.path, b.path) }

func (r *revision) Close() error { return r.blobs.Close() }

func (r *revision) look(rel string) (node, error) {
	i, ok := slices.BinarySearchFunc(r.entries, node{path: rel}, byPath)
	if !ok {
		if len(r.below(rel)) == 0 {
			return node{}, fs.ErrNotExist
		}
		return node{path: rel, kind: folder}, nil
	}
	n := r.entries[i]
	if n.kind != link {
		return n, nil
	}
	if n.size > maxLinkText {
		return node{}, message.Errorf("link %s is too long", rel)
	}
	text, err := r.blobs.blob(n.id, MaxFileSize)
	n.link = string(text)
	return n, err
}

// maxLinkText is the maximum length of a link's target, as in Linux.
const maxLinkText = 4096

// below returns the entries in a folder and its subfolders.
func (r *revision) below(dir string) []node {
	if dir == "." {
		return r.entries
	}
	from, _ := slices.BinarySearchFunc(r.entries, node{path: dir + "/"}, byPath)
	to, _ := slices.BinarySearchFunc(r.entries, node{path: dir + "0"}, byPath) // "0" follows "/"
	return r.entries[from:max(from, to)]
}

func (r *revision) children(dir string, most int) (names []string, total int, err error) {
	names = []string{}
	skip := len(dir) + 1
	if dir == "." {
		skip = 0
	}
	for _, n := range r.below(dir) {
		name, _, _ := strings.Cut(n.path[skip:], "/")
		names = append(names, name)
	}
	slices.Sort(names) // "a.go" sorts between "a" and "a/b"
	names = slices.Compact(names)
	return names[:min(most, len(names))], len(names), nil
}

func (r *revision) list(ctx context.Context, dir string) (*Listing, error) {
	below := r.below(dir)
	l := &Listing{Files: make([]Entry, 0, len(below))}
	for _, n := range below {
		switch n.kind {
		case link:
			l.Skipped.Links++
		case submodule:
			l.Skipped.Submodules++
		default:
			l.Files = append(l.Files, Entry{Path: n.path, Size: n.size})
		}
	}
	return l, ctx.Err()
}

func (r *revision) read(n node, limit int64) ([]byte, error) {
	return r.blobs.blob(n.id, limit)
}

func (r *revision) open(n node) (io.ReadCloser, error) {
	text, err := r.read(n, MaxFileSize)
	return io.NopCloser(bytes.NewReader(text)), err
}
