package project

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Changed returns the paths of the files that differ from a revision of git, with those that git does not track: changed,
// new and removed ones, sorted. Of a project at a revision, it compares the two revisions. The error is a [*RevisionError].
func (p *Project) Changed(ctx context.Context, rev string) ([]string, error) {
	fail := func(err error) ([]string, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &RevisionError{Revision: rev, Root: p.Root(), Err: err, near: nearRevision(ctx, p.Root(), rev)}
	}
	commit, err := commitOf(ctx, p.Root(), rev)
	if err != nil {
		return fail(err)
	}
	var wg sync.WaitGroup
	var untracked []byte
	var failed error
	if p.revision == "" {
		wg.Go(func() {
			untracked, _, failed = gitOutput(ctx, p.Root(), "ls-files", "-z", "--others", "--exclude-standard")
		})
	}
	args := []string{"diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff"}
	changed, _, err := gitOutput(ctx, p.Root(), append(append(args, p.against(commit)...), "--")...)
	wg.Wait()
	if err := cmp.Or(err, failed); err != nil {
		return fail(err)
	}
	var out []string
	for name := range strings.SplitSeq(string(changed)+string(untracked), "\x00") {
		if name != "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
