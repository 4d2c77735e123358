package project

import (
	"context"
	"strings"
)

// Branch returns the name of the branch that is checked out; "" for none.
func (p *Project) Branch(ctx context.Context) string {
	out, _, err := gitOutput(ctx, p.Root(), "symbolic-ref", "--short", "-q", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Subjects returns the first lines of the messages of the commits since a revision, without merges, the oldest first, at most
// the last ones of the given number; nil if the revision is no ancestor of what is checked out.
func (p *Project) Subjects(ctx context.Context, rev string, most int) []string {
	commit, _, err := gitOutput(ctx, p.Root(), "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil
	}
	from := strings.TrimSpace(string(commit))
	if _, _, err := gitOutput(ctx, p.Root(), "merge-base", "--is-ancestor", from, "HEAD"); err != nil {
		return nil
	}
	out, _, err := gitOutput(ctx, p.Root(), "log", "--no-merges", "--format=%s", from+"..HEAD", "--")
	if err != nil {
		return nil
	}
	var list []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		if line != "" && len(list) < most {
			list = append([]string{line}, list...)
		}
	}
	return list
}
