package teamserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/teamserver"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

// fixture is an organisation with the repositories shop and vault, a server, and the tokens of one who may see all and
// of one who may see the shop.
type fixture struct {
	t        *testing.T
	postgres *pgserver.Server
	admin    *graphs.Graphs
	url      string
	log      *logged
	all      string // tokens
	shop     string
	clock    *clock
}

// clock is a clock that tests move.
type clock struct {
	mu  sync.Mutex
	off time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.off)
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off += d
}

// logged is what the server logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func newFixture(t *testing.T, change func(*teamserver.Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, postgres: pgserver.Start(t), log: &logged{}, clock: &clock{}}
	address := f.postgres.Database()
	home := t.TempDir()
	open := func(cache string) func() (store.Shared, error) {
		return func() (store.Shared, error) {
			return postgres.Open(address, postgres.Options{Cache: filepath.Join(home, cache)})
		}
	}
	f.admin = graphs.New(graphs.Options{
		Store:        func() (store.Store, error) { return sqlite.Open(sqlite.Options{Home: filepath.Join(home, "own")}) },
		Organisation: open("a"),
	})
	f.push("shop", "package shop\n\nfunc Pay() {}\n\nfunc Buy() { Pay() }\n")
	f.push("vault", "package vault\n\nfunc OpenSesame() {}\n\nfunc Steal() { OpenSesame() }\n")
	f.all, f.shop = f.token("all"), f.token("shop-only", "shop")
	g := graphs.New(graphs.Options{Organisation: open("b"), Guard: true, Shared: true})
	server := httptest.NewUnstartedServer(nil)
	u, err := teamserver.ParseURL("http://" + server.Listener.Addr().String())
	check(t, err)
	options := teamserver.Options{Graphs: g, URL: u, Version: "1", Lang: "en", Log: slog.New(slog.NewJSONHandler(f.log, nil)), Now: f.clock.now}
	if change != nil {
		change(&options)
	}
	team := teamserver.New(options)
	server.Config.Handler = team.Handler()
	server.Start()
	f.url = server.URL
	t.Cleanup(func() {
		server.Close()
		check(t, team.Close(), g.Close(), f.admin.Close())
	})
	return f
}

const specText = "---\nspecId: %[1]s\nsourceTarget: a.go\n---\n\n# The %[1]s\n\n## Requirements\n\n### REQ-001: It pays\n\nSee a.go:3 and <b>href=\"/evil</b>. [up](/login) href=\"/x\n"

// push pushes a repository with one file and its spec, which said less in the first of two commits.
func (f *fixture) push(name, text string) {
	f.t.Helper()
	dir := filepath.Join(f.t.TempDir(), name)
	said := fmt.Sprintf(specText, name)
	check(f.t, os.MkdirAll(filepath.Join(dir, "specs"), 0o755), os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600))
	f.git(dir, "init", "-q", "-b", "main")
	for _, version := range [][2]string{{"Begin " + name, strings.Replace(said, "a.go:3", "nothing", 1)}, {"Cite <" + name + ">", said}} {
		check(f.t, os.WriteFile(filepath.Join(dir, "specs", name+".spec.md"), []byte(version[1]), 0o600))
		f.git(dir, "add", ".")
		f.git(dir, "-c", "user.name=Ann", "-c", "user.email=a@b", "commit", "-qm", version[0])
	}
	p, err := project.Open(dir)
	check(f.t, err)
	_, err = f.admin.Push(f.t.Context(), p, shared.PushOptions{Name: name, Replace: true, Documents: documents, Getenv: func(string) string { return "" }})
	check(f.t, err, p.Close())
}

func (f *fixture) git(dir string, args ...string) {
	f.t.Helper()
	if out, err := exec.CommandContext(f.t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// documents are the specs with their histories, as the command pushes them.
func documents(ctx context.Context, p *project.Project, known map[string][]byte) (map[string][]byte, error) {
	texts, err := spec.Texts(ctx, p)
	return texts, errors.Join(err, view.Histories(ctx, p, texts, known))
}

func (f *fixture) token(name string, projects ...string) string {
	f.t.Helper()
	secret, _, err := f.admin.AddToken(f.t.Context(), name, projects, 24*time.Hour)
	check(f.t, err)
	return secret
}

// request makes a request; edit changes it.
func (f *fixture) request(method, path, body string, edit func(*http.Request)) *http.Request {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	check(f.t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	if edit != nil {
		edit(r)
	}
	return r
}

func (f *fixture) do(r *http.Request) (status int, header http.Header, body string) {
	f.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	check(f.t, err)
	text, err := io.ReadAll(response.Body)
	check(f.t, err, response.Body.Close())
	return response.StatusCode, response.Header, string(text)
}

func with(token string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// session begins a session of MCP, and returns its id.
func (f *fixture) session(token string) string {
	f.t.Helper()
	status, header, body := f.do(f.request(http.MethodPost, "/mcp", initialize, with(token)))
	if status != http.StatusOK || header.Get("Mcp-Session-Id") == "" {
		f.t.Fatalf("%d %v\n%s", status, header, body)
	}
	return header.Get("Mcp-Session-Id")
}

// call calls a tool, and returns the text of its result.
func (f *fixture) call(token, session, tool string, arguments map[string]any) (text string, failed bool) {
	f.t.Helper()
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}})
	check(f.t, err)
	status, _, body := f.do(f.request(http.MethodPost, "/mcp", string(line), func(r *http.Request) {
		with(token)(r)
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}))
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error *struct{ Message string }
	}
	if status != http.StatusOK {
		f.t.Fatalf("%d\n%s", status, body)
	}
	check(f.t, json.Unmarshal([]byte(body), &reply))
	if reply.Error != nil {
		return reply.Error.Message, true
	}
	return reply.Result.Content[0].Text, reply.Result.IsError
}

// Each tool answers about the projects of the token, and of no others: neither by name, nor by address, nor in lists, nor in
// the texts of errors.
func TestOtherProjectsAreNotSeen(t *testing.T) {
	f := newFixture(t, nil)
	mine, others := f.session(f.shop), f.session(f.all)
	questions := map[string]map[string]any{
		"query_code_graph": {"natural_language_query": "MATCH (f:Function) RETURN f.name"},
		"get_code_snippet": {"qualified_name": "OpenSesame"},
		"ci_graph_rag":     {"query": "OpenSesame"},
		"ci_call_chain":    {"symbol": "OpenSesame"},
	}
	names := []string{"vault", "project://vault", "", "shop", "VAULT", "vault' OR '1'='1", "../vault", "project://vault#x", "%", "*"}
	for tool, arguments := range questions {
		for _, name := range names {
			arguments["project_name"] = name
			text, _ := f.call(f.shop, mine, tool, arguments)
			if strings.Contains(text, "Steal") || strings.Contains(text, "vault.a") || strings.Contains(text, "vault") && !strings.Contains(name, "vault") {
				t.Errorf("%s of %q says %s", tool, name, text)
			}
		}
	}
	arguments := map[string]any{"natural_language_query": "MATCH (f:Function) RETURN f.name", "project_name": "vault"}
	if text, failed := f.call(f.shop, mine, "query_code_graph", arguments); !failed && !strings.Contains(text, "not found") || strings.Contains(text, "Steal") {
		t.Error(text)
	}
	if text, _ := f.call(f.all, others, "query_code_graph", arguments); !strings.Contains(text, "Steal") {
		t.Errorf("who may see all: %s", text)
	}
	if text, _ := f.call(f.shop, mine, "list_projects", nil); !strings.Contains(text, "shop") || strings.Contains(text, "vault") {
		t.Error(text)
	}
	if text, _ := f.call(f.all, others, "list_projects", nil); !strings.Contains(text, "shop") || !strings.Contains(text, "vault") {
		t.Error(text)
	}
	if text, _ := f.call(f.shop, mine, "query_code_graph", map[string]any{"natural_language_query": "who calls Pay"}); !strings.Contains(text, "Buy") {
		t.Errorf("without a name, the only project that can be seen is asked: %s", text)
	}
	if text, failed := f.call(f.all, others, "query_code_graph", map[string]any{"natural_language_query": "who calls Pay"}); !failed || !strings.Contains(text, "shop, vault") {
		t.Errorf("with several, one is to be named: %s", text)
	}
	for _, path := range []string{"/project?project=vault", "/project?project=project://vault", "/", "/project?project=shop"} {
		if status, _, body := f.do(f.request(http.MethodGet, path, "", with(f.shop))); strings.Contains(body, "vault") || strings.Contains(path, "vault") != (status == http.StatusNotFound) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// A graph that another token asked for, and that is kept, is not given to one without the right while the database is away.
func TestOtherProjectsAreNotSeenWithoutTheStore(t *testing.T) {
	f := newFixture(t, nil)
	mine, others := f.session(f.shop), f.session(f.all)
	arguments := map[string]any{"natural_language_query": "who calls OpenSesame", "project_name": "vault"}
	if text, _ := f.call(f.all, others, "query_code_graph", arguments); !strings.Contains(text, "Steal") {
		t.Fatal(text)
	}
	f.postgres.Kill()
	if text, _ := f.call(f.all, others, "query_code_graph", arguments); !strings.Contains(text, "Steal") || !strings.Contains(text, "s ago (") {
		t.Errorf("who may see it goes on: %s", text)
	}
	if text, failed := f.call(f.shop, mine, "query_code_graph", arguments); !failed || strings.Contains(text, "Steal") {
		t.Errorf("who may not see it sees it: %s", text)
	}
	if status, _, _ := f.do(f.request(http.MethodGet, "/readyz", "", nil)); status != http.StatusServiceUnavailable {
		t.Error(status)
	}
	if status, _, _ := f.do(f.request(http.MethodGet, "/healthz", "", nil)); status != http.StatusOK {
		t.Error(status)
	}
	if status, _, _ := f.do(f.request(http.MethodPost, "/mcp", initialize, with("rspec_unknown"))); status != http.StatusServiceUnavailable {
		t.Errorf("a token that nobody can look up: %d", status)
	}
	f.postgres.Run()
	f.clock.move(10 * time.Second)
	if text, _ := f.call(f.all, others, "query_code_graph", arguments); !strings.Contains(text, "Steal") || strings.Contains(text, "s ago (") {
		t.Error(text)
	}
}

// What is not as it should be is refused, with a status that says so, and nothing of it is in the log.
func TestAttacks(t *testing.T) {
	f := newFixture(t, nil)
	session := f.session(f.shop)
	stolen := f.session(f.all)
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	in := func(session string, more ...func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) {
			with(f.shop)(r)
			r.Header.Set("Mcp-Session-Id", session)
			for _, edit := range more {
				edit(r)
			}
		}
	}
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, c := range map[string]struct {
		method, path, body string
		edit               func(*http.Request)
		want               int
	}{
		"as it should be":        {"POST", "/mcp", list, in(session), 200},
		"no token":               {"POST", "/mcp", list, nil, 401},
		"a wrong token":          {"POST", "/mcp", list, with("rspec_" + strings.Repeat("A", 52)), 401},
		"an empty token":         {"POST", "/mcp", list, set("Authorization", "Bearer "), 401},
		"the hash as a token":    {"POST", "/mcp", list, with(shared.HashToken(f.all)), 401},
		"basic authentication":   {"POST", "/mcp", list, func(r *http.Request) { r.SetBasicAuth("x", f.shop) }, 401},
		"SQL as a token":         {"POST", "/mcp", list, with("' OR '1'='1"), 401},
		"a token in the address": {"POST", "/mcp?access_token=" + f.shop, list, in(session), 400},
		"escaped":                {"GET", "/project?project=" + url.QueryEscape("%72spec_"+f.shop[6:]), "", with(f.shop), 404},
		"a token in the path":    {"GET", "/" + f.shop, "", nil, 400},
		"another's session":      {"POST", "/mcp", list, in(stolen), 404},
		"no session":             {"POST", "/mcp", list, in(""), 404},
		"an invented session":    {"POST", "/mcp", list, in("mcp-session-1"), 404},
		"end another's session":  {"DELETE", "/mcp", "", in(stolen), 200},
		"a foreign host":         {"POST", "/mcp", list, in(session, func(r *http.Request) { r.Host = "evil.example" }), 421},
		"a host that begins so":  {"POST", "/mcp", list, in(session, func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }), 421},
		"a foreign origin":       {"POST", "/mcp", list, in(session, set("Origin", "https://evil.example")), 403},
		"no real origin":         {"POST", "/mcp", list, in(session, set("Origin", "null")), 403},
		"another scheme":         {"POST", "/mcp", list, in(session, set("Origin", "https://127.0.0.1")), 403},
		"a form of another site": {"POST", "/login", "token=x", set("Sec-Fetch-Site", "cross-site"), 403},
		"a large body":           {"POST", "/mcp", strings.Repeat("x", 2<<20), in(session), 413},
		"no JSON":                {"POST", "/mcp", "{", in(session), 400},
		"another type":           {"POST", "/mcp", list, in(session, set("Content-Type", "text/plain")), 400},
		"an unknown version":     {"POST", "/mcp", list, in(session, set("Mcp-Protocol-Version", "1999-01-01")), 400},
		"a stream":               {"GET", "/mcp", "", in(session, set("Accept", "text/event-stream")), 405},
		"another method":         {"PUT", "/mcp", "", in(session), 404},
		"a path outside":         {"GET", "/assets/..%2f..%2fgo.mod", "", nil, 404},
		"metrics without right":  {"GET", "/metrics", "", with(f.shop), 403},
		"metrics":                {"GET", "/metrics", "", with(f.all), 200},
		"a page without session": {"GET", "/", "", nil, 303},
		"an invented cookie":     {"GET", "/", "", set("Cookie", "reverse-spec=x"), 303},
		"a page that is none":    {"GET", "/etc/passwd", "", with(f.all), 404},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, body := f.do(f.request(c.method, c.path, c.body, c.edit))
			if status != c.want {
				t.Errorf("%d, want %d\n%s", status, c.want, body)
			}
			if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Content-Security-Policy") == "" || header.Get("Referrer-Policy") != "same-origin" {
				t.Errorf("header %v", header)
			}
			if strings.Contains(body, f.shop) || strings.Contains(body, "evil.example") {
				t.Errorf("repeated: %s", body)
			}
		})
	}
	if status, _, _ := f.do(f.request("POST", "/mcp", list, func(r *http.Request) { with(f.all)(r); r.Header.Set("Mcp-Session-Id", stolen) })); status != 200 {
		t.Errorf("the other's session was ended: %d", status)
	}
	log := f.log.String()
	for _, secret := range []string{f.shop, f.all, shared.HashToken(f.all), "evil.example", pgserver.Password} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q", secret)
		}
	}
	if !strings.Contains(log, `"token":"shop-only"`) || !strings.Contains(log, `"refused":"a token must not be in an address`) {
		t.Errorf("the log: %s", log)
	}
}

// A token that is revoked or has expired ends at once, or within the time that its name is kept.
func TestTokensEnd(t *testing.T) {
	f := newFixture(t, nil)
	ask := func(token string) int {
		status, _, _ := f.do(f.request("GET", "/", "", with(token)))
		return status
	}
	if got := []int{ask(f.all), ask(f.shop)}; got[0] != 200 || got[1] != 200 {
		t.Fatal(got)
	}
	check(t, f.admin.RevokeToken(t.Context(), "all"))
	f.clock.move(5 * time.Second)
	if got := []int{ask(f.all), ask(f.shop)}; got[0] != 401 || got[1] != 200 {
		t.Error(got)
	}
	f.clock.move(25 * time.Hour)
	if got := ask(f.shop); got != 401 {
		t.Error(got)
	}
}

// A token has so many requests a minute, and an address so many wrong tokens; a right token of that address goes on.
func TestRates(t *testing.T) {
	f := newFixture(t, func(o *teamserver.Options) { o.Rate = 60 })
	ask := func(token string) int {
		status, _, _ := f.do(f.request("GET", "/", "", with(token)))
		return status
	}
	counts := map[int]int{}
	for range 15 {
		counts[ask(f.shop)]++
	}
	if counts[200] < 10 || counts[200] > 12 || counts[429] == 0 {
		t.Errorf("a token: %v", counts)
	}
	if got := ask(f.all); got != 200 {
		t.Errorf("another token: %d", got)
	}
	f.clock.move(2 * time.Second)
	if got := ask(f.shop); got != 200 {
		t.Errorf("later: %d", got)
	}
	counts = map[int]int{}
	for i := range 30 {
		counts[ask(fmt.Sprint("rspec_", i))]++
	}
	if counts[401] < 20 || counts[401] > 22 || counts[429] == 0 {
		t.Errorf("wrong tokens: %v", counts)
	}
	if got := ask(f.all); got != 200 {
		t.Errorf("a right token after wrong ones: %d", got)
	}
}

// A person signs in with a token, sees the projects, asks, and signs out.
func TestPages(t *testing.T) {
	f := newFixture(t, nil)
	jar, err := cookiejar.New(nil)
	check(t, err)
	browser := &http.Client{Jar: jar}
	get := func(path string) (string, string) {
		response, err := browser.Do(f.request("GET", path, "", nil))
		check(t, err)
		text, err := io.ReadAll(response.Body)
		check(t, err, response.Body.Close())
		return response.Request.URL.Path, string(text)
	}
	if path, text := get("/"); path != "/login" || !strings.Contains(text, `type="password"`) {
		t.Errorf("%s %s", path, text)
	}
	for _, c := range [][2]string{{"rspec_x", "/login"}, {f.shop, "/"}} {
		token, want := c[0], c[1]
		form := f.request("POST", "/login", url.Values{"token": {token}}.Encode(), func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Origin", f.url)
		})
		response, err := browser.Do(form)
		check(t, err, response.Body.Close())
		if response.Request.URL.Path != want {
			t.Errorf("signing in with %s leads to %s", token, response.Request.URL)
		}
		if token != f.shop && len(jar.Cookies(form.URL)) > 0 {
			t.Error("a wrong token gets a cookie")
		}
	}
	for _, c := range jar.Cookies(&url.URL{Scheme: "http", Host: strings.TrimPrefix(f.url, "http://")}) {
		if strings.Contains(c.Value, f.shop) || strings.Contains(c.Value, shared.HashToken(f.shop)) {
			t.Errorf("the cookie has the token: %v", c)
		}
	}
	if _, text := get("/"); !strings.Contains(text, "project://shop") || strings.Contains(text, "vault") {
		t.Error(text)
	}
	if _, text := get("/project?project=project://shop"); !strings.Contains(text, "Function") || !strings.Contains(text, "from the shared graph of project://shop: commit ") {
		t.Error(text)
	}
	if _, text := get("/project?" + url.Values{"project": {"project://shop"}, "q": {"who calls Pay"}}.Encode()); !strings.Contains(text, "Buy") {
		t.Error(text)
	}
	specs := "/view/" + url.PathEscape("project://shop")
	if _, text := get("/project?project=project://shop"); !strings.Contains(text, `href="`+specs+`/"`) {
		t.Error(text)
	}
	if path, text := get(specs + "/"); !strings.Contains(text, "The shop") || !strings.Contains(text, `href="`+specs+`/spec/specs/shop.spec.md"`) || strings.Contains(text, "/drift") || strings.Contains(text, "/badge") || strings.Contains(text, "/modules") {
		t.Errorf("%s %s", path, text)
	}
	_, text := get(specs + "/spec/specs/shop.spec.md")
	if !strings.Contains(text, "It pays") || strings.Contains(text, "<b>href") || strings.Contains(text, "/source/") {
		t.Error(text)
	}
	history := specs + "/history/specs/shop.spec.md"
	if !strings.Contains(text, `href="`+history+`#REQ-001"`) || !strings.Contains(text, `href="`+f.url+`/project?project=project%3A%2F%2Fshop"`) {
		t.Error(text)
	}
	if _, text := get(history); !strings.Contains(text, `id="REQ-001"`) || !strings.Contains(text, "Begin shop") || !strings.Contains(text, "Cite &lt;shop&gt;") || !strings.Contains(text, "<del>See nothing") {
		t.Error(text)
	}
	if _, text := get(specs + "/raw/specs/shop.spec.md"); !strings.Contains(text, "sourceTarget: a.go") {
		t.Error(text)
	}
	for _, path := range []string{"/view/" + url.PathEscape("project://vault") + "/", specs + "/raw/..%2f..%2fetc%2fpasswd", strings.ReplaceAll(history, "shop", "vault"), specs + "/source/a.go", specs + "/drift/specs/shop.spec.md"} {
		if _, text := get(path); strings.Contains(text, "vault") || strings.Contains(text, "root:") || !strings.Contains(text, "no ") && !strings.Contains(text, "not found") {
			t.Errorf("%s: %s", path, text)
		}
	}
	f.push("shop", "package shop\n\nfunc Pay() {}\n\nfunc Buy() { Pay() }\n\nfunc Third() {}\n")
	if _, text := get(specs + "/"); !strings.Contains(text, "The shop") {
		t.Error(text)
	}
	hostile := `"><script>alert(1)</script>`
	if _, text := get("/project?" + url.Values{"project": {"project://shop"}, "q": {hostile}}.Encode()); strings.Contains(text, "<script>alert") {
		t.Error(text)
	}
	response, err := browser.Do(f.request("POST", "/logout", "", nil))
	check(t, err, response.Body.Close())
	if path, _ := get("/"); path != "/login" {
		t.Errorf("after signing out: %s", path)
	}
}

// A server that is told to stop answers what it is asked before, and a client that sends its request slowly, or none, does not
// keep it.
func TestStops(t *testing.T) {
	f := newFixture(t, nil)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check(t, err)
	u, err := teamserver.ParseURL("http://" + l.Addr().String())
	check(t, err)
	g := graphs.New(graphs.Options{Guard: true, Organisation: func() (store.Shared, error) { return nil, errors.New("none") }})
	s := teamserver.New(teamserver.Options{Graphs: g, URL: u, Lang: "en", Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, "", "") }()
	f.url = u.String()
	if status, _, _ := f.do(f.request("GET", "/healthz", "", nil)); status != 200 {
		t.Error(status)
	}
	silent, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
	check(t, err)
	stop()
	select {
	case err := <-ended:
		check(t, err, g.Close(), silent.Close())
	case <-time.After(30 * time.Second):
		t.Fatal("it does not stop")
	}
}

func TestAddresses(t *testing.T) {
	for text, ok := range map[string]bool{
		"https://code.example.org": true, "https://code.example.org:8443/": true, "http://localhost:8484": true, "http://127.0.0.1:1": true, "http://[::1]:1": true,
		"http://code.example.org": false, "http://0.0.0.0:8484": false, "https://a:b@code.example.org": false, "https://x/path": false, "code.example.org": false, "": false, "ftp://x": false,
	} {
		if _, err := teamserver.ParseURL(text); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
