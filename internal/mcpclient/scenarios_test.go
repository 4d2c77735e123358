package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// TestContract runs every scenario of the contract, by the names it has there.
func TestContract(t *testing.T) {
	for _, s := range []struct {
		requirement, scenario string
		run                   func(*testing.T)
	}{
		{"MCP 客户端连接", "STDIO 连接", stdioConnects},
		{"MCP 客户端连接", "SSE 连接", sseConnects},
		{"MCP 客户端连接", "处理连接失败", failureSaysWhy},
		{"工具发现", "请求工具列表", toolsAreListed},
		{"工具发现", "工具元数据", metadataIsKept},
		{"工具发现", "处理工具列表错误", failedListExposesNothing},
		{"工具调用", "调用工具", toolsAreCalled},
		{"工具调用", "处理工具错误", errorsHaveDetails},
		{"工具调用", "异步工具调用", slowCallsBlockNothing},
		{"服务器管理", "启动服务器", configuredServersStart},
		{"服务器管理", "健康检查", deadServersAreNoticed},
		{"服务器管理", "自动重连", lostServersComeBack},
		{"服务器管理", "停止服务器", closingEndsEverything},
		{"工具注册集成", "注册 MCP 工具", foundToolsAreRegistered},
		{"工具注册集成", "工具命名", namesDoNotCollide},
		{"工具注册集成", "过滤 MCP 工具", filtersHold},
		{"配置支持", "全局 MCP 配置", globalServers},
		{"配置支持", "项目 MCP 配置", projectServers},
		{"配置支持", "STDIO 配置", stdioConfiguration},
		{"配置支持", "SSE 配置", sseConfiguration},
		{"资源访问", "列出资源", resourcesAreListed},
		{"资源访问", "读取资源", resourcesAreRead},
	} {
		t.Run(s.requirement+"/"+s.scenario, s.run)
	}
}

func stdioConnects(t *testing.T) {
	s := connect(t, "sound")
	want := mcpclient.Info{Name: "faulty", Version: "1.2.3", Protocol: "2025-11-25", Transport: mcpclient.TypeStdio, Instructions: "ask"}
	if diff := cmp.Diff(want, s.Info(), cmpopts.IgnoreFields(mcpclient.Info{}, "Capabilities")); diff != "" {
		t.Error(diff)
	}
}

func sseConnects(t *testing.T) {
	url, _ := host(t, sseHandler(t))
	s, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: mcpclient.TypeSSE, URL: url + "/sse"}, quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Info().Transport != mcpclient.TypeSSE {
		t.Errorf("%+v", s.Info())
	}
}

func failureSaysWhy(t *testing.T) {
	_, err := mcpclient.Dial(t.Context(), faultyServer(t, "dies"), quick())
	if err == nil || !strings.Contains(err.Error(), "there is no database here") {
		t.Error(err)
	}
}

func toolsAreListed(t *testing.T) {
	tools, err := connect(t, "sound").Tools(t.Context())
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"echo", "slow", "fail", "die"}, names); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func metadataIsKept(t *testing.T) {
	tools, err := connect(t, "sound").Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := mcpclient.Tool{
		Server: "it", Name: "echo", Title: "Echo", Description: "Says it again.",
		InputSchema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"text":{"type":"string","pattern":"^a"}},"oneOf":[{"required":["text"]}]}`),
		Annotations: mcpclient.Annotations{ReadOnly: true, Destructive: true, OpenWorld: true},
	}
	if diff := cmp.Diff(want, tools[0], cmpopts.IgnoreFields(mcpclient.Tool{}, "Raw")); diff != "" {
		t.Error(diff)
	}
}

// registry starts servers and waits until each has been tried.
func registry(t *testing.T, o mcpclient.Options, servers ...mcpclient.Server) *mcpclient.Registry {
	t.Helper()
	r := mcpclient.Start(t.Context(), servers, nil, o)
	t.Cleanup(func() { r.Close() })
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func failedListExposesNothing(t *testing.T) {
	r := registry(t, quick(), faultyServer(t, "badlist"))
	s := r.Servers()[0]
	if s.State != mcpclient.Failed || !strings.Contains(fmt.Sprint(s.Err), "disk full") || len(r.Tools()) != 0 {
		t.Errorf("%+v, %v", s, r.Tools())
	}
}

func toolsAreCalled(t *testing.T) {
	r, err := connect(t, "sound").Call(t.Context(), mcpclient.Call{Tool: "echo", Arguments: json.RawMessage(`{"n":12345678901234567890}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := &mcpclient.Result{
		Content:    []mcpclient.Content{{Type: "text", Text: `{"n":12345678901234567890}`}},
		Structured: json.RawMessage(`{"n":12345678901234567890}`),
	}
	if diff := cmp.Diff(want, r, cmpopts.IgnoreFields(mcpclient.Result{}, "Raw")); diff != "" {
		t.Error(diff)
	}
}

func errorsHaveDetails(t *testing.T) {
	s := connect(t, "sound")
	_, err := s.Call(t.Context(), mcpclient.Call{Tool: "fail"})
	if failed, ok := errors.AsType[*mcpclient.ToolError](err); !ok || err.Error() != "tool it:fail: no such table: users" || !failed.Result.IsError {
		t.Error(err)
	}
	_, err = s.Call(t.Context(), mcpclient.Call{Tool: "refuse"})
	if refused, ok := errors.AsType[*jsonrpc.Error](err); !ok || err.Error() != `tool it:refuse: bad arguments (code -32602): {"field":"id"}` || refused.Code != -32602 {
		t.Error(err)
	}
	if _, err = s.Call(t.Context(), mcpclient.Call{Tool: "echo", Arguments: json.RawMessage(`[1]`)}); err == nil {
		t.Error("a list was sent as arguments")
	}
}

// slowCallsBlockNothing: while they run, others are answered, they say how far
// they are, and they can be cancelled, of which the server is told.
func slowCallsBlockNothing(t *testing.T) {
	s := connect(t, "sound")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			told := []jsonrpc.Progress{} // none, if another call ends all of them first
			_, err := s.Call(ctx, mcpclient.Call{Tool: "slow", Timeout: -1, Progress: func(p jsonrpc.Progress) {
				if told = append(told, p); len(told) == 3 {
					if r, err := s.Call(context.WithoutCancel(ctx), mcpclient.Call{Tool: "echo"}); err != nil || r.Text() != "{}" {
						t.Error(r, err)
					}
					cancel(enough)
				}
			}})
			want := []jsonrpc.Progress{{Progress: 1, Total: 3, Message: "step 1"}, {Progress: 2, Total: 3, Message: "step 2"}, {Progress: 3, Total: 3, Message: "step 3"}}
			if diff := cmp.Diff(want[:len(told)], told); diff != "" || !errors.Is(err, enough) {
				t.Error(err, diff)
			}
		})
	}
	wg.Wait()
	if got := say(t, s, "seen"); got == "" || strings.HasPrefix(got, "error") {
		t.Errorf("the server was not told: %s", got)
	}
}

func configuredServersStart(t *testing.T) {
	r := registry(t, quick(), faultyServer(t, "sound"))
	if s := r.Servers()[0]; s.State != mcpclient.Connected || s.Info.Name != "faulty" || s.Tools != 4 {
		t.Errorf("%+v", s)
	}
}

func deadServersAreNoticed(t *testing.T) { TestServerThatAnswersNoPingIsGone(t) }

func lostServersComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fakes []*mcpclient.Fake
		dial := func(ctx context.Context, s mcpclient.Server, o mcpclient.Options) (*mcpclient.Session, error) {
			fakes = append(fakes, &mcpclient.Fake{Answer: healthy})
			return fakes[len(fakes)-1].Dial(ctx, s, o)
		}
		r := mcpclient.StartWith(t.Context(), one(), mcpclient.Options{}, dial)
		defer r.Close()
		synctest.Wait()
		fakes[0].Lose(errors.New("cut"))
		synctest.Wait()
		_, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:a"})
		if away, ok := errors.AsType[*mcpclient.UnavailableError](err); !ok || away.Status.State != mcpclient.Disconnected || !strings.Contains(err.Error(), "cut") {
			t.Errorf("a call meanwhile: %v", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:a"}); err != nil || len(fakes) != 2 {
			t.Errorf("a call afterwards: %v, %d connections", err, len(fakes))
		}
	})
	TestServerIsTriedForEver(t)
}

func closingEndsEverything(t *testing.T) {
	r := registry(t, mcpclient.Options{}, faultyServer(t, "sound"))
	begin := time.Now()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 2*time.Second { // its input was closed, and it went by itself
		t.Errorf("a server that ends by itself took %s", took)
	}
	if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:echo"}); err == nil {
		t.Error("a call went through")
	}
}

func foundToolsAreRegistered(t *testing.T) {
	tool, ok := registry(t, quick(), faultyServer(t, "sound")).Tool("it:echo")
	if !ok || tool.Server != "it" || tool.Alias != "it__echo" {
		t.Errorf("%+v", tool)
	}
}

func namesDoNotCollide(t *testing.T) {
	other := faultyServer(t, "sound")
	other.Name = "other"
	r := registry(t, quick(), other, faultyServer(t, "sound"))
	var names []string
	for _, tool := range r.Tools() {
		names = append(names, tool.FullName())
	}
	want := []string{"it:echo", "it:slow", "it:fail", "it:die", "other:echo", "other:slow", "other:fail", "other:die"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func filtersHold(t *testing.T) {
	o := quick()
	o.Filter = mcpclient.Filter{Allow: []string{"it:*"}, Deny: []string{"die"}}
	r := registry(t, o, faultyServer(t, "sound"))
	if len(r.Tools()) != 3 {
		t.Error(r.Tools())
	}
	if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "it:die"}); err == nil || !strings.HasPrefix(err.Error(), "unknown tool it:die") {
		t.Error(err)
	}
}

func globalServers(t *testing.T) {
	home := folder(t, map[string]string{".kode.json": `{"mcpServers": {"a": {"command": "x"}}}`})
	for range 2 {
		s, ok := mcpclient.Load(home, t.TempDir()).Server("a")
		if !ok || s.Type != mcpclient.TypeStdio || (*mcpclient.Approvals)(nil).Check(s) != nil {
			t.Errorf("%+v", s)
		}
	}
}

func projectServers(t *testing.T) {
	TestProjectReplacesWholeEntries(t)
	project := folder(t, map[string]string{".kode.json": `{"mcpServers": {"a": {"command": "x"}}}`})
	if config := mcpclient.Load(t.TempDir(), t.TempDir()); len(config.Servers) != 0 {
		t.Errorf("another project has %v", config.Servers)
	}
	r := registry(t, quick(), mcpclient.Load(t.TempDir(), project).Servers...)
	if s := r.Servers()[0]; s.State != mcpclient.Unapproved {
		t.Errorf("%+v", s)
	}
}

func stdioConfiguration(t *testing.T) {
	program := must(os.Executable())
	project := folder(t, map[string]string{".kode.json": fmt.Sprintf(
		`{"mcpServers": {"it": {"command": %q, "args": ["-test.v"], "env": {"FAULTY": "sound", "SECRET": "s3cret"}}, "bad": {"type": "stdio"}}}`, program)})
	config := mcpclient.Load(t.TempDir(), project)
	approvals := mcpclient.NewApprovals(filepath.Join(t.TempDir(), "home"))
	if err := approvals.Approve(t.Context(), config.Servers...); err != nil {
		t.Fatal(err)
	}
	r := mcpclient.Start(t.Context(), config.Servers, approvals, quick())
	defer r.Close()
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, _ := config.Server("it")
	session, err := mcpclient.Dial(t.Context(), s, quick())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if got, want := say(t, session, "env"), "s3cret in "+project; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	states := []mcpclient.State{}
	for _, s := range r.Servers() {
		states = append(states, s.State)
	}
	if !slices.Equal(states, []mcpclient.State{mcpclient.Invalid, mcpclient.Connected}) {
		t.Error(states)
	}
}

func sseConfiguration(t *testing.T) {
	url, seen := host(t, sseHandler(t))
	t.Setenv("TOKEN", "t0k")
	home := folder(t, map[string]string{".kode.json": fmt.Sprintf(
		`{"mcpServers": {"it": {"type": "sse", "url": "%s/sse", "headers": {"Authorization": "Bearer ${TOKEN}"}}, "bad": {"type": "sse"}}}`, url)})
	r := registry(t, quick(), mcpclient.Load(home).Servers...)
	if s := r.Servers(); s[0].State != mcpclient.Invalid || s[1].State != mcpclient.Connected {
		t.Errorf("%+v", s)
	}
	if got := seen("Authorization"); len(got) == 0 || got[0] != "Bearer t0k" {
		t.Error(got)
	}
}

func resourcesAreListed(t *testing.T) {
	got, err := registry(t, quick(), faultyServer(t, "sound")).Resources(t.Context(), "")
	want := []mcpclient.Resource{{Server: "it", URI: "mem://a", Name: "a", Title: "A", Description: "the a", MIMEType: "text/plain", Size: 5}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(mcpclient.Resource{}, "Raw")); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if !strings.Contains(string(got[0].Raw), `"_meta":{"x":1}`) {
		t.Errorf("%s", got[0].Raw)
	}
}

func resourcesAreRead(t *testing.T) {
	r := registry(t, quick(), faultyServer(t, "sound"))
	got, err := r.Read(t.Context(), "it", "mem://a")
	want := []mcpclient.Contents{{URI: "mem://a", MIMEType: "text/plain", Text: "hello"}, {URI: "mem://b", MIMEType: "image/png", Blob: []byte{0, 1, 2}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	_, err = r.Read(t.Context(), "it", "mem://c")
	if err == nil || err.Error() != `server it: read mem://c: no such resource (code -32002): {"uri":"mem://c"}` {
		t.Error(err)
	}
}
