package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// where is a tool that says in which folder it works, by its name.
func where() mcp.Tool {
	return mcp.Tool{
		Name:   "where",
		Params: []mcp.Param{{Name: "path", Type: mcp.String, Path: true}},
		Run: func(_ context.Context, p *project.Project, _ mcp.Arguments) (any, error) {
			return filepath.Base(p.Root()), nil
		},
	}
}

// places makes folders in one new folder, and returns that.
func places(t *testing.T, files ...string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		write(t, filepath.Join(base, filepath.FromSlash(file)))
	}
	return base
}

// follower is a server that follows its client, and runs in a folder of base, "" for none.
func follower(t *testing.T, base, own string) *mcp.Server {
	t.Helper()
	o := mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{where()}, Roots: true}
	if own != "" {
		p, err := project.Open(filepath.Join(base, own))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		o.Project = p
	}
	return mcp.New(o)
}

// rooted is a client that says where it works.
type rooted struct{ *client }

// meet makes the handshake of 2025-11-25 with a client of these capabilities.
func meet(t *testing.T, s *mcp.Server, capabilities string) rooted {
	t.Helper()
	c := dial(t.Context(), t, s)
	c.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}`, capabilities)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return rooted{c}
}

// tell answers the server's next question with folders of base.
func (c rooted) tell(base string, folders ...string) {
	c.t.Helper()
	var q struct{ ID, Method string }
	if line := c.next(); json.Unmarshal([]byte(line), &q) != nil || q.Method != "roots/list" {
		c.t.Fatalf("the server does not ask for roots: %s", line)
	}
	c.send(`{"jsonrpc":"2.0","id":%q,"result":%s}`, q.ID, list(base, folders...))
}

// list is a list of roots in JSON.
func list(base string, folders ...string) string {
	roots := []string{}
	for _, folder := range folders {
		roots = append(roots, fmt.Sprintf(`{"uri":%q}`, uri(filepath.Join(base, folder))))
	}
	return `{"roots":[` + strings.Join(roots, ",") + `]}`
}

func uri(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// where calls the tool with a path, and returns its words.
func (c rooted) where(path string) string {
	c.t.Helper()
	m := decode(c.t, c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"where","arguments":{"path":%q}}}`, path))
	return m.Result.Content[0].Text
}

const withRoots = `{"roots":{"listChanged":true}}`

func TestCallsWorkInTheRootsOfTheClient(t *testing.T) {
	base := places(t, "own/f", "one two/f", "three/f")
	c := meet(t, follower(t, base, "own"), withRoots)
	c.send(`{"jsonrpc":"2.0","id":"early","method":"tools/call","params":{"name":"where","arguments":{}}}`)
	c.tell(base, "one two", "three")
	got := []string{
		decode(t, c.next()).Result.Content[0].Text, // it waited
		c.where(""), c.where("f"), c.where(filepath.Join(base, "three", "f")), c.where(filepath.Join(base, "own", "f")),
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.tell(base, "three")
	got = append(got, c.where(""))
	want := []string{"one two", "one two", "one two", "three", "one two", "three"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rest := c.end(); rest != nil || c.err != nil {
		t.Errorf("%q %v", rest, c.err)
	}
}

func TestWithoutRootsCallsWorkInTheServersOwnProject(t *testing.T) {
	base := places(t, "own/f")
	for name, answer := range map[string]string{
		"an empty list": `"result":{"roots":[]}`,
		"a refusal":     `"error":{"code":-32601,"message":"no"}`,
		"no list":       `"result":[]`,
	} {
		c := meet(t, follower(t, base, "own"), withRoots)
		c.next()
		c.send(`{"jsonrpc":"2.0","id":"reverse-spec-1",%s}`, answer)
		if got := c.where(""); got != "own" {
			t.Errorf("%s: %s", name, got)
		}
		c.end()
	}
	c := meet(t, follower(t, base, "own"), `{}`)
	if got := c.where(""); got != "own" {
		t.Errorf("nobody was asked: %s", got)
	}
	c.end()
}

func TestACallDoesNotWaitForRootsForever(t *testing.T) {
	base := places(t, "own/f")
	synctest.Test(t, func(t *testing.T) {
		c := meet(t, follower(t, base, "own"), withRoots)
		c.next()
		begin := time.Now()
		if got := c.where(""); got != "own" {
			t.Error(got)
		}
		if d := time.Since(begin); d != 5*time.Second {
			t.Errorf("it waited %v", d)
		}
		c.end()
	})
}

func TestTheEndOfTheInputEndsTheWaitForRoots(t *testing.T) {
	base := places(t, "own/f")
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		c := meet(t, follower(t, base, "own"), withRoots)
		c.next()
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"where"}}`)
		rest := c.end()
		if len(rest) != 1 || decode(t, rest[0]).Result.Content[0].Text != "own" || time.Since(begin) != 0 {
			t.Errorf("%q after %v", rest, time.Since(begin))
		}
	})
}

func TestRootsThatCannotBeOpenedAreSaidSo(t *testing.T) {
	base := places(t, "own/f")
	c := meet(t, follower(t, base, "own"), withRoots)
	c.tell(base, "nowhere")
	if got := c.where(""); !strings.Contains(got, "nowhere") {
		t.Error(got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.next()
	c.send(`{"jsonrpc":"2.0","id":"reverse-spec-2","result":{"roots":[{"uri":"https://example.com/x"}]}}`)
	if got := c.where(""); !strings.Contains(got, "https://example.com/x") {
		t.Error(got)
	}
	c.end()
}

// modern is a call as of 2026-07-28, in which every request tells what the client can do.
func modern(capabilities, more string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"where","arguments":{},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}` + more + `}}`
}

func TestAnAnswerAsksForRootsWhereNoRequestMay(t *testing.T) {
	base := places(t, "own/f", "one/f")
	c := dial(t.Context(), t, follower(t, base, "own"))
	var asked struct {
		Result struct {
			ResultType    string
			InputRequests map[string]struct{ Method string }
		}
	}
	if line := c.ask("%s", modern(withRoots, "")); json.Unmarshal([]byte(line), &asked) != nil ||
		asked.Result.ResultType != "input_required" || asked.Result.InputRequests["roots"].Method != "roots/list" {
		t.Fatal(line)
	}
	got := []string{}
	for _, call := range []string{
		modern(withRoots, `,"inputResponses":{"roots":`+list(base, "one")+`}`),
		modern(withRoots, ""), // once is enough
	} {
		got = append(got, decode(t, c.ask("%s", call)).Result.Content[0].Text)
	}
	c.end()
	c = dial(t.Context(), t, follower(t, base, "own"))
	got = append(got, decode(t, c.ask("%s", modern(`{}`, ""))).Result.Content[0].Text)
	c.end()
	if diff := cmp.Diff([]string{"one", "one", "own"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCodexTellsItsFolderWithEveryCall(t *testing.T) {
	base := places(t, "own/f", "one/f", "two/f")
	c := dial(t.Context(), t, follower(t, base, "own"))
	answer := c.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}}`)
	if !strings.Contains(answer, `"experimental":{"codex/sandbox-state-meta":{}}`) {
		t.Error(answer)
	}
	for _, folder := range []string{"one", "two"} {
		m := decode(t, c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"where","_meta":{"codex/sandbox-state-meta":{"sandboxCwd":%q}}}}`,
			uri(filepath.Join(base, folder))))
		if got := m.Result.Content[0].Text; got != folder {
			t.Errorf("%s: %s", folder, got)
		}
	}
	c.end()
}

func TestWithoutAnyProjectTheFirstAbsolutePathNamesIt(t *testing.T) {
	base := places(t, "one/go.mod", "one/inner/f", "two/go.mod", "loose/f")
	c := meet(t, follower(t, base, ""), `{}`)
	for _, path := range []string{"", "f", filepath.Join(base, "loose", "f")} {
		if got := c.where(path); !strings.Contains(got, "absolute path") {
			t.Errorf("%s: %s", path, got)
		}
	}
	got := []string{c.where(filepath.Join(base, "one", "inner", "f")), c.where("f"), c.where(filepath.Join(base, "two", "f"))}
	if diff := cmp.Diff([]string{"one", "one", "one"}, got); diff != "" {
		t.Error(diff)
	}
	c.end()
}

func TestAServerThatWasToldItsProjectAsksNobody(t *testing.T) {
	base := places(t, "own/f", "one/f")
	p, err := project.Open(filepath.Join(base, "own"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := meet(t, mcp.New(mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{where()}, Project: p}), withRoots)
	if got := c.where(""); got != "own" {
		t.Error(got)
	}
	if rest := c.end(); rest != nil {
		t.Error(rest)
	}
}

// write makes an empty file.
func write(t *testing.T, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}
