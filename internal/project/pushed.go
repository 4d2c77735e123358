package project

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Head is the commit that is checked out in a project's folder.
type Head struct {
	Commit    string
	Committed time.Time
	Branch    string // "" for none
	Remote    string // address of the remote repository, as git uses it; "" for none
	Folder    string // of the project in the repository, with "/"; "" for all of it
}

// Head returns the commit that is checked out.
func (p *Project) Head(ctx context.Context) (h Head, err error) {
	out, _, err := gitOutput(ctx, p.root, "log", "-1", "--no-show-signature", "--format=%H %ct", "HEAD", "--")
	if err != nil {
		return h, message.Errorf("there is no commit: %w", err)
	}
	commit, at, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return h, message.Errorf("there is no commit: %w", err)
	}
	h = Head{Commit: commit, Committed: time.Unix(seconds, 0).UTC(), Branch: p.Branch(ctx), Remote: p.remote(ctx)}
	if out, _, err = gitOutput(ctx, p.root, "rev-parse", "--show-prefix"); err == nil {
		h.Folder = strings.Trim(strings.TrimSuffix(string(out), "\n"), "/")
	}
	return h, nil
}

// remote returns the address of the remote repository origin, or of the only one.
func (p *Project) remote(ctx context.Context) string {
	out, _, err := gitOutput(ctx, p.root, "remote")
	names := strings.Fields(string(out))
	if err != nil || len(names) == 0 {
		return ""
	}
	name := "origin"
	if len(names) == 1 {
		name = names[0]
	}
	if out, _, err = gitOutput(ctx, p.root, "remote", "get-url", "--", name); err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Uncommitted returns the files of the project that are not as they are in the commit, those that git ignores left
// out.
func (p *Project) Uncommitted(ctx context.Context) ([]string, error) {
	out, _, err := gitOutput(ctx, p.root, "status", "--porcelain", "-z", "--untracked-files=normal", "--no-renames", "--", ".")
	if err != nil {
		return nil, err
	}
	var files []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if len(entry) > 3 {
			files = append(files, entry[3:])
		}
	}
	return files, nil
}

// IsAncestor reports whether a commit is an ancestor of another; false if git does not know both.
func (p *Project) IsAncestor(ctx context.Context, a, b string) bool {
	_, _, err := gitOutput(ctx, p.root, "merge-base", "--is-ancestor", "--end-of-options", a, b)
	return err == nil
}
