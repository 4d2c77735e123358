package search_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// writtenVariable names the folder into which TestQuestionsAreWritten writes questions and the code that they are about.
const writtenVariable = "REVERSE_SPEC_QUESTIONS"

// writtenQuestion is a question for any program: scripts/tokens.sh asks several.
type writtenQuestion struct {
	Repository string   `json:"repository"`
	Kind       string   `json:"kind"` // "doc": a function by its documentation; "commit": the files and functions that a commit changes
	Tree       string   `json:"tree"` // folder with the code, below that of the file
	Text       string   `json:"text"`
	Files      []string `json:"files"`     // the answers
	Functions  []string `json:"functions"` // the answers, "file:name"; none if a commit changes no function that was there
}

// TestQuestionsAreWritten writes the questions of TestFusion, and the code that they are about.
func TestQuestionsAreWritten(t *testing.T) {
	list, to := os.Getenv(retrievalVariable), os.Getenv(writtenVariable)
	if list == "" || to == "" {
		t.Skipf("%s is not set: make tokens sets it", writtenVariable)
	}
	text, err := os.ReadFile(list)
	check(t, err)
	var all []writtenQuestion
	for line := range strings.Lines(string(text)) {
		f := append(strings.Fields(line), "")
		r := &repository{name: f[0], git: f[1], extensions: strings.Split(f[2], ","), use: f[3], queries: f[4]}
		all = append(all, writeDocs(t, r, to)...)
		all = append(all, writeCommits(t, r, to)...)
	}
	out, err := json.Marshal(all)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(to, "questions.json"), out, 0o600))
}

func writeDocs(t *testing.T, r *repository, to string) (out []writtenQuestion) {
	t.Helper()
	tree := filepath.Join(filepath.Base(r.name), "doc")
	for _, q := range sampled(docQuestions(t, r, filepath.Join(to, tree))) {
		file, _, _ := strings.Cut(q.Gold[0], ":")
		name := q.Name[strings.LastIndexAny(q.Name, ".#")+1:]
		out = append(out, writtenQuestion{r.name, "doc", tree, q.Text, []string{file}, []string{file + ":" + name}})
	}
	return out
}

func writeCommits(t *testing.T, r *repository, to string) (out []writtenQuestion) {
	t.Helper()
	for _, q := range sampled(commitQuestions(t, r)) {
		tree := filepath.Join(filepath.Base(r.name), q.Snapshot[:12])
		if _, err := os.Stat(filepath.Join(to, tree)); err != nil {
			check(t, os.MkdirAll(filepath.Dir(filepath.Join(to, tree)), 0o700))
			check(t, os.Rename(r.clone(t, q.Snapshot), filepath.Join(to, tree)))
		}
		out = append(out, writtenQuestion{r.name, "commit", tree, q.Text, q.Files, r.touched(t, &q)})
	}
	return out
}

// hunkHead is the head of a hunk: the lines that it replaces.
var hunkHead = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? `)

// touched returns the functions that a commit changes, if the snapshot has them.
func (r *repository) touched(t *testing.T, q *question) (out []string) {
	t.Helper()
	for _, file := range q.Files {
		diff, err := r.run(t.Context(), "diff", "-U0", q.Commit+"^", q.Commit, "--", file)
		check(t, err)
		before := functionsIn(t, r, q.Commit+"^", file)
		there := functionsIn(t, r, q.Snapshot, file)
		seen := map[string]bool{}
		for _, m := range hunkHead.FindAllStringSubmatch(diff, -1) {
			first, _ := strconv.Atoi(m[1])
			lines := 1
			if m[2] != "" {
				lines, _ = strconv.Atoi(m[2])
			}
			for name, spans := range before {
				for _, span := range spans {
					if first <= span[1] && first+max(lines, 1)-1 >= span[0] && there[name] != nil && !seen[name] {
						seen[name] = true
						out = append(out, file+":"+name)
					}
				}
			}
		}
	}
	return out
}

// functionsIn returns the first and last lines of the functions of a file by their names.
func functionsIn(t *testing.T, r *repository, revision, file string) map[string][][2]int {
	t.Helper()
	src, err := r.run(t.Context(), "show", revision+":"+file)
	check(t, err)
	out := map[string][][2]int{}
	f, err := lang.Parse(t.Context(), file, []byte(src), lang.All)
	if err != nil {
		return out
	}
	each(f.Symbols, "", func(name string, s *code.Symbol) {
		if s.Kind == code.Function || s.Kind == code.Method {
			short := name[strings.LastIndexAny(name, ".#")+1:]
			out[short] = append(out[short], [2]int{s.StartLine, s.EndLine})
		}
	})
	return out
}
