// Package action_test runs the script of the GitHub Action, and the job for GitLab, against fakes of the forges' APIs.
package action_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// forge is a fake of an API that keeps comments.
type forge struct {
	mu       sync.Mutex
	comments []comment
	calls    []string
}

type comment struct {
	ID   int    `json:"id"`
	Body string `json:"body"`
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, r.Method+" "+r.URL.Path)
	if r.Header.Get("Authorization") != "Bearer secret" && r.Header.Get("PRIVATE-TOKEN") != "secret" {
		http.Error(w, "bad credentials", http.StatusUnauthorized)
		return
	}
	var sent comment
	if r.Method != http.MethodGet {
		text, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(text, &sent) != nil {
			http.Error(w, "bad body", http.StatusBadRequest)
			return
		}
	}
	switch r.Method {
	case http.MethodGet:
		page := 1
		_, _ = fmt.Sscan(r.URL.Query().Get("page"), &page)
		from := min(len(f.comments), 100*(page-1))
		_ = json.NewEncoder(w).Encode(f.comments[from:min(len(f.comments), from+100)])
	case http.MethodPost:
		sent.ID = 1000 + len(f.comments)
		f.comments = append(f.comments, sent)
		w.WriteHeader(http.StatusCreated)
	default:
		for i := range f.comments {
			if strings.HasSuffix(r.URL.Path, fmt.Sprintf("/%d", f.comments[i].ID)) {
				f.comments[i].Body = sent.Body
			}
		}
	}
}

// program is a stand-in for reverse-spec that answers from files.
const program = `#!/bin/sh
while [ $# -gt 0 ]; do case $1 in --format) shift; format=$1 ;; --fail-on) shift; [ "$1" != breaking ] || exit "$FAKE_FAILS" ;; esac; shift; done
cat "$FAKE/review.$format"
`

// setUp makes a repository with a stand-in program and its answers.
func setUp(t *testing.T, breaking int) (dir string, env []string) {
	t.Helper()
	for _, tool := range []string{"bash", "curl", "jq", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	dir = t.TempDir()
	for name, text := range map[string]string{
		"reverse-spec": program, "review.md": "<!-- reverse-spec review -->\n**Risk: high — \"quoted\" $(id)**\n", "review.sarif": `{"version":"2.1.0"}` + "\n",
		"review.github": "::error file=a.go,line=3::gone\n", "review.json": fmt.Sprintf(`{"risk":{"level":"high"},"breaking":[%s]}`, strings.TrimSuffix(strings.Repeat("{},", breaking), ",")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "one"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	return dir, append(os.Environ(), "FAKE="+dir, "REVIEW_PROGRAM="+filepath.Join(dir, "reverse-spec"), "REVIEW_BASE=HEAD", "GITHUB_REPOSITORY=o/r",
		"REVIEW_PR=7", "REVIEW_TOKEN=secret", "GITHUB_OUTPUT="+filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "no_proxy=127.0.0.1")
}

// run runs a script and returns its standard output and exit status.
func run(t *testing.T, dir string, env []string, script ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", script...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOneCommentIsKeptUpToDate among those of others, whichever page of the list it is on.
func TestOneCommentIsKeptUpToDate(t *testing.T) {
	script, err := filepath.Abs("../../scripts/ci/review.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, env := setUp(t, 2)
	f := &forge{}
	for i := range 120 { // two pages
		f.comments = append(f.comments, comment{i + 1, "a comment of a person about <!-- reverse-spec review -->"})
	}
	server := httptest.NewServer(f)
	defer server.Close()
	env = append(env, "GITHUB_API_URL="+server.URL, "REVIEW_SARIF="+filepath.Join(dir, "out.sarif"))
	for range 2 {
		out, status := run(t, dir, env, script)
		if status != 3 || out != "::error file=a.go,line=3::gone\n" {
			t.Errorf("status %d, output %q", status, out)
		}
	}
	list, comments := "GET /repos/o/r/issues/7/comments", "/repos/o/r/issues/7/comments"
	want := []string{list, list, "POST " + comments, list, list, "PATCH /repos/o/r/issues/comments/1120"}
	if diff := cmp.Diff(want, f.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if n, body := len(f.comments), f.comments[len(f.comments)-1].Body; n != 121 || body != read(t, filepath.Join(dir, "review.md")) {
		t.Errorf("%d comments, the last %q", n, body)
	}
	if got := read(t, filepath.Join(dir, "output")); !strings.HasPrefix(got, "risk=high\nbreaking=2\nsarif=") {
		t.Errorf("outputs: %q", got)
	}
	if got := read(t, filepath.Join(dir, "out.sarif")); got != read(t, filepath.Join(dir, "review.sarif")) {
		t.Errorf("SARIF: %q", got)
	}
	if got := read(t, filepath.Join(dir, "summary")); !strings.Contains(got, "Risk: high") {
		t.Errorf("summary: %q", got)
	}
}

// TestLevelsOfFailure decide the status; a comment that cannot be written is no failure.
func TestLevelsOfFailure(t *testing.T) {
	script, err := filepath.Abs("../../scripts/ci/review.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, env := setUp(t, 0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer server.Close()
	for level, want := range map[string]int{"never": 0, "breaking": 0, "high": 3, "medium": 3, "low": 3, "nonsense": 2} {
		out, status := run(t, dir, append(env, "GITHUB_API_URL="+server.URL, "REVIEW_FAIL_ON="+level), script)
		if status != want {
			t.Errorf("%s: status %d, want %d: %s", level, status, want, out)
		}
	}
}

// TestTheJobOfGitLabKeepsOneNote runs the script of the template.
func TestTheJobOfGitLabKeepsOneNote(t *testing.T) {
	var template map[string]struct{ Script []string }
	if err := yaml.Unmarshal([]byte(read(t, "../../scripts/ci/gitlab.yml")), &template); err != nil {
		t.Fatal(err)
	}
	dir, env := setUp(t, 0)
	job := filepath.Join(dir, "job") // it writes a file that is called as one of the stand-in's
	if err := os.Mkdir(job, 0o700); err != nil {
		t.Fatal(err)
	}
	f := &forge{comments: []comment{{1, "a note of a person"}}}
	server := httptest.NewServer(f)
	defer server.Close()
	env = append(env, "CI_API_V4_URL="+server.URL, "CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=7", "CI_MERGE_REQUEST_DIFF_BASE_SHA=HEAD", "REVERSE_SPEC_TOKEN=secret",
		"REVERSE_SPEC_FAIL_ON=breaking", "FAKE_FAILS=0", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for range 2 {
		if out, status := run(t, job, env, "-eo", "pipefail", "-c", strings.Join(template["reverse-spec"].Script, "\n")); status != 0 {
			t.Errorf("status %d: %s", status, out)
		}
	}
	notes := "/projects/5/merge_requests/7/notes"
	if diff := cmp.Diff([]string{"GET " + notes, "POST " + notes, "GET " + notes, "PUT " + notes + "/1001"}, f.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if len(f.comments) != 2 {
		t.Errorf("%d notes", len(f.comments))
	}
}

// TestTheActionIsWhole: what it refers to exists, and the defaults are what the script takes.
func TestTheActionIsWhole(t *testing.T) {
	var action struct {
		Inputs  map[string]struct{ Default string }
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Using string
			Steps []struct {
				Run, Uses string
				Env       map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	step := action.Runs.Steps[0]
	if action.Runs.Using != "composite" || !strings.Contains(step.Run, "/scripts/ci/review.sh") {
		t.Errorf("%+v", action.Runs)
	}
	script := read(t, "../../scripts/ci/review.sh")
	for name, value := range step.Env {
		if !strings.Contains(script, name) {
			t.Errorf("the script does not know %s", name)
		}
		for input := range strings.SplitSeq(value, "inputs.") {
			if name, _, ok := strings.Cut(input, " "); ok && strings.Contains(value, "inputs."+name+" ") {
				if _, known := action.Inputs[name]; !known {
					t.Errorf("no such input: %s", name)
				}
			}
		}
	}
	for name := range action.Outputs {
		if !strings.Contains(script, `echo "`+name+"=") {
			t.Errorf("the script gives no output %s", name)
		}
	}
	var hooks []struct{ ID, Entry, Language string }
	if err := yaml.Unmarshal([]byte(read(t, "../../.pre-commit-hooks.yaml")), &hooks); err != nil || len(hooks) != 2 {
		t.Errorf("%v %+v", err, hooks)
	}
}
