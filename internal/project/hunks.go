package project

import (
	"context"
	"strconv"
	"strings"
)

// Hunk is a part of a file that changed: lines, 1-based and inclusive.
type Hunk struct{ First, Last int }

// staged is the revision of a project that is the index of git.
const staged = "the index"

// Staged returns the project as it is in the index of git: what the next commit would have. It is read-only; the caller closes
// it. Nothing is written. The error is a [*RevisionError].
func (p *Project) Staged(ctx context.Context) (*Project, error) {
	r, err := openIndex(ctx, p.root)
	if err != nil {
		return nil, &RevisionError{Revision: staged, Root: p.Root(), Err: err}
	}
	return &Project{root: p.root, revision: staged, tree: r, selected: p.selected}, nil
}

// openIndex opens the index of git. Sizes are those of HEAD where it has the object.
func openIndex(ctx context.Context, root string) (*revision, error) {
	out, _, err := gitOutput(ctx, root, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	sizes := map[string]string{}
	head, _, _ := gitOutput(ctx, root, "ls-tree", "-r", "-z", "--long", "HEAD") // there is none before the first commit
	for entry := range strings.SplitSeq(string(head), "\x00") {
		if f := strings.Fields(entry); len(f) > 3 {
			sizes[f[2]] = f[3]
		}
	}
	var tree strings.Builder // in the form of ls-tree --long
	for entry := range strings.SplitSeq(string(out), "\x00") {
		info, name, _ := strings.Cut(entry, "\t")
		f := strings.Fields(info)
		if len(f) != 3 || f[2] != "0" { // a file with a conflict has several
			continue
		}
		kind, size := "blob", sizes[f[1]]
		if f[0] == "160000" {
			kind, size = "commit", "-"
		} else if size == "" {
			of, _, err := gitOutput(ctx, root, "cat-file", "-s", f[1])
			if err != nil {
				return nil, err
			}
			size = strings.TrimSpace(string(of))
		}
		tree.WriteString(f[0] + " " + kind + " " + f[1] + " " + size + "\t" + name + "\x00")
	}
	r := &revision{commit: staged}
	if r.entries, err = parseTree(tree.String()); err != nil {
		return nil, err
	}
	r.blobs, err = startCatFile(context.WithoutCancel(ctx), root)
	return r, err
}

// against returns the arguments of git diff that compare a revision with the files, the index, or the revision of the project.
func (p *Project) against(rev string) []string {
	switch p.revision {
	case "":
		return []string{rev}
	case staged:
		return []string{"--cached", rev}
	}
	return []string{rev, p.revision}
}

// Hunks returns the lines of files that differ from a revision, by path: the new lines, and the two around lines that are gone.
// A new file has none. The error is a [*RevisionError].
func (p *Project) Hunks(ctx context.Context, rev string) (map[string][]Hunk, error) {
	args := []string{"diff", "-U0", "--relative", "--no-renames", "--no-ext-diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"}
	out, _, err := gitOutput(ctx, p.Root(), append(append(args, p.against(rev)...), "--")...)
	if err != nil {
		return nil, &RevisionError{Revision: rev, Root: p.Root(), Err: err}
	}
	hunks := map[string][]Hunk{}
	file := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = strings.TrimSuffix(name, "\t")
			continue
		}
		if rest, ok := strings.CutPrefix(line, "@@ -"); ok && file != "" {
			if l, ok := newLines(rest); ok {
				hunks[file] = append(hunks[file], l)
			}
		}
		if strings.HasPrefix(line, "diff --git ") {
			file = ""
		}
	}
	return hunks, nil
}

// newLines returns the new lines of the head of a hunk after its "@@ -": "3,0 +4,2 @@".
func newLines(head string) (Hunk, bool) {
	_, rest, ok := strings.Cut(head, "+")
	if !ok {
		return Hunk{}, false
	}
	span, _, _ := strings.Cut(rest, " ")
	from, count, several := strings.Cut(span, ",")
	first, err := strconv.Atoi(from)
	if err != nil {
		return Hunk{}, false
	}
	n := 1
	if several {
		if n, err = strconv.Atoi(count); err != nil {
			return Hunk{}, false
		}
	}
	if n == 0 { // lines are gone after this one
		return Hunk{max(first, 1), first + 1}, true
	}
	return Hunk{first, first + n - 1}, true
}

// IsRoot reports whether the checked-out commit is the first of its repository, not just of what a shallow clone holds.
func (p *Project) IsRoot(ctx context.Context) bool {
	parents, _, err := gitOutput(ctx, p.Root(), "rev-list", "--parents", "--max-count=1", "HEAD")
	if err != nil || len(strings.Fields(string(parents))) != 1 {
		return false
	}
	shallow, _, err := gitOutput(ctx, p.Root(), "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(shallow)) == "false"
}

// Fork returns the commit at which HEAD left a branch, in short; "" if the branch does not exist or has all that HEAD has.
func (p *Project) Fork(ctx context.Context, branch string) string {
	base, _, err := gitOutput(ctx, p.Root(), "merge-base", "HEAD", branch)
	if err != nil {
		return ""
	}
	head, _, err := gitOutput(ctx, p.Root(), "rev-parse", "HEAD")
	if err != nil || strings.TrimSpace(string(base)) == strings.TrimSpace(string(head)) {
		return ""
	}
	const short = 12
	fork := strings.TrimSpace(string(base))
	return fork[:min(len(fork), short)]
}
