package search_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// question is a query with known answers.
type question struct {
	Text     string   `json:"query"`
	Snapshot string   `json:"snapshot"`
	Commit   string   `json:"commit"`
	Files    []string `json:"files"` // the answers: files ...
	Gold     []string `json:"gold"`  // ... or functions, "file:line"
	Name     string   `json:"name"`  // of the function, "Type.method"
}

// is reports whether a node is the function that a question is about.
func (q *question) is(n *codegraph.Node) bool {
	path, line, _ := strings.Cut(q.Gold[0], ":")
	at, _ := strconv.Atoi(line)
	return n.Path == path && n.StartLine <= at && at <= n.EndLine && n.Name == q.Name[strings.LastIndexAny(q.Name, ".#")+1:]
}

// readyMade reads questions, one per line; none if the file does not exist.
func readyMade(tb testing.TB, dir, name string) (questions []question) {
	tb.Helper()
	f, err := os.Open(filepath.Join(dir, name))
	if dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	check(tb, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		check(tb, json.Unmarshal(lines.Bytes(), &q))
		questions = append(questions, q)
	}
	check(tb, lines.Err())
	return questions
}

// The commits that are asked of: the last snapshots of the history, and as many
// commits after each.
const (
	snapshots   = 5
	perSnapshot = 40
	history     = 6000 // commits that are looked at
)

var (
	notOfCode = regexp.MustCompile(`(?i)^(merge|revert|release|bump|prepare|v?\d+\.\d+|chore|ci|docs?|test|tests|style|build|typo|format|` +
		`fix(ed)? typo|update (dependenc|changelog|version)|lint|\[pre-commit|build\(deps)|golangci|changelog|cherry.?pick|backport`)
	decoration = regexp.MustCompile(`\s*\(?#\d+\)?|^\w+(\([^)]*\))?!?:\s*|\[[^\]]*\]\s*`)
	realWord   = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// commitQuestions asks for the files that commits changed, by their messages, of
// the revision before some of them.
func commitQuestions(tb testing.TB, r *repository) []question {
	tb.Helper()
	if ready := readyMade(tb, r.queries, "commits.jsonl"); ready != nil {
		return ready
	}
	type candidate struct {
		question
		parent string
	}
	log, err := r.run(tb.Context(), "log", "--no-merges", "--raw", "--no-renames", "--reverse", "--topo-order", "--format=%x01%H %P%x02%B%x03", "-"+strconv.Itoa(history))
	check(tb, err)
	var all []candidate
	for entry := range strings.SplitSeq(log, "\x01") {
		head, raw, _ := strings.Cut(entry, "\x03")
		names, message, _ := strings.Cut(head, "\x02")
		commit, parent, _ := strings.Cut(names, " ")
		files := r.modified(raw)
		q, ok := fromMessage(message)
		if ok && len(strings.Fields(parent)) == 1 && len(files) > 0 && len(files) <= 5 {
			q.Files, q.Commit = files, commit
			all = append(all, candidate{q, parent})
		}
	}
	all = all[max(0, len(all)-snapshots*perSnapshot*8/5):]
	var questions []question
	for part := range slices.Chunk(all, max(1, len(all)/snapshots)) {
		snapshot, count := part[0].parent, 0
		tree, err := r.run(tb.Context(), "ls-tree", "-r", "--name-only", snapshot)
		check(tb, err)
		there := strings.Split(tree, "\n")
		for _, c := range part {
			if count == perSnapshot || slices.ContainsFunc(c.Files, func(f string) bool { return !slices.Contains(there, f) }) {
				continue
			}
			c.Snapshot = snapshot
			questions = append(questions, c.question)
			count++
		}
	}
	return questions
}

// modified returns the eligible files that a commit modifies; none if it adds, removes or renames one.
func (r *repository) modified(raw string) (files []string) {
	for line := range strings.Lines(raw) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if !strings.HasPrefix(line, ":") || !slices.ContainsFunc(fields[1:], r.asked) {
			continue
		}
		if !strings.HasSuffix(fields[0], " M") {
			return nil
		}
		files = append(files, fields[1])
	}
	return files
}

// fromMessage makes a question of a commit's message, if that is about code.
func fromMessage(message string) (q question, ok bool) {
	message = strings.TrimSpace(message)
	q.Text, _, _ = strings.Cut(message, "\n")
	if notOfCode.MatchString(q.Text) || len(realWord.FindAllString(decoration.ReplaceAllString(q.Text, " "), -1)) < 4 {
		return q, false
	}
	return q, true
}
