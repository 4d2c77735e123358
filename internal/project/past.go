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
	return &Past{p, files}, nil
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
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	const entry, field = "\x01", "\x02"
	out, _, err := gitOutput(ctx, h.project.root, "log", "--format="+entry+strings.Join([]string{"%H", "%an", "%aI", "%s"}, field),
		"-"+strconv.Itoa(most+1), cmp.Or(h.project.revision, "HEAD"), "--", ":(literal)"+rel)
	if err != nil {
		return nil, false, err
	}
	for text := range strings.SplitSeq(string(out), entry) {
		if parts := strings.Split(strings.TrimRight(text, "\n"), field); len(parts) == 4 {
			when, _ := time.Parse(time.RFC3339, parts[2]) // git made it
			list = append(list, Revised{parts[0], parts[1], when, parts[3]})
		}
	}
	shallow, _, err := gitOutput(ctx, h.project.root, "rev-parse", "--is-shallow-repository")
	complete = err == nil && strings.TrimSpace(string(shallow)) == "false" && len(list) <= most
	return list[:min(most, len(list))], complete, nil
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
