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
