package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// goEvent is a line of go test -json.
type goEvent struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
}

// readGo reads the events of go test -json. Lines that are not events are skipped.
func readGo(report []byte, r *Results) {
	g := goReport{Results: r, output: map[string]*strings.Builder{}}
	lines := bufio.NewScanner(bytes.NewReader(report))
	lines.Buffer(nil, len(report)+1)
	for lines.Scan() {
		var e goEvent
		if bytes.HasPrefix(lines.Bytes(), []byte("{")) && json.Unmarshal(lines.Bytes(), &e) == nil {
			g.add(&e)
		}
	}
}

// goReport collects what tests, packages and builds print, each under a key.
type goReport struct {
	*Results
	output map[string]*strings.Builder
}

func (g *goReport) printed(key string) *strings.Builder {
	if g.output[key] == nil {
		g.output[key] = &strings.Builder{}
	}
	return g.output[key]
}

// goStatus has the actions that end a test.
var goStatus = map[string]Status{"pass": Passed, "fail": Failed, "skip": Skipped}

func (g *goReport) add(e *goEvent) {
	key := e.Package + "\x00" + e.Test
	switch {
	case e.Action == "output":
		g.printed(key).WriteString(e.Output)
	case e.Action == "build-output":
		g.printed(e.ImportPath).WriteString(e.Output)
	case e.Test != "" && goStatus[e.Action] != "":
		g.List = append(g.List, Result{e.Package, strings.ReplaceAll(e.Test, "/", nesting), goStatus[e.Action], g.printed(key).String()})
	case e.Test != "" || e.Action != "fail":
	case e.FailedBuild != "":
		g.Broken = append(g.Broken, g.printed(e.FailedBuild).String())
	case strings.Contains(g.printed(key).String(), "[setup failed]"):
		g.Broken = append(g.Broken, g.printed(e.Package).String()+g.printed(key).String())
	}
}

// isGo is for whole test functions: a skipped or failed subtest shows in them.
func isGo(home, file, name string, r *Result) bool {
	own, _, _ := strings.Cut(name, nesting)
	if r.Name != own {
		return false
	}
	dir := path.Dir(within(home, file))
	return dir == "." || r.Place == dir || strings.HasSuffix(r.Place, "/"+dir)
}

// readJest reads the JSON of jest and vitest.
func readJest(report []byte, r *Results) {
	var all struct {
		TestResults []struct {
			Name, Message, Status string
			AssertionResults      []struct {
				AncestorTitles, FailureMessages []string
				Title, Status                   string
			}
		}
	}
	if json.Unmarshal(object(report), &all) != nil {
		return
	}
	for _, file := range all.TestResults {
		if len(file.AssertionResults) == 0 && file.Status == "failed" {
			r.Broken = append(r.Broken, file.Message)
		}
		for _, t := range file.AssertionResults {
			status := Skipped
			if t.Status == "passed" || t.Status == "failed" {
				status = Status(t.Status)
			}
			name := strings.Join(append(append([]string{}, t.AncestorTitles...), t.Title), nesting)
			r.List = append(r.List, Result{file.Name, name, status, strings.Join(t.FailureMessages, "\n")})
		}
	}
}

// object returns the text from its first line that begins a JSON object.
func object(text []byte) []byte {
	if i := bytes.Index(text, []byte("\n{")); i >= 0 && !bytes.HasPrefix(text, []byte("{")) {
		return text[i+1:]
	}
	return text
}

// readMocha reads mocha's JSON. Full titles are joined by spaces.
func readMocha(report []byte, r *Results) {
	type test struct {
		Title, FullTitle, File string
		Err                    struct{ Message, Stack string }
	}
	var all struct{ Passes, Failures, Pending []test }
	if json.Unmarshal(object(report), &all) != nil {
		return
	}
	for status, list := range map[Status][]test{Passed: all.Passes, Failed: all.Failures, Skipped: all.Pending} {
		for _, t := range list {
			r.List = append(r.List, Result{t.File, t.FullTitle, status, t.Err.Message})
		}
	}
}

// readRSpec reads RSpec's JSON.
func readRSpec(report []byte, r *Results) {
	var all struct {
		Examples []struct {
			Full      string `json:"full_description"`
			Status    string
			File      string `json:"file_path"`
			Exception struct{ Message string }
		}
		Messages []string
	}
	if json.Unmarshal(object(report), &all) != nil {
		return
	}
	for _, e := range all.Examples {
		status := Skipped
		if e.Status == "passed" || e.Status == "failed" {
			status = Status(e.Status)
		}
		r.List = append(r.List, Result{strings.TrimPrefix(e.File, "./"), e.Full, status, e.Exception.Message})
	}
	if len(all.Examples) == 0 {
		r.Broken = append(r.Broken, all.Messages...)
	}
}
