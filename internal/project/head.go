package project

import (
	"context"
	"strings"
)

// HeadCommit returns the full id of the commit checked out in a folder; "" if there is no git, no repository or no
// commit.
func HeadCommit(ctx context.Context, dir string) string {
	out, _, err := gitOutput(ctx, dir, "rev-parse", "--verify", "-q", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// LastCommit returns the full id of the last commit that changed a file; "" if there is no git, no repository or no
// such commit.
func (p *Project) LastCommit(ctx context.Context, name string) string {
	rel, err := p.clean(name)
	if err != nil {
		return ""
	}
	out, _, err := gitOutput(ctx, p.root, "rev-list", "-1", "HEAD", "--", ":(literal)"+rel)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
