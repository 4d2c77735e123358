package project

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Commit is a change that the history of a project tells of.
type Commit struct {
	Subject string   // the first line of its message
	Files   []string // that it changed, relative to the project
}

// historyTime bounds how long git may take to list commits.
const historyTime = 5 * time.Second

var commitID = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// History returns a commit of the project's repository and those before it, at most so many, latest first, without merges. None are
// known where there is no git or no such commit, or where git takes too long.
func (p *Project) History(ctx context.Context, commit string, most int) []Commit {
	if !commitID.MatchString(commit) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	const entry = "\x01"
	out, _, err := gitOutput(ctx, p.root, "log", "--no-merges", "--no-renames", "--name-only", "--relative", "--format="+entry+"%s", "-"+strconv.Itoa(most), commit, "--")
	if err != nil {
		return nil
	}
	var list []Commit
	for text := range strings.SplitSeq(string(out), entry) {
		subject, names, _ := strings.Cut(text, "\n")
		if names = strings.Trim(names, "\n"); subject != "" && names != "" {
			list = append(list, Commit{subject, strings.Split(names, "\n")})
		}
	}
	return list
}
