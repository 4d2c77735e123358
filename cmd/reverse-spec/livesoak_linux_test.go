package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestServerAnswersAsANewIndex edits a project while a server is asked, and compares its answers with those of a new
// server with a new index. REVERSE_SPEC_SOAK is how many minutes to go on, REVERSE_SPEC_SOAK_TREE a folder to copy
// instead of a small project; the memory of the server is printed.
func TestServerAnswersAsANewIndex(t *testing.T) {
	dir := t.TempDir()
	minutes, _ := strconv.ParseFloat(os.Getenv("REVERSE_SPEC_SOAK"), 64)
	soakTree(t, dir)
	s := startServer(t, dir, []string{"GIT_CONFIG_GLOBAL=/dev/null", "GRAPH_RAG_CACHE_ENABLED=0"})
	s.initialize(t)
	r := rand.New(rand.NewPCG(27, 27))
	e := &soakEditor{t: t, dir: dir, rand: r}
	compareWithNew(t, s, e)
	begin, said, questions := time.Now(), time.Now(), 0
	for round := 1; round <= 8 || time.Since(begin).Minutes() < minutes; round++ {
		for range 1 + r.IntN(6) {
			e.edit()
			if r.IntN(2) == 0 { // a question in between
				s.call(t, "query_code_graph", `{"natural_language_query":"MATCH (f:Function) RETURN count(f) AS n"}`)
				questions++
			}
		}
		if minutes == 0 || round%40 == 0 {
			compareWithNew(t, s, e)
		}
		if time.Since(said) > 15*time.Second {
			said = time.Now()
			t.Logf("%4.0f s: %d edits, %d questions, RSS %d MB", time.Since(begin).Seconds(), len(e.log), questions, rssOf(t, s.pid)>>20)
		}
	}
	compareWithNew(t, s, e)
	t.Logf("%.0f s: %d edits, %d questions, RSS %d MB, all answers equal", time.Since(begin).Seconds(), len(e.log), questions, rssOf(t, s.pid)>>20)
}

// soakTree makes the project, a repository with two branches.
func soakTree(t *testing.T, dir string) {
	t.Helper()
	if from := os.Getenv("REVERSE_SPEC_SOAK_TREE"); from != "" {
		if out, err := exec.CommandContext(t.Context(), "sh", "-c", `cp -r "$1"/. "$2" && rm -rf "$2"/.git`, "sh", from, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	} else {
		for i := range 30 {
			file := filepath.Join(dir, fmt.Sprintf("pkg%d", i%5), fmt.Sprintf("f%d.go", i))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("package pkg%d\n\nfunc F%d() { F%d() }\n\ntype T%d struct{}\n\nfunc (T%[4]d) M() { F%[2]d() }\n", i%5, i, (i+5)%30, i)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(".home/\nignored/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e := &soakEditor{t: t, dir: dir}
	e.git("init", "-q", "-b", "main")
	e.git("add", "-A")
	e.git("commit", "-qm", "one")
	e.git("branch", "other")
}

// rssOf returns the memory of a process in bytes.
func rssOf(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// soakEditor changes a project at random.
type soakEditor struct {
	t    *testing.T
	dir  string
	rand *rand.Rand
	log  []string
}

func (e *soakEditor) git(args ...string) {
	e.t.Helper()
	args = append([]string{"-C", e.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)
	if out, err := exec.CommandContext(e.t.Context(), "git", args...).CombinedOutput(); err != nil {
		e.t.Fatalf("git %q: %v\n%s\nafter %q", args, err, out, e.log)
	}
}

// files returns the sources.
func (e *soakEditor) files() (files []string) {
	e.t.Helper()
	err := filepath.WalkDir(e.dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" || d.Name() == ".home":
			return fs.SkipDir
		case filepath.Ext(name) == ".go" && d.Type().IsRegular():
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return files
}

// edit makes one change.
func (e *soakEditor) edit() {
	e.t.Helper()
	files := e.files()
	file, other := files[e.rand.IntN(len(files))], files[e.rand.IntN(len(files))]
	text, err := os.ReadFile(file)
	n := len(e.log)
	what := "edit " + file
	switch e.rand.IntN(12) {
	case 0, 1, 2, 3:
		rows := strings.SplitAfter(string(text), "\n")
		if at := e.rand.IntN(len(rows)); e.rand.IntN(2) == 0 && len(rows) > 10 {
			rows = slices.Delete(rows, at, min(at+3, len(rows)))
		}
		err = os.WriteFile(file, []byte(strings.Join(rows, "")+fmt.Sprintf("\nfunc added%d() { added%d() }\n", n, n/2)), 0o644)
	case 4:
		what = "new file beside " + other
		err = os.WriteFile(filepath.Join(filepath.Dir(other), fmt.Sprintf("new%d.go", n)), fmt.Appendf(nil, "package p\n\nfunc New%d() { F1() }\n", n), 0o644)
	case 5:
		what = "new folder"
		at := filepath.Join(e.dir, fmt.Sprintf("dir%d", n), "a", "b")
		if err = os.MkdirAll(at, 0o755); err == nil {
			err = os.WriteFile(filepath.Join(at, "x.go"), fmt.Appendf(nil, "package b\n\nfunc X%d() {}\n", n), 0o644)
		}
	case 6:
		if len(files) > 12 {
			what, err = "remove "+file, os.Remove(file)
		}
	case 7:
		what, err = "move "+file, os.Rename(file, filepath.Join(filepath.Dir(other), fmt.Sprintf("moved%d.go", n)))
	case 8:
		if at := filepath.Dir(file); at != e.dir {
			what, err = "move folder "+at, os.Rename(at, filepath.Join(e.dir, fmt.Sprintf("moved%d", n)))
		}
	case 9:
		what = "commit and switch"
		e.git("add", "-A")
		e.git("commit", "-q", "--allow-empty", "-m", "more")
		e.git("checkout", "-q", []string{"main", "other"}[e.rand.IntN(2)])
	case 10:
		what = "reset"
		e.git("reset", "-q", "--hard")
	case 11:
		what = "ignored file"
		at := filepath.Join(e.dir, "ignored")
		if err = os.MkdirAll(at, 0o755); err == nil {
			err = os.WriteFile(filepath.Join(at, fmt.Sprintf("i%d.go", n)), []byte("package i\n\nfunc I() {}\n"), 0o644)
		}
	}
	if err != nil {
		e.t.Fatalf("%s: %v", what, err)
	}
	e.log = append(e.log, what)
}

// timing matches what differs from answer to answer.
var timing = regexp.MustCompile(`"(query_time_ms|built_at|commit)": ?("[^"]*"|\d+)`)

// compareWithNew asks a server and a new one the same.
func compareWithNew(t *testing.T, s *liveServer, e *soakEditor) {
	t.Helper()
	questions := []string{
		`query_code_graph {"natural_language_query":"MATCH (n) RETURN labels(n)[0] AS label, count(n) AS n ORDER BY label"}`,
		`query_code_graph {"natural_language_query":"MATCH (a)-[r]->(b) RETURN type(r) AS type, count(r) AS n ORDER BY type"}`,
		`query_code_graph {"natural_language_query":"MATCH (a)-[:CALLS]->(b) RETURN a.qualified_name AS a, b.qualified_name AS b ORDER BY a, b LIMIT 40"}`,
		`query_code_graph {"natural_language_query":"MATCH (f:File) RETURN f.path AS path ORDER BY path DESC LIMIT 40"}`,
	}
	files := slices.DeleteFunc(e.files(), func(file string) bool { return strings.Contains(file, "/ignored/") }) // what is near a name that is nowhere depends on ids
	for range 4 {
		rel, err := filepath.Rel(e.dir, files[e.rand.IntN(len(files))])
		if err != nil {
			t.Fatal(err)
		}
		questions = append(questions, fmt.Sprintf(`query_code_graph {"natural_language_query":"MATCH (f) WHERE f.path = '%s' RETURN f.qualified_name AS n, f.start_line AS at ORDER BY n LIMIT 20"}`, rel),
			fmt.Sprintf(`get_code_snippet {"qualified_name":%q}`, symbolOf(t, e, rel)), fmt.Sprintf(`ci_call_chain {"symbol":%q}`, symbolOf(t, e, rel)))
	}
	got := make([]string, len(questions))
	for i, q := range questions {
		tool, arguments, _ := strings.Cut(q, " ")
		got[i] = answerOf(t, s, tool, arguments)
	}
	fresh := startServer(t, e.dir, []string{"GIT_CONFIG_GLOBAL=/dev/null", "GRAPH_RAG_CACHE_ENABLED=0", "REVERSE_SPEC_HOME=" + t.TempDir()})
	defer fresh.stop()
	fresh.initialize(t)
	for i, q := range questions {
		tool, arguments, _ := strings.Cut(q, " ")
		if want := answerOf(t, fresh, tool, arguments); got[i] != want {
			t.Fatalf("%s\nafter %d edits, the last %q:\n%s\nwith a new index:\n%s", q, len(e.log), e.log[max(0, len(e.log)-12):], got[i], want)
		}
	}
}

// symbolOf returns the qualified name of the last function of a file. Of equally good answers, to a search or to the end of
// a name, graphs with other ids give them in another order, so that only whole names are asked.
func symbolOf(t *testing.T, e *soakEditor, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, rel))
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(e.dir) + "." + strings.ReplaceAll(strings.TrimSuffix(rel, ".go"), "/", ".")
	names := regexp.MustCompile(`(?m)^func ([A-Za-z]\w*)`).FindAllStringSubmatch(string(text), -1)
	if len(names) == 0 {
		return base
	}
	return base + "." + names[len(names)-1][1]
}

// answerOf returns an answer without what time it took.
func answerOf(t *testing.T, s *liveServer, tool, arguments string) string {
	t.Helper()
	r := s.call(t, tool, arguments)
	text := timing.ReplaceAllString(r.Content[0].Text, `"$1":0`)
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return text
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
