package project

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Past reads files of a project as they were at commits.
type Past struct {
	project *Project
	files   *catFile
	ending  string               // of the names of the files of which all commits are in memory; "" for none
	learnt  map[string][]Revised // these commits by file
	whole   bool                 // no clone is shallow
}

// Revised is a commit that changed a file.
type Revised struct {
	Commit  string // full id
	Author  string
	When    time.Time
	Subject string // the first line of the message
}

// Past opens the history of a project. The error says why there is none: no git, no repository.
func (p *Project) Past(ctx context.Context) (*Past, error) {
	if _, _, err := gitOutput(ctx, p.root, "rev-parse", "--git-dir"); err != nil {
		return nil, err
	}
	files, err := startCatFile(ctx, p.root)
	if err != nil {
		return nil, err
	}
	return &Past{project: p, files: files}, nil
}

// learnTime bounds how long git may take to list the commits of many files.
const learnTime = time.Minute

// Learn reads the commits of all files whose names have an ending, in one go: [Past.Of] then answers for them without git.
func (h *Past) Learn(ctx context.Context, ending string) error {
	ctx, cancel := context.WithTimeout(ctx, learnTime)
	defer cancel()
	out, _, err := gitOutput(ctx, h.project.root, "log", "-c", "-z", "--date-order", "--name-only", "--relative", "--no-renames", "--format="+revisedFormat,
		cmp.Or(h.project.revision, "HEAD"), "--", ":(glob)**/*"+ending)
	if err != nil {
		return err
	}
	h.ending, h.learnt, h.whole = ending, map[string][]Revised{}, h.isWhole(ctx)
	for text := range strings.SplitSeq(string(out), revisedEntry) {
		head, names, _ := strings.Cut(text, "\x00")
		by, ok := readRevised(head)
		for name := range strings.SplitSeq(names, "\x00") {
			if name = strings.Trim(name, "\n"); ok && name != "" {
				h.learnt[name] = append(h.learnt[name], by)
			}
		}
	}
	return nil
}

// isWhole reports whether the history goes back to the first commit.
func (h *Past) isWhole(ctx context.Context) bool {
	shallow, _, err := gitOutput(ctx, h.project.root, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(shallow)) == "false"
}

// How git is asked for commits.
const (
	revisedEntry, revisedField = "\x01", "\x02"

	revisedFormat = revisedEntry + "%H" + revisedField + "%an" + revisedField + "%aI" + revisedField + "%s"
)

// readRevised reads a commit in this form.
func readRevised(text string) (r Revised, ok bool) {
	parts := strings.Split(strings.TrimRight(text, "\n"), revisedField)
	if len(parts) != 4 {
		return r, false
	}
	when, _ := time.Parse(time.RFC3339, parts[2]) // git made it
	return Revised{parts[0], parts[1], when, parts[3]}, true
}

// Close ends the reading of files.
func (h *Past) Close() error { return h.files.Close() }

// Of returns the commits that changed a file, at most so many, latest first; none of a file that git does not know, or where git
// takes too long. Complete says that the history goes back to the first commit: the clone is not shallow, and no commit was left out.
func (h *Past) Of(ctx context.Context, name string, most int) (list []Revised, complete bool, err error) {
	rel, err := h.project.clean(name)
	if err != nil {
		return nil, false, err
	}
	if h.ending != "" && strings.HasSuffix(rel, h.ending) {
		list = h.learnt[rel]
		return list[:min(most, len(list))], h.whole && len(list) <= most, nil
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	out, _, err := gitOutput(ctx, h.project.root, "log", "--format="+revisedFormat,
		"-"+strconv.Itoa(most+1), cmp.Or(h.project.revision, "HEAD"), "--", ":(literal)"+rel)
	if err != nil {
		return nil, false, err
	}
	for text := range strings.SplitSeq(string(out), revisedEntry) {
		if by, ok := readRevised(text); ok {
			list = append(list, by)
		}
	}
	return list[:min(most, len(list))], len(list) <= most && h.isWhole(ctx), nil
}

// Text returns a file at a commit.
func (h *Past) Text(commit, name string, limit int64) ([]byte, error) {
	rel, err := h.project.clean(name)
	switch {
	case err != nil:
		return nil, err
	case !commitID.MatchString(commit) || strings.Contains(rel, "\n"):
		return nil, message.Errorf("not a file of a commit: %q", rel)
	}
	return h.files.blob(commit+":./"+rel, limit)
}
