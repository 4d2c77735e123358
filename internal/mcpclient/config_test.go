package mcpclient_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// folder makes a folder with files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// withoutHash compares servers by what they say.
func withoutHash() cmp.Option {
	sameText := cmp.Comparer(func(a, b message.Text) bool { return a.String() == b.String() })
	return cmp.Options{cmpopts.IgnoreFields(mcpclient.Server{}, "Hash"), sameText}
}

func TestProjectReplacesWholeEntries(t *testing.T) {
	t.Setenv("TOKEN", "t0k")
	t.Setenv("EMPTY", "")
	home := folder(t, map[string]string{".kode.json": `{"theme": "dark", "mcpServers": {
		"a": {"command": "global", "args": ["x"], "env": {"K": "v"}},
		"b": {"type": "sse", "url": "https://b.example.com/sse", "headers": {"Authorization": "Bearer ${TOKEN}"}},
	}}`})
	project := folder(t, map[string]string{
		".mcp.json": `{"mcpServers": {
			"a": {"command": "shared"},
			"c": {"url": "http://localhost:${PORT_THAT_IS_NOT_SET:-80}/mcp"}}}`,
		".kode.json": `{
			// The project's own.
			"mcpServers": {"a": {"type": "stdio", "command": "${EMPTY:-own}", "args": ["${TOKEN}", "$TOKEN", "${EMPTY}"], "cwd": "/x"}}}`,
	})
	own, shared := filepath.Join(project, ".kode.json"), filepath.Join(project, ".mcp.json")
	want := &mcpclient.Config{Servers: []mcpclient.Server{
		{
			Name: "a", Type: mcpclient.TypeStdio, Command: "own", Args: []string{"t0k", "$TOKEN", ""}, Dir: project, File: own, Project: true,
			Notes: []message.Text{message.New("the key %q is not known and skipped", "cwd")},
		},
		{
			Name: "b", Type: mcpclient.TypeSSE, URL: "https://b.example.com/sse", File: filepath.Join(home, ".kode.json"),
			Headers: map[string]string{"Authorization": "Bearer t0k"},
		},
		{Name: "c", Type: mcpclient.TypeHTTP, URL: "http://localhost:80/mcp", Dir: project, File: shared, Project: true},
	}}
	if diff := cmp.Diff(want, mcpclient.Load(home, project), withoutHash()); diff != "" {
		t.Error(diff)
	}
}

// TestFaultsOfEntries are each its server's alone, and named by file and key.
func TestFaultsOfEntries(t *testing.T) {
	for entry, want := range map[string]string{
		`"bad": 7`:                             "mcpServers.bad: must be an object",
		`"bad": null`:                          "mcpServers.bad: must be an object",
		`"bad": {}`:                            "mcpServers.bad: has neither a command nor a url",
		`"bad": {"command": 7}`:                "mcpServers.bad.command: must be a text",
		`"bad": {"command": "x", "args": "y"}`: "mcpServers.bad.args: must be a list of texts",
		`"bad": {"command": "x", "env": {"A": 1}}`:                          "mcpServers.bad.env: must be an object of texts",
		`"bad": {"command": "${NOT_SET_AT_ALL}"}`:                           "mcpServers.bad.command: the variable NOT_SET_AT_ALL is not set; ${NOT_SET_AT_ALL:-default} gives it a default",
		`"bad": {"url": "http://a", "headers": {"K": "${NOT_SET_AT_ALL}"}}`: "mcpServers.bad.headers.K: the variable NOT_SET_AT_ALL is not set; ${NOT_SET_AT_ALL:-default} gives it a default",
		`"bad": {"command": "x", "args": ["a", "${NOT_SET_AT_ALL}"]}`:       "mcpServers.bad.args[1]: the variable NOT_SET_AT_ALL is not set; ${NOT_SET_AT_ALL:-default} gives it a default",
		`"bad": {"type": "stdio", "url": "http://a"}`:                       "mcpServers.bad.command: a stdio server needs a command",
		`"bad": {"type": "sse", "command": "x"}`:                            "mcpServers.bad.url: a server of type sse needs a url",
		`"bad": {"type": "ws", "url": "ws://a"}`:                            `mcpServers.bad.type: unknown type "ws": there are stdio, sse and http`,
		`"bad": {"url": "ftp://user:pass@a"}`:                               "mcpServers.bad.url: must be an http:// or https:// URL",
		`"bad": {"command": "x", "url": "http://a"}`:                        "mcpServers.bad: has a command and a url: give a type",
		`"b:d": {"command": "x"}`:                                           `mcpServers.b:d: a server's name must not be empty and holds no ":" or control character`,
	} {
		project := folder(t, map[string]string{".kode.json": `{"mcpServers": {` + entry + `, "good": {"command": "x"}}}`})
		config := mcpclient.Load(t.TempDir(), project)
		var bad, good error
		for _, s := range config.Servers {
			if s.Name == "good" {
				good = s.Err
			} else {
				bad = s.Err
			}
		}
		if want = filepath.Join(project, ".kode.json") + ": " + want; bad == nil || bad.Error() != want || good != nil || config.Faults != nil {
			t.Errorf("%s:\ngot  %v\nwant %s\nthe other: %v, the file: %v", entry, bad, want, good, config.Faults)
		}
	}
}

// TestFaultsOfFiles leave the servers of the other files.
func TestFaultsOfFiles(t *testing.T) {
	for text, want := range map[string]string{
		"{":                   "line 1, column 2: this is not valid JSON",
		"[]":                  "must be a JSON object",
		"null":                "must be a JSON object",
		`{"mcpServers": [1]}`: "mcpServers must be an object of servers by name",
	} {
		project := folder(t, map[string]string{".kode.json": text, ".mcp.json": `{"mcpServers": {"good": {"command": "x"}}}`})
		config := mcpclient.Load(t.TempDir(), project)
		if len(config.Servers) != 1 || len(config.Faults) != 1 || config.Faults[0].Error() != filepath.Join(project, ".kode.json")+": "+want {
			t.Errorf("%s: %+v", text, config)
		}
	}
}

func TestHomeFolderIsNoProject(t *testing.T) {
	home := folder(t, map[string]string{".kode.json": `{"mcpServers": {"a": {"command": "x"}}}`})
	if config := mcpclient.Load(home, home); len(config.Servers) != 1 || config.Servers[0].Project {
		t.Errorf("%+v", config.Servers)
	}
}

// TestTargetShowsNoSecret of a URL.
func TestTargetShowsNoSecret(t *testing.T) {
	s := mcpclient.Server{Type: mcpclient.TypeHTTP, URL: "https://u:s3cret@a.example.com/mcp?key=s3cret"}
	if got, want := s.Target(), "https://u:xxxxx@a.example.com/mcp?…"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestApprovalHoldsForTheEntryAsItIs and for no other file, name or text.
func TestApprovalHoldsForTheEntryAsItIs(t *testing.T) {
	const text = `{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}`
	project := folder(t, map[string]string{".kode.json": text})
	other := folder(t, map[string]string{".kode.json": text})
	approvals := mcpclient.NewApprovals(filepath.Join(t.TempDir(), "not", "there", "yet"))
	approved := func(project string) string {
		states := []string{}
		for _, s := range mcpclient.Load(t.TempDir(), project).Servers {
			if approvals.Check(s) == nil {
				states = append(states, s.Name)
			}
		}
		return strings.Join(states, " ")
	}
	config := mcpclient.Load(t.TempDir(), project)
	if got := approved(project); got != "" {
		t.Errorf("at first: %s", got)
	}
	if err := approvals.Approve(t.Context(), config.Servers...); err != nil {
		t.Fatal(err)
	}
	if got := approved(project) + "/" + approved(other); got != "a b/" {
		t.Errorf("after the approval: %s", got)
	}
	changed := strings.Replace(text, `"y"`, `"z"`, 1)
	if err := os.WriteFile(filepath.Join(project, ".kode.json"), []byte("\n "+changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := approved(project); got != "a" {
		t.Errorf("after a change of b: %s", got)
	}
	if err := approvals.Revoke(t.Context(), config.Servers[0]); err != nil {
		t.Fatal(err)
	}
	if got := approved(project); got != "" {
		t.Errorf("taken back: %s", got)
	}
	var none *mcpclient.Approvals
	if err := none.Check(config.Servers[0]); err == nil {
		t.Error("without approvals a project's server may start")
	}
}

// TestEditsLeaveTheRest of a file as it is.
func TestEditsLeaveTheRest(t *testing.T) {
	s := mcpclient.Server{Name: "a/b", Command: "x", Args: []string{"<y>"}, Env: map[string]string{"K": "${V:-v}"}}
	for before, want := range map[string]string{
		"": `{
  "mcpServers": {
    "a/b": {
      "type": "stdio",
      "command": "x",
      "args": [
        "<y>"
      ],
      "env": {
        "K": "${V:-v}"
      }
    }
  }
}
`,
		"{\n\t\"theme\": \"dark\",\n\t\"mcpServers\": {\"c\": {\"url\": \"http://c\"}},\n\t\"n\": 1e400\n}\n": "{\n\t\"theme\": \"dark\",\n\t\"mcpServers\": {\n\t\t\"c\": {\n\t\t\t\"url\": \"http://c\"\n\t\t},\n\t\t\"a/b\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": [\n\t\t\t\t\"<y>\"\n\t\t\t],\n\t\t\t\"env\": {\n\t\t\t\t\"K\": \"${V:-v}\"\n\t\t\t}\n\t\t}\n\t},\n\t\"n\": 1e400\n}\n",
		"{ // mine\n \"mcpServers\": {}}\n": "{ // mine\n \"mcpServers\": {\"a/b\":{\"type\":\"stdio\",\"command\":\"x\",\"args\":[\"<y>\"],\"env\":{\"K\":\"${V:-v}\"}}}}\n",
	} {
		files := map[string]string{".kode.json": before}
		if before == "" {
			files = nil
		}
		dir := folder(t, files)
		file := filepath.Join(dir, ".kode.json")
		added, err := mcpclient.Add(file, true, s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(must(os.ReadFile(file)))); diff != "" {
			t.Error(diff)
		}
		read, ok := mcpclient.Load(t.TempDir(), dir).Server("a/b")
		if diff := cmp.Diff(added, read); diff != "" || !ok {
			t.Errorf("it is read as another: %s", diff)
		}
		if err := mcpclient.Remove(file, "a/b"); err != nil {
			t.Error(err)
		}
		if _, ok := mcpclient.Load(t.TempDir(), dir).Server("a/b"); ok {
			t.Error("it is still there")
		}
		if err := mcpclient.Remove(file, "a/b"); err == nil || !strings.Contains(err.Error(), "no such server") {
			t.Error(err)
		}
	}
}

// TestEditOfABrokenFileChangesNothing in it.
func TestEditOfABrokenFileChangesNothing(t *testing.T) {
	dir := folder(t, map[string]string{".kode.json": "{broken"})
	file := filepath.Join(dir, ".kode.json")
	if _, err := mcpclient.Add(file, true, mcpclient.Server{Name: "a", Command: "x"}); err == nil {
		t.Error("it was edited")
	}
	if got := string(must(os.ReadFile(file))); got != "{broken" {
		t.Error(got)
	}
	if _, err := mcpclient.Add(file, true, mcpclient.Server{Name: "a", URL: "nowhere"}); err == nil || !strings.Contains(err.Error(), "mcpServers.a.url: must be") {
		t.Error(err)
	}
}

// FuzzConfig: no text makes the reader do more than refuse it, and what it takes
// has a type.
func FuzzConfig(f *testing.F) {
	f.Add(`{"mcpServers": {"a": {"command": "x", "args": ["${A:-b}"]}}}`)
	f.Add(`{"mcpServers": {"a": {"type": "streamable-http", "url": "https://a", "headers": {"K": "${X}"}}}} // c`)
	f.Add("{")
	f.Fuzz(func(t *testing.T, text string) {
		project := folder(t, map[string]string{".mcp.json": text})
		for _, s := range mcpclient.Load(project+"/none", project).Servers {
			if s.Err == nil && s.Type != mcpclient.TypeStdio && s.Type != mcpclient.TypeSSE && s.Type != mcpclient.TypeHTTP {
				t.Errorf("%+v", s)
			}
		}
	})
}

// TestOwnConfigurationIsKodeAlone: an entry of .mcp.json is not read, and hides none.
func TestOwnConfigurationIsKodeAlone(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(home, ".kode.json"):    `{"mcpServers": {"docs": {"command": "a"}, "db": {"command": "b"}}}`,
		filepath.Join(project, ".mcp.json"):  `{"mcpServers": {"docs": {"command": "c"}, "more": {"command": "d"}}}`,
		filepath.Join(project, ".kode.json"): `{"mcpServers": {"db": {"command": "e"}}}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for _, s := range mcpclient.LoadOwn(home, project).Servers {
		got[s.Name] = s.Command
	}
	if diff := cmp.Diff(map[string]string{"docs": "a", "db": "e"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
